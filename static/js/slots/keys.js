// The keyboard: n type a new one, 1-9 and 0 select, j and k or the arrows move on, + and - one slot, r roll, h hide or who
// sees it, c condition, m another scene, t a note, u undo, U redo, ? help; for a GM . is the next turn, a comma the one before,
// f begins or ends the turn order, and y, d and e are the first buttons of what waits first. Escape leaves what is open.
// A key is a command only where nobody is about to type: not in a sheet, nor beside one that has a field or
// is on its way. A sheet opens with its first field under the fingers, or with its heading, never its ×.

import { isComing, show } from "../board/sheet.js";
import { undo } from "../board/undo.js";
import * as outbox from "../net/outbox.js";
import { key as ofSelection, pick } from "./selecting.js";

const FIELDS = "input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), textarea";
const touched = matchMedia("(pointer: coarse)"); // a field with the focus would bring up the keyboard
const fieldIn = (part) => [...part.querySelectorAll(FIELDS)].find((each) => each.checkVisibility());
let ahead = ""; // what was typed before the sheet was there
const mayType = () => isComing() || [...document.querySelectorAll("dialog[open]")].some(fieldIn);

let selected = "";

const counters = () => [...document.querySelectorAll("#groups .slot:not(.is-masked)")].filter((each) => each.checkVisibility());

function select(slot) {
  document.querySelector(".slot.is-selected")?.classList.remove("is-selected");
  selected = slot?.id ?? "";
  slot?.classList.add("is-selected");
  hints();
  if (!slot) return;
  slot.querySelector(".slot-name a")?.focus({ preventScroll: true });
  slot.scrollIntoView({ block: "nearest" });
}

/** Go *by* so many rows on. */
function move(by) {
  const rows = counters();
  const at = rows.indexOf(current());
  select(rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))]);
}

/** Put the focus on the row where it was, or the first. */
function back() {
  (document.getElementById(selected) ?? counters()[0])?.querySelector(".slot-name a")?.focus({ preventScroll: true });
}

const leads = () => document.querySelector(".slot-bar.is-gm");
/** The buttons of what waits for the GM first. */
const answers = () => {
  const first = leads() && [...document.querySelectorAll("#asked > *, #notices > *")].find((each) => each.matches(".prompt") && each.checkVisibility());
  return first ? [...first.querySelectorAll("button, summary")].filter((each) => each.checkVisibility() && !each.disabled) : [];
};

function answer(n) {
  const button = answers()[n];
  if (!button) return;
  button.click();
  if (!button.matches("summary")) return back();
  const field = fieldIn(button.parentElement);
  field?.focus();
  field?.select();
}

const LEAVING = ["#sheet[open] .sheet-close", "#banner button[data-moment-over]:not([name], [data-does])", '.tabs:has([aria-pressed="true"]:not([data-tab=""])) > [data-tab=""]'];
/** What Escape leaves now: a sheet, a moment, but by none of its acts, the scene that is shown. */
const left = () => LEAVING.map((place) => document.querySelector(place)).find((each) => each?.checkVisibility());
const HINTED = {
  n: ".typed-field",
  a: '[data-key="a"]',
  u: "#undo:enabled",
  ".": ".slot-bar.is-gm form:not(.act-now) .is-main",
  ",": "[data-turn-before]",
  "−": ".slot.is-selected .slot-stepper button:first-child:enabled, #sheet [data-act=less]",
  "+": ".slot.is-selected .slot-stepper button:last-child:enabled, #sheet [data-act=more]",
  h: ".slot.is-selected .slot-eyes > button",
};

/** The keys, on what they act on now. */
function hints() {
  for (const each of document.querySelectorAll("[data-hint]")) delete each.dataset.hint;
  if (touched.matches || !leads()) return;
  const hinted = [...Object.entries(HINTED), ["Esc", left()], ...["y", "d", "e"].map((key, n) => [key, answers()[n]])];
  for (const [key, place] of hinted) {
    const shown = typeof place === "string" ? document.querySelectorAll(place) : [place];
    for (const each of shown) if (each) each.dataset.hint = key;
  }
  for (const [n, row] of counters().slice(0, 10).entries()) row.querySelector(".slot-name").dataset.hint = (n + 1) % 10;
}

/** Open the sheet of the current row, with *field* under the fingers, unfolded. */
async function at(field) {
  const slot = current();
  if (!slot) return;
  await show(`slots/${slot.dataset.counter}`);
  const there = document.querySelector(`#sheet-body ${field}`);
  for (let fold = there?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  there?.focus();
}

/** Take back the beginning of the turn, whatever came after it. */
async function turnBack() {
  const answer = leads() && (await fetch("mine?gm"));
  const entry = answer?.ok && (await answer.json()).turn;
  if (entry) outbox.give({ do: "undo", entry }, "#bar");
}

const current = () => document.getElementById(selected) ?? document.activeElement?.closest?.("#groups .slot") ?? null;
const press = (name) => current()?.querySelector(name)?.click();

/** Open what a key of the bar opens, with the first thing to type or to choose under the fingers. */
async function open(key, first) {
  const link = document.querySelector(`[data-key="${key}"]`);
  if (!link) return;
  await show(link.getAttribute("href"));
  document.querySelector(`#sheet-body ${first}`)?.focus();
}

const KEYS = {
  n: () => {
    const line = document.getElementById("typed-line");
    if (line) line.focus();
    else open("n", "#slot-line");
  },
  a: () => open("a", ".who :checked"),
  "+": () => press(".slot-stepper button:last-child:enabled"),
  "=": () => KEYS["+"](),
  "-": () => press(".slot-stepper button:first-child:enabled"),
  "−": () => KEYS["-"](),
  h: async () => {
    const slot = current();
    const hide = slot?.querySelector("[name=hide-slot]");
    if (hide) hide.click();
    else if (slot?.querySelector("[name=reveal-slot]")) {
      // A name that is typed in the wrong place reveals nothing: what has the focus is already so.
      await show(`slots/${slot.dataset.counter}`);
      document.querySelector("#sheet-body .slot-who [aria-pressed=true]")?.focus();
    }
  },
  u: undo,
  U: () => undo("redo"),
  j: () => move(1),
  k: () => move(-1),
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  ".": () => leads()?.querySelector("form:not(.act-now) .is-main")?.click(),
  ",": turnBack,
  y: () => answer(0),
  d: () => answer(1),
  e: () => answer(2),
  x: () => pick(current()),
  c: () => at(".slot-afflict button"),
  m: () => at("input[name=scene]"),
  r: () => at(".rolls input:not([type=hidden])"),
  f: () => leads() && document.querySelector("button[data-fight]")?.click(),
  t: async () => {
    const field = () => [...document.querySelectorAll(".note-new textarea")].find((each) => each.checkVisibility());
    if (!field()) await show("notes");
    field()?.focus();
  },
  "?": () => show("keys"),
  Escape: () => left()?.click(),
};
document.addEventListener("click", ({ target }) => target.closest?.("[data-turn-before]") && turnBack());

document.addEventListener("keydown", (event) => {
  if (isComing() && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.target.closest?.("input, textarea")) {
    ahead += event.key;
    event.preventDefault();
    return;
  }
  if (event.key === "Enter" && event.ctrlKey && event.target.matches?.(".note-new textarea")) {
    [...event.target.form.querySelectorAll("button")].find((each) => each.checkVisibility()).click();
    return;
  }
  const act = { "+": "more", "-": "less", "−": "less" }[event.key];
  if (act && event.target.matches?.("#sheet [name='slots:number']")) {
    event.target.form.querySelector(`[data-act=${act}]`).click();
    return event.preventDefault();
  }
  if (ofSelection(event)) return event.preventDefault();
  if (event.key === "Escape" && event.target.matches?.("#typed-line, #notebook textarea")) return back();
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog:modal") || mayType()) return;
  if (event.target.closest?.("input, select, textarea, dialog")) return;
  const digit = event.code.match(/^Digit(\d)$/)?.[1];
  const row = digit && counters()[(Number(digit) || 10) - 1];
  if (row && event.shiftKey) {
    select(row);
    pick(row);
  } else if (row && event.key === digit) select(row);
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});

document.addEventListener("sheet:shown", () => {
  hints();
  const body = document.getElementById("sheet-body");
  const named = body.querySelector("[data-focus]");
  const field = named ?? (touched.matches ? null : fieldIn(body));
  const heading = body.querySelector("h2");
  if (!field && heading) heading.tabIndex = -1;
  (field ?? heading)?.focus({ preventScroll: true });
  named?.select();
  if (field && ahead) document.execCommand("insertText", false, ahead);
  ahead = "";
});

// What had the focus may be drawn anew or gone: it goes to the row that was last under the fingers, never to the top.
let focused = null;
let last = 0; // that row, from the top
document.addEventListener("focusin", ({ target }) => {
  focused = target;
  const at = counters().indexOf(target.closest("#groups .slot"));
  if (at >= 0) last = at;
});
function keep() {
  if (document.activeElement !== document.body || !focused || focused.isConnected) return;
  const rows = counters();
  (document.getElementById(selected) ?? rows[Math.min(last, rows.length - 1)])?.querySelector(".slot-name a")?.focus({ preventScroll: true });
}

hints();
for (const moment of ["click", "htmx:after:swap"]) document.addEventListener(moment, () => setTimeout(hints));
document.getElementById("sheet").addEventListener("close", keep);
document.addEventListener("table:changed", () => {
  if (selected) document.getElementById(selected)?.classList.add("is-selected");
  hints();
  keep();
});
