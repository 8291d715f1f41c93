// Sitting down for the first time: OK saves the name, and so do another that this phone knows and the first tap on the
// board. The row goes once the finger rests, so that nothing moves under it.

import * as name from "../page/name.js";

const row = document.querySelector(".welcome");
const REST = 1500;
let timer = 0;
let kept = false;

if (row) {
  const field = row.elements.name;
  const here = [...document.querySelectorAll(".cell-name")].map((each) => each.textContent);
  const names = name.known().filter((each) => !here.includes(each));
  field.value ||= names[0] ?? "";
  for (const textContent of names) {
    const onclick = () => (field.value = textContent);
    row.lastElementChild.append(Object.assign(document.createElement("button"), { textContent, onclick }));
  }
  field.addEventListener("focus", () => field.select()); // typing is another name, not more of it
  row.noValidate = true; // an empty OK is an answer, too
  row.addEventListener("submit", (event) => {
    const typed = field.value.trim();
    history.replaceState(history.state, "", location.pathname);
    name.keep(typed);
    if (event.submitter) row.hidden = true;
    if (kept || !typed || typed === row.dataset.name) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    kept = true;
  }, true);
  for (const type of ["htmx:response:error", "htmx:error"])
    row.addEventListener(type, () => {
      clearTimeout(timer);
      kept = row.hidden = false;
    });
  document.getElementById("live").addEventListener("click", ({ target }) => {
    if (row.hidden || row.contains(target)) return;
    clearTimeout(timer);
    timer = setTimeout(() => (row.hidden = true), REST);
    if (!kept) row.requestSubmit();
  });
}
