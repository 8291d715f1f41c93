// Dice, coins and lots: every screen shows the result for a moment and announces it.

import { looks } from "./deltas.js";
import { make } from "../page/make.js";
import { say } from "../page/say.js";
import { play } from "../page/sounds.js";

const SHOWN = 5000;
const BELOW = 12; // the strip, which it never covers
const fallen = () => document.getElementById("chance");
let shownEntry = fallen()?.dataset.entry ?? "";
let toast = null;
let timer = 0;

function hide() {
  clearTimeout(timer);
  toast?.remove();
  toast = null;
}

function show(what) {
  hide();
  const its = { className: "chance-result", dataset: looks(what), popover: "manual" };
  toast = make("p", { ...its, ariaHidden: "true" }, what.textContent); // it is announced politely below
  const strip = document.getElementById("strip")?.getBoundingClientRect();
  if (strip) toast.style.insetBlockStart = `${Math.round(strip.bottom) + BELOW}px`;
  document.body.append(toast);
  toast.showPopover?.(); // above a sheet, if one is open
  timer = setTimeout(hide, SHOWN);
}

document.addEventListener("htmx:ws:after:message:incoming", () => {
  const what = fallen();
  if (!what || !what.dataset.entry || what.dataset.entry === shownEntry) return;
  shownEntry = what.dataset.entry;
  show(what);
  play("fell");
  say(what.textContent);
});
document.addEventListener("click", (event) => {
  if (event.target === toast) hide();
});
