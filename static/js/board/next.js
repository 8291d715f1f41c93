// The one next step: the answer to my question, my next phase or the end of my turn; otherwise, whom the table waits
// for.

import { fromButton } from "./commands.js";
import { answer, asked, complain, complete, says } from "./questions.js";
import * as outbox from "../net/outbox.js";
import { tick } from "../page/haptics.js";
import { when, whenDrawn } from "../page/when.js";

const live = document.getElementById("live");
// One screen for all seats is always the active one's.
const shared = document.body.classList.contains("is-flat");
const button = () => document.getElementById("next");
const step = () => document.getElementById("step");

/** What the score sheet says is to be written next. */
const unwritten = () => document.getElementById("scores")?.dataset.unwritten;

/** What draws lots for the first turn; on one screen for all they are the first step. */
const lots = () => (shared ? document.querySelector("#sidebar [formaction=draw]") : null);

const ended = () => document.querySelector("#end [data-again]");

function look() {
  const next = button();
  if (!next) return;
  const form = asked();
  const main = form && answer(form);
  let words = "";
  let quiet = false;
  let disabled = false;
  let missing = false;
  if (main) {
    words = says(form);
    missing = !complete(form);
    disabled = main.disabled || form.classList.contains("is-waiting");
  } else if (ended()) {
    words = ended().textContent.trim();
  } else if (lots()) {
    words = lots().textContent.trim();
  } else if (unwritten()) {
    words = unwritten();
  } else if (step()) {
    const active = step().dataset.active.split(" ").filter(Boolean);
    const own = step().querySelector("button");
    quiet = !shared && "theirs" in step().dataset && !active.includes(live.dataset.seat);
    words = step().dataset.waiting ?? (quiet ? step().dataset.theirs : own?.textContent.trim());
    if (step().dataset.waiting) quiet = true;
    disabled = quiet || !words;
  } else {
    disabled = true;
  }
  next.textContent = words ?? "";
  next.disabled = disabled;
  next.classList.toggle("is-quiet", quiet);
  next.classList.toggle("is-missing", missing);
  next.setAttribute("aria-disabled", String(missing));
}

when("click", "#next", () => {
  const form = asked();
  const main = form && answer(form);
  const own = step()?.querySelector("button");
  if (main && complete(form)) form.requestSubmit(main);
  else if (main) complain(form);
  else if (ended() ?? lots()) (ended() ?? lots()).click();
  else if (unwritten()) document.dispatchEvent(new Event("scores:write"));
  else if (own && !button().classList.contains("is-quiet")) {
    outbox.give(fromButton(own), ".acts");
    tick();
  }
});

// The menu of phases closes on a choice, on a tap elsewhere, and with the turn in which it was opened.
function closeMenu() {
  const menu = document.querySelector(".phase[open]");
  if (!menu) return;
  if (menu.querySelector(".phase-menu").contains(document.activeElement)) menu.querySelector("summary").focus();
  menu.open = false;
}
document.addEventListener("click", ({ target }) => {
  if (target.closest?.(".phase-menu button") || !target.closest?.(".phase")) closeMenu();
});
let active = step()?.dataset.active;
document.addEventListener("table:changed", () => {
  if (step()?.dataset.active !== active) closeMenu();
  active = step()?.dataset.active;
});

for (const typed of ["input", "change"]) when(typed, "#live", look);
for (const type of ["command:given", "table:refused", "scores:looked"]) document.addEventListener(type, look);
whenDrawn(look);
