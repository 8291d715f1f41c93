// Labels each number and its buttons for screen readers, with their holder. A board has hundreds, so the page is sent
// without labels.

import { spoken } from "../page/say.js";
import { whenDrawn } from "../page/when.js";

const live = () => document.getElementById("live")?.dataset ?? {};

const kindOf = ({ dataset }) => dataset.word ?? dataset.kind ?? "";
const holderOf = (element) =>
  spoken(element.closest(".card, [data-titled]")?.querySelector(":scope > a, :scope > h3"));
const named = (name, holder) => (holder ? `${name}, ${holder}` : name);

function name(element, text) {
  if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
}

/** "34 life, Ben": the numbers change with each tap. */
export function numbers() {
  for (const number of document.querySelectorAll(".steppers li:not(.act, .caption) > b")) {
    const text = `${number.textContent} ${kindOf(number.parentElement)}`.trim();
    name(number, named(text, holderOf(number)));
  }
}

export function label() {
  const words = live();
  for (const button of document.querySelectorAll(".steppers li:not(.act) > button:not([aria-label])")) {
    const kind = kindOf(button.parentElement);
    if (!kind) continue;
    const less = button === button.parentElement.firstElementChild && button.textContent === "−";
    name(button, named(`${less ? words.less : words.more} ${kind}`, holderOf(button)));
  }
  for (const button of document.querySelectorAll(".steppers .act:not(.is-amount, .is-target, .is-chosen-sign) > button:not([data-named])")) {
    name(button, named(button.getAttribute("aria-label") ?? button.textContent.trim(), holderOf(button)));
    button.dataset.named = "";
  }
  for (const stat of document.querySelectorAll(".card > p > [data-stat]")) {
    const { word, stat: kind } = stat.dataset;
    if (stat.role !== "img") stat.role = "img";
    name(stat, `${word ?? kind} ${stat.lastChild.textContent.trim()}`);
  }
  const role = words.seat ? "button" : "img";
  for (const number of document.querySelectorAll(".steppers li:not(.act, .caption) > b:not([role])")) {
    number.setAttribute("role", role);
    if (!words.seat) continue;
    number.tabIndex = 0;
    number.setAttribute("aria-haspopup", "dialog");
  }
  numbers();
}

whenDrawn(label);
