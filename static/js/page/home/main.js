// The home page: search of the library by the beginnings of words, and the games kept on this phone.

import * as made from "../made.js";

const plain = (text) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ");

document.addEventListener("input", ({ target }) => {
  const list = document.getElementById(target.dataset?.search ?? "");
  if (!list) return;
  const typed = target.value.split(/\s+/).map((each) => plain(each).trim()); // "D&D" is one word
  const words = typed.filter(Boolean);
  let found = 0;
  for (const each of list.children) {
    const text = ` ${plain(each.textContent)}`;
    each.hidden = !words.every((word) => text.includes(` ${word}`));
    found += !each.hidden;
  }
  list.classList.toggle("is-searched", words.length > 0);
  const none = document.querySelector(".ready-none");
  const own = none.querySelector("[data-makes]");
  none.hidden = found > 0;
  own.querySelector("b").textContent = `: ${target.value.trim()}`;
  const address = new URL(own.href);
  address.searchParams.set("title", target.value.trim());
  own.href = address;
});

for (const all of document.querySelectorAll("[data-all]")) {
  const list = document.getElementById(all.dataset.all);
  list.classList.add("is-short");
  all.hidden = false;
  all.addEventListener("click", () => {
    list.classList.remove("is-short");
    all.hidden = true;
  });
}

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
