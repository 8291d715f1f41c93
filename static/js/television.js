// The table view: the largest type with which everything is on the screen, and the log's end.

import "./keeps.js";
import "./connection.js";
import "./chance.js";
import "./clock.js";
import "./wake.js";

const LEAST = 7;
const MOST = 64;
const SOON = 80;
const PULL = 1500;
const root = document.documentElement.style;
const live = document.getElementById("live");
const side = document.getElementById("tv-side");
let fitting = 0;
let pulling = 0;

function fits(type, columns) {
  root.setProperty("--tv-type", `${type}px`);
  root.setProperty("--tv-columns", columns);
  return live.scrollHeight <= live.clientHeight + 1 && live.scrollWidth <= live.clientWidth + 1;
}

function largest(columns) {
  let low = LEAST;
  let high = MOST;
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (fits(middle, columns)) low = middle;
    else high = middle;
  }
  return low;
}

function fit() {
  fitting = 0;
  const seats = Math.max(1, document.querySelectorAll("#board > .seat").length || 2);
  let best = { type: 0, columns: 1 };
  for (let columns = 1; columns <= seats; columns += 1) {
    const type = largest(columns);
    if (type > best.type + 0.5) best = { type, columns };
  }
  fits(best.type, best.columns);
}

async function pull() {
  pulling = 0;
  if (!side) return;
  try {
    const answer = await fetch(side.dataset.from, { headers: { "HX-Request": "true" } });
    if (!answer.ok) return;
    const text = await answer.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    side.replaceChildren(...page.body.childNodes);
    soon();
  } catch {
    // The next change asks again.
  }
}

// Nobody opens anything on a screen that is only looked at.
function open() {
  for (const closed of live.querySelectorAll("details:not(.pile, .group, [open])")) closed.open = true;
}

function soon() {
  open();
  fitting ||= setTimeout(fit, SOON);
}

document.addEventListener("table:changed", () => {
  soon();
  pulling ||= setTimeout(pull, PULL);
});
document.addEventListener("htmx:after:swap", soon);
addEventListener("resize", soon);
document.fonts?.ready.then(fit);
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-full]")) document.documentElement.requestFullscreen?.();
});
if (document.body.classList.contains("is-overlay")) document.documentElement.dataset.theme = "dark";
open();
fit();
