// One slot at a time: a tap shows its result at once, and the server's answer replaces it.

import { readers, words } from "../board/readers.js";
import { fromButton, plainly } from "../board/commands.js";
import { tick } from "../page/haptics.js";
import { say } from "../page/say.js";
import { when } from "../page/when.js";
import * as outbox from "../net/outbox.js";
import { takeBack, tookBack } from "./moments.js";

const undoable = new Map(); // what to say with an Undo once it is done, by command
const undone = new Map(); // what to say with a Redo

document.addEventListener("table:accepted", ({ detail: { command, entry } }) => {
  const text = undoable.get(command.id);
  const taken = undone.get(command.id);
  undoable.delete(command.id);
  undone.delete(command.id);
  if (text && entry) takeBack(text, entry);
  if (taken) tookBack(taken.text, taken.entries);
});
document.addEventListener("undo:given", ({ detail }) => undone.set(detail.id, detail));

when("click", 'button[form="slot-tap"]', (button, event) => {
  event.preventDefault();
  const command = fromButton(button);
  if (!command) return;
  const host = button.closest("dialog[open]") ? "dialog[open]" : `#k-${CSS.escape(button.value)}`;
  const id = outbox.give(command, host);
  if (button.dataset.undoable) undoable.set(id, button.dataset.undoable);
  tick();
});

// A tap on the blocks themselves opens the counter, as a tap on its name does.
when("click", "#board .blocks", (blocks) => blocks.closest(".slot")?.querySelector(".slot-name a")?.click());

function waiting() {
  const sums = new Map();
  for (const command of outbox.waiting().map((item) => plainly(item.command))) {
    if (typeof command.on !== "string" || !command.slots) continue;
    const sign = { fill: 1, spend: 1, clear: -1 }[command.do];
    if (sign) sums.set(command.on, (sums.get(command.on) ?? 0) + sign * command.slots);
  }
  return sums;
}

/** Mark the slots that are on their way: dim what will fill, fade what will be empty. */
function mark() {
  for (const block of document.querySelectorAll(".blocks :is(.is-coming, .is-going)"))
    block.classList.remove("is-coming", "is-going");
  for (const [id, by] of waiting()) {
    const same = `[data-counter="${CSS.escape(id)}"]`;
    for (const slot of document.querySelectorAll(`#live :is(.slot, .blocks)${same}`))
      turn(slot, slot.matches('[data-type="resource"]') ? -by : by); // a resource shows what is left
  }
}

function turn(slot, by) {
  const blocks = [...slot.querySelectorAll("i")].filter((each) => each.closest(".blocks"));
  const free = [...blocks.filter((each) => each.matches(".is-temporary")), ...blocks.filter((each) => !each.matches(".is-temporary, .is-filled"))];
  const full = blocks.filter((each) => each.matches(".is-filled")).reverse();
  for (const block of by > 0 ? free.slice(0, by) : full.slice(0, -by))
    block.classList.add(by > 0 ? "is-coming" : "is-going");
}

outbox.onChange(mark);
document.addEventListener("table:changed", mark);

/** The text of *part*, without what is there for the eye only. */
function spoken(part) {
  const copy = part.cloneNode(true);
  for (const each of copy.querySelectorAll(".seat-mark, .party-name, .bit.is-zero, .bit > [aria-hidden]")) each.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}

// When the whole table is read: the party and each counter, one line each.
readers.push(
  () =>
    [...document.querySelectorAll("#party a")].map((each) =>
      [...each.children].map((part) => spoken(part)).filter(Boolean).join(", "),
    ),
  () =>
    [...document.querySelectorAll("#board .slot")].map(
      (slot) => words(slot, ".slot-said") || [words(slot, ".slot-name"), words(slot, ".slot-veil")].join(", "),
    ),
);

// Changes, announced once to screen readers.
const MOST = 6;
let said = new Map();
let timer = 0;

function texts() {
  const found = new Map();
  for (const each of document.querySelectorAll("#groups .slot-said"))
    found.set(each.closest(".slot").id, each.textContent);
  return found;
}

let before = texts();
document.addEventListener("table:changed", () => {
  const now = texts();
  for (const [id, text] of now) if (before.get(id) !== text) said.set(id, text);
  before = now;
  if (!said.size) return;
  timer ||= setTimeout(() => {
    // A redrawn board is read when it is asked for.
    if (said.size <= MOST) say([...said.values()].join(". "));
    said = new Map();
    timer = 0;
  }, 600);
});
