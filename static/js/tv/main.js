// The big screen: the table without controls, and the end of the log.

import "../page/keeps.js";
import "../net/connection.js";
import "../net/elsewhere.js";
import "../board/numbers.js";
import "../board/deltas.js";
import "../board/digits.js";
import "../board/latest.js";
import "../board/lots.js";
import "../board/moments.js";
import "../slots/moments.js";
import "../slots/shown.js";
import "../board/dice.js";
import "../board/clock.js";
import "../page/wake.js";
import "./fit.js";
import "./lines.js";
import "./frames.js";

// Nothing opens on a screen that is only for watching.
function open() {
  for (const closed of document.querySelectorAll("#live details:not(.pile, .group, [open]), #turn details:not([open])")) closed.open = true;
}

// A guest who comes late is one seat more than the page was made for.
function count() {
  const seats = document.getElementById("strip")?.dataset.seats;
  if (seats) document.getElementById("live").dataset.seats = seats;
}

for (const drawn of ["table:changed", "htmx:after:swap"]) {
  document.addEventListener(drawn, open);
  document.addEventListener(drawn, count);
}
// The one button lies over a tile, so it is there only while someone reaches for it.
const full = document.querySelector("[data-full]");
const RESTS = 3000;
let resting = 0;
for (const type of ["pointermove", "pointerdown"])
  document.addEventListener(type, () => {
    clearTimeout(resting);
    resting = setTimeout(() => full?.classList.remove("is-near"), RESTS);
    full?.classList.add("is-near");
  });
full?.addEventListener("click", () => document.documentElement.requestFullscreen?.());
if (document.body.classList.contains("is-overlay")) document.documentElement.dataset.theme = "dark";
open();
