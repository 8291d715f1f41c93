// The number under the finger changes at once: what the server said, and what still waits. When the
// server speaks, its number stands first and what still waits is put on top again.

import { turned } from "./commands.js";
import * as outbox from "./outbox.js";

const said = new Map();

function waitingById() {
  const sums = new Map();
  for (const { command } of outbox.waiting()) {
    const turn = turned(command);
    if (turn?.id) sums.set(turn.id, (sums.get(turn.id) ?? 0) + turn.by);
  }
  return sums;
}

/** Show only what the server said. */
export function restore() {
  for (const [element, number] of said) element.textContent = number;
  said.clear();
}

/** Put what waits on top of what the server said. */
export function apply() {
  restore();
  for (const [id, by] of waitingById()) {
    const element = document.getElementById(id);
    if (!element) continue;
    said.set(element, element.textContent);
    element.textContent = Math.max(0, Number(element.textContent) + by);
    element.classList.add("is-waiting");
  }
  for (const element of document.querySelectorAll("b.is-waiting"))
    if (!said.has(element)) element.classList.remove("is-waiting");
  mirror();
}

/** A sheet shows numbers of the board a second time. */
function mirror() {
  for (const copy of document.querySelectorAll("[data-of]")) {
    const element = document.getElementById(copy.dataset.of);
    if (element && copy.textContent !== element.textContent) copy.textContent = element.textContent;
  }
}

outbox.onChange(apply);
document.addEventListener("htmx:before:swap", () => {
  restore();
  queueMicrotask(apply);
});
