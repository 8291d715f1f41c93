// The keyboard: + and − turn the number under the focus or one's own, u undoes, n takes the next step, a
// adds a card, l opens the log, 1-8 bring a seat into the stage, ? lists the keys.

import { choose } from "./stage.js";

const cockpit = () => document.querySelector("[data-cockpit]");

/** The stepper under the focus; one's own main number if there is none. */
const stepper = () =>
  document.activeElement?.closest?.(".steppers > li:not(.act, .caption)") ?? cockpit()?.querySelector(".is-hero");
const turn = (which) => stepper()?.querySelectorAll(":scope > button")[which]?.click();
const press = (selector) => document.querySelector(selector)?.click();

const KEYS = {
  "+": () => turn(1),
  "=": () => turn(1),
  "-": () => turn(0),
  "−": () => turn(0),
  u: () => press("#undo:enabled"),
  n: () => press("#next:enabled"),
  a: () => press(".seat.is-mine .add-card"),
  l: () => press('.tools [href="log"]'),
  "?": () => press('#menu [href="keys"]'),
};

document.addEventListener("keydown", (event) => {
  if (!cockpit() || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("input:not([type=radio], [type=checkbox]), select, textarea")) return;
  const seats = [...document.querySelectorAll("#strip [data-choose]")];
  const seat = /^[1-8]$/.test(event.key) && seats[Number(event.key) - 1];
  if (seat) choose(seat.dataset.choose);
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});

// Leaving a redrawn place, the focus stays where it was: on the element of the same name.
let place = null;
document.addEventListener("focusin", ({ target }) => {
  const holder = target.closest?.("#live [id]");
  place = holder ? { id: holder.id, name: target.name, value: target.value, itself: holder === target } : null;
});
document.addEventListener("pointerdown", () => (place = null));
document.addEventListener("table:changed", () => {
  if (!place || document.activeElement !== document.body) return;
  const holder = document.getElementById(place.id);
  const same = [...(holder?.querySelectorAll("button") ?? [])].find(
    ({ name, value }) => name === place.name && value === place.value,
  );
  const there = place.itself ? holder : same;
  there?.focus({ preventScroll: true });
});
