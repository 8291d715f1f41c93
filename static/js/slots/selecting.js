// Several counters at once: a tap on a row's sign, or x, selects it; again, it has saved and takes half; the third time
// leaves. Shift and a tap selects all between. A bar stands in for the GM's own: an amount, Hit, Half, Heal, Condition.
// All that is done so is one command, one line of the log, one undo.

import { tick } from "../page/haptics.js";
import { say } from "../page/say.js";
import * as outbox from "../net/outbox.js";
import { when } from "../page/when.js";

const SIGN = 44; // pixels from the row's edge that are its sign
const picked = new Map(); // by counter: what part of the amount it takes
let last = null; // the row that was selected last
let bar = null;

const slots = () => [...document.querySelectorAll("#groups .slot[data-hit]")].filter((slot) => slot.checkVisibility());
const slotOf = (id) => document.getElementById(`k-${id}`);
const amount = () => Number(bar.elements.amount.value) || 0;
const takes = (id) => Math.floor(amount() * picked.get(id));
export const selects = () => picked.size > 0;

/** The bar, in place of the GM's own; null for who has none. */
function ready() {
  const template = document.getElementById("selection-bar");
  if (!bar && template) bar = template.content.firstElementChild.cloneNode(true);
  const cockpit = document.querySelector(".cockpit.has-bar");
  if (bar && cockpit && bar.parentElement !== cockpit) cockpit.prepend(bar);
  return bar;
}

/** The number on *slot*, and what it would be after a hit. */
function after(slot, id) {
  const now = Number(slot.querySelector(".slot-text b")?.textContent.replace("−", "-"));
  const most = Number(slot.querySelector(".slot-text")?.textContent.split("/")[1]?.match(/\d+/)?.[0] ?? now);
  const down = slot.hasAttribute("data-down") || slot.dataset.hit === "clear";
  const then = down ? Math.max(Math.min(now, 0), now - takes(id)) : Math.min(most, now + takes(id));
  if (!Number.isFinite(then) || then === now) return "";
  const words = JSON.parse(slot.dataset.words);
  const [, word] = words.find(([to]) => then <= to) ?? words.at(-1);
  return ["→ " + then, word].filter(Boolean).join(", ");
}

function show() {
  for (const id of picked.keys()) if (!slotOf(id)) picked.delete(id);
  if (selects()) ready();
  if (!bar) return;
  bar.hidden = !selects();
  for (const slot of document.querySelectorAll("#groups .slot")) {
    const part = picked.get(slot.dataset.counter);
    slot.classList.toggle("is-picked", Boolean(part));
    slot.classList.toggle("is-half", part === 0.5);
    const then = part && after(slot, slot.dataset.counter);
    const seers = slot.querySelector(".slot-seers");
    if (then) seers.dataset.then = then;
    else delete seers?.dataset.then;
    const name = slot.querySelector(".slot-name a");
    if (part) name?.setAttribute("aria-current", "true");
    else name?.removeAttribute("aria-current");
  }
  bar.querySelector("[data-count]").textContent = picked.size;
}

export function pick(slot) {
  if (!slot?.dataset.hit || !ready()) return;
  const id = slot.dataset.counter;
  const part = { undefined: 1, 1: "saves" in bar.dataset ? 0.5 : 0 }[picked.get(id)] ?? 0;
  if (part) picked.set(id, part);
  else picked.delete(id);
  last = slot.id;
  const name = slot.querySelector(".slot-name a").lastChild.textContent.trim();
  say(`${name}, ${bar.dataset[part ? (part < 1 ? "half" : "whole") : "left"]}`);
  tick();
  show();
}

/** Select all rows from the last one to *slot*. */
function pickTo(slot) {
  const all = slots();
  const from = all.findIndex(({ id }) => id === last);
  const to = all.indexOf(slot);
  if (from < 0 || to < 0 || !selects()) return pick(slot);
  for (const each of all.slice(Math.min(from, to), Math.max(from, to) + 1))
    if (!picked.has(each.dataset.counter)) picked.set(each.dataset.counter, 1);
  show();
}

export function leave() {
  const row = document.getElementById(last);
  picked.clear();
  show();
  row?.querySelector(".slot-name a")?.focus({ preventScroll: true });
}

function give(steps) {
  if (!steps.length) return;
  outbox.give(steps.length > 1 ? { do: "together", steps } : steps[0], `#k-${CSS.escape(steps[0].on)}`);
  tick();
  leave();
}

/** Hit, or heal, all that is selected by the amount, or each by its half. */
function change(heals) {
  if (!amount()) return bar.elements.amount.focus();
  const verb = { fill: heals ? "clear" : "fill", clear: heals ? "fill" : "clear" };
  give(
    [...picked.keys()]
      .map((on) => ({ do: verb[slotOf(on).dataset.hit], on, slots: takes(on) }))
      .filter((step) => step.slots),
  );
}

function halve() {
  const all = [...picked.values()].every((part) => part === 0.5) ? 1 : 0.5;
  for (const id of picked.keys()) picked.set(id, all);
  show();
}

/** Open *list*: closed, it would take the first with a letter that is typed. */
function choose(list) {
  list?.focus();
  list?.showPicker?.();
}

/** What a key does while rows are selected. */
export function key(event) {
  if (!selects() || event.ctrlKey || event.metaKey || event.altKey) return false;
  const field = bar.elements.amount;
  const typing = document.activeElement === field;
  const name = event.key;
  const elsewhere = event.target.closest?.("input, select, textarea, dialog");
  if (!typing && elsewhere && !(name === "Escape" && bar.contains(elsewhere))) return false;
  if (name === "Escape") leave();
  else if (name === "/" && "saves" in bar.dataset) halve();
  else if (name === "+") change(true);
  else if (name === "c") choose(bar.elements.condition);
  else if (name === "Enter" && !event.target.closest?.("button")) change(false);
  else if (/^\d$/.test(name) && !event.shiftKey && !typing) {
    field.focus();
    field.value += name;
    show();
  } else return typing && !/^\d$/.test(name) && name.length === 1;
  return true;
}

document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.("#groups .slot[data-hit] .slot-name a");
    if (!link || !event.detail || !document.getElementById("selection-bar")) return;
    const { left, right } = link.closest(".slot").getBoundingClientRect();
    const fromEdge = document.dir === "rtl" ? right - event.clientX : event.clientX - left;
    if (fromEdge > SIGN) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) pickTo(link.closest(".slot"));
    else pick(link.closest(".slot"));
  },
  true,
);
when("click", "#selection [data-act]", ({ dataset: { act } }) => {
  if (act === "heal") change(true);
  else if (act === "half") halve();
  else if (act === "leave") leave();
});
when("submit", "#selection", (_bar, event) => {
  event.preventDefault();
  event.stopPropagation();
  change(false);
}, true);
when("input", "#selection", show);
document.addEventListener("change", ({ target }) => {
  if (target.form?.id !== "selection" || target.name !== "condition" || !target.value) return;
  const { rounds, good } = target.selectedOptions[0].dataset;
  const given = { name: target.value, ...(rounds ? { rounds: Number(rounds) } : {}), good: good !== undefined };
  target.value = "";
  give([...picked.keys()].map((on) => ({ do: "afflict", on, ...given })));
});
document.addEventListener("table:changed", () => (selects() || bar) && show());
