// Replay: the film, the steps and the keys bring a moment into the page. Moments never change, so the browser caches
// them. Runs of them are prefetched, with the frames from one to the next and back; while a finger jumps about on the
// film, single ones are fetched, with their boards.

import { choose } from "../board/stage.js";
import { readers } from "../board/readers.js";
import "../board/digits.js";
import "../tv/fit.js";
import "../tv/lines.js";
import { parsed, swap } from "../tv/frames.js";
import { make } from "../page/make.js";
import { scrub } from "./scrub.js";

const live = document.getElementById("live");
const player = document.querySelector(".player");
const slider = player.querySelector("[type=range]");
const caption = document.getElementById("caption");
const latest = document.getElementById("latest");
const words = player.dataset;
const chapters = [];
const hidden = new Set();
const last = Number(slider.max);
const tv = document.body.classList.contains("tv");
const RUN = Number(words.run);
const AHEAD = 8; // so many lines before the end of what is here, the next run is fetched
const KEPT = 4 * RUN;
const RESTS = 400;
const PACE = 900;
const SPEEDS = [1, 2, 5, 20];
const FLUENT = 5; // what is faster leaves lines out
const moments = new Map();
let line = Number(slider.value);
let wanted = line;
let shared = Number(words.shared);
let again = false;
let speed = 0;
let playing = 0;
let resting = 0;
let coming = null;

// Moments

async function fetched(which) {
  const answer = await fetch(`${words.moments}${which}?v=${words.version}${tv ? "&tv" : ""}`);
  if (answer.ok) return answer.json();
  throw new Error(String(answer.status));
}

function keep(n, asked) {
  moments.set(n, asked);
  asked.catch(() => moments.get(n) === asked && moments.delete(n));
  if (moments.size > KEPT) moments.delete(moments.keys().next().value);
}

/** The frames from the line that is shown to line *n*; null if it is far away, or not all lines between are here. */
async function between(n) {
  const by = Math.sign(n - line);
  const frames = [];
  if (Math.abs(n - line) > RUN || !moments.has(n)) return null;
  for (let at = line; at !== n; at += by) {
    const found = await moments.get(Math.max(at, at + by));
    if (!found?.frames.length) return null;
    frames.push(found.frames[by > 0 ? 0 : 1]);
  }
  return frames;
}

async function bring(n) {
  const frames = await between(n);
  const shown = await (frames ? moments.get(n) : fetched(n));
  show(shown, frames ?? [shown.board]);
}

/** Fetch the lines that come next: always the same runs, which the browser may still have. */
function ahead(n, by) {
  let near = n;
  for (let i = 0; i < AHEAD && moments.has(near); i++) near = beside(near, by);
  if (moments.has(near)) return;
  const first = near - (near % RUN);
  const run = fetched(`${first}-${Math.min(last, first + RUN - 1)}`);
  const lines = [...Array(Math.min(RUN, last - first + 1)).keys()].map((i) => first + i);
  for (const each of lines) if (!moments.has(each)) keep(each, run.then((found) => found[each - first]));
}

/** The line beside *n* that this seat may know of. */
function beside(n, by) {
  let next = n + by;
  while (hidden.has(next)) next += Math.sign(by);
  return Math.min(last, Math.max(0, next));
}

const clock = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const called = (n) => (n ? words.line.replace("{line}", n) : words.beginning);
const chapter = (n) => chapters.findLast(([first]) => first <= n)?.[1] ?? "";

function times() {
  for (const time of caption.querySelectorAll("time")) time.textContent = clock(time.dateTime);
}

/** "Line 214, Ana’s turn 5, 19:42: Ana: −3 life 20 → 17" */
function says(moment) {
  const where = [called(moment.line), moment.chapter, moment.at && clock(moment.at)].filter(Boolean).join(", ");
  return moment.says ? `${where}: ${moment.says}` : where;
}

const NUMBERS = "b[id], .cell-hero[data-hero]";
const numbers = () => new Map([...live.querySelectorAll(NUMBERS)].map((each) => [each.id || each.dataset.hero, each.textContent]));

/** Whatever lies on the board can be looked at, not used; only the strip still chooses a seat, and folds unfold. */
function look() {
  for (const part of live.children) if (part.id !== "strip") still(part);
  document.getElementById("turn")?.toggleAttribute("inert", true);
}

function still(part) {
  for (const each of part.children) {
    const folds = each.querySelector("summary");
    each.inert = !folds && !each.matches(".tools, h1, summary");
    if (folds) still(each);
  }
}

const fold = (details) => details.id || details.closest("[data-group]")?.dataset.group;

/** The keyboard scrolls what does not fit. */
function reach() {
  if (tv) return;
  for (const part of live.children) {
    if (part.id === "strip") continue;
    const overflows = part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
    if (overflows || part.id === "board") part.tabIndex = 0;
  }
}

/** Light up the numbers that are *now* not as they were *before*. Cards that change are brought into sight. */
function changed(before, now) {
  const lit = [];
  for (const [id, text] of now) {
    if (before.get(id) === text) continue;
    lit.push(...live.querySelectorAll(`[id="${CSS.escape(id)}"], [data-of="${CSS.escape(id)}"], [data-hero="${CSS.escape(id)}"]`));
  }
  again = !again;
  for (const each of lit) each.classList.add("is-changed");
  for (const each of lit) each.classList.toggle("is-again", again); // or it would light up only once
  if (!lit.length || lit.some((each) => each.closest("#strip, .is-chosen, .cockpit"))) return;
  const seat = lit[0].closest("[data-seat]")?.dataset.seat;
  if (seat) choose(seat);
}

/** Bring *frames* into the page; only what differs is touched. */
function draw(frames) {
  const unfolded = new Set([...live.querySelectorAll("details[open]")].map(fold));
  for (const frame of frames) swap(parsed(frame));
  for (const each of live.querySelectorAll("details")) each.open ||= unfolded.has(fold(each));
  look();
  document.dispatchEvent(new CustomEvent("table:changed", { detail: {} }));
}

function show(shown, frames) {
  const before = numbers();
  draw(frames);
  line = shown.line;
  shared = shown.shared;
  caption.classList.remove("is-coming");
  caption.innerHTML = shown.caption;
  if (latest) latest.innerHTML = shown.latest;
  times();
  for (const lit of live.querySelectorAll(".is-changed")) lit.classList.remove("is-changed");
  changed(before, numbers());
  slider.setAttribute("aria-valuetext", says(shown));
  ends();
  clearTimeout(resting);
  resting = setTimeout(rest, RESTS);
}

/** Work for where someone stays: the address, and the board in words. */
function rest() {
  reach();
  const address = new URL(location.href);
  address.searchParams.set("line", line);
  history.replaceState(null, "", address);
  const list = document.querySelector("#in-words ul");
  list.replaceChildren(...readers.flatMap((read) => read()).filter(Boolean).map((text) => make("li", {}, text)));
}

function ends() {
  for (const [go, at] of [["chapter-back", 0], ["back", 0], ["on", last], ["chapter-on", last]]) {
    player.querySelector(`[data-go="${go}"]`).disabled = wanted === at;
  }
}

/** The film's position, while its moment is loading. */
function announce() {
  slider.value = wanted;
  slider.setAttribute("aria-valuetext", [called(wanted), chapter(wanted)].filter(Boolean).join(", "));
  ends();
  if (wanted === line) return;
  const [number, whose] = caption.querySelectorAll(".moment-when > :is(b, span)");
  caption.classList.add("is-coming");
  if (number) number.textContent = called(wanted);
  if (whose) whose.textContent = chapter(wanted);
}

/** Show one moment after another, until it is the one that is wanted. */
async function follow(by, jumping) {
  for (let here = -1; here !== wanted; ) {
    here = wanted;
    try {
      await bring(here);
      if (here !== wanted) announce();
    } catch (error) {
      if (here !== wanted) continue;
      pause();
      caption.textContent = error.message === "403" ? words.over : words.away;
      return;
    }
  }
  if (!jumping) ahead(wanted, by);
}

/** Go to line *n*. jumping: the next line wanted may be any. */
function go(n, by = 1, jumping = false) {
  wanted = Math.min(last, Math.max(0, n));
  announce();
  coming ??= follow(by, jumping).finally(() => (coming = null));
  return coming;
}

const step = (by) => go(beside(wanted, by), Math.sign(by));

/** To the beginning of the turn before or after; first to that of this one. */
async function turn(by) {
  await unrolled;
  const starts = [0, ...chapters.map(([first]) => first), last];
  const next = by > 0 ? starts.find((first) => first > wanted) : starts.findLast((first) => first < wanted);
  go(next ?? (by > 0 ? last : 0), by);
}

// Playing

function pause() {
  clearTimeout(playing);
  playing = 0;
  pressed();
}

async function onward() {
  if (!playing) return;
  if (wanted >= last) {
    pause();
    return;
  }
  const began = performance.now();
  const fluent = Math.min(SPEEDS[speed], FLUENT);
  await step(SPEEDS[speed] / fluent);
  if (playing) playing = setTimeout(onward, Math.max(30, PACE / fluent - (performance.now() - began)));
}

function play() {
  if (wanted >= last) wanted = 0;
  playing = setTimeout(onward, 0);
  pressed();
}

function pressed() {
  const button = player.querySelector('[data-go="play"]');
  player.classList.toggle("is-playing", Boolean(playing));
  button.setAttribute("aria-label", playing ? button.dataset.pause : button.dataset.play);
}

const GO = {
  "chapter-back": () => turn(-1),
  back: () => step(-1),
  play: () => (playing ? pause() : play()),
  on: () => step(1),
  "chapter-on": () => turn(1),
};
const KEYS = {
  ArrowLeft: "back",
  ArrowDown: "back",
  ArrowRight: "on",
  ArrowUp: "on",
  PageUp: "chapter-back",
  PageDown: "chapter-on",
  " ": "play",
  MediaPlayPause: "play",
};

const SIDEWAYS = ["ArrowLeft", "ArrowRight", " ", "MediaPlayPause"];

player.addEventListener("submit", (event) => event.preventDefault());
player.addEventListener("click", (event) => {
  const button = event.target.closest("[data-go]");
  const mark = event.target.closest("[data-to]");
  if (button) {
    if (button.dataset.go !== "play") pause();
    GO[button.dataset.go]();
  } else if (mark) {
    event.preventDefault();
    pause();
    go(Number(mark.dataset.to));
  }
});
/** Go where someone points on the film. */
function jump(n) {
  pause();
  go(hidden.has(n) ? beside(n, -1) : n, 1, true);
}
slider.addEventListener("input", () => jump(Number(slider.value)));
scrub(player.querySelector(".player-film"), slider, jump);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("dialog")) return;
  if (event.target.closest?.("button, a") && event.key === " ") return;
  if (event.target.closest?.("#live [tabindex='0']") && !SIDEWAYS.includes(event.key)) return;
  const to = KEYS[event.key];
  if (to) {
    event.preventDefault();
    if (to !== "play") pause();
    GO[to]();
  } else if (event.key === "Home" || event.key === "End") {
    event.preventDefault();
    pause();
    go(event.key === "Home" ? 0 : last);
  }
});
document.addEventListener("visibilitychange", () => document.hidden && pause());

// Speed

const faster = player.querySelector("[data-speed]");
faster.addEventListener("click", () => {
  speed = (speed + 1) % SPEEDS.length;
  faster.lastElementChild.textContent = `${SPEEDS[speed]}×`;
});

// The link to this moment: the browser's own sheet, else the clipboard, which plain http has only in its old form.

async function pass(link, title) {
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    await navigator.share({ title, url: link });
    return false;
  }
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(link);
    return true;
  }
  const field = document.createElement("input");
  field.value = link;
  player.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}

document.querySelector("[data-share]").addEventListener("click", async (event) => {
  event.preventDefault();
  const button = event.currentTarget;
  const link = `${words.link}?line=${shared}`;
  button.href = link;
  try {
    if (await pass(link, button.dataset.title)) document.getElementById("announcement").textContent = button.dataset.done;
    button.classList.add("is-done");
    setTimeout(() => button.classList.remove("is-done"), 1500);
  } catch {
    // Sharing was cancelled.
  }
});

for (const each of player.querySelectorAll("[data-go], [data-speed]")) {
  each.hidden = false;
  if (each.name) each.type = "button";
}
document.querySelector("[data-full]")?.addEventListener("click", () => document.documentElement.requestFullscreen?.());
/** The film strip and all it knows; the whole log is about it, so it comes after the page. */
async function unroll() {
  const answer = await fetch(`${words.moments}film${tv ? "?tv" : ""}`);
  if (!answer.ok) return;
  const { film, chapters: begun, hidden: numbers, marks } = await answer.json();
  slider.insertAdjacentHTML("beforebegin", film);
  player.insertAdjacentHTML("beforeend", marks);
  chapters.push(...begun);
  for (const each of numbers) hidden.add(each);
}

times();
look();
ends();
resting = setTimeout(rest, RESTS);
const unrolled = unroll().catch(() => {}); // without it every step still goes
setTimeout(() => ahead(wanted, 1), RESTS);
