// A tally on one phone for all, as commander damage: tapped in a part, it makes the others the counters of what that
// seat has taken, all turned to its player, until Done, another tap on it, or some seconds without a tap.

import { looks } from "../deltas.js";
import { make } from "../../page/make.js";

const live = document.getElementById("live");
const spine = document.getElementById("spine");
const template = document.getElementById("flat-tally").content;
const UNTAPPED = 8000;
const AMOUNTS = [2, 3, 4, 5, 6, 7];
let taker = ""; // the seat whose tally is open
let timer = 0;

const part = (seat) => document.getElementById(`s-${seat}`);
const tile = () => part(taker)?.querySelector(".places .is-tally");
const made = () => [...live.querySelectorAll(":scope > [data-tally]")];
const nameOf = (seat) => part(seat).getAttribute("aria-label");

/** What the open tally is counted by: the seat, the id and the amount of each. */
const sources = () => (tile()?.dataset.sources ?? "").split(" ").filter(Boolean).map((each) => each.split("."));

function close() {
  clearTimeout(timer);
  taker = "";
  for (const each of made()) each.remove();
}

function end(again) {
  close();
  again();
}

function rest(again) {
  clearTimeout(timer);
  timer = setTimeout(() => end(again), UNTAPPED);
}

/** The counter of one source in its seat's part. */
function counter(seat, id) {
  const item = template.querySelector("li").cloneNode(true);
  const { tap, less, says } = tile().dataset;
  const name = document.querySelector(`#o-${CSS.escape(id)} > a`)?.textContent.trim() ?? id;
  item.dataset.kind = item.dataset.source = id;
  item.dataset.word = name;
  item.querySelector(".flat-from").append(part(seat).querySelector(".seat-mark").cloneNode(true), name);
  item.querySelector(":scope > b").dataset.of = `${taker}.${id}`;
  const chips = item.querySelector(".flat-chips");
  chips.append(...AMOUNTS.map((by) => make("button", {}, `+${by}`)));
  for (const button of item.querySelectorAll("button")) {
    const takes = button.textContent === "−";
    button.setAttribute("form", "t");
    Object.assign(button, { name: takes ? less : tap, value: `${taker}.${id}` });
    if (button.parentElement === chips) button.dataset.by = button.textContent.slice(1);
    button.setAttribute("aria-label", `${button.textContent} ${says} ${name}`);
  }
  return item;
}

function box(seat, ...inside) {
  live.append(make("div", { className: "flat-tally", dataset: { tally: seat, ...looks(part(seat)) } }, ...inside));
}

function open() {
  const title = template.querySelector(".flat-title").cloneNode(true);
  title.querySelector("h2").textContent = spine.dataset.taken.replace("{who}", nameOf(taker));
  box(taker, title);
  for (const seat of new Set(sources().map(([each]) => each))) {
    const list = template.querySelector("ul").cloneNode(true);
    list.append(...sources().filter(([each]) => each === seat).map(([, id]) => counter(seat, id)));
    box(seat, list);
  }
}

/** Show what the table says now; place(element, seat, facing) lays an element into that seat's part. */
function show(place) {
  const ids = sources().map(([, id]) => id).join();
  const shown = made().flatMap((each) => [...each.querySelectorAll("li")].map(({ dataset }) => dataset.source));
  if (!taker || !ids) return close();
  if (ids !== shown.join()) {
    for (const each of made()) each.remove();
    open();
  }
  for (const [, id, amount] of sources()) {
    const item = live.querySelector(`[data-tally] [data-source="${CSS.escape(id)}"]`);
    const number = item.querySelector(":scope > b");
    if (number.textContent !== amount) number.textContent = amount;
    const left = Math.max(0, tile().dataset.most - amount);
    item.querySelector("small").textContent = spine.dataset.left.replace("{n}", left);
    item.querySelector("button").disabled = amount === "0";
  }
  for (const each of made()) place(each, part(each.dataset.tally), Number(part(taker).dataset.facing));
}

/** Follow the taps on tallies. again(): lay the parts out, which calls `follow`. */
export function tallies(place, again) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#board .is-tally[data-sources] > a");
    if (event.target.closest?.("[data-tally-ends]")) end(again);
    if (taker && !link) rest(again);
    const seat = link?.closest(".seat").dataset.seat;
    if (!seat || !link.parentElement.dataset.sources.trim()) return;
    event.preventDefault();
    event.stopPropagation();
    const other = seat !== taker;
    close();
    if (other) taker = seat;
    again();
    if (other) rest(again);
  }, { capture: true });
  return { follow: () => show(place), taker: () => taker };
}
