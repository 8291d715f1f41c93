// What has just changed, and by whose hand: for three seconds inside the number's own tile and in the
// strip, with a ring in the actor's colour. Quick changes of one number by one seat add up.

import { turned } from "./commands.js";

const live = document.getElementById("live");
const SHOWN = 3000;
const NUMBER = /<b id="([^"]+)"(?: hx-swap-oob="true")?>(-?\d+)<\/b>/g;
const BY = /<data id="seq"[^>]* data-by="([^"]+)"/;
const DRAWN = 60;
const sums = new Map();
const coming = new Map();

export const signed = (by) => `${by < 0 ? "−" : "+"}${Math.abs(by)}`;

/** The places that show the number *id*: its own tile or token, and seats' cells in the strip. */
function places(id) {
  const at = CSS.escape(id);
  const found = [...document.querySelectorAll(`#${at}, [data-of="${at}"]`)].filter((each) => !each.closest("dialog"));
  return new Set(found.map((each) => each.closest(".hero") ?? each.closest(".cell, .steppers > li")).filter(Boolean));
}

/** What style sheets take a seat's colour and shape from. */
export const looks = ({ dataset: { place, colour, emblem } }) => ({ place, colour, emblem });

function markOf(seat) {
  const mark = document.querySelector(`#strip [data-choose="${CSS.escape(seat)}"] .seat-mark`);
  return mark && { element: mark.cloneNode(true), place: mark.closest("[data-place]") };
}

/** Show *sum* in every place of its number, instead of what was shown there before. */
function draw(id, { seat, by }) {
  const mark = markOf(seat);
  for (const place of places(id)) {
    const box = place.matches(".hero") ? place.querySelector(".caption") : place.matches(".cell") ? place.querySelector(".cell-bits") : null;
    place.classList.add("is-hit");
    if (mark) place.style.setProperty("--by", getComputedStyle(mark.place).getPropertyValue("--seat"));
    if (!box) continue;
    box.querySelector(".delta")?.remove();
    const delta = document.createElement("span");
    delta.className = by < 0 ? "delta is-down" : "delta";
    delta.setAttribute("aria-hidden", "true");
    if (mark) {
      const sign = document.createElement("span");
      Object.assign(sign.dataset, looks(mark.place));
      sign.append(mark.element.cloneNode(true));
      delta.append(sign);
    }
    delta.append(signed(by));
    box.append(delta);
  }
}

function clear(id) {
  const sum = sums.get(id);
  if (!sum) return;
  clearTimeout(sum.timer);
  sums.delete(id);
  for (const place of places(id)) {
    place.classList.remove("is-hit");
    place.querySelector(".delta")?.remove();
  }
}

/** Show that *seat* changed the number *id* by so much. */
export function changed(id, by, seat = live.dataset.seat) {
  const before = sums.get(id);
  const sum = (before?.seat === seat ? before.by : 0) + by;
  clear(id);
  if (!sum) return;
  sums.set(id, { seat, by: sum, timer: setTimeout(() => clear(id), SHOWN) });
  draw(id, sums.get(id));
}

// A redrawn tile shows its change again.
document.addEventListener("table:changed", () => {
  for (const [id, sum] of sums) draw(id, sum);
});

// A refused tap leaves no change, and neither does one that changed nothing, or was undone.
function withdraw(item) {
  const turn = item && turned(item.command);
  if (turn?.id) clear(turn.id);
}
document.addEventListener("table:refused", ({ detail }) => withdraw(detail.item));
document.addEventListener("table:idle", ({ detail }) => withdraw(detail));
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-turn-back], [data-entries]")) [...sums.keys()].forEach(clear);
});

/** What the number *id* was before it was there: nothing, on a card or seat that is there. */
function first(id) {
  const holder = id.split(".")[0];
  return document.getElementById(`o-${holder}`) || document.getElementById(`s-${holder}`) ? 0 : undefined;
}

// Another player's taps.
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
      changed(id, by, seat);
    }, DRAWN);
  }
});
