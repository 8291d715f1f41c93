// The big screen: the largest type with which everything fits, totals first, and the end of the log.
// When there is too much on the table to read across the room, cards give way.

import "../page/keeps.js";
import "../net/connection.js";
import "../board/dice.js";
import "../board/clock.js";
import "../page/wake.js";

const LEAST = 7;
const MOST = 64;
// In hundredths of the screen's shorter side: type that is read at 3 m, type that is large enough
// where totals may grow instead, and totals from least to most.
const READ = 2.3;
const AMPLE = 4.4;
const TOTALS = [12, 34];
const CROWDED = 8;
const SOON = 80;
const PULL = 1500;
const root = document.documentElement.style;
const live = document.getElementById("live");
const side = document.getElementById("tv-side");
let fitting = 0;
let pulling = 0;
let found = { level: 0, shape: "" };

const within = (part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1;
const short = () => Math.min(innerWidth, innerHeight) / 100;

// Anything wider than its own seat would cover its neighbour's.
function fits() {
  return within(live) && [...live.querySelectorAll(".seat-head, .seat .card")].every((part) => part.scrollWidth <= part.clientWidth + 1);
}

/** The largest value between *low* and *high* with which *set* still fits; *low* if none does. */
function largest(low, high, step, set) {
  while (high - low > step) {
    const middle = (low + high) / 2;
    if (set(middle)) low = middle;
    else high = middle;
  }
  set(low);
  return low;
}

function lay({ type, columns, total }) {
  root.setProperty("--tv-type", `${type}px`);
  root.setProperty("--tv-columns", columns);
  root.setProperty("--tv-hero", `${total}vmin`);
  return fits();
}

/**
 * The arrangement with the largest type, of *least* at least; among several of those, the one with
 * the largest totals. Nothing if even *least* does not fit.
 */
function arranged(seats, total, least) {
  const most = live.querySelector(".is-big") ? AMPLE * short() : MOST;
  let best;
  for (let columns = 1; columns <= seats; columns += 1) {
    const from = best ? best.type - 0.5 : least;
    if (!lay({ type: from, columns, total })) continue;
    const type = largest(from, most, 0.5, (type) => lay({ type, columns, total }));
    const grown = largest(total, TOTALS[1], 0.5, (total) => lay({ type, columns, total }));
    if (!best || type > best.type + 0.5 || grown > best.total) best = { type, columns, total: grown };
  }
  return best;
}

function crowd(level) {
  if (level) document.body.dataset.crowd = level;
  else delete document.body.dataset.crowd;
  for (const seat of live.querySelectorAll(".seat")) {
    const rest = level ? [...seat.querySelectorAll(".card")].filter((card) => !card.checkVisibility()).length : 0;
    if (rest) seat.dataset.rest = live.dataset.rest.replace("{n}", rest);
    else delete seat.dataset.rest;
  }
}

// What is shown, and on what screen. Only when that changes is the arrangement worked out again; a
// changed number only needs a check that it still fits.
const shape = () => [innerWidth, innerHeight, live.clientWidth, live.clientHeight, live.querySelectorAll("*").length].join();

function fit() {
  fitting = 0;
  crowd(found.level);
  if (found.shape === shape() && fits()) return;
  const seats = Math.max(1, document.querySelectorAll("#board > .seat").length);
  const read = READ * short();
  let best;
  let level;
  for (const [crowded, total, least] of [[0, TOTALS[0], read], [1, TOTALS[0], read], [2, TOTALS[0], read], [2, CROWDED, LEAST]]) {
    level = crowded;
    crowd(level);
    best = arranged(seats, total, least);
    if (best) break;
  }
  lay(best ?? { type: LEAST, columns: 1, total: CROWDED });
  found = { level, shape: shape() };
}

/** Fit both: below the table, the side takes height from it. */
function fitAll() {
  if (side) largest(LEAST, READ * 1.3 * short(), 0.5, (type) => {
    root.setProperty("--side-type", `${type}px`);
    return within(side);
  });
  found.shape = "";
  fit();
}

async function pull() {
  pulling = 0;
  if (!side) return;
  try {
    const answer = await fetch(side.dataset.from, { headers: { "HX-Request": "true" } });
    if (!answer.ok) return;
    const text = await answer.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    side.replaceChildren(...page.body.childNodes);
    fitAll();
  } catch {
    // The next change asks again.
  }
}

// Nothing can be opened on a screen that is only for watching.
function open() {
  for (const closed of live.querySelectorAll("details:not(.pile, .group, [open])")) closed.open = true;
}

function soon() {
  open();
  fitting ||= setTimeout(fit, SOON);
}

document.addEventListener("table:changed", () => {
  soon();
  pulling ||= setTimeout(pull, PULL);
});
document.addEventListener("htmx:after:swap", soon);
addEventListener("resize", fitAll);
if (document.fonts?.status === "loading") document.fonts.ready.then(fitAll);
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-full]")) document.documentElement.requestFullscreen?.();
});
if (document.body.classList.contains("is-overlay")) document.documentElement.dataset.theme = "dark";
open();
fitAll();
