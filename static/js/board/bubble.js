// The total of the latest taps, and the result: "+5 → 45", until three seconds after the last
// tap. Each number has a sum of its own, as each has a line of its own in the log.

import { turned } from "./commands.js";

const pattern = document.getElementById("bubble");
const live = document.getElementById("live");
const SHOWN = 3000;
const ABOVE = 52;
const sums = new Map();

const signed = (by) => `${by < 0 ? "−" : "+"}${Math.abs(by)}`;

function hide(id) {
  const sum = sums.get(id);
  if (!sum) return;
  clearTimeout(sum.timer);
  sum.element.remove();
  sums.delete(id);
}

/** Show that the number *id* was turned *by* so much under *button*. */
export function bubble(button, id, by) {
  const number = document.getElementById(id);
  if (!number) return;
  const before = sums.get(id)?.by ?? 0;
  hide(id);
  const element = pattern.cloneNode(false);
  element.removeAttribute("id");
  element.hidden = false;
  element.textContent = `${signed(before + by)} → ${number.textContent}`;
  document.body.append(element);
  element.showPopover?.(); // above a sheet, if one is open
  sums.set(id, { by: before + by, element, timer: setTimeout(() => hide(id), SHOWN) });
  lay(element, (button.isConnected && button.parentElement.querySelector("b")) || number);
}

/** Lay a bubble over the number *here*; *scrolls*: it belongs to the page and moves with it. */
function lay(element, here, scrolls = false) {
  const place = here.getBoundingClientRect();
  const half = element.offsetWidth / 2 + 8;
  const middle = beside(here, place, half);
  const top = Math.max(8, place.top - ABOVE);
  element.style.left = `${Math.min(innerWidth - half, Math.max(half, middle)) + (scrolls ? scrollX : 0)}px`;
  element.style.top = `${top + (scrolls ? scrollY : 0)}px`;
}

/** Whether *element* lies over a question that waits for an answer. */
function hides(element) {
  const over = element.getBoundingClientRect();
  return [...document.querySelectorAll(".prompt, .prompt-void, .proposal")]
    .map((prompt) => prompt.getBoundingClientRect())
    .some((box) => box.height && box.top < over.bottom && box.bottom > over.top);
}

// A card's remaining life may only be shown since this tap, and a question may have come up.
document.addEventListener("table:changed", () => {
  if (!document.querySelector("dialog[open]"))
    for (const [id, { element }] of sums) {
      const number = document.getElementById(id);
      if (number) lay(element, number);
    }
  for (const [id, { element }] of sums) if (hides(element) || !document.getElementById(id)) hide(id);
  for (const [id, { badge, gone }] of told) if (hides(badge) || !document.getElementById(id)) gone();
});

/** Where the middle of a bubble of twice *half* goes: over its number, or beside what is left of the card. */
function beside(here, place, half) {
  const middle = place.left + place.width / 2;
  const stats = here.closest(".card")?.querySelector(":scope > p:has(> b)")?.getBoundingClientRect();
  if (!stats || stats.bottom < place.top - ABOVE || stats.top > place.top) return middle;
  if (stats.left > middle - half && stats.left < middle + half) return stats.left - half;
  if (stats.right > middle - half && stats.right < middle + half) return stats.right + half;
  return middle;
}

// A refused tap leaves no total, and neither does one that changed nothing.
function withdraw(item) {
  const turn = item && turned(item.command);
  if (turn?.id) hide(turn.id);
}
document.addEventListener("table:refused", ({ detail }) => withdraw(detail.item));
document.addEventListener("table:idle", ({ detail }) => withdraw(detail));

// An undone tap has no total any more.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-turn-back], [data-entries]")) [...sums.keys()].forEach(hide);
});

// Another player's taps: their sign beside the number, in their colour and shape, with the total.
const NUMBER = /<b id="([^"]+)"(?: hx-swap-oob="true")?>(-?\d+)<\/b>/g;
const BY = /<data id="seq"[^>]* data-by="([^"]+)"/;
const DRAWN = 60;
const told = new Map();
const coming = new Map();

function tell(seat, number, by, total) {
  const before = told.get(number.id);
  clearTimeout(before?.timer);
  const sum = (before?.seat === seat ? before.sum : 0) + by;
  before?.badge.remove();
  told.delete(number.id);
  if (!sum) return;
  const mark = document.querySelector(`#s-${CSS.escape(seat)} .seat-mark`);
  const badge = document.createElement("span");
  badge.className = "by-other";
  const { place, colour, emblem } = mark?.closest("[data-place]").dataset ?? {};
  Object.assign(badge.dataset, { place, colour, emblem });
  badge.setAttribute("aria-hidden", "true");
  if (mark) badge.append(mark.cloneNode(true));
  badge.append(`${signed(sum)} → ${total}`);
  document.body.append(badge);
  lay(badge, number, true);
  const gone = () => {
    clearTimeout(told.get(number.id)?.timer);
    badge.remove();
    told.delete(number.id);
  };
  told.set(number.id, { seat, sum, badge, gone, timer: setTimeout(gone, SHOWN) });
}

/** What the number *id* was before it was there: nothing, on a card or seat that is there. */
function first(id) {
  const holder = id.split(".")[0];
  return document.getElementById(`o-${holder}`) || document.getElementById(`s-${holder}`) ? 0 : undefined;
}

live.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const text = event.detail.message.data;
  const seat = typeof text === "string" && BY.exec(text)?.[1];
  if (!seat || seat === live.dataset.seat) return;
  for (const [, id, shown] of text.matchAll(NUMBER)) {
    const now = coming.get(id) ?? document.getElementById(id)?.textContent ?? first(id);
    if (now === undefined || Number(now) === Number(shown)) continue;
    // Frames may follow each other faster than they are drawn.
    const by = Number(shown) - Number(now);
    coming.set(id, Number(shown));
    setTimeout(() => {
      coming.delete(id);
      const number = document.getElementById(id);
      if (number?.offsetParent && number.closest(".steppers")) tell(seat, number, by, Number(shown));
    }, DRAWN);
  }
});
