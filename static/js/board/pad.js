// The number pad, for big or odd changes: + − × or ÷2, before or after the number typed; "x" stands for
// the number as it is.

import { changed } from "./deltas.js";
import { fromButton, tap, turned } from "./commands.js";
import { least } from "./numbers.js";
import { opened } from "./stage.js";
import * as outbox from "../net/outbox.js";

const pad = document.getElementById("pad");
const total = pad.querySelector(".pad-total");
const what = pad.querySelector(".pad-what");
const refusal = pad.querySelector(".refusal");
const MOST = 999999;
const WANDER = 20;
const NO_CLICK = 60;
const OPS = ["+", "-", "*", "/2"];
let now = 0;
let lowest = 0;
let unit = 1;
let parts = [];
let stepper = null;
let touched = null;

const number = (part) => (part === "x" ? now : Number(part));

/** The result of what was typed, read left to right. + or − begin with what is there; alone they mean one unit. */
function result() {
  if (!parts.length) return now;
  let value = now;
  let op = null;
  for (const part of "+-".includes(parts.at(-1)) ? [...parts, String(unit)] : parts) {
    if (part === "/2") value = Math.ceil(value / 2 / unit) * unit;
    else if ("+-*".includes(part)) op = part;
    else if (op === "+") value += number(part);
    else if (op === "-") value -= number(part);
    else if (op === "*") value *= number(part);
    else value = number(part);
  }
  return Math.max(lowest, Math.min(MOST, value));
}

/** Whether the number can be had: damage that comes in tens is never 25. */
const whole = () => result() % unit === 0;

function show() {
  const typed = parts.join(" ").replaceAll("/2", "÷2").replaceAll("*", "×");
  const from = OPS.includes(parts[0]) ? `${now} ` : "";
  const text = parts.length ? `${from}${typed} → ${result()}` : String(now);
  total.textContent = text.replaceAll("-", "−");
  for (const button of pad.querySelectorAll("[data-pad-do]")) button.disabled = !whole();
}

function press(key) {
  const last = parts.at(-1);
  if (key === "back") {
    if (/^\d{2,}$/.test(last ?? "")) parts[parts.length - 1] = last.slice(0, -1);
    else parts.pop();
  } else if (/^\d$/.test(key) && /^\d{1,6}$/.test(last ?? "")) {
    parts[parts.length - 1] = String(Number(last + key));
  } else if ("+-*".includes(key) && "+-*".includes(last ?? " ")) {
    parts[parts.length - 1] = key;
  } else if ("+-*".includes(key) && parts.length === 1 && /^\d+$/.test(last)) {
    parts.unshift(key); // "5 −" means what "− 5" means
  } else {
    parts.push(key);
  }
  show();
}

function carryOut(how) {
  const to = result();
  if (!whole()) return;
  const { holder, kind } = stepper;
  if (how === "correct") {
    const number = tap(stepper.more.name)?.correction;
    const set = number ? { [number]: to } : { counter: kind, to };
    outbox.give({ do: "correct", on: holder, ...set }, `#o-${CSS.escape(holder)}, #s-${CSS.escape(holder)}`);
  }
  else if (to !== now) {
    const button = to > now ? stepper.more : stepper.less;
    const command = button && fromButton(button.name, button.value, Math.abs(to - now));
    if (command) {
      outbox.give(command, `#o-${CSS.escape(holder)}, #s-${CSS.escape(holder)}`);
      const turn = turned(command);
      if (turn?.id) changed(turn.id, turn.by);
    }
  }
  pad.close();
}

export function open(element) {
  touched = null;
  if (!element || pad.open || opened(element)) return;
  const buttons = [...element.parentElement.querySelectorAll("button")];
  if (!buttons.length) return; // someone who is watching
  const more = buttons.at(-1);
  const less = buttons.length > 1 ? buttons[0] : null;
  const kind = element.parentElement.dataset.kind;
  stepper = { less, more, kind, holder: more.value.split(".")[0] };
  now = Number(element.textContent);
  lowest = least(element);
  unit = Number(element.parentElement.dataset.unit ?? 1);
  parts = [];
  refusal.replaceChildren();
  const holder = element.closest(".card, [data-titled]");
  what.textContent = `${holder?.querySelector(":scope > a, h3")?.textContent ?? ""} · ${element.parentElement.dataset.word ?? kind}`;
  pad.querySelector('[data-pad-do="correct"]').hidden = !tap(more.name)?.corrects;
  show();
  pad.showModal();
}

/** The number tapped there: the number itself, or the space between minus and plus. */
function tapped(target) {
  const place = target.closest?.(".steppers li:not(.act)");
  return place && !target.closest("button, a") ? place : null;
}

// A number that changes under the finger is another element when the finger is lifted, and gets no click.
document.addEventListener("pointerdown", ({ target, clientX: x, clientY: y }) => {
  const place = tapped(target);
  touched = place && { place, x, y };
});
document.addEventListener("pointercancel", () => (touched = null));
document.addEventListener("pointerup", ({ clientX: x, clientY: y }) => {
  const started = touched;
  if (!started || Math.hypot(x - started.x, y - started.y) > WANDER) return;
  setTimeout(() => touched === started && started.place.isConnected && open(started.place.querySelector("b")), NO_CLICK);
});

document.addEventListener("click", (event) => {
  const place = tapped(event.target);
  if (place) open(place.querySelector("b"));
  const key = event.target.closest?.("#pad [data-key]")?.dataset.key;
  const op = event.target.closest?.("#pad [data-op]")?.dataset.op;
  const how = event.target.closest?.("#pad [data-pad-do]")?.dataset.padDo;
  if (key) press(key);
  if (op) press(op);
  if (how) carryOut(how);
});

// A board has hundreds of numbers, so they are not buttons in the page; for the keyboard they become buttons.
document.addEventListener("keydown", (event) => {
  const element = event.target.closest?.(".steppers b");
  if (!element || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  open(element);
});

pad.addEventListener("keydown", (event) => {
  const key = { Backspace: "back", "/": "/2" }[event.key] ?? event.key;
  if (/^[\dx+*-]$/.test(key) || key === "back" || key === "/2") press(key);
  else if (event.key === "Enter") carryOut("change");
  else return;
  event.preventDefault();
});
