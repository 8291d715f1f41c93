// What happened, one moment at a time: docked above the cockpit for three seconds, spoken and felt. What one
// command did is one moment, and so is what happens to one card within three seconds; what matters most
// is said first. Nothing older than that is told: the log has it.

import { buzz } from "../page/haptics.js";
import { say } from "../page/say.js";
import { play } from "../page/sounds.js";

const live = document.getElementById("live");
const place = () => document.getElementById("moment");
const SHOWN = 3000;
const LEAST = 1200; // for how long one stands at least when another waits
const FRESH = 3000;
const MOST = 3; // sentences of one moment
const LOUD = ["out", "won", "draw", "turn"];
const RANKS = { out: 4, won: 4, draw: 4, turn: 3, gone: 2 };
const SOUNDS = { won: "over", draw: "over" };
const queue = [];
let shown = null; // a moment: its sentences, when the last of them came, and how many are only in the log
let since = 0;
let missed = 0;
let timer = 0;

// One screen for all seats is nobody's own.
const isMine = (seats) => !document.body.classList.contains("is-flat") && Boolean(seats?.split(" ").includes(live.dataset.seat));
const mine = ({ dataset }) => !isMine(dataset.but) && (!dataset.for || isMine(dataset.for));

/** Whether it is no longer so: who won is open again, or who was out is back. */
function stale({ dataset: { moment, place } }) {
  if (moment === "out") return Boolean(document.querySelector(`#board > .seat[data-place="${place}"] .seat-head:not(.is-lost)`));
  const end = ["won", "draw"].includes(moment) && document.getElementById("end");
  return Boolean(end) && !end.children.length;
}

/** How much a sentence matters here: that I am out before all else. */
const rank = ({ dataset: { moment, for: to } }) => (moment === "out" && to ? 5 : (RANKS[moment] ?? 1));
const highest = ({ lines }) => Math.max(...lines.map(rank));
const ranked = (lines) => [...lines].sort((one, other) => rank(other) - rank(one));
const about = ({ lines }) => lines.map((each) => each.dataset.about).filter(Boolean);

/** Put *line* into *moment*: the same sentence about the same card is added up. */
function join(moment, line) {
  const like = moment.lines.find((each) => same(each, line));
  if (!like) return moment.lines.push(line);
  const ns = line.querySelectorAll("[data-n]");
  like.querySelectorAll("[data-n]").forEach((n, i) => (n.textContent = Number(n.textContent) + Number(ns[i].textContent)));
  like.dataset.entry += ` ${line.dataset.entry}`;
}

const apart = (line) => line.querySelector("strong").textContent.replace(/\d+/g, "");
const same = (one, other) =>
  one.dataset.about && one.dataset.about === other.dataset.about && one.dataset.moment === other.dataset.moment
  && one.querySelector("[data-n]") && other.querySelector("[data-n]") && apart(one) === apart(other);

/** The element of a moment: its first sentence whole, with Rule and Undo; the next ones below it. */
function drawn({ lines, more }) {
  const [first, ...rest] = ranked(lines);
  const box = first.cloneNode(true);
  const undo = box.querySelector("[data-entries]");
  if (undo?.dataset.does === "undo") undo.dataset.entries = first.dataset.entry.split(" ").reverse().join(" ");
  for (const each of rest.slice(0, MOST - 1)) {
    const also = document.createElement("p");
    also.className = "moment-also";
    also.append(...each.querySelector(".moment-says").cloneNode(true).childNodes);
    also.querySelector(".moment-rule")?.remove();
    box.append(also);
  }
  const others = Math.max(0, rest.length - MOST + 1) + more + missed;
  if (others && live.dataset.moreTold) {
    const link = document.createElement("a");
    Object.assign(link, { className: "moment-more", href: "log", textContent: live.dataset.moreTold.replace("{n}", others) });
    link.dataset.sheet = "";
    box.append(link);
  }
  missed = 0;
  return box;
}

const spoken = ({ lines }) =>
  ranked(lines).slice(0, MOST).map((each) =>
    [...each.querySelectorAll(".moment-says > :not(a)")].map((part) => part.textContent).join("").replace(/\s+/g, " ").trim());

/** The next to show, of those that are fresh: what matters most, then what came first. */
function take() {
  const now = Date.now();
  for (const each of queue) each.lines = each.lines.filter((line) => !stale(line));
  const fresh = queue.filter((each) => each.lines.length && now - each.at <= FRESH);
  missed += queue.filter((each) => !fresh.includes(each)).reduce((sum, { lines, more }) => sum + lines.length + more, 0);
  fresh.sort((one, other) => highest(other) - highest(one));
  const next = fresh.shift() ?? null;
  queue.splice(0, queue.length, ...fresh);
  return next;
}

function next() {
  clearTimeout(timer);
  timer = 0;
  place().replaceChildren();
  shown = take();
  if (!shown) {
    missed = 0;
    return;
  }
  since = Date.now();
  show();
  inFront();
}

/** Draw what is shown, and say what of it is new. */
function show(said = []) {
  place().replaceChildren(drawn(shown));
  const loud = shown.lines.some(({ dataset }) => LOUD.includes(dataset.moment));
  const words = spoken(shown).filter((each) => !said.includes(each));
  if (words.length) say(words.join(". "), loud);
  if (loud && !said.length) buzz();
  const sound = shown.lines.map(({ dataset }) => SOUNDS[dataset.moment]).find(Boolean);
  if (sound && !said.length) play(sound);
  wait();
}

/** It stands for three seconds, or makes way for what waits. */
function wait() {
  clearTimeout(timer);
  const now = Date.now();
  const until = queue.length ? since + LEAST : Math.max(since, shown.at) + SHOWN;
  timer = setTimeout(next, Math.max(0, until - now));
}

/** An open sheet covers the dock: the moment shows above it. */
function inFront() {
  const box = place();
  if (document.querySelector("dialog[open]") && box.showPopover) {
    box.popover = "manual";
    box.showPopover();
  } else if (box.popover) {
    box.popover = null;
  }
}

document.addEventListener("close", inFront, { capture: true });

/** Tell what one command did; *lines* are its sentences, *more* is how many the log has besides. */
export function tell(lines, more = 0) {
  if (!lines.length) return;
  const told = { lines: [], more, at: Date.now() };
  for (const line of lines) join(told, line);
  const cards = about(told);
  const like = [shown, ...queue].find((each) => each && told.at - each.at < FRESH && about(each).some((card) => cards.includes(card)));
  if (like) {
    const said = spoken(like);
    for (const line of told.lines) join(like, line);
    like.at = told.at;
    like.more += more;
    if (like === shown) return show(said);
  } else {
    queue.push(told);
  }
  if (!shown) return next();
  if (shown.lines.some(stale)) shown.lines = shown.lines.filter((line) => !stale(line));
  if (!shown.lines.length) return next();
  if (queue.some((each) => highest(each) > highest(shown))) {
    queue.push(shown);
    return next();
  }
  wait();
}

/** Ring the cells of the seats whose cards somebody else changed, in that seat's colour. */
function pulse(hits) {
  for (const hit of hits.split(" ")) document.dispatchEvent(new CustomEvent("seat:hit", { detail: hit.split(":") }));
}

document.addEventListener("htmx:ws:after:message:incoming", () => {
  const told = place() && document.querySelector("div#moments"); // a list of them stands: it is not ours to empty
  if (!told) return;
  if (told.dataset.hit) pulse(told.dataset.hit);
  delete told.dataset.hit;
  const entries = new Map();
  for (const line of [...told.children]) {
    line.remove();
    if (!mine(line)) continue;
    const { entry } = line.dataset;
    entries.set(entry, [...(entries.get(entry) ?? []), line]);
    const ids = line.dataset.numbers?.split(" ");
    if (ids) document.dispatchEvent(new CustomEvent("numbers:told", { detail: ids }));
  }
  let more = Number(told.dataset.more ?? 0);
  delete told.dataset.more;
  for (const lines of entries.values()) {
    tell(lines, more);
    more = 0;
  }
});

/** Who has won reads it as said to them. */
function address() {
  const said = document.querySelector("#end [data-winners]");
  if (said && isMine(said.dataset.winners)) said.textContent = said.dataset.own;
}

document.addEventListener("table:changed", address);
address();

// What was answered to goes at once.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("#moment button, #moment a")) next();
});
