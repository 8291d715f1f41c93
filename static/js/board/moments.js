// The great moments, one at a time: docked above the cockpit for three seconds each, spoken and felt.

import { buzz } from "../page/haptics.js";
import { say } from "../page/say.js";
import { play } from "../page/sounds.js";

const live = document.getElementById("live");
const place = () => document.getElementById("moment");
const SHOWN = 3000;
const LOUD = ["out", "won", "draw", "turn"];
const RANKS = { out: 2, won: 2, draw: 2, turn: 1 };
const SOUNDS = { won: "over", draw: "over" };
const queue = [];
let timer = 0;

const mine = ({ dataset }) =>
  dataset.but !== live.dataset.seat && (!dataset.for || dataset.for.split(" ").includes(live.dataset.seat));

/** As one speaks it: "Sword was destroyed, 5.3", "Ana: your turn". */
function words(moment) {
  const text = (each) => each?.textContent.replace(/\s+/g, " ").trim() ?? "";
  const told = moment.querySelector("p");
  const rule = text(told?.querySelector("cite"));
  const says = text(told).slice(0, rule ? -rule.length : undefined).trim();
  const title = text(moment.querySelector("strong"));
  const whole = /^\p{Ll}/u.test(says) ? `${title} ${says}` : [title, says].filter(Boolean).join(": ");
  return [whole, rule].filter(Boolean).join(", ");
}

/** Whether it is no longer so: who won is open again, or who was out is back. */
function stale({ dataset: { moment, place } }) {
  if (moment === "out") return Boolean(document.querySelector(`#board > .seat[data-place="${place}"] .seat-head:not(.is-lost)`));
  const end = ["won", "draw"].includes(moment) && document.getElementById("end");
  return Boolean(end) && !end.children.length;
}

function next() {
  clearTimeout(timer);
  timer = 0;
  place().replaceChildren();
  let moment = queue.shift();
  while (moment && stale(moment)) moment = queue.shift();
  if (!moment) return;
  place().append(moment);
  const loud = LOUD.includes(moment.dataset.moment);
  say(words(moment), loud);
  if (loud) buzz();
  if (SOUNDS[moment.dataset.moment]) play(SOUNDS[moment.dataset.moment]);
  inFront();
  timer = setTimeout(next, SHOWN);
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

/** How much it matters here, now: that I am out before all else. */
function rank({ dataset: { moment, place } }) {
  const own = document.getElementById(`s-${live.dataset.seat}`)?.dataset.place;
  return moment === "out" && place === own ? 3 : (RANKS[moment] ?? 0);
}

/** Tell a moment; *moment* is its element. It waits for those that matter as much, not for lesser ones. */
export function tell(moment) {
  const shown = place().firstElementChild;
  const after = queue.findIndex((each) => rank(each) < rank(moment));
  queue.splice(after < 0 ? queue.length : after, 0, moment);
  if (timer && shown && stale(shown)) {
    next();
  } else if (timer && shown && rank(shown) < rank(moment)) {
    const again = queue.findIndex((each) => rank(each) <= rank(shown));
    queue.splice(again < 0 ? queue.length : again, 0, shown);
    next();
  }
  if (!timer) next();
}

document.addEventListener("htmx:ws:after:message:incoming", () => {
  const told = place() && document.querySelector("div#moments"); // a list of them stands: it is not ours to empty
  for (const moment of [...(told?.children ?? [])]) {
    moment.remove();
    if (!mine(moment)) continue;
    tell(moment);
    const ids = moment.dataset.numbers?.split(" ");
    if (ids) document.dispatchEvent(new CustomEvent("numbers:told", { detail: ids }));
  }
});

// What was answered to goes at once.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("#moment button, #moment a")) next();
});
