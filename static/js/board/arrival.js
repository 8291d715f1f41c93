// Sitting down for the first time: the name is saved with OK, or with the first tap on the board. The
// row goes once the finger rests, so that nothing moves under it.

import * as name from "../page/name.js";

const row = document.querySelector(".welcome");
const REST = 1500;
let timer = 0;
let kept = false;

async function keep() {
  if (kept) return;
  kept = true;
  history.replaceState(history.state, "", location.pathname);
  const typed = row.elements.name.value.trim();
  name.keep(typed);
  if (!typed || typed === row.dataset.name) return;
  let saved = false;
  try {
    const answer = await fetch(row.action, { method: "POST", body: new FormData(row), headers: { "HX-Request": "true" } });
    saved = answer.ok;
  } catch {
    // The row stays, with what was typed in it.
  }
  if (saved) return;
  clearTimeout(timer);
  kept = row.hidden = false;
}

if (row) {
  const field = row.elements.name;
  field.value ||= name.last();
  field.addEventListener("focus", () => field.select()); // typing is another name, not more of it
  row.noValidate = true; // an empty OK is an answer, too
  row.addEventListener("submit", (event) => {
    event.preventDefault();
    row.hidden = true;
    keep();
  });
  document.getElementById("live").addEventListener("click", ({ target }) => {
    if (row.hidden || row.contains(target)) return;
    clearTimeout(timer);
    timer = setTimeout(() => (row.hidden = true), REST);
    keep();
  });
}
