// Turning a number: minus left, plus right, on pointer-up; a hold turns by ten and repeats. A finger
// that wanders is not a tap.

import { fromButton, turned } from "./commands.js";
import { tick } from "./haptics.js";
import * as outbox from "./outbox.js";
import { bubble } from "./bubble.js";

const WANDER = 20;
const HOLD = 500;
const REPEAT = 350;
const MANY = 10;
let press = null;
let handled = 0;

const dialled = (target) => target.closest?.('.dials button[form="t"]');

function act(button, amount) {
  const command = fromButton(button.name, button.value, amount);
  if (!command) return;
  const turn = turned(command);
  outbox.give(command, `#o-${CSS.escape(holderOf(button))}, #s-${CSS.escape(holderOf(button))}`);
  tick();
  if (turn?.id) bubble(button, turn.id, turn.by);
}

function holderOf(button) {
  return button.value.split(".")[0];
}

function drop() {
  clearTimeout(press?.timer);
  press?.button.classList.remove("is-pressed");
  press = null;
}

document.addEventListener("pointerdown", (event) => {
  const button = dialled(event.target);
  if (!button || event.button > 0) return;
  drop();
  press = { button, x: event.clientX, y: event.clientY, id: event.pointerId, held: false };
  button.classList.add("is-pressed");
  const again = () => {
    if (!press) return;
    press.held = true;
    act(press.button, MANY);
    press.timer = setTimeout(again, REPEAT);
  };
  if (button.closest("li.act") === null) press.timer = setTimeout(again, HOLD);
});

document.addEventListener("pointermove", (event) => {
  if (press?.id !== event.pointerId) return;
  if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > WANDER) drop();
});

document.addEventListener("pointerup", (event) => {
  if (press?.id !== event.pointerId) return;
  const { button, held } = press;
  drop();
  handled = Date.now();
  if (!held) act(button, 1);
});

document.addEventListener("pointercancel", drop);
document.addEventListener("contextmenu", (event) => {
  if (dialled(event.target)) event.preventDefault();
});

// The click that follows a touch is ours already; one without a touch is a keyboard's or a reader's.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.('button[form="t"]');
  if (!button) return;
  event.preventDefault();
  if (!dialled(event.target)) {
    outbox.give(fromButton(button.name, button.value), "#turn");
    tick();
  } else if (Date.now() - handled > 700) {
    act(button, 1);
  }
});
