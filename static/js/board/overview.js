// The table of everyone's numbers. A tap on a cell puts its numbers between minus and plus into the dock, until a tap
// elsewhere; they are those of the seat's panel, or of the table's part.

import { looks } from "./deltas.js";
import { label } from "./labels.js";
import { docked } from "./stage.js";
import * as outbox from "../net/outbox.js";
import { make } from "../page/make.js";
import { whenDrawn } from "../page/when.js";

const CELL = ".overview td > .overview-cell";
const HEAD = ":is(.overview tbody, .is-whole tbody, .is-whole tfoot) > tr:first-child > th";
const live = document.getElementById("live");
const line = () => document.getElementById("picked");
const cells = () => document.querySelectorAll(CELL);
const numbersOf = (cell) => [...cell.querySelectorAll("b")];
const STEPPER = ".steppers > li:not(#picked *)";
const stepperOf = ({ dataset: { of } }) =>
  document.getElementById(of)?.closest(STEPPER) ?? document.querySelector(`${STEPPER} [data-of="${CSS.escape(of)}"]`)?.closest(STEPPER);
const stripOf = (cell) => document.getElementById(`${cell.parentElement.dataset.seat ?? "table"}.cell`);
const nameOf = (cell) => stripOf(cell).querySelector(".cell-name").textContent;
const turnable = (cell) => live.dataset.seat && numbersOf(cell).some((number) => stepperOf(number)?.querySelector("button"));
const idOf = (cell) => cell && numbersOf(cell)[0]?.dataset.of;
const picked = () => [...cells()].find((cell) => cell.classList.contains("is-picked"));
let chosen = ""; // the id of its first number

/** "4, 2: plants made, Ben": a number alone would not say whose and which it is. */
function labelCells() {
  for (const cell of cells()) {
    if (!turnable(cell)) continue;
    const row = cell.closest("tr").querySelector("th").textContent.trim().replace(/\s+/g, " ");
    cell.setAttribute("role", "button");
    cell.tabIndex = 0;
    cell.setAttribute("aria-label", `${numbersOf(cell).map(({ textContent }) => textContent).join(", ")} ${row}, ${nameOf(cell)}`);
  }
}

/** A number of a panel as it stands in the dock. word: what it is called there. */
function copy(number, word) {
  const stepper = stepperOf(number).cloneNode(true);
  stepper.className = "";
  for (const each of stepper.querySelectorAll(".look, .twice")) each.remove();
  for (const each of stepper.querySelectorAll("[aria-label]")) each.removeAttribute("aria-label");
  const amount = stepper.querySelector("b");
  amount.dataset.of = number.dataset.of;
  amount.removeAttribute("id");
  stepper.append(make("span", { ariaHidden: "true" }, word));
  return stepper;
}

function fill(cell) {
  const strip = stripOf(cell);
  const row = cell.closest("tr").querySelector(".overview-word");
  const words = [row.firstChild.data.trim(), ...[...row.querySelectorAll("small")].map((each) => each.textContent)];
  const name = make("h3", { className: "unseen" }, nameOf(cell));
  const list = make("ul", { className: "steppers" }, ...numbersOf(cell).map((number, n) => copy(number, words[n])));
  const sign = cell.parentElement.dataset.seat ? [strip.querySelector(".seat-mark").cloneNode(true)] : [];
  Object.assign(line().dataset, sign.length ? looks(strip) : { place: "", colour: "", emblem: "" }, { titled: "", hue: cell.closest("tr").querySelector("th").dataset.hue });
  line().replaceChildren(name, ...sign, list);
  label();
  if (sign.length) cell.style.setProperty("--by", `var(--seat-${strip.dataset.colour})`);
}

function pick(cell) {
  picked()?.classList.remove("is-picked");
  chosen = cell ? idOf(cell) : "";
  line().hidden = !cell;
  cell?.classList.add("is-picked");
  if (cell) fill(cell);
  else line().replaceChildren();
  docked();
}

document.addEventListener("click", (event) => {
  const cell = event.target.closest?.(CELL);
  if (cell && turnable(cell)) {
    pick(idOf(cell) === chosen ? null : cell);
    if (!event.detail) line().querySelector("button")?.focus();
  } else if (chosen && !event.target.closest?.("#picked, dialog")) pick(null);
});

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest?.(CELL);
  if (cell && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    cell.click();
  } else if (event.key === "Escape" && event.target.closest?.("#picked")) {
    picked()?.focus();
    pick(null);
  }
});

/** A redrawn table shows what was picked; a number that is gone is picked no more. */
function changed() {
  labelCells();
  measure();
  if (!chosen) return;
  const cell = [...cells()].find((each) => idOf(each) === chosen);
  if (!cell) pick(null);
  else cell.classList.add("is-picked");
}

/** The strip's cells are the heads of the columns: its first is as wide as the words of the rows. Names stand in all
 * heads or in none. */
function heads() {
  const word = document.querySelector(HEAD);
  if (!word) return;
  const { left } = word.closest(".board").getBoundingClientRect();
  live.style.setProperty("--heads", `${word.getBoundingClientRect().right - left}px`);
  live.classList.remove("is-unnamed");
  const cut = [...document.querySelectorAll(".cell-called")].some((name) => name.scrollWidth > name.clientWidth);
  live.classList.toggle("is-unnamed", cut);
}
const resized = new ResizeObserver(heads);
let measured = [];
function measure() {
  const parts = [...document.querySelectorAll(`${HEAD}, #strip`)];
  if (parts.every((each, n) => each === measured[n])) return;
  resized.disconnect();
  for (const each of parts) resized.observe(each);
  measured = parts;
}

outbox.onChange(labelCells);
whenDrawn(changed);
