// The clock: the table sends its last state and its time on the server. Each screen counts on from there, so all show
// the same and nothing more is sent.

import { buzz } from "../page/haptics.js";
import { say } from "../page/say.js";

const SOON = 300;
const clock = () => document.getElementById("clock");
let seen = ""; // what the table said last
let offset = 0; // the server's seconds less this phone's: phones' clocks are wrong
let before = null; // what was left a moment ago
let timer = 0;

const server = () => Date.now() / 1000 + offset;

/** The same as in `games/screens/clock.py`. */
function spoken(seconds) {
  const whole = seconds > 0 ? Math.ceil(seconds - 0.001) : Math.floor(-seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n) => String(n).padStart(2, "0");
  const text = hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
  return seconds < 0 && whole ? `+${text}` : text;
}

/** Seconds the clock has run since the table last sent it. */
function since(element) {
  return "running" in element.dataset ? Math.max(0, server() - Number(element.dataset.now)) : 0;
}

/** Announce five minutes left, and the end, but not what was already over when this page loaded. */
function announce(element, left) {
  const passed = (mark) => before !== null && before > mark && left <= mark;
  element.classList.toggle("is-over", left <= 0);
  if (passed(0)) {
    say(element.dataset.over, true);
    buzz("over");
  } else if (passed(SOON)) say(element.dataset.soon);
  before = left;
}

function show() {
  clearTimeout(timer);
  const element = clock();
  if (!element) {
    before = null;
    return;
  }
  const gone = since(element);
  const { left, spent } = element.dataset;
  const now = left === undefined ? Number(spent) + gone : Number(left) - gone;
  for (const place of document.querySelectorAll("[data-time='']")) place.textContent = spoken(now);
  for (const place of document.querySelectorAll("[data-time='turn']")) place.textContent = spoken(Number(place.dataset.spent) + gone);
  if (left !== undefined) announce(element, now);
  if (!("running" in element.dataset) || document.hidden) return;
  // The next full second of the time shown.
  const part = left === undefined ? 1 - (now % 1) : ((now % 1) + 1) % 1 || 1;
  timer = setTimeout(show, Math.max(50, part * 1000 + 5));
}

function look() {
  const element = clock();
  const said = element?.outerHTML.match(/data-now="[^"]*"/)?.[0] ?? "";
  if (said !== seen) {
    seen = said;
    if (element) offset = Number(element.dataset.now) - Date.now() / 1000;
  }
  show();
}

document.addEventListener("htmx:ws:after:message:incoming", look);
document.addEventListener("htmx:after:swap", look);
document.addEventListener("table:changed", look);
document.addEventListener("visibilitychange", show);
addEventListener("pageshow", show);
look();
