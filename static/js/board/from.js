// "From whom?" Where several can have done it, a loss of one's own shows their marks under the number for three
// seconds. One touch says so in the log, or counts it where the game does (commander damage); nothing waits for it.

import { fromButton, turned } from "./commands.js";
import { looks, signed } from "./deltas.js";
import * as outbox from "../net/outbox.js";
import { make } from "../page/make.js";

const live = document.getElementById("live");
const DEALS = (live.dataset.deals ?? "").split(" ").filter(Boolean);
const PAUSE = 500;
const SHOWN = 3000;
const ANSWERED = 1500;
const MOST = 40;
let burst = null;
let timer = 0;

const place = () => document.getElementById("from");
const tally = () => document.querySelector("#cockpit [data-sources]");
const cell = (seat) => document.querySelector(`#strip [data-choose="${CSS.escape(seat)}"]`);

function hide() {
  clearTimeout(timer);
  burst = null;
  const box = place();
  if (!box || box.hidden) return;
  const inside = box.contains(document.activeElement);
  box.hidden = true;
  box.replaceChildren();
  if (inside) box.closest("[data-cockpit]")?.querySelector("button")?.focus();
}

/** The others at the table, by seat. A free one counts only if something of its own is on the table. */
function others() {
  const cells = [...document.querySelectorAll("#strip [data-choose]:not(.is-lost, .is-table)")];
  return new Map(cells.filter(({ dataset }) => dataset.choose !== live.dataset.seat).map((each) => [each.dataset.choose, each]));
}

/** What a loss may have come from: what the panel counts it by, each with its seat, or else the other players. */
function sources() {
  const seats = others();
  const counted = tally()?.dataset.sources.split(" ").filter(Boolean).map((each) => each.split("."));
  const players = [...seats].filter(([, each]) => !("free" in each.dataset)).map(([seat]) => [seat]);
  return (counted?.length ? counted : players).filter(([seat]) => seats.has(seat)).map(([seat, id]) => [seats.get(seat), id]);
}

/** The first letter of a card's name. */
const initial = (id) => document.querySelector(`#o-${CSS.escape(id)} > a`)?.textContent.trim()[0] ?? "";

/** A source as a button: the mark of its seat, with a letter where the seat has several. */
function chip([seat, id], _, all) {
  const value = id ? `${live.dataset.seat}.${id}` : seat.dataset.choose;
  const button = make("button", { type: "button", value, name: id ? tally().dataset.tap : "", dataset: looks(seat) });
  const who = seat.querySelector(".cell-top .unseen").textContent;
  button.setAttribute("aria-label", id ? `${tally().dataset.says} ${who}` : live.dataset.fromWhom.replace("{who}", who));
  button.append(seat.querySelector(".seat-mark").cloneNode(true));
  if (all.filter(([each]) => each === seat).length > 1) button.append(initial(id));
  return button;
}

const part = (className, text) => make("span", { className }, text);

/** Give the answer, and show it where it was asked. */
function answer(button, by, entries) {
  const command = button.name ? fromButton(button, -by) : { do: "attribute", to: button.value };
  outbox.give({ ...command, entries }, ".acts");
  const mark = make("span", { className: "from-mark", dataset: looks(button) }, button.querySelector(".seat-mark"));
  place().replaceChildren(mark, part("from-sum", signed(by)));
  clearTimeout(timer);
  timer = setTimeout(hide, ANSWERED);
}

/** Offer for three seconds to say what a change *by* so much came from, where several can be. *id*: its number;
 * *entries*: its entries in the log. */
function offer(id, by, entries) {
  const box = place();
  const found = sources();
  if (!box || new Set(found.map(([seat]) => seat)).size < 2 || !entries.length || entries.length > MOST) return;
  const sum = part("from-sum", signed(by));
  sum.setAttribute("aria-hidden", "true");
  const says = found[0][1] ? tally().dataset.says : live.dataset.fromWord;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", live.dataset.from);
  box.replaceChildren(sum, part("from-word", says), ...found.map(chip));
  box.onclick = ({ target }) => {
    const button = target.closest("button");
    if (button) answer(button, by, entries);
  };
  box.hidden = false;
  const hero = box.parentElement.querySelector(".hero")?.getBoundingClientRect();
  const top = box.parentElement.getBoundingClientRect().top;
  if (hero) box.style.insetBlockStart = `${hero.bottom - top - box.offsetHeight}px`;
  clearTimeout(timer);
  timer = setTimeout(hide, SHOWN);
}

/** An own tap is on the server's disk: add it up if it turned the own main number. */
function tapped({ command, entry }) {
  const turn = turned(command);
  const hero = cell(live.dataset.seat)?.querySelector("[data-hero]")?.dataset.of;
  if (!hero || turn?.id !== hero || !entry) return;
  const deals = DEALS.includes(command.do);
  burst ??= { id: hero, by: 0, entries: [], down: 0 };
  burst.by += turn.by;
  burst.entries.push(entry);
  if (deals) burst.down = Math.sign(turn.by);
  const { id, by, entries, down } = burst;
  const box = place();
  if (box) box.hidden = true;
  clearTimeout(timer);
  timer = setTimeout(() => (by * down > 0 ? offer(id, by, entries) : hide()), PAUSE);
}

if (DEALS.length) {
  document.addEventListener("table:accepted", ({ detail }) => tapped(detail));
  document.addEventListener("table:changed", ({ detail }) => detail.turned && hide());
}
