// The whole table in words: spoken where the browser has a voice, and always there to read.

import { spoken } from "../page/say.js";

const sheet = document.getElementById("sheet");
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

function shown(title, told) {
  const body = document.getElementById("sheet-body");
  const heading = document.createElement("h2");
  heading.textContent = title;
  const list = document.createElement("ul");
  list.className = "in-words";
  list.append(
    ...told.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }),
  );
  body.replaceChildren(heading, list);
  if (!sheet.open) sheet.showModal();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-read-aloud]");
  if (!button) return;
  const told = readers.flatMap((read) => read()).filter(Boolean);
  document.getElementById("menu").close();
  shown(button.dataset.title, told);
  if (!window.speechSynthesis?.getVoices().length) return;
  speechSynthesis.cancel();
  const speech = new SpeechSynthesisUtterance(told.join(". "));
  speech.lang = document.documentElement.lang;
  speechSynthesis.speak(speech);
  sheet.addEventListener("close", () => speechSynthesis.cancel(), { once: true });
});
