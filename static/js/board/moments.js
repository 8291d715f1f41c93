// Recent events, one moment at a time: docked above the cockpit for three seconds, announced and vibrated. One
// command is one moment, and so are events of one card within three seconds; the most important comes first. Nothing
// that is shown gives way to something older: the log has that.

import { onChange } from "../net/outbox.js";
import { buzz } from "../page/haptics.js";
import { make } from "../page/make.js";
import { say } from "../page/say.js";
import { play } from "../page/sounds.js";
import * as storage from "../page/storage.js";

const live = document.getElementById("live");
const place = () => document.getElementById("moment");
const SHOWN = 3000;
const LONGER = 8000; // what a seat may want back at once, until its next act
const LEAST = 1200; // least time of one when another waits
const DEAD = 800; // a finger on its way to what stood there before
const FRESH = 3000;
const MOST = 3; // sentences of one moment
const ENDS = ["won", "draw"];
const LOUD = [...ENDS, "out", "turn"];
const RANKS = { won: 7, draw: 7, out: 4, turn: 3, asked: 2, gone: 2 };
const SOUNDS = { won: "over", draw: "over" };
const queue = [];
let shown = null; // a moment: its sentences, when the last of them came, and how many are only in the log
let since = 0;
let missed = 0;
let timer = 0;

// One screen for all seats is nobody's own, and has the question in the part of who is asked; a big one has it in its
// column, as long as it waits.
const shared = document.body.classList.contains("is-flat");
const asks = !shared && !document.body.classList.contains("tv");
const isMine = (seats) => !shared && Boolean(seats?.split(" ").includes(live.dataset.seat));
const mine = ({ dataset }) => (asks || dataset.moment !== "asked") && !isMine(dataset.but) && (!dataset.for || isMine(dataset.for));

/** True if it no longer holds: the turn has ended, a winner's game is open again, or a seat that was out is back. */
function stale({ dataset: { moment, place, for: to, but } }) {
  const active = document.getElementById("step")?.dataset.active;
  if (moment === "turn" && active !== undefined) return !(to ?? but).split(" ").some((seat) => active.split(" ").includes(seat));
  if (moment === "out") return Boolean(document.querySelector(`#board > .seat[data-place="${place}"] .seat-head:not(.is-lost)`));
  const end = ENDS.includes(moment) && document.getElementById("end");
  return Boolean(end) && !end.children.length;
}

/** The importance of a sentence here: after the end, that I am out comes first. */
const rank = ({ dataset: { moment, for: to } }) => (moment === "out" && to ? 6 : (RANKS[moment] ?? 1));
const highest = ({ lines }) => Math.max(...lines.map(rank));
const ranked = (lines) => [...lines].sort((one, other) => rank(other) - rank(one));
const isLoud = ({ lines }) => lines.some(({ dataset }) => LOUD.includes(dataset.moment));
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

/** The element of a moment: its first sentence whole, with Rule and Undo; the next ones below it. Under another, who
    has won is only the heading of the end. */
function drawn({ lines, more }) {
  const [first, ...others] = ranked(lines);
  const rest = others.filter(({ dataset }) => !ENDS.includes(dataset.moment));
  const box = first.cloneNode(true);
  const undo = box.querySelector("[data-entries]");
  if (undo?.dataset.does === "undo") undo.dataset.entries = first.dataset.entry.split(" ").reverse().join(" ");
  for (const each of rest.slice(0, MOST - 1)) {
    const also = make("p", { className: "moment-also" }, ...each.querySelector(".moment-says").cloneNode(true).childNodes);
    also.querySelector(".moment-rule")?.remove();
    box.append(also);
  }
  const untold = Math.max(0, rest.length - MOST + 1) + more + missed;
  if (untold && live.dataset.moreMoments) {
    const says = live.dataset.moreMoments.replace("{n}", untold);
    box.append(make("a", { className: "moment-more", href: "log", dataset: { sheet: "" } }, says));
  }
  missed = 0;
  return box;
}

const spoken = ({ lines }) =>
  ranked(lines).slice(0, MOST).map((each) =>
    [...each.querySelectorAll(".moment-says > :not(a)")].map((part) => part.textContent).join("").replace(/\s+/g, " ").trim());

/** The next to show of those that are fresh: by importance, then by age. Those older than it are dropped. */
function take() {
  const now = Date.now();
  for (const each of queue) each.lines = each.lines.filter((line) => !stale(line));
  const fresh = queue.filter((each) => each.lines.length && now - each.at <= FRESH);
  const [next = null] = [...fresh].sort((one, other) => highest(other) - highest(one));
  const after = fresh.filter((each) => each !== next && each.at >= next.at);
  const dropped = queue.filter((each) => each !== next && !after.includes(each));
  missed += dropped.reduce((sum, { lines, more }) => sum + lines.length + more, 0);
  queue.splice(0, queue.length, ...after);
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

/** Draw the current moment, and announce what is new in it. */
function show(said = []) {
  place().replaceChildren(drawn(shown));
  rest();
  const loud = isLoud(shown);
  const words = spoken(shown).filter((each) => !said.includes(each));
  if (words.length) say(words.join(". "), loud);
  if (loud && !said.length) buzz("asked", shown.lines.some(({ dataset }) => dataset.moment === "turn") ? "turn" : "asked");
  const sound = shown.lines.map(({ dataset }) => SOUNDS[dataset.moment]).find(Boolean);
  if (sound && !said.length) play(sound);
  wait();
}

/** Its button takes no tap at first: the finger may have been on its way to another. */
function rest() {
  const button = place().querySelector("button");
  if (!button) return;
  button.disabled = true;
  setTimeout(() => (button.disabled = false), DEAD);
}

/** How long it stays; a lesser one gives way to what waits. */
function stay() {
  if (queue.length && !isLoud(shown)) return LEAST;
  return shown.lines.some(({ dataset }) => ENDS.includes(dataset.moment) || isMine(dataset.stays)) && !shown.over ? LONGER : SHOWN;
}

function wait() {
  clearTimeout(timer);
  const from = queue.length ? since : Math.max(since, shown.at);
  timer = setTimeout(next, Math.max(0, from + stay() - Date.now()));
}

/** Without what no longer holds. True if nothing is left to show. */
function prune() {
  if (!shown?.lines.some(stale)) return !shown;
  shown.lines = shown.lines.filter((line) => !stale(line));
  return !shown.lines.length;
}

document.addEventListener("table:changed", () => {
  const before = shown?.lines.length;
  if (shown && prune()) next();
  else if (shown && shown.lines.length < before) place().replaceChildren(drawn(shown));
});

// Whoever goes on does not want it back.
onChange((items) => {
  if (!shown || shown.over || !items.some(({ command }) => !["undo", "redo"].includes(command.do))) return;
  shown.over = true;
  wait();
});

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

/** Announce a command. lines: its sentences. more: the number of further sentences in the log. */
export function announce(lines, more = 0) {
  if (!lines.length) return;
  const moment = { lines: [], more, at: Date.now() };
  for (const line of lines) join(moment, line);
  const cards = about(moment);
  const like = [shown, ...queue].find((each) => each && moment.at - each.at < FRESH && about(each).some((card) => cards.includes(card)));
  if (like) {
    const said = spoken(like);
    for (const line of moment.lines) join(like, line);
    like.at = moment.at;
    like.more += more;
    if (like === shown) return show(said);
  } else {
    queue.push(moment);
  }
  if (prune() || queue.some((waiting) => highest(waiting) > highest(shown))) return next();
  wait();
}

/** Ring the cells of seats whose cards another seat changed, in that seat's colour. */
function pulse(hits) {
  for (const hit of hits.split(" ")) document.dispatchEvent(new CustomEvent("seat:hit", { detail: hit.split(":") }));
}

/** Announce a command; lots run first, and wait for nothing that was shown. */
function tell(lines, more) {
  const lots = lines.find(({ dataset }) => dataset.lots)?.dataset.lots;
  if (!lots) return announce(lines, more);
  queue.splice(0);
  next();
  const detail = { seats: lots.split(" "), then: () => announce(lines, more) };
  document.dispatchEvent(new CustomEvent("lots:drawn", { detail }));
}

function arrive() {
  const moment = place() && document.querySelector("div#moments"); // a list of them stands: it is not ours to empty
  if (!moment) return;
  if (moment.dataset.hit) pulse(moment.dataset.hit);
  delete moment.dataset.hit;
  const entries = new Map();
  for (const line of [...moment.children]) {
    line.remove();
    if (!mine(line)) continue;
    const { entry } = line.dataset;
    entries.set(entry, [...(entries.get(entry) ?? []), line]);
    const ids = line.dataset.numbers?.split(" ");
    if (ids) document.dispatchEvent(new CustomEvent("numbers:announced", { detail: ids }));
  }
  let more = Number(moment.dataset.more ?? 0);
  delete moment.dataset.more;
  for (const lines of entries.values()) {
    tell(lines, more);
    more = 0;
  }
}

document.addEventListener("htmx:ws:after:message:incoming", arrive);

// Who starts a rematch is told once, on its page.
const STARTS = `starts:${live.dataset.game}`;
if (document.querySelector("div#moments > *") && storage.text(STARTS, true)) document.querySelector("div#moments").replaceChildren();
else storage.keepText(STARTS, "told", true);
arrive();

/** The winner reads it in the second person. */
function address() {
  const said = document.querySelector("#end [data-winners]");
  if (said) document.getElementById("end-sheet").disabled = false;
  if (said && isMine(said.dataset.winners)) said.textContent = said.dataset.own;
}

document.addEventListener("table:changed", address);
address();

// An answered moment goes at once.
document.addEventListener("click", (event) => {
  const put = event.target.closest?.("#moment :is(button, a, .is-won, [data-lots])");
  if (put && !put.form && Date.now() - since > DEAD) next();
});
