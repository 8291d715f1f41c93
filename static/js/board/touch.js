// Steppers: minus left, plus right, on pointer-up. A hold changes by ten, or by the step of its number or button, and
// repeats; meanwhile it shows the sum. A finger that strays is no tap. Each finger counts for itself.

import { changed } from "./deltas.js";
import { fromButton, turned } from "./commands.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";

const WANDER = 20;
const HOLD = 500;
const FIRST_REPEAT = 900; // longer, to lift the finger after one
const REPEAT = 350;
const MANY = 10;
const AFTER_TOUCH = 700;
const presses = new Map();
const shifted = new Map();
const STILL = 350;
let handled = { at: -Infinity, heard: -Infinity, x: 0, y: 0 };

// When a counter reaches zero its control disappears and another takes its place, and a row may stand
// for other cards than before: a finger still tapping does not mean that one.
const controls = (card) => card.querySelectorAll("li").length;
const meaning = (card) => card.querySelector('[name^="each."]')?.value;
document.addEventListener("htmx:before:swap", () => {
  const before = new Map();
  for (const card of document.querySelectorAll(".card")) before.set(card.id, [controls(card), meaning(card)]);
  queueMicrotask(() => {
    for (const [id, [count, ids]] of before) {
      const card = document.getElementById(id);
      if (card && (controls(card) < count || meaning(card) !== ids)) shifted.set(id, Date.now());
    }
  });
});

const still = (button) => Date.now() - (shifted.get(button.closest(".card")?.id) ?? 0) > STILL;
/** Milliseconds from the handled touch to a click. Some browsers date a click when they make it, some when the finger
 * was lifted, and a busy page may hear of either late. */
const sinceTouch = ({ timeStamp }) => Math.min(timeStamp - handled.at, Date.now() - handled.heard);
const turner = (target) => target.closest?.('.steppers li > button[form="t"]');

function act(button, amount, holding = false) {
  const command = fromButton(button, amount);
  if (!command) return;
  const turn = turned(command);
  if (!outbox.give(command, places(button))) return;
  tick();
  if (turn?.id) changed(turn.id, turn.by, { holding });
}

/** The change of one tap: from its button, or from its side. */
const stride = (button) => Number(button.dataset.by ?? button.parentElement.dataset.by ?? 1);

/** Give one tap on *button*. */
export const count = (button) => act(button, stride(button));

/** The place for a refusal: the button, or the card or seat that it is about. */
function places({ name, value }) {
  const holder = CSS.escape(value.split(".")[0]);
  return `button[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"], #o-${holder}, #s-${holder}`;
}

/** That finger's press no longer counts, and the click the browser makes of it is ignored. */
function forget(press) {
  clearTimeout(press.timer);
  press.button.classList.remove("is-pressed");
  press.over = true;
}

document.addEventListener("pointerdown", (event) => {
  const button = turner(event.target);
  if (!button || event.button > 0 || !still(button)) return;
  const press = { button, x: event.clientX, y: event.clientY, held: false, over: false, timer: 0 };
  presses.set(event.pointerId, press);
  button.classList.add("is-pressed");
  const again = () => {
    if (press.over || !button.isConnected) return;
    act(button, Number(button.dataset.by ?? button.parentElement.dataset.hold ?? MANY), true);
    press.timer = setTimeout(again, press.held ? REPEAT : FIRST_REPEAT);
    press.held = true;
  };
  if (button.dataset.by || !button.closest("li.act")) press.timer = setTimeout(again, HOLD);
});

document.addEventListener("pointermove", (event) => {
  const press = presses.get(event.pointerId);
  if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > WANDER) forget(press);
});

document.addEventListener("pointerup", (event) => {
  const press = presses.get(event.pointerId);
  if (!press) return;
  presses.delete(event.pointerId);
  handled = { at: event.timeStamp, heard: Date.now(), x: event.clientX, y: event.clientY };
  if (press.over) return;
  forget(press);
  if (!press.held) count(press.button);
});

document.addEventListener("pointercancel", (event) => {
  const press = presses.get(event.pointerId);
  if (press) forget(press);
  presses.delete(event.pointerId);
});

// A screen that goes dark under a finger ends its hold.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return;
  presses.forEach(forget);
  presses.clear();
});

document.addEventListener("contextmenu", (event) => {
  if (event.target.closest?.(".steppers")) event.preventDefault();
});

// The click that follows a touch is already handled, however late a busy page hears of it; one without a touch is a
// keyboard's or a screen reader's.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.('button[form="t"]');
  if (!button) return;
  event.preventDefault();
  if (!turner(event.target)) {
    outbox.give(fromButton(button, stride(button)), places(button));
    tick();
  } else if ((event.detail === 0 || sinceTouch(event) > AFTER_TOUCH) && still(button)) {
    act(button, stride(button));
  }
});

// A last counter taken off is gone before the browser makes the click of that tap, which would open what is there now.
window.addEventListener("click", (event) => {
  const { x, y } = handled;
  if (!event.detail || turner(event.target) || sinceTouch(event) > STILL) return;
  if (Math.hypot(event.clientX - x, event.clientY - y) > WANDER) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });
