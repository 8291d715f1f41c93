// The big screen: the table without controls, and the end of the log.

import "../page/keeps.js";
import "../net/connection.js";
import "../board/numbers.js";
import "../board/deltas.js";
import "../board/digits.js";
import "../board/moments.js";
import "../board/dice.js";
import "../board/clock.js";
import "../page/wake.js";
import "./fit.js";

const PULL = 1500;
const side = document.getElementById("tv-side");
let pulling = 0;

async function pull() {
  pulling = 0;
  if (!side) return;
  try {
    const answer = await fetch(side.dataset.from, { headers: { "HX-Request": "true" } });
    if (!answer.ok) return;
    const text = await answer.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    side.replaceChildren(...page.body.childNodes);
  } catch {
    // The next change asks again.
  }
}

// Nothing can be opened on a screen that is only for watching.
function open() {
  for (const closed of document.querySelectorAll("#live details:not(.pile, .group, [open]), #turn details:not([open])")) closed.open = true;
}

document.addEventListener("table:changed", () => {
  open();
  pulling ||= setTimeout(pull, PULL);
});
document.addEventListener("htmx:after:swap", open);
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-full]")) document.documentElement.requestFullscreen?.();
});
if (document.body.classList.contains("is-overlay")) document.documentElement.dataset.theme = "dark";
open();
