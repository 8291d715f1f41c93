// The strip chooses whose cards lie in the stage; a sideways swipe walks round the table. A tapped
// token becomes − n + in its place.

const live = document.getElementById("live");
const board = () => document.getElementById("board");
const dock = () => document.getElementById("dock");
const SWIPE = 60;
const STRAIGHT = 30;
const OPEN = 4000;
let chosen = "";
let open = "";
let closing = 0;
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
  for (const seat of board().querySelectorAll(":scope > .seat")) seat.classList.toggle("is-chosen", seat.dataset.seat === chosen);
  if (open) document.getElementById(open)?.closest("li")?.classList.add("is-open");
}

/** Bring the cards of *seat* into the stage. */
export function choose(seat) {
  chosen = seat;
  show();
  const part = document.getElementById(`s-${seat}`);
  if (wide()) part?.scrollIntoView({ block: "nearest" });
  else board().scrollTop = 0;
}

document.addEventListener("click", (event) => {
  const cell = event.target.closest?.("[data-choose]");
  if (!cell) return;
  event.preventDefault();
  choose(cell.dataset.choose);
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

// Tokens
function close() {
  clearTimeout(closing);
  if (open) document.getElementById(open)?.closest("li")?.classList.remove("is-open");
  open = "";
}

/** Whether the number *element* stands in a token or a tile that is closed; if so, open it. */
export function opened(element) {
  const token = element.closest(":is(.card, .places) li:not(.act, .is-hero)");
  if (!token || token.classList.contains("is-open") || !token.querySelector("button")) return false;
  close();
  open = token.querySelector("b")?.id ?? "";
  token.classList.add("is-open");
  stay();
  return true;
}

function stay() {
  clearTimeout(closing);
  closing = setTimeout(close, OPEN);
}

document.addEventListener("pointerdown", ({ target }) => {
  const inside = open && target.closest?.("li") === document.getElementById(open)?.closest("li");
  if (inside) stay();
  else if (open && !target.closest?.("dialog")) close();
}, { passive: true });
document.addEventListener("focusin", ({ target }) => {
  if (open && target.closest?.("li") === document.getElementById(open)?.closest("li")) stay();
});

/** The stage's end stays reachable under what is docked over it. When that goes away, the room stays
 * for as long as the rows in sight would move without it. */
function docked() {
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
  show();
  docked();
});
document.addEventListener("htmx:after:swap", show);
const resized = new ResizeObserver(docked);
if (dock()) resized.observe(dock());
resized.observe(document.getElementById("sidebar"));
document.addEventListener("scroll", docked, { capture: true, passive: true });
show();
docked();
