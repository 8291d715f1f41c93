// The number pad, for big or odd changes: type, then + − × or ÷2; "x" stands for the number as it is.

import { bubble } from "./bubble.js";
import { fromButton, turned } from "./commands.js";
import * as outbox from "./outbox.js";

const pad = document.getElementById("pad");
const total = pad.querySelector(".pad-total");
const what = pad.querySelector(".pad-what");
const refusal = pad.querySelector(".refusal");
let now = 0;
let parts = [];
let dial = null;

const number = (part) => (part === "x" ? now : Number(part));

/** What is typed comes to; left to right, never below 0. A lone number after + or − is a change. */
function result() {
  if (!parts.length) return now;
  let value = now;
  let op = null;
  for (const part of parts) {
    if (part === "/2") value = Math.ceil(value / 2);
    else if ("+-*".includes(part)) op = part;
    else if (op === "+") value += number(part);
    else if (op === "-") value -= number(part);
    else if (op === "*") value *= number(part);
    else value = number(part);
  }
  return Math.max(0, Math.min(999999, value));
}

function show() {
  const typed = parts.join(" ").replaceAll("/2", "÷2").replaceAll("*", "×").replaceAll("-", "−");
  total.textContent = `${typed || now} → ${result()}`;
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
  } else {
    parts.push(key);
  }
  show();
}

function carryOut(how) {
  const to = result();
  const { holder, kind } = dial;
  if (how === "correct") {
    const set = dial.more.name === "gain-life" ? { life: to } : { counter: kind, to };
    outbox.give({ do: "correct", on: holder, ...set }, `#o-${CSS.escape(holder)}, #s-${CSS.escape(holder)}`);
  }
  else if (to !== now) {
    const button = to > now ? dial.more : dial.less;
    const command = button && fromButton(button.name, button.value, Math.abs(to - now));
    if (command) {
      outbox.give(command, `#o-${CSS.escape(holder)}, #s-${CSS.escape(holder)}`);
      const turn = turned(command);
      if (turn?.id) bubble(button, turn.id, turn.by);
    }
  }
  pad.close();
}

export function open(element) {
  const buttons = [...element.parentElement.querySelectorAll("button")];
  if (!buttons.length) return; // somebody who watches
  const more = buttons.at(-1);
  const less = buttons.length > 1 ? buttons[0] : null;
  const kind = element.parentElement.dataset.kind;
  dial = { less, more, kind, holder: more.value.split(".")[0] };
  now = Number(element.textContent);
  parts = [];
  refusal.replaceChildren();
  const holder = element.closest(".card, .seat-head, [data-titled]");
  what.textContent = `${holder?.querySelector(".card > a, .seat-name span, h2")?.textContent ?? ""} · ${kind}`;
  const counted = ["more", "own", "sourced", "gain-life"].includes(more.name) || kind === "damage";
  pad.querySelector('[data-pad-do="correct"]').hidden = !counted;
  show();
  pad.showModal();
}

document.addEventListener("click", (event) => {
  const element = event.target.closest?.(".dials b");
  if (element) open(element);
  const key = event.target.closest?.("#pad [data-key]")?.dataset.key;
  const op = event.target.closest?.("#pad [data-op]")?.dataset.op;
  const how = event.target.closest?.("#pad [data-pad-do]")?.dataset.padDo;
  if (key) press(key);
  if (op) press(op);
  if (how) carryOut(how);
});

pad.addEventListener("keydown", (event) => {
  const key = { Backspace: "back", "/": "/2" }[event.key] ?? event.key;
  if (/^[\dx+*-]$/.test(key) || key === "back" || key === "/2") press(key);
  else if (event.key === "Enter") carryOut("change");
  else return;
  event.preventDefault();
});
