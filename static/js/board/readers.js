// The whole table in words, line by line.

import { spoken } from "../page/say.js";

export const words = (element, selector) => element.querySelector(selector)?.textContent.trim() ?? "";

const numbers = (element) =>
  [...(element?.querySelectorAll(".steppers li[data-kind] > b") ?? [])].map(
    (number) => `${number.parentElement.dataset.word ?? number.parentElement.dataset.kind} ${number.textContent}`,
  );

function card(element) {
  const stats = [...element.querySelectorAll("[data-stat]")].map((stat) => `${stat.dataset.word ?? stat.dataset.stat} ${stat.lastChild.textContent}`);
  return [spoken(element.querySelector(":scope > a")), ...stats, ...numbers(element)].join(", ");
}

function seat(element) {
  const { seat: id } = element.dataset;
  const left = words(document.getElementById(`${id}.cell`) ?? element, ".is-left");
  const own = [left, ...numbers(document.getElementById(`${id}.panel`))].filter(Boolean);
  const state = [...element.querySelectorAll(".seat-head em")].map((each) => each.textContent.trim());
  const who = [words(element, ".seat-name h2"), ...state, ...own].join(", ");
  return [who, ...[...element.querySelectorAll(".zone .card")].map(card)];
}

/** The readers of the table: each gives a line per object. Another kind of board adds its own. */
export const readers = [
  () => [[...document.querySelectorAll(".phase-word > *")].map((each) => each.textContent.trim()).join(", ")],
  () => [...document.querySelectorAll("#board .seat")].flatMap(seat),
];
