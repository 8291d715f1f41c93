// Whatever follows a number of the board: its copies, its picture, and how faint it is.

import { draw } from "./looks.js";

const COUNTED = ".steppers > li:not(.act) > b";
const live = document.getElementById("live");

/** Write a number into the text node that is there: a new one would have every :has() matched again. */
export function write(element, shown) {
  const [text] = element.childNodes;
  if (text?.nodeType === Node.TEXT_NODE && !text.nextSibling) text.data = shown;
  else element.textContent = shown;
}

/** A sheet, and a cell of the strip, repeat numbers of the board: all that do, or those of *ids*. */
export function mirror(ids) {
  const of = ids?.map((id) => `[data-of="${CSS.escape(id)}"]`).join() ?? "[data-of]";
  for (const copy of of ? document.querySelectorAll(of) : []) {
    const element = document.getElementById(copy.dataset.of);
    if (element && copy.textContent !== element.textContent) write(copy, element.textContent);
    copy.closest(".bit, .overview-number")?.classList.toggle("is-zero", copy.textContent === "0");
  }
  draw();
}

/** Numbers at zero are faint in their place, or hidden in a row: all, or those of *ids*. */
export function faint(ids) {
  const all = ids?.map((id) => document.getElementById(id)) ?? live.querySelectorAll(COUNTED);
  for (const each of all)
    if (each?.matches(COUNTED)) each.parentElement.classList.toggle("is-zero", each.textContent === "0");
}
