// The strip chooses the seat on the stage; a sideways swipe walks round the table. A tapped token becomes − n + in
// its place, until a tap elsewhere; the tap on a player's tile counts (pad.js).

import { doubling } from "./commands.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";
import { make } from "../page/make.js";
import { when } from "../page/when.js";

const live = document.getElementById("live");
const DOUBLE = document.querySelector('#pad [data-pad-do="double"]')?.firstChild.data.trim();
const board = () => document.getElementById("board");
const dock = () => document.getElementById("dock");
const SWIPE = 60;
const STRAIGHT = 30;
const COVERED = 400;
const UNTAPPED = 3000;
let chosen = "";
let open = "";
let resting = 0;
let turn = "";
let closed = null; // where the last one was, and until when no tap is meant for what it covered
let start = null;

const seats = () => [...document.querySelectorAll("#strip [data-choose]")].map((cell) => cell.dataset.choose);
const wide = () => getComputedStyle(board()).display === "grid";

function show() {
  const all = seats();
  if (!all.length) return;
  if (!all.includes(chosen)) chosen = all.includes(live.dataset.seat) ? live.dataset.seat : all[0];
  for (const cell of document.querySelectorAll("#strip [data-choose]")) {
    const own = cell.dataset.choose === chosen;
    cell.classList.toggle("is-chosen", own);
    cell.classList.toggle("is-mine", cell.dataset.choose === live.dataset.seat);
    if (own) cell.setAttribute("aria-current", "true");
    else cell.removeAttribute("aria-current");
  }
  for (const seat of board().querySelectorAll(":scope > :is(.seat, .table-part)")) seat.classList.toggle("is-chosen", seat.dataset.seat === chosen);
  tile()?.classList.add("is-open");
  offerDouble();
}

/** Bring the cards of *seat* into the stage. */
export function choose(seat) {
  chosen = seat;
  show();
  const part = document.getElementById(`s-${seat}`);
  if (wide()) part?.scrollIntoView({ block: "nearest" });
  else board().scrollTop = 0;
}

when("click", "[data-choose]", (cell, event) => {
  event.preventDefault();
  choose(cell.dataset.choose);
  const name = document.querySelector(`#s-${CSS.escape(chosen)} .seat-name`);
  if (name?.checkVisibility() === false) name.click(); // beside a score sheet nobody has a part of the board
});

// Swiping
document.addEventListener("pointerdown", (event) => {
  start = event.target.closest?.("#board") && event.pointerType === "touch" ? { x: event.clientX, y: event.clientY } : null;
}, { passive: true });
document.addEventListener("pointercancel", () => (start = null));
document.addEventListener("pointerup", (event) => {
  const from = start;
  start = null;
  if (!from || wide()) return;
  const x = event.clientX - from.x;
  if (Math.abs(x) < SWIPE || Math.abs(event.clientY - from.y) > STRAIGHT) return;
  const all = seats();
  const on = document.documentElement.dir === "rtl" ? x > 0 : x < 0;
  choose(all[(all.indexOf(chosen) + (on ? 1 : all.length - 1)) % all.length]);
});

// Tokens. What is open closes by itself after some seconds without a tap on it, on any other tap, and with the turn.
const tile = () => (open ? document.getElementById(open)?.closest("li") : null);

const whose = () => document.getElementById("step")?.dataset.active ?? "";

/** Close what is open once no tap comes on it; not under the keyboard's focus. */
function rest() {
  clearTimeout(resting);
  resting = setTimeout(() => (tile()?.querySelector(":focus-visible") ? rest() : close()), UNTAPPED);
}

function close() {
  const there = tile();
  clearTimeout(resting);
  if (there) {
    const covering = [...there.querySelectorAll("button"), ...(there.closest(".card") ? [there] : [])];
    closed = { boxes: covering.map((each) => each.getBoundingClientRect()), until: performance.now() + COVERED };
    there.classList.remove("is-open");
    there.querySelector(".twice")?.remove();
  }
  open = "";
}

/** Whether the number *element* stands in a token or a tile that is closed; if so, open it. One whose
 * buttons stand beside it has nothing to open. */
export function opened(element) {
  const token = element.closest(":is(.card, .places) li:not(.act, .is-hero)");
  const button = token?.querySelector("button");
  if (!button || token.classList.contains("is-open") || button.getClientRects().length) return false;
  close();
  open = token.querySelector("b")?.id ?? "";
  token.classList.add("is-open");
  turn = whose();
  rest();
  offerDouble();
  return true;
}

// A tap on a card's stats opens the number that lowers them; one beside the tokens opens the card's sheet.
document.addEventListener("click", ({ target }) => {
  if (!target.matches?.("#board .card > p, #board .card > p *, #board .card > .steppers")) return;
  const card = target.closest(".card");
  const hurt = live.dataset.seat && target.closest("p") && card.querySelector(":scope > .steppers > .is-hurt > b");
  if (!hurt || document.querySelector(".is-choosing")) card.querySelector(":scope > a").click();
  else opened(hurt);
});

/** Beside the plus of the open number: as many again, where an effect may do that. */
function offerDouble() {
  const there = tile();
  const plus = there?.querySelector('b ~ button[form="t"]');
  if (!DOUBLE || !plus || there.querySelector(".twice") || !doubling(plus)) return;
  plus.before(make("button", { className: "twice", ariaLabel: DOUBLE }, "×2"));
}
when("click", ".steppers .twice", (twice) => {
  const plus = twice.parentElement.querySelector('b ~ button[form="t"]');
  const holder = CSS.escape(plus.value.split(".")[0]);
  outbox.give(doubling(plus), `#o-${holder}, #s-${holder}`);
  tick();
});

// A tap where the buttons of a number were that has just closed is still meant for them.
let straying = false;
function isStray({ target, clientX: x, clientY: y }) {
  if (!closed || performance.now() > closed.until || tile()?.contains(target) || target.closest?.("dialog")) return false;
  return closed.boxes.some(({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom);
}
for (const type of ["pointerdown", "pointerup", "click"]) {
  window.addEventListener(type, (event) => {
    if (type === "pointerdown") straying = isStray(event);
    if (!straying || (type === "click" && !event.detail)) return; // a keyboard's click is meant
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
}

// It closes once the tap elsewhere has landed: its row may be higher while it is open, and the rows below would move
// from under the finger.
let left = "";
let leaving = 0;
document.addEventListener("pointerdown", ({ target }) => {
  clearTimeout(leaving);
  if (tile()?.contains(target)) clearTimeout(resting);
  left = open && !tile()?.contains(target) && !target.closest?.("dialog") ? open : "";
}, { passive: true });
const leave = () => {
  if (left && left === open) close();
  left = "";
};
document.addEventListener("click", () => setTimeout(leave), true);
document.addEventListener("pointerup", () => {
  leaving = setTimeout(leave, COVERED);
  if (open) rest();
}, { passive: true });
document.addEventListener("pointercancel", leave, { passive: true });

/** On a tablet: whose cards begin below the screen. */
function sayBelow() {
  const edge = board().getBoundingClientRect().bottom - 40;
  const below = wide() && [...board().querySelectorAll(":scope > .seat:not(.is-mine)")].find((seat) => seat.getBoundingClientRect().top > edge);
  const name = (below && below.querySelector(".seat-name h2")?.textContent.trim()) || "";
  if (live.dataset.below !== name) live.dataset.below = name;
}

/** What is main in a sheet has one's own colour, as the next step has. */
function colour() {
  const own = document.getElementById("cockpit")?.dataset.colour;
  if (!own) return;
  document.body.style.setProperty("--accent", `var(--seat-${own})`);
  document.body.style.setProperty("--accent-ink", "var(--on-seat)");
}

/** The stage's end stays reachable under what is docked over it. When that goes away, the room stays
 * for as long as the rows in sight would move without it. */
export function docked() {
  sayBelow();
  if (!dock()) return;
  const heights = [...(dock()?.children ?? [])].map((each) => (each.id === "moment" ? 0 : each.offsetHeight));
  const requests = document.querySelector(".seat-requests:not(.is-copy)")?.offsetHeight ?? 0;
  const questions = heights.reduce((sum, each) => sum + each, 0);
  const moment = document.getElementById("moment")?.offsetHeight ?? 0;
  const stage = wide() ? board().querySelector(":scope > .is-mine") ?? board() : board();
  const before = parseFloat(live.style.getPropertyValue("--docked")) || 0;
  const below = stage.scrollHeight - stage.clientHeight - stage.scrollTop;
  const height = Math.max(questions + requests + moment, stage.scrollTop ? before - below : 0);
  live.style.setProperty("--docked", `${height}px`);
  live.style.setProperty("--asked", `${questions}px`);
  live.style.setProperty("--requests", `${requests}px`);
}

document.addEventListener("table:changed", () => {
  if (open && whose() !== turn) close();
  show();
  colour();
  docked();
});
document.addEventListener("htmx:after:swap", show);
const resized = new ResizeObserver(docked);
if (dock()) resized.observe(dock());
if (dock()) resized.observe(document.getElementById("moment"));
resized.observe(document.getElementById("sidebar"));
document.addEventListener("scroll", docked, { capture: true, passive: true });
show();
docked();
colour();
