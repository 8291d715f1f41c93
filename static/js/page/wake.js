// The screen stays on while the table is shown, and again after coming back. Over plain http browsers
// offer no wake lock; the switch in the menu then says so.

import { on } from "./switches.js";

let lock = null;

async function hold() {
  if (document.hidden || !on("awake") || lock) return;
  try {
    lock = await navigator.wakeLock?.request("screen");
    lock?.addEventListener("release", () => (lock = null));
  } catch {
    lock = null;
  }
}

document.addEventListener("visibilitychange", hold);
document.addEventListener("pointerdown", hold, { passive: true });
document.addEventListener("switched", () => (on("awake") ? hold() : lock?.release()));
hold();
