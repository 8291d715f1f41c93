// A game watched again: the slider, the steps and the keys bring a moment into the page. Moments never change,
// so the browser keeps them; the next ones are fetched before they are asked for.

import { choose } from "../board/stage.js";
import { readers } from "../board/aloud.js";
import "../tv/fit.js";
import { parsed, patch } from "./patch.js";

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
const PARTS = ["turn", "strip", "board", "cockpit", "party", "in-sight", "scene-bar", "notebook"];
const AHEAD = 3;
const KEPT = 24;
const RESTS = 400;
const PACE = 900;
const SPEEDS = [1, 2, 5];
const moments = new Map();
let line = Number(slider.value);
let wanted = line;
let shared = Number(words.shared);
let drawing = new Map();
let again = false;
let speed = 0;
let playing = 0;
let resting = 0;

// Moments

function fetched(n) {
  const known = moments.get(n);
  if (known) {
    moments.delete(n);
    moments.set(n, known);
    return known;
  }
  const asked = fetch(`${words.moments}${n}?v=${words.version}${tv ? "&tv" : ""}`).then((answer) => {
    if (answer.ok) return answer.json();
    throw new Error(String(answer.status));
  });
  asked.catch(() => moments.delete(n));
  moments.set(n, asked);
  if (moments.size > KEPT) moments.delete(moments.keys().next().value);
  return asked;
}

/** The line beside *n* that this seat may know of. */
function beside(n, by) {
  let next = n + by;
  while (hidden.has(next)) next += by;
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
const numbers = (parts) =>
  new Map([...parts].flatMap((part) => [...part.querySelectorAll(NUMBERS)]).map((each) => [each.id || each.dataset.hero, each.textContent]));

/** Whatever lies on the board can be looked at, not used; only the strip still chooses a seat. */
function look() {
  for (const part of live.children) {
    if (part.id === "strip") continue;
    for (const each of part.children) each.inert = !each.matches(".tools, h1");
  }
  document.getElementById("turn")?.toggleAttribute("inert", true);
}

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

/** Bring the drawing *now* into the page; only what is not as in the last one is touched. */
function draw(now) {
  let replaced = false;
  for (const [id, part] of now) {
    const [was, there] = [drawing.get(id), document.getElementById(id)];
    if (was) replaced = patch(was, part, there) || replaced;
    else if (there) {
      there.replaceWith(document.importNode(part, true));
      replaced = true;
    }
  }
  if (!replaced) return;
  look();
  document.dispatchEvent(new CustomEvent("table:changed", { detail: {} }));
}

function show(moment) {
  const before = numbers(drawing.size ? drawing.values() : live.children);
  const top = document.getElementById("board").scrollTop;
  const now = parsed(moment.header + moment.board, PARTS);
  draw(now);
  const board = document.getElementById("board");
  if (!drawing.size) board.scrollTop = top;
  drawing = now;
  line = moment.line;
  shared = moment.shared;
  caption.innerHTML = moment.caption;
  if (latest) latest.innerHTML = moment.latest;
  times();
  for (const lit of live.querySelectorAll(".is-changed")) lit.classList.remove("is-changed");
  changed(before, numbers(now.values()));
  slider.setAttribute("aria-valuetext", says(moment));
  ends();
  clearTimeout(resting);
  resting = setTimeout(rest, RESTS);
}

/** What is only needed where someone stays: the address, and the board in words. */
function rest() {
  reach();
  const address = new URL(location.href);
  address.searchParams.set("line", line);
  history.replaceState(null, "", address);
  const list = document.querySelector("#in-words ul");
  list.replaceChildren(...readers.flatMap((read) => read()).filter(Boolean).map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
}

function ends() {
  for (const [go, at] of [["chapter-back", 0], ["back", 0], ["on", last], ["chapter-on", last]]) {
    player.querySelector(`[data-go="${go}"]`).disabled = wanted === at;
  }
}

/** Go to line *n*; what was asked for meanwhile comes first. */
async function go(n, by = 1) {
  wanted = Math.min(last, Math.max(0, n));
  slider.value = wanted;
  slider.setAttribute("aria-valuetext", [called(wanted), chapter(wanted)].filter(Boolean).join(", "));
  ends();
  const here = wanted;
  try {
    const moment = await fetched(here);
    if (here !== wanted) return;
    show(moment);
  } catch (error) {
    if (here !== wanted) return;
    pause();
    caption.textContent = error.message === "403" ? words.over : words.away;
    return;
  }
  let next = here;
  for (let i = 0; i < AHEAD; i++) {
    next = beside(next, by);
    if (next !== here) fetched(next).catch(() => {});
  }
}

const step = (by) => go(beside(wanted, by), by);

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
  await step(1);
  if (playing) playing = setTimeout(onward, Math.max(30, PACE / SPEEDS[speed] - (performance.now() - began)));
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
slider.addEventListener("input", () => {
  pause();
  const n = Number(slider.value);
  go(hidden.has(n) ? beside(n, -1) : n);
});
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
for (let n = line, i = 0; i < AHEAD; i++) fetched((n = beside(n, 1))).catch(() => {});
