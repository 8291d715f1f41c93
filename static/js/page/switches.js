// Switches, remembered on this phone. Each says in words whether it is on, and names what this browser cannot do at
// all.

import * as storage from "./storage.js";
import { when } from "./when.js";

const vibrates = () => "vibrate" in navigator;
const CAN = {
  haptics: vibrates,
  hit: vibrates,
  turn: vibrates,
  asked: vibrates,
  awake: () => "wakeLock" in navigator || Boolean(document.createElement("video").canPlayType?.("video/mp4")),
  sound: () => "AudioContext" in window,
};

export function on(name) {
  return storage.text(`switch:${name}`) !== "off";
}

for (const each of document.querySelectorAll("[data-plain]")) each.hidden = isSecureContext;

function show() {
  for (const button of document.querySelectorAll("[data-switch]")) {
    const name = button.dataset.switch;
    const can = CAN[name]?.() ?? true;
    const words = button.closest("[data-on]").dataset;
    button.disabled = !can;
    button.setAttribute("aria-pressed", String(can && on(name)));
    button.dataset.state = can && on(name) ? words.on : words.off;
    const reason = button.querySelector("[data-cannot]");
    if (reason) reason.hidden = can;
  }
}

when("click", "[data-switch]", (button) => {
  const name = button.dataset.switch;
  if (!storage.keepText(`switch:${name}`, on(name) ? "off" : "on")) return;
  show();
  document.dispatchEvent(new CustomEvent("switched", { detail: name }));
});
show();
