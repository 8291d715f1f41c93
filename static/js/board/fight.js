// Attacking is a mode of the board: its form lies where the rows are, and each row is tapped whole. It attacks whom the
// form lights below, or the strip; those that were tapped before that go along.

import { tick } from "../page/haptics.js";
import { says } from "./questions.js";

const sheet = document.getElementById("sheet");
const TWICE = 600;
const live = document.getElementById("live");
let whom = ""; // who is attacked by the next row
let chosen = false; // by a tap
const along = new Set();

const fight = () => sheet.querySelector(".fight");
const targets = () => [...fight().querySelectorAll("[name=whom]")];
const rows = () => [...fight().querySelectorAll(".fighter:not(.is-off)")];
const ways = (row) => [...row.querySelectorAll("[type=radio]")];
const now = (row) => ways(row).find(({ checked }) => checked).value;
const attack = (row, on) => (ways(row).find(({ value }) => value === on).checked = true);

/** Outside the dock no next step has the words of the button. */
function label(main) {
  main.textContent = main.dataset.word ??= main.textContent;
  main.textContent = says(main.form);
}

function show() {
  document.querySelectorAll(".is-flat .fight .is-main, .board .prompt:has(.blocking) .is-main").forEach(label);
  // In one's own dock it is a question; where a part of the board is all that is asked of it, there is none.
  for (const each of document.querySelectorAll("#board .question.is-shared")) each.remove();
  const there = fight();
  for (const cell of document.querySelectorAll("#strip [data-choose]")) {
    cell.classList.toggle("is-target", Boolean(there) && cell.dataset.choose === whom);
  }
  document.querySelector(".acts > .fight-leaves")?.remove();
  if (!there) return;
  for (const each of targets()) each.setAttribute("aria-pressed", String(each.value === whom));
  for (const row of rows()) {
    const ariaChecked = String(Boolean(now(row)));
    Object.assign(row.querySelector("b"), { role: "checkbox", tabIndex: 0, ariaChecked });
  }
  there.querySelector(".is-main").disabled = !rows().some(now);
  const leaves = there.querySelector(".fight-leaves").cloneNode(true);
  leaves.hidden = false;
  if (live.contains(sheet)) document.querySelector(".acts")?.prepend(leaves);
}

/** Light whom the next row attacks. Those tapped before go along, until another row is tapped. */
function light(on) {
  whom = on;
  chosen = true;
  for (const row of rows()) if (along.has(row.dataset.id) && now(row)) attack(row, on);
}

function turn(row) {
  if (chosen) along.clear();
  else along.add(row.dataset.id);
  attack(row, now(row) === whom ? "" : whom);
}

function all() {
  const on = rows().every((row) => now(row) === whom) ? "" : whom;
  for (const row of rows()) {
    along.add(row.dataset.id);
    attack(row, on);
  }
}

// The question who blocks has its button where the attack's was: a second tap there is not meant for it.
let given = 0;
document.addEventListener("command:given", ({ target }) => target.matches(".fight") && (given = Date.now()));
window.addEventListener("click", (event) => {
  if (Date.now() - given < TWICE && event.target.closest?.("#next")) event.stopImmediatePropagation();
}, true);

document.addEventListener("click", (event) => {
  const { target } = event;
  if (!sheet.open || !fight()) return;
  const row = target.closest(".fighter:not(.is-off)");
  const cell = live.contains(sheet) && target.closest("#strip [data-choose]");
  const meant = target.closest(".fight [name=whom]")?.value ?? cell?.dataset?.choose;
  const on = targets().find(({ value }) => value === meant)?.value;
  if (target.closest(".fight-leaves")) sheet.close();
  else if (target.closest("[data-all]")) all();
  else if (on) light(on);
  else if (row && !target.closest("details, input")) turn(row);
  else return;
  event.preventDefault();
  event.stopPropagation();
  fight()?.dispatchEvent(new Event("input", { bubbles: true }));
  tick();
}, true);

document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.(".fighter > b") || ![" ", "Enter"].includes(event.key)) return;
  event.preventDefault();
  event.target.click();
});

/** Lay the sheet where the rows are, or over the board again. */
function lay(on, how) {
  sheet.close();
  on.append(sheet);
  sheet[how]();
}

document.addEventListener("sheet:shown", () => {
  const there = fight();
  if (!there) {
    if (live.contains(sheet)) lay(document.body, "showModal");
    show();
    return;
  }
  if (!targets().some(({ value }) => value === whom)) whom = targets()[0].value;
  chosen = false;
  along.clear();
  if (sheet.matches(":modal")) lay(live, "show");
  there.dispatchEvent(new Event("input", { bubbles: true }));
});
sheet.addEventListener("close", () => {
  if (sheet.open) return;
  document.body.append(sheet);
  live.dispatchEvent(new Event("input", { bubbles: true }));
});
for (const type of ["input", "table:changed", "htmx:after:swap"]) document.addEventListener(type, show);
