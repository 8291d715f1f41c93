// The usual amounts of a panel, with the chosen sign; in the cockpit, for the chosen seat. Each button carries its
// current command, which touch.js gives like any other.

import { looks, signed } from "./deltas.js";
import { tick } from "../page/haptics.js";
import { when, whenDrawn } from "../page/when.js";

const live = document.getElementById("live");
let target = live.dataset.seat ?? "";
let sign = null; // as the board has it, until it is tapped

const cellOf = (seat) => document.querySelector(`#strip [data-choose="${CSS.escape(seat)}"]`);
const seats = () => [...document.querySelectorAll("#strip [data-choose]:not(.is-table)")].map((cell) => cell.dataset.choose);

/** The target of a panel's amounts, and its words. */
const seatOf = (button) => (button.closest("#cockpit") ? target : button.closest("[data-seat]").dataset.seat);
const nameOf = (seat) => cellOf(seat)?.querySelector(".cell-name")?.textContent.trim() ?? "";

function show() {
  if (!seats().includes(target)) target = live.dataset.seat ?? "";
  for (const button of document.querySelectorAll("#cockpit [data-target]")) {
    const cell = cellOf(target);
    if (cell) Object.assign(button.closest(".places").dataset, looks(cell));
    button.closest(".places").classList.toggle("is-aimed", target !== live.dataset.seat);
    button.querySelector(".seat-mark").textContent = cell?.querySelector(".seat-mark").textContent ?? "";
    button.dataset.word ??= button.getAttribute("aria-label");
    button.setAttribute("aria-label", `${button.dataset.word}: ${nameOf(target)}`);
  }
  for (const button of document.querySelectorAll("#live [data-sign]")) {
    sign ??= button.dataset.sign;
    button.dataset.sign = sign;
    button.textContent = sign === "-" ? "−" : "+";
    button.setAttribute("aria-pressed", String(sign === "-"));
  }
  for (const button of document.querySelectorAll("#live .is-amount button")) {
    const { by, less, more } = button.dataset;
    const seat = seatOf(button);
    const hero = document.getElementById(`${seat}.panel`)?.querySelector(".is-hero b");
    button.disabled = !hero;
    if (hero) button.value = hero.id;
    if (by) {
      button.name = sign === "-" ? less : more;
      button.dataset.signed = signed(sign === "-" ? -by : Number(by));
    }
    button.setAttribute("aria-label", `${button.dataset.signed ?? button.textContent.trim()}, ${nameOf(seat)}`);
  }
}

when("click", "#live :is([data-target], [data-sign])", (pressed) => {
  if ("sign" in pressed.dataset) sign = sign === "-" ? "+" : "-";
  else target = seats()[(seats().indexOf(target) + 1) % seats().length];
  tick();
  show();
});

whenDrawn(show);
