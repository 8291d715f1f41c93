// Recent changes and who made them: for three seconds inside the number's own tile and in the strip, with a ring in
// the actor's colour. Quick changes of one number by one seat add up.

import { turned } from "./commands.js";
import { changing, says } from "./gives.js";
import { confirmed, read } from "./numbers.js";
import { hit } from "../page/haptics.js";
import { make } from "../page/make.js";

const live = document.getElementById("live");
const SHOWN = 3000;
const NUMBER = /<b id="([^"]+)"(?: hx-swap-oob="true")?>(−?\d+)<\/b>/g;
const BY = /<data id="seq"[^>]* data-by="([^" ]+)"/; // by several at once: empty
const TURNED = /<data id="seq"[^>]* data-turned/;
// Across the room it stands beside the number, and stays: in the box of what else the tile says, which a
// browser lays out by itself (css/board/tv.css).
const STAYS = document.body.classList.contains("tv");
const SHARED = document.body.classList.contains("is-flat");
const soon = STAYS ? queueMicrotask : (act) => setTimeout(act, 60); // with its number, or once that is drawn
const IN_CELL = STAYS ? ".bits" : ".cell-bits";
// There its ring has a name of its own, on which nothing else in the cell depends: it is not styled anew.
const ring = (place) => (STAYS && place.matches(".cell") ? "is-lit" : "is-hit");
const sums = new Map();
const coming = new Map();
const foretold = new Map(); // by number: the sum of taps here that no frame has confirmed

export const signed = (by) => `${by < 0 ? "−" : "+"}${Math.abs(by)}`;

/** The places that show the number *id*: its own tile or token, and seats' cells in the strip. */
function places(id) {
  const at = CSS.escape(id);
  const found = [...document.querySelectorAll(`#${at}, [data-of="${at}"]`)].filter((each) => !each.closest("dialog"));
  return new Set(found.map((each) => each.closest(".hero, .cell, .overview-cell") ?? each.closest(".steppers > li")).filter(Boolean));
}

/** The attributes from which style sheets take a seat's colour and shape. */
export const looks = ({ dataset: { place, colour, emblem } }) => ({ place, colour, emblem });

/** The mark of who changed a number; on one phone for all, what was tapped or answered on it is everyone's. */
function markOf(seat) {
  const here = `#s-${CSS.escape(seat)}:is([data-answered-by-any], .is-mine)`;
  if (SHARED && document.querySelector(here)) return null;
  const mark = document.querySelector(`#strip [data-choose="${CSS.escape(seat)}"] .seat-mark`);
  return mark && { element: mark, place: mark.closest("[data-place]") };
}

/** The shown value of the number *id*. */
const shownNow = (id) => (document.getElementById(id) ?? document.querySelector(`[data-of="${CSS.escape(id)}"]`))?.textContent;

/** Show *sum* in every place of its number, instead of what was shown there before; on a card only its steps. */
function draw(id, { seat, by, last, steps, holding }) {
  const mark = markOf(seat);
  for (const place of places(id)) {
    const box = place.matches(".hero") ? place.querySelector(".caption") : place.matches(".cell") ? place.querySelector(IN_CELL) : null;
    place.classList.add(ring(place));
    // By name: to ask for the computed colour would lay the page out.
    if (mark) place.style.setProperty("--by", `var(--seat-${mark.place.dataset.colour})`);
    if (!box) {
      showSteps(place.closest(".card"), last, steps);
      continue;
    }
    const delta = box.querySelector(".delta") ?? box.appendChild(document.createElement("span"));
    delta.className = by < 0 ? "delta is-down" : "delta";
    const of = place.querySelector(`.bit > [data-of="${CSS.escape(id)}"]`)?.parentElement;
    const about = `${seat} ${of?.dataset.kind ?? ""}`;
    if (!delta.firstChild || delta.dataset.about !== about) {
      delta.dataset.about = about;
      delta.setAttribute("aria-hidden", "true");
      delta.replaceChildren(...signOf(mark), ...(of ? [kindOf(of)] : []), "");
    }
    // A cell has the new number above it, and no room for it twice.
    delta.lastChild.data = holding && place.matches(".hero") ? `${signed(by)} → ${shownNow(id)}` : signed(by);
  }
}

/** The mark of the acting seat, in its looks; nothing for a seat without one. */
function signOf(mark) {
  return mark ? [make("span", { dataset: looks(mark.place) }, mark.element.cloneNode(true))] : [];
}

/** The icon of what stands small in the strip: a change without one is of the main number. */
const kindOf = ({ dataset }) => make("span", { className: "bit is-sign", dataset });

/** The steps, if there are any, lie over the row below their card, so that nothing moves. */
function showSteps(card, by, steps) {
  card?.querySelector(".delta")?.remove();
  if (steps) card?.append(make("span", { className: "delta is-steps", ariaHidden: "true" }, `${signed(by)}: ${steps}`));
}

function clear(id) {
  const sum = sums.get(id);
  if (!sum) return;
  clearTimeout(sum.timer);
  sums.delete(id);
  for (const place of places(id)) {
    place.classList.remove(ring(place));
    if (STAYS && place.matches(".cell")) continue;
    (place.querySelector(".delta") ?? place.closest(".card")?.querySelector(".delta"))?.remove();
  }
}

/** Show that *seat* changed the number *id* by so much, and in which steps if cards changed the amount.
 * holding: a finger still rests on its button. */
function show(id, by, { seat = live.dataset.seat, steps = says(changing(id), by, seat), holding = false } = {}) {
  const before = sums.get(id);
  const sum = (before?.seat === seat ? before.by : 0) + by;
  if (!sum) return clear(id);
  clearTimeout(before?.timer); // what stands there is written anew, not taken away and put there again
  sums.delete(id); // only a cell's last changed number is shown
  sums.set(id, { seat, by: sum, last: by, steps, holding, timer: setTimeout(() => clear(id), SHOWN) });
  draw(id, sums.get(id));
}

/** As `show`, for a tap on this phone, which shows it before the table answers. */
export function changed(id, by, how) {
  foretold.set(id, (foretold.get(id) ?? 0) + by);
  show(id, by, how);
}

// A redrawn tile shows its change again. Across the room a change that has just come is drawn once it has all come.
document.addEventListener("table:changed", () => {
  for (const [id, sum] of sums) if (!(STAYS && coming.has(id))) draw(id, sum);
});

// A refused tap leaves no change, and neither does one that changed nothing, or was undone.
function withdraw(item) {
  const turn = item && turned(item.command);
  if (!turn?.id) return;
  foretold.delete(turn.id);
  clear(turn.id);
}
document.addEventListener("table:refused", ({ detail }) => withdraw(detail.item));
document.addEventListener("table:idle", ({ detail }) => withdraw(detail));
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-turn-back], [data-entries]")) [...sums.keys()].forEach(clear);
});

// Another player's change of cards rings the cell of their seat; across the room the moment says it.
if (!STAYS) document.addEventListener("seat:hit", ({ detail: [seat, by] }) => touch(seat, by));

function touch(seat, by) {
  const cell = document.getElementById(`${seat}.cell`);
  const mark = markOf(by);
  if (!cell) return;
  if (mark) cell.style.setProperty("--by", `var(--seat-${mark.place.dataset.colour})`);
  cell.classList.remove("is-touched");
  requestAnimationFrame(() => cell.classList.add("is-touched"));
  setTimeout(() => cell.classList.remove("is-touched"), SHOWN);
}

/** The value of the number *id* before it was there: nothing, on a card or seat that is there. */
function first(id) {
  const holder = id.split(".")[0];
  return document.getElementById(`o-${holder}`) || document.getElementById(`s-${holder}`) ? 0 : undefined;
}

/** The part of the change *by* of the number *id*, made by one's own seat, that no tap here has shown yet. */
function unforetold(id, by) {
  const told = foretold.get(id) ?? 0;
  const part = Math.sign(told) === Math.sign(by) ? Math.sign(by) * Math.min(Math.abs(told), Math.abs(by)) : 0;
  if (told === part) foretold.delete(id);
  else foretold.set(id, told - part);
  return by - part;
}

/** The numbers in *text*, the main ones last: a cell shows the last change. */
function numbersIn(text) {
  const found = [...text.matchAll(NUMBER)];
  const isMain = ([, id]) => Boolean(document.querySelector(`.cell-hero[data-of="${CSS.escape(id)}"]`));
  return found.length > 1 ? found.sort((one, other) => isMain(one) - isMain(other)) : found;
}

// What others tapped, and what one's own taps did besides: half of a number, or what an answer costs.
live.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const text = event.detail.message.data;
  const seat = typeof text === "string" && BY.exec(text)?.[1];
  const own = seat === live.dataset.seat;
  if (!seat || (own && TURNED.test(text))) return;
  for (const [, id, shown] of numbersIn(text)) {
    const there = document.getElementById(id);
    const now = coming.get(id) ?? (there ? confirmed(there) : first(id));
    const then = read(shown);
    if (now === undefined || now === then) continue;
    const by = own ? unforetold(id, then - now) : then - now;
    const whose = there?.closest("#board .card")?.closest("[data-seat]")?.dataset.seat;
    if (by < 0 && !own && !sums.has(id) && there?.closest("#cockpit .is-hero")) hit();
    // Frames may follow each other faster than they are drawn.
    coming.set(id, then);
    soon(() => {
      coming.delete(id);
      if (by) show(id, by, { seat });
      if (whose && !STAYS && !own) touch(whose, seat);
    });
  }
});
