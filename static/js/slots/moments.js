// Each screen announces a completion or a reveal once: a moment above what one does, a sound, a vibration.
// One stands at a time; the next waits. What is already complete when a page is first opened is not news.
// Passing ones disappear by themselves, and so do all while another waits, and on the television, where nobody taps.
// The key of a passing one ends with its entry: it goes when that is undone, and comes back when it is redone.
// Notes of the GM are announced until they are read here, and a phone that was away gets what it sees for the first time.

import { play } from "../page/sounds.js";
import * as storage from "../page/storage.js";
import { on } from "../page/switches.js";
import { when } from "../page/when.js";

const live = document.getElementById("live");
const banner = () => document.getElementById("banner");
const key = `moments:${live.dataset.game}:${live.dataset.seat}`;
const PASSING = 8000;
const SMALL = 4000;
const queue = [];
let timer = 0;

const lasting = `known:${live.dataset.game}:${live.dataset.seat}`;
const NAMED = 4;
const isNote = (moment) => Boolean(moment.dataset.moment?.startsWith("note:"));

let announced = storage.read(key, null, true);
const before = storage.read(lasting, null); // null on a phone that was never here
const read = new Set(before?.read); // notes to this seat that were dismissed here
let counters = before && new Set(before.counters); // those on the last board here
let whole = true; // the board is one of which no part was shown here

function keep() {
  storage.keep(key, [...announced], true);
  storage.keep(lasting, { read: [...read], counters: [...counters] });
}

/** Show the first that waits, if none stands. */
function next() {
  if (!banner().childElementCount) {
    clearTimeout(timer);
    timer = 0;
    if (queue.length) banner().append(queue.shift());
  }
  const shown = banner().firstElementChild;
  if (!shown || timer) return;
  const { dataset } = shown;
  const gives = "passing" in dataset || document.body.classList.contains("tv") || (queue.length && !isNote(shown));
  const passes = "small" in dataset ? SMALL : gives ? PASSING : 0;
  if (passes) timer = setTimeout(() => over(shown), passes);
}

function over(moment) {
  const waiting = queue.indexOf(moment);
  if (waiting >= 0) queue.splice(waiting, 1);
  moment.remove();
  if (isNote(moment)) read.add(moment.dataset.moment);
  next();
}

/** Take away what is no longer true, also from a screen reader. */
function retract(moment) {
  over(moment);
  document.getElementById("alarm").textContent = "";
}

function tell(moment) {
  queue.push(moment.cloneNode(true));
  document.getElementById("alarm").textContent = [...moment.querySelectorAll("p, h2")].map((each) => each.textContent).join(". ");
  next();
  if ("small" in moment.dataset) return;
  play("complete");
  if (on("haptics")) navigator.vibrate?.([60, 80, 60, 80, 160]);
}

/** Say what was just done here, with an Undo. */
export const takeBack = (text, entry) => sayFirst("take-back", text, [entry]);

/** Say what was just undone here, with a Redo. */
export const tookBack = (text, entries) => sayFirst("took-back", text, entries);

/** Say it before all else that waits. */
function sayFirst(template, text, entries) {
  const moment = document.getElementById(template).content.firstElementChild.cloneNode(true);
  moment.querySelector("h2").textContent = text;
  moment.querySelector("[data-entries]").dataset.entries = entries.join(" ");
  for (const each of banner().querySelectorAll("[data-take-back]")) each.remove();
  const stands = banner().firstElementChild;
  if (stands) queue.unshift(stands);
  stands?.remove();
  queue.unshift(moment);
  next();
}

/** Announce notes of the GM to this seat until they are read; one without text is removed. */
function lookAtNotes(standing) {
  const here = [...banner().children, ...queue].filter(isNote);
  const keys = new Set(standing.map((each) => each.dataset.moment));
  for (const each of here) if (!keys.has(each.dataset.moment)) over(each);
  for (const each of standing) {
    const { moment } = each.dataset;
    if (!read.has(moment) && !here.some((other) => other.dataset.moment === moment)) tell(each);
  }
  for (const each of [...read]) if (!keys.has(each)) read.delete(each);
}

/** Announce counters that a phone which was away sees for the first time. */
function lookAtCounters() {
  const slots = [...document.querySelectorAll("#groups .slot:not(.is-masked)")];
  const revealed = (slot) => document.querySelector(`#moments > [data-moment^="${CSS.escape(slot.dataset.counter)}.seen."]`);
  const fresh = slots.filter((slot) => !counters?.has(slot.dataset.counter) && !revealed(slot));
  if (whole && counters && fresh.length) announceNew(fresh.map((slot) => slot.querySelector(".slot-name").textContent.trim()));
  counters = new Set(slots.map((slot) => slot.dataset.counter));
  whole = false;
}

function announceNew(names) {
  const moment = document.getElementById("new-here")?.content.firstElementChild.cloneNode(true);
  if (!moment) return;
  const more = names.length > NAMED ? " …" : "";
  moment.querySelector("h2").textContent = names.slice(0, NAMED).join(" · ") + more;
  tell(moment);
}

function look() {
  const all = [...document.querySelectorAll("#moments > [data-moment]")];
  const notes = all.filter(isNote);
  const standing = all.filter((each) => !isNote(each));
  const keys = new Set(standing.map((each) => each.dataset.moment));
  const gm = Boolean(document.getElementById("tabs"));
  lookAtNotes(notes);
  if (gm) counters = new Set();
  else lookAtCounters();
  if (announced === null) {
    announced = keys;
    return keep();
  }
  announced = new Set(announced);
  for (const each of standing) {
    if (announced.has(each.dataset.moment)) continue;
    announced.add(each.dataset.moment);
    tell(each);
  }
  for (const each of [...banner().children, ...queue]) {
    const [counter, shown] = each.dataset.moment?.split(".seen.") ?? [];
    if (!shown || document.querySelector(`.slot:not(.is-masked)[data-counter="${CSS.escape(counter)}"]`)) continue;
    retract(each); // it was revealed by mistake
  }
  const undone = document.getElementById("moments").dataset.gone?.split(" ") ?? [];
  for (const each of [...announced]) {
    const [, ...parts] = each.split(".");
    if (parts.length ? !undone.includes(parts.at(-1)) : keys.has(each)) continue;
    announced.delete(each);
    for (const gone of [...banner().children, ...queue]) if (gone.dataset.moment === each) retract(gone);
  }
  keep();
}

if (banner()) {
  document.addEventListener("table:changed", look);
  when("click", "#banner > .moment [data-moment-over]", (button) => {
    over(button.closest("#banner > .moment"));
    keep();
  });
  live.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => {
    whole ||= String(detail.message.data).includes('id="board"');
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!document.querySelector("#sheet[open] #sheet-body .notes")) return;
    for (const each of [...banner().children, ...queue].filter(isNote)) over(each);
    keep();
  });
  look();
}
