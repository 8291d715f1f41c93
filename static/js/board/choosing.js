// Multiple selection on the stage: a long press selects a row, taps select more, and a bar offers the common actions.
// The server sends the bar with the first selection.

import { tick } from "../page/haptics.js";
import { make } from "../page/make.js";
import { say, spoken } from "../page/say.js";

const HOLD = 500;
const WANDER = 12;
const live = document.getElementById("live");
const picked = new Set();
let bar = null;
let choosing = false;
let press = null;
let pressed = false;

const link = (target) => target.closest?.("#board .card > a");
const ids = (card) => card.querySelector(':scope > [name^="each."]')?.value.split(" ") ?? [card.id.slice(2)];
const isPicked = (card) => ids(card).some((id) => picked.has(id));

function show() {
  if (!choosing) return;
  for (const card of document.querySelectorAll("#board .card")) {
    card.classList.toggle("is-picked", isPicked(card));
    const name = card.querySelector(":scope > a");
    if (isPicked(card)) name?.setAttribute("aria-current", "true");
    else name?.removeAttribute("aria-current");
  }
  const there = new Set([...document.querySelectorAll("#board .card")].flatMap(ids));
  for (const id of picked) if (!there.has(id)) picked.delete(id);
  if (!bar?.firstChild) return;
  if (!bar.isConnected) document.getElementById("dock")?.prepend(bar);
  bar.querySelector("[data-count]").textContent = picked.size;
  const on = encodeURIComponent([...picked].join(" "));
  for (const each of bar.querySelectorAll("[data-do]")) each.href = `several?do=${each.dataset.do}&on=${on}`;
}

async function begin() {
  if (choosing || !live.dataset.seat) return;
  choosing = true;
  document.body.classList.add("is-choosing");
  if (!bar) {
    bar = make("div", { className: "choosing" });
    document.getElementById("dock")?.prepend(bar);
    bar.setAttribute("hx-target", "this");
    await htmx.ajax("GET", "choosing", { source: bar, target: bar, swap: "innerHTML" });
    if (!bar.firstChild) return end();
  }
  show();
}

function end() {
  choosing = false;
  picked.clear();
  document.body.classList.remove("is-choosing");
  bar?.remove();
  if (!bar?.firstChild) bar = null;
  for (const card of document.querySelectorAll(".card.is-picked")) {
    card.classList.remove("is-picked");
    card.querySelector(":scope > a")?.removeAttribute("aria-current");
  }
}

function turn(card) {
  const off = isPicked(card);
  for (const id of ids(card)) off ? picked.delete(id) : picked.add(id);
  say(`${spoken(card)}: ${picked.size}`);
  tick();
  show();
}

document.addEventListener("pointerdown", (event) => {
  clearTimeout(press?.timer);
  const on = link(event.target);
  press = null;
  pressed = false;
  if (!on || event.button > 0 || choosing) return;
  press = { x: event.clientX, y: event.clientY, touch: event.pointerType === "touch" };
  press.timer = setTimeout(() => {
    press = null;
    pressed = true;
    begin();
    turn(on.closest(".card"));
  }, HOLD);
});
document.addEventListener("pointermove", (event) => {
  if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > WANDER) stop();
}, { passive: true });
function stop() {
  clearTimeout(press?.timer);
  press = null;
}
for (const type of ["pointerup", "pointercancel", "scroll"]) document.addEventListener(type, stop, { capture: true, passive: true });
// A long press opens no context menu, and drags no link.
document.addEventListener("contextmenu", (event) => {
  if (link(event.target) && (press?.touch || choosing)) event.preventDefault();
});
document.addEventListener("dragstart", (event) => link(event.target) && event.preventDefault());

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-choosing]")) {
    document.getElementById("sheet").close();
    begin();
  } else if (event.target.closest?.("[data-choosing-ends]")) {
    end();
  } else if (choosing && link(event.target)) {
    event.preventDefault();
    event.stopPropagation();
    if (!pressed) turn(link(event.target).closest(".card")); // else it ends the long press, however long
    pressed = false;
  }
}, { capture: true });

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && choosing && !document.querySelector("dialog[open]")) end();
});
document.addEventListener("command:given", ({ target }) => target.matches(".several") && end());
for (const type of ["table:changed", "htmx:after:swap"]) document.addEventListener(type, show);
