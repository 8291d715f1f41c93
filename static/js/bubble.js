// The sum of what was just turned, and what it comes to: "+5 → 45", until three seconds after the last
// tap. Each number has a sum of its own, as each has a line of its own in the log.

import { turned } from "./commands.js";

const pattern = document.getElementById("bubble");
const live = document.getElementById("live");
const SHOWN = 3000;
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

/** Lay a bubble over the number *here*. */
function lay(element, here) {
  const place = here.getBoundingClientRect();
  const half = element.offsetWidth / 2 + 8;
  const middle = beside(here, place, half);
  element.style.left = `${Math.min(innerWidth - half, Math.max(half, middle))}px`;
  element.style.top = `${Math.max(8, place.top - 52)}px`;
}

// What is left of a card may only be shown since this tap.
document.addEventListener("table:changed", () => {
  if (document.querySelector("dialog[open]")) return;
  for (const [id, { element }] of sums) {
    const number = document.getElementById(id);
    if (number) lay(element, number);
  }
});

/** Where the middle of a bubble of twice *half* goes: over its number, or beside what is left of the card. */
function beside(here, place, half) {
  const middle = place.left + place.width / 2;
  const stats = here.closest(".card")?.querySelector(":scope > p:has(> b)")?.getBoundingClientRect();
  if (!stats || stats.bottom < place.top - 52 || stats.top > place.top) return middle;
  if (stats.left > middle - half && stats.left < middle + half) return stats.left - half;
  if (stats.right > middle - half && stats.right < middle + half) return stats.right + half;
  return middle;
}

// What was not accepted comes to nothing.
document.addEventListener("table:refused", ({ detail }) => {
  const turn = detail.item && turned(detail.item.command);
  if (turn?.id) hide(turn.id);
});

// What is taken back has no sum any more.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-turn-back], [data-entries]")) [...sums.keys()].forEach(hide);
});

// What somebody else turns: their sign beside the number, in their colour and shape, with the sum.
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
  badge.dataset.place = mark?.closest("[data-place]").dataset.place ?? "";
  badge.setAttribute("aria-hidden", "true");
  if (mark) badge.append(mark.cloneNode(true));
  badge.append(`${signed(sum)} → ${total}`);
  document.body.append(badge);
  const place = number.getBoundingClientRect();
  const half = badge.offsetWidth / 2 + 4;
  badge.style.left = `${Math.min(innerWidth - half, Math.max(half, place.left + place.width / 2)) + scrollX}px`;
  badge.style.top = `${place.top - 40 + scrollY}px`;
  const gone = () => {
    badge.remove();
    told.delete(number.id);
  };
  told.set(number.id, { seat, sum, badge, timer: setTimeout(gone, SHOWN) });
}

live.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const text = event.detail.message.data;
  const seat = typeof text === "string" && BY.exec(text)?.[1];
  if (!seat || seat === live.dataset.seat) return;
  for (const [, id, shown] of text.matchAll(NUMBER)) {
    const now = coming.get(id) ?? document.getElementById(id)?.textContent;
    if (now === undefined || Number(now) === Number(shown)) continue;
    // Frames may follow each other faster than they are drawn.
    const by = Number(shown) - Number(now);
    coming.set(id, Number(shown));
    setTimeout(() => {
      coming.delete(id);
      const number = document.getElementById(id);
      if (number?.offsetParent && number.closest(".dials")) tell(seat, number, by, Number(shown));
    }, DRAWN);
  }
});
