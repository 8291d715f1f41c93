// One phone for all, in the middle of the table: places and directions of the seats' parts, the spine between them,
// which is turned to whoever has the turn, and what a part opens, which stays in it.

import { tallies } from "./tallies.js";
import { codes } from "./codes.js";
import { fingers } from "./fingers.js";
import { boxes, lay, layouts, STRIP } from "./layouts.js";
import { make } from "../../page/make.js";
import * as storage from "../../page/storage.js";
import { when, whenDrawn } from "../../page/when.js";

const live = document.getElementById("live");
const board = () => document.getElementById("board");
const spine = document.getElementById("spine");
const moment = document.getElementById("moment");
const menu = document.getElementById("flat-menu");
const more = document.getElementById("flat-more"); // the button for the counters of a part that are zero
const choice = document.getElementById("flat-layouts");
const KEY = "flat:layouts";
const LOW = 300; // a part lower than this has its question beside its number, in pixels
const BROUGHT = 20000; // a strip that was tapped, after the last tap on it
const NARROW = 330; // and one that is narrower has no room for a name
const ROOM = 240; // what a dialog needs in breadth
const SHOWN = 4000; // counters that are zero, after the last tap on them
const owners = new Map(); // by dialog: the seat that has opened it
let opener = ""; // the seat in whose part the last tap was
let asking = ""; // and that of the last link, whose sheet comes a little later
let brought = ""; // the seat with a phone of its own whose part a tap has brought back

/** By number of seats: the layout that this phone chose last. */
const remembered = () => storage.read(KEY, {});
const chosen = (seats) => remembered()[seats.length] ?? 0;

/** The parts, clockwise from this phone's own. */
function parts() {
  const seats = [...board().querySelectorAll(":scope > .seat")];
  const own = Math.max(0, seats.findIndex((seat) => seat.dataset.seat === live.dataset.seat));
  return [...seats.slice(own), ...seats.slice(0, own)];
}

const cell = (seat) => document.getElementById(`${seat.dataset.seat}.cell`);
const screen = () => ({ x: 0, y: 0, width: innerWidth, height: innerHeight });

/** What a notch and rounded corners take from the screen: from its top, right, bottom and left. */
function insets() {
  const { paddingTop, paddingRight, paddingBottom, paddingLeft } = getComputedStyle(board());
  return [paddingTop, paddingRight, paddingBottom, paddingLeft].map(parseFloat);
}

/** Whether a phone of its own has taken that part over, and is here: then it is a strip, until a tap on it. As a
 * counter of a tally it is whole. */
function isStrip({ dataset: { seat, answeredByAny } }) {
  return answeredByAny === undefined && ![live.dataset.seat, brought].includes(seat) && !tally.taker();
}

function where(seats) {
  const [top, right, bottom, left] = insets();
  const strip = STRIP + (innerWidth > innerHeight ? Math.max(left, right) : Math.max(top, bottom));
  const strips = seats.map((seat) => (isStrip(seat) ? strip : 0));
  return boxes(seats.length, chosen(seats), innerWidth, innerHeight, strips);
}

/** The seat whose turn it is; the first one before any turn. */
const active = (seats) => seats.find((seat) => cell(seat)?.classList.contains("is-active")) ?? seats[0];

/** A seat that nobody has taken is played here all the same: its marks have its number. */
function number(within) {
  for (const mark of within.querySelectorAll(".seat-mark")) {
    if (mark.textContent === "+") mark.textContent = mark.closest("[data-place]").dataset.place;
  }
}

function show() {
  const seats = parts();
  const boxed = where(seats);
  const clear = insets();
  seats.forEach((seat, n) => {
    lay(seat, boxed[n], clear, screen());
    seat.dataset.facing = boxed[n].facing;
    seat.classList.toggle("is-strip", isStrip(seat));
    seat.classList.toggle("is-low", seat.offsetHeight < LOW && seat.offsetWidth > seat.offsetHeight);
    seat.classList.toggle("is-narrow", seat.offsetWidth < NARROW);
    seat.classList.toggle("is-mine", seat.dataset.seat === live.dataset.seat);
    seat.classList.toggle("is-active", cell(seat)?.classList.contains("is-active") ?? false);
    const hero = seat.querySelector(".hero .is-hero > b");
    if (hero) hero.dataset.hero = seat.dataset.seat;
    if (!seat.querySelector(":scope > .flat-more")) seat.append(more.content.firstElementChild.cloneNode(true));
    number(seat);
  });
  const now = seats.indexOf(active(seats));
  lay(spine, boxed[now].spine, clear, screen());
  const { place, colour } = seats[now].dataset;
  Object.assign(spine.dataset, { place, colour });
  spine.classList.toggle("is-short", spine.offsetWidth < 500);
  menu.style.rotate = `${boxed[now].facing}deg`;
  for (const dialog of document.querySelectorAll("dialog[open]")) turn(dialog);
  const end = document.getElementById("end");
  const won = end?.querySelector("[data-winners]")?.dataset.winners.split(" ")[0];
  if (end) number(end);
  const winner = seats.find(({ dataset }) => dataset.seat === won);
  if (winner) end.style.setProperty("--facing", `${winner.dataset.facing}deg`);
  for (const each of choice.children) each.setAttribute("aria-pressed", Number(each.dataset.layout) === chosen(seats));
  face();
  tally.follow();
  code.follow();
}

/** What the spine offers beside the next step: the phase after this one, or the turn's end where a phase is next.
 * Beside lots it is the step without them. */
function other() {
  if (document.querySelector("#sidebar [formaction=draw]")) return document.querySelector("#step > button");
  const pass = document.querySelector("#turn .turn-pass");
  const phase = document.querySelector("#turn .phases [aria-current] + li > button");
  const button = document.querySelector("#step > button")?.name === "begin-phase" ? pass : phase;
  return button?.disabled ? null : button;
}

/** The spine says the step, and has what comes after it. */
function says() {
  const shown = ["#turn .phase-word", "#turn .phase-line"].map((each) => document.querySelector(each));
  spine.querySelector(".spine-step").replaceChildren(...shown.filter(Boolean).map((each) => each.cloneNode(true)));
  const button = spine.querySelector("[data-other]");
  const offered = other();
  button.hidden = !offered;
  button.textContent = offered?.textContent.trim().replace(/^./, (first) => first.toUpperCase()) ?? "";
}

function changed() {
  show();
  says();
}

/** *box*, or as much of the screen beside it as what opens there needs. */
function roomy(box) {
  const [start, length, whole] = box.facing % 180 ? ["y", "height", innerHeight] : ["x", "width", innerWidth];
  const room = Math.max(box[length], Math.min(ROOM, whole));
  return { ...box, [length]: room, [start]: Math.max(0, Math.min(box[start] - (room - box[length]) / 2, whole - room)) };
}

/** Turn *dialog* to the seat that opened it: it lies in that part, or, if the spine opened it, over all of them. */
function turn(dialog) {
  const seats = parts();
  const boxed = where(seats);
  const at = seats.findIndex((seat) => seat.dataset.seat === owners.get(dialog));
  const box = at < 0 ? { ...screen(), facing: boxed[seats.indexOf(active(seats))].facing } : boxed[at];
  lay(dialog, roomy(box), insets(), screen());
  number(dialog);
  const { place, colour } = (seats[at] ?? active(seats)).dataset;
  Object.assign(dialog.dataset, { place, colour });
}

function opens({ target }) {
  const dialog = target.closest?.("dialog");
  if (dialog) opener = owners.get(dialog);
  else opener = target.closest?.("[data-tally]") ? tally.taker() : (target.closest?.("#board > .seat")?.dataset.seat ?? "");
}
document.addEventListener("pointerdown", opens, { capture: true });
fingers(opens);
document.addEventListener("click", ({ target }) => {
  if (target.closest?.("a[href]")) asking = opener;
}, { capture: true });
const opening = new MutationObserver((changes) => {
  for (const { target } of changes) {
    if (!target.open) continue;
    if (target.id !== "sheet") owners.set(target, opener);
    turn(target);
  }
});
for (const dialog of document.querySelectorAll("dialog")) opening.observe(dialog, { attributeFilter: ["open"] });
// In a part's own sheet its main number has no second place.
document.addEventListener("sheet:shown", () => {
  const sheet = document.getElementById("sheet");
  owners.set(sheet, asking);
  for (const hero of board().querySelectorAll(".is-hero > b")) {
    sheet.querySelector(`[data-of="${CSS.escape(hero.id || hero.dataset.of)}"]`)?.closest("li").remove();
  }
  turn(sheet);
});

// A strip is whole again from a tap on it until some seconds without one, for a phone that has just died.
let leaving = 0;
document.addEventListener("click", (event) => {
  const seat = event.target.closest?.("#board > .seat");
  const strip = seat?.classList.contains("is-strip");
  if (strip) {
    event.preventDefault();
    event.stopPropagation();
    brought = seat.dataset.seat;
    show();
  }
  if (strip || (seat && seat.dataset.seat === brought)) {
    clearTimeout(leaving);
    leaving = setTimeout(() => {
      brought = "";
      show();
    }, BROUGHT);
  }
}, { capture: true });

// Counters that are zero
let closing = 0;
function hide() {
  clearTimeout(closing);
  for (const seat of board().querySelectorAll(":scope > .is-all")) seat.classList.remove("is-all");
}
document.addEventListener("click", ({ target }) => {
  const seat = target.closest?.("#board > .seat");
  const there = seat?.classList.contains("is-all");
  const pressed = target.closest?.(".flat-more");
  if (pressed) {
    hide();
    seat.classList.toggle("is-all", !there);
  } else if (!there || !target.closest(".places")) {
    hide();
  }
  clearTimeout(closing);
  closing = setTimeout(hide, SHOWN);
});

when("click", "[data-other]", () => other()?.click());
when("click", "[data-layout]", ({ dataset: { layout } }) => {
  storage.keep(KEY, { ...remembered(), [parts().length]: Number(layout) });
  show();
});
when("click", "#flat-menu :is(a, button)", () => menu.hidePopover());

/** The layouts to choose from, as pictures. */
function offer() {
  const seats = parts();
  const all = layouts(seats.length);
  choice.hidden = all.length < 2;
  choice.append(...all.map((_layout, which) => {
    const ariaLabel = `${choice.dataset.word} ${which + 1}`;
    const places = boxes(seats.length, which, 400, 800).map(({ x, y, width, height }, n) => {
      const { place, colour } = seats[n].dataset;
      const part = make("i", { dataset: { place, colour } });
      Object.assign(part.style, { left: `${x / 4}%`, top: `${y / 8}%`, width: `${width / 4}%`, height: `${height / 8}%` });
      return part;
    });
    return make("button", { type: "button", className: "layout", ariaLabel, dataset: { layout: which } }, ...places);
  }));
}

/** A seat’s moments face its player. */
function face() {
  const seat = board().querySelector(`.seat[data-place="${moment.firstElementChild?.dataset.place}"]`);
  moment.style.setProperty("--facing", `${seat?.dataset.facing ?? 0}deg`);
  number(moment);
}
new MutationObserver(face).observe(moment, { childList: true });

// A screen without bars, as far as the browser lets a page do that, from the first tap on.
const whole = document.documentElement;
for (const button of document.querySelectorAll("[data-whole]")) button.hidden = !whole.requestFullscreen;
when("click", "[data-whole]", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else whole.requestFullscreen({ navigationUI: "hide" }).catch(() => {});
});

addEventListener("resize", show);
/** Lay *element* over the part of a seat. */
function over(element, seat, facing = Number(seat.dataset.facing)) {
  const seats = parts();
  lay(element, { ...where(seats)[seats.indexOf(seat)], facing }, insets(), screen());
}
const tally = tallies(over, show);
const code = codes(over);
offer();
whenDrawn(changed);
document.body.classList.add("is-laid");
