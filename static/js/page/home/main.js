// The home page: the library's field goes to the top of a phone, above what is found, and the games kept there.

import * as made from "../made.js";

const PHONE = matchMedia("(max-width: 59.99rem)");
const library = document.getElementById("library");

library.addEventListener("input", () => {
  if (PHONE.matches) library.querySelector("form").scrollIntoView({ block: "start" });
});

const mine = document.querySelector(".made");

function row({ title, rules, packed }) {
  const each = mine.querySelector("template").content.cloneNode(true).firstElementChild;
  const words = mine.querySelector("data").dataset;
  const link = each.querySelector("a");
  link.href = `${link.getAttribute("href")}#${packed}`;
  link.querySelector("strong").textContent = title;
  const says = rules === 1 ? words.one : rules ? words.more.replace("{n}", rules) : words.no;
  link.querySelector("[data-rules]").textContent = says;
  each.querySelector("button").addEventListener("click", () => {
    made.forget(packed);
    show();
  });
  return each;
}

function show() {
  const games = made.all();
  mine.querySelector("ul").replaceChildren(...games.map(row));
  mine.hidden = games.length === 0;
}

show();
