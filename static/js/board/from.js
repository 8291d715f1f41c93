// "From whom?" A tap on one's own life shows the others' marks under the number for three seconds, but not those of
// free seats. One touch adds the cause to the log; the answer is optional, and nothing waits for it.

import { turned } from "./commands.js";
import { looks, signed } from "./deltas.js";
import * as outbox from "../net/outbox.js";

const live = document.getElementById("live");
const DEALS = (live.dataset.deals ?? "").split(" ").filter(Boolean);
const PAUSE = 500;
const SHOWN = 3000;
const MOST = 40;
let burst = null;
let timer = 0;

const place = () => document.getElementById("from");
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

/** The mark of a seat as a button. */
function chip(other) {
  const button = document.createElement("button");
  button.type = "button";
  button.value = other.dataset.choose;
  Object.assign(button.dataset, looks(other));
  const who = other.querySelector(".cell-top .unseen").textContent;
  button.setAttribute("aria-label", live.dataset.fromWhom.replace("{who}", who));
  button.append(other.querySelector(".seat-mark").cloneNode(true));
  return button;
}

/** Offer for three seconds to say whom a change *by* so much came from. *id*: its number; *entries*: its
 * entries in the log. */
function offer(id, by, entries) {
  const box = place();
  const others = [...document.querySelectorAll("#strip [data-choose]:not(.is-lost, [data-free], .is-table)")].filter(
    (each) => each.dataset.choose !== live.dataset.seat,
  );
  if (!box || !others.length || !entries.length || entries.length > MOST) return;
  const sum = document.createElement("span");
  sum.className = "from-sum";
  sum.setAttribute("aria-hidden", "true");
  sum.textContent = signed(by);
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", live.dataset.from);
  box.replaceChildren(sum, ...others.map(chip));
  box.onclick = ({ target }) => {
    const to = target.closest("button")?.value;
    if (!to) return;
    outbox.give({ do: "attribute", entries, to }, ".acts");
    hide();
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
