// The big screen: the table without controls, and the end of the log.

import "../page/keeps.js";
import "../net/connection.js";
import "../net/elsewhere.js";
import "../board/numbers.js";
import "../board/deltas.js";
import "../board/digits.js";
import "../board/latest.js";
import "../board/moments.js";
import "../slots/moments.js";
import "../board/dice.js";
import "../board/clock.js";
import "../page/wake.js";
import "./fit.js";
import "./numbers.js";

// Nothing can be opened on a screen that is only for watching.
function open() {
  for (const closed of document.querySelectorAll("#live details:not(.pile, .group, [open]), #turn details:not([open])")) closed.open = true;
}

document.addEventListener("table:changed", open);
document.addEventListener("htmx:after:swap", open);
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-full]")) document.documentElement.requestFullscreen?.();
});
if (document.body.classList.contains("is-overlay")) document.documentElement.dataset.theme = "dark";
open();
