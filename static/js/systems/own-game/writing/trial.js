// The strip of the board that a draft is tried on: it chooses the seat on the stage.

import { count } from "../../../board/digits.js";
import "../../../board/labels.js";

let chosen = "";
let docked = "";

function show() {
  const live = document.getElementById("live");
  if (!live) return;
  if (live.dataset.docked !== docked) chosen = docked = live.dataset.docked;
  const there = (seat) => live.querySelector(`[data-choose="${CSS.escape(seat)}"]`);
  if (!there(chosen)) chosen = docked;
  for (const cell of live.querySelectorAll("[data-choose]")) {
    cell.classList.toggle("is-chosen", cell.dataset.choose === chosen);
    cell.classList.toggle("is-mine", cell.dataset.choose === docked);
    cell.ariaCurrent = cell.dataset.choose === chosen || null;
  }
  for (const part of live.querySelectorAll(".board > :is(.seat, .table-part)")) {
    part.classList.toggle("is-chosen", part.dataset.seat === chosen);
  }
  count(live);
}

document.addEventListener("click", (event) => {
  const cell = event.target.closest(".trial [data-choose]");
  if (!cell) return;
  event.preventDefault();
  chosen = cell.dataset.choose;
  show();
});
document.addEventListener("htmx:after:swap", show);
show();
