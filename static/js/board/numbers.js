// Optimistic updates: a number shows the server's value plus all unconfirmed taps. Each answer replaces the server's
// value, and unconfirmed taps are added again. A refused tap is corrected where it was made.

import { turned } from "./commands.js";
import { faint, mirror, write } from "./copies.js";
import { numbers as labelled } from "./labels.js";
import * as outbox from "../net/outbox.js";

const SHAKEN = 500;
const said = new Map();
/** By id: the taps confirmed since the sheet was drawn, of numbers that only it shows. */
const drawn = new Map();

function waitingById() {
  const sums = new Map();
  for (const { command } of outbox.waiting()) {
    const turn = turned(command);
    if (turn?.id) sums.set(turn.id, (sums.get(turn.id) ?? 0) + turn.by);
  }
  return sums;
}

/** The least value of the number *element*. */
export const least = (element) => Number(element.parentElement?.dataset.least ?? 0);

/** The number that a text shows: people read a minus, not a hyphen. */
export const read = (text) => Number(text.replace("−", "-"));

/** The server's value in *element*, without what is added to it. */
export const confirmed = (element) => read(said.get(element) ?? element.textContent);

/** Show only the server's value. */
function restore() {
  for (const [element, shown] of said) write(element, shown);
  said.clear();
}

/** Add the unconfirmed taps to the server's value. */
function apply() {
  restore();
  const waiting = waitingById();
  for (const id of new Set([...waiting.keys(), ...drawn.keys()])) {
    // A counter at 0 may stand in its card's sheet only.
    const shown = document.getElementById(id);
    const element = shown ?? document.querySelector(`[data-of="${CSS.escape(id)}"]`);
    const by = (waiting.get(id) ?? 0) + (shown ? 0 : (drawn.get(id) ?? 0));
    if (!element || (shown && !waiting.has(id))) continue;
    said.set(element, element.textContent);
    const now = Math.max(least(element), read(element.textContent) + by);
    write(element, String(now).replace("-", "−"));
    element.classList.toggle("is-waiting", waiting.has(id));
  }
  for (const element of document.querySelectorAll("b.is-waiting"))
    if (!said.has(element)) element.classList.remove("is-waiting");
  mirror();
  faint();
}

outbox.onChange(apply);
outbox.onChange(labelled);
apply(); // unconfirmed taps outlive the page
document.addEventListener("table:accepted", ({ detail }) => {
  const turn = turned(detail.command);
  if (!turn?.id || document.getElementById(turn.id)) return;
  drawn.set(turn.id, (drawn.get(turn.id) ?? 0) + turn.by);
  apply();
});
document.addEventListener("htmx:before:swap", (event) => {
  restore();
  if (event.target.id === "sheet-body" && !event.defaultPrevented) drawn.clear();
  queueMicrotask(apply);
});

document.addEventListener("table:refused", ({ detail }) => {
  const id = detail.item && turned(detail.item.command)?.id;
  if (!id) return;
  for (const number of document.querySelectorAll(`#${CSS.escape(id)}, [data-of="${CSS.escape(id)}"]`)) {
    const { classList } = number.parentElement; // another number may stand there by then
    classList.add("is-refused");
    setTimeout(() => classList.remove("is-refused"), SHAKEN);
  }
});
