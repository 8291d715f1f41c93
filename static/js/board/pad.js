// The number pad, for large or rare changes. It opens with the usual sign, so that digits alone change the number; ×
// and ÷2 go on from there.

import { changed } from "./deltas.js";
import { doubling, forRow, fromButton, tap, turned } from "./commands.js";
import { ask, showPreview } from "./gives.js";
import { least, read } from "./numbers.js";
import { reckoned } from "./reckoning.js";
import { open as present } from "./sheet.js";
import { opened } from "./stage.js";
import { count } from "./touch.js";
import * as outbox from "../net/outbox.js";
import { make } from "../page/make.js";

const pad = document.getElementById("pad");
const total = pad.querySelector(".pad-total");
const what = pad.querySelector(".pad-what");
const main = pad.querySelector('[data-pad-do="change"]');
const quick = pad.querySelector(".pad-quick");
const twice = pad.querySelector('[data-pad-do="double"]');
const toggle = pad.querySelector('[data-op="sign"]');
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

/** The result of the typed text, read left to right from the current number. A sign alone changes nothing yet. */
function result() {
  if (!parts.length) return now;
  return Math.max(lowest, Math.min(MOST, reckoned(parts, now, unit)));
}

/** True if the number is possible: damage that comes in tens is never 25. */
const whole = () => result() % unit === 0;

/** The current meaning of digits: take away, add, or (no sign) set the number. */
const sign = () => parts.findLast((part) => part === "+" || part === "-") ?? "=";
const NEXT = { "-": "+", "+": "=", "=": "-" };
const buttonFor = (to) => (to > now ? stepper.more : stepper.less);

function show() {
  const to = result();
  const typed = parts.map((part) => ({ "/2": "÷2", "*": "×" })[part] ?? part).join(" ");
  const from = !parts.length || OPS.includes(parts[0]) ? `${now} ` : "";
  const done = (to !== now && !stepper.give) || parts.length > 1 ? ` → ${to}` : "";
  total.textContent = `${from}${typed}${done}`.trim().replaceAll("-", "−");
  toggle.textContent = sign().replace("-", "−");
  const words = stepper.words ?? (to < now || (to === now && sign() === "-") ? pad.dataset.less : pad.dataset.more);
  main.textContent = words.replace("{n}", Math.abs(to - now)).replace("{to}", to).replace("-", "−");
  main.disabled = !whole() || to === now || !(stepper.give ?? buttonFor(to));
  pad.querySelector('[data-pad-do="correct"]').disabled = !whole() || to === now;
  if (stepper.more && becomes?.hidden === false) preview(to - now);
}

// Where cards change how many counters are put: the result, its reasons, and its order.

const becomes = pad.querySelector("[data-becomes]");
const cause = becomes?.querySelector("[data-cause]");
const order = becomes?.querySelector("[data-orders]");
let ways = [];

const chosen = () => ways[Math.max(0, order.selectedIndex)];

/** The command that adds *amount*, with the chosen cause and order. */
function adding(amount) {
  const { cause: _usual, ...command } = fromButton(stepper.more, amount);
  return { ...command, ...(cause.checked && { cause: cause.value }), ...(ways.length && order.value && { order: JSON.parse(order.value) }) };
}

async function preview(amount) {
  const command = amount > 0 ? fromButton(stepper.more, amount) : null;
  const asked = JSON.stringify([command, cause.checked]);
  if (becomes.dataset.previewing !== asked) {
    becomes.dataset.previewing = asked;
    ways = [];
    const found = command ? await ask({ ...command, on: [command.on].flat()[0], cause: cause.checked ? cause.value : "" }) : {};
    if (becomes.dataset.previewing !== asked) return;
    ways = found[stepper.kind] ?? [];
    showPreview(becomes, amount, ways);
  }
  if (!ways.length) return;
  total.textContent = total.textContent.replace(/ → .*/, "");
  main.textContent = pad.dataset.more.replace("{n}", chosen().amount).replace("{to}", now + chosen().amount);
}

becomes?.addEventListener("change", show);

/** Show that part for a number whose taps may give other amounts than were tapped. */
function prepare(place) {
  if (!becomes) return;
  const usual = fromButton(stepper.more).cause;
  becomes.hidden = !place.dataset.gives;
  delete becomes.dataset.previewing;
  ways = [];
  showPreview(becomes, 0, ways);
  cause.value = usual ?? "cost";
  cause.checked = usual !== undefined;
  becomes.querySelector("[data-cause-word]").textContent = becomes.dataset[cause.value];
}

/** The usual amounts, each in one tap. */
function offer(amounts) {
  quick.hidden = !amounts.length;
  quick.replaceChildren(...amounts.map((amount) => make("button", { dataset: { amount } }, amount)));
}

/** Flip the sign of the digits that were typed, or will be. */
function turnSign() {
  const next = NEXT[sign()];
  const digits = /^\d+$/.test(parts.at(-1) ?? "") ? parts.at(-1) : "";
  parts = [next === "=" ? "" : next, digits].filter(Boolean);
}

function press(key) {
  const last = parts.at(-1);
  if (key === "sign") {
    turnSign();
  } else if (key === "back") {
    if (/^\d{2,}$/.test(last ?? "")) parts[parts.length - 1] = last.slice(0, -1);
    else if (parts.length > 1 || !"+-".includes(last ?? "+")) parts.pop();
  } else if (/^\d$/.test(key) && /^\d{1,6}$/.test(last ?? "")) {
    parts[parts.length - 1] = String(Number(last + key)).slice(0, 6);
  } else if (OPS.includes(key) && "+-*".includes(last ?? " ")) {
    parts[parts.length - 1] = key;
  } else if (/^\d$/.test(key) && last === "/2") {
    parts = [key];
  } else {
    parts.push(key);
  }
  show();
}

/** True if an effect may double the number: it puts as many counters as there are. */
const doubles = () => now > 0 && doubling(stepper.more) !== null;

function double() {
  outbox.give(doubling(stepper.more), `#o-${CSS.escape(stepper.holder)}, #s-${CSS.escape(stepper.holder)}`);
  pad.close();
}

function carryOut(how) {
  if (how === "double") return double();
  const to = result();
  if (!whole() || to === now) return;
  const { holder, kind, give } = stepper;
  if (give) give(to);
  else if (how === "correct") {
    const number = tap(stepper.more.name)?.correction;
    const set = number ? { [number]: to } : { counter: kind, to };
    if ("out" in pad.dataset) set.restore = true;
    const correct = forRow({ do: "correct", on: holder, ...set }, stepper.more, holder);
    outbox.give(correct, `#o-${CSS.escape(holder)}, #s-${CSS.escape(holder)}`);
  }
  else {
    const button = buttonFor(to);
    const previewed = button === stepper.more && becomes?.hidden === false;
    const command = button && (previewed ? adding(to - now) : fromButton(button, Math.abs(to - now)));
    if (command && outbox.give(command, `#o-${CSS.escape(holder)}, #s-${CSS.escape(holder)}`)) {
      const turn = turned(command);
      const way = previewed ? chosen() : null;
      if (turn?.id) changed(turn.id, way?.amount ?? turn.by, { steps: way?.says });
    }
  }
  pad.close();
}

/** The stepper at *element*: its place on the board, with its minus and plus. */
const placeOf = (element) => element.closest("[data-kind]");
const turners = (place) => [...place.querySelectorAll('button[form="t"]')].filter(({ name }) => tap(name)?.counted);
const isLess = ({ name }) => tap(name).sign < 0;

/** The holder of the number, as the board calls it. */
function called(holder) {
  const card = document.querySelector(`#o-${CSS.escape(holder)} > a`);
  const seat = document.querySelector(`#s-${CSS.escape(holder)} h2`);
  return (card ?? seat ?? document.querySelector("#sheet-body h2"))?.textContent.trim() ?? "";
}

/** Whether it is gained, usually; a main number is lost. */
const isGained = (place) => (place.dataset.armed ? place.dataset.armed > 0 : !place.matches(".is-hero"));

/** The tap that opens a player's tile counts already. */
function first(place) {
  const usual = turners(place).find((button) => isLess(button) !== isGained(place));
  if (usual && place.matches(".places > *")) count(usual);
}

/** Open the pad for the number *element*. */
export function open(element) {
  touched = null;
  const place = element && !pad.matches(":modal") ? placeOf(element) : null;
  if (place && opened(element)) return first(place);
  const buttons = place ? turners(place) : [];
  if (!buttons.length) return; // someone who is watching
  const less = buttons.find(isLess) ?? null;
  const more = buttons.find((button) => !isLess(button)) ?? less;
  const { kind } = place.dataset;
  stepper = { less, more, kind, holder: more.value.split(".")[0] };
  now = read(element.textContent);
  lowest = Number(place.dataset.least ?? least(element));
  unit = Number(place.dataset.unit ?? 1);
  parts = [isGained(place) || !less || now <= lowest ? "+" : "-"];
  what.textContent = [called(stepper.holder), place.dataset.word ?? kind].filter(Boolean).join(" · ");
  const out = "restores" in pad.dataset && place.closest(".is-lost, [data-lost]");
  pad.toggleAttribute("data-out", Boolean(out));
  pad.querySelector('[data-pad-do="correct"]').hidden = !tap(more.name)?.corrects;
  if (twice) {
    twice.hidden = !doubles();
    twice.querySelector("b").textContent = `${now} → ${now * 2}`;
  }
  prepare(place);
  offer(place.dataset.quick?.split(" ") ?? []);
  rise();
}

/** Ask for a number of *title*, which the main button, in *words*, gives to *give*. */
export function askFor(title, words, give) {
  stepper = { words, give };
  now = lowest = 0;
  unit = 1;
  parts = [];
  what.textContent = title;
  rise();
}

function rise() {
  pad.toggleAttribute("data-asks", Boolean(stepper.give));
  show();
  pad.close();
  present(pad);
}

const NUMBER = "b[id], b[data-of]";

/** The number tapped there: the number itself, or the space between minus and plus. */
function tapped(target) {
  if (target.closest?.("button, a, input, #pad") !== null) return null;
  const around = target.closest(".steppers li:not(.act)");
  const number = target.closest(NUMBER) ?? around?.querySelector(NUMBER);
  const place = number && placeOf(number);
  return place && turners(place).length ? number : null;
}

// A number that changes under the finger is another element when the finger is lifted, and gets no click.
document.addEventListener("pointerdown", ({ target, clientX: x, clientY: y }) => {
  const element = tapped(target);
  touched = element && { place: placeOf(element), x, y };
});
document.addEventListener("pointercancel", () => (touched = null));
document.addEventListener("pointerup", ({ clientX: x, clientY: y }) => {
  const started = touched;
  if (!started || Math.hypot(x - started.x, y - started.y) > WANDER) return;
  setTimeout(() => touched === started && started.place.isConnected && open(started.place.querySelector(NUMBER)), NO_CLICK);
});

document.addEventListener("click", (event) => {
  const element = tapped(event.target);
  if (element) open(element);
  const key = event.target.closest?.("#pad [data-key]")?.dataset.key;
  const op = event.target.closest?.("#pad [data-op]")?.dataset.op;
  const how = event.target.closest?.("#pad [data-pad-do]")?.dataset.padDo;
  const amount = event.target.closest?.("#pad [data-amount]")?.dataset.amount;
  if (amount) {
    parts = [sign(), amount].filter((part) => part !== "=");
    show();
  }
  if (key) press(key);
  if (op) press(op);
  if (how) carryOut(how);
});

// A board has hundreds of numbers, so they are not buttons in the page; for the keyboard they become buttons.
document.addEventListener("keydown", (event) => {
  const element = event.target.closest?.(NUMBER);
  if (!element || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  open(element);
});

pad.addEventListener("keydown", (event) => {
  const key = { Backspace: "back", "/": "/2" }[event.key] ?? event.key;
  if (/^[\d+*-]$/.test(key) || key === "back" || key === "/2") press(key);
  else if (event.key === "Enter") carryOut("change");
  else return;
  event.preventDefault();
});
