// On one's own stage, the cards that are likely to come next, each in one tap as it was added last: those of the deck
// list that do not lie there, and tokens.

import * as deck from "./deck.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";
import * as storage from "../page/storage.js";

const { system, seat } = document.getElementById("live").dataset;
const MOST = 3;
const REMEMBERED = `cards:${system}`;
const part = () => document.getElementById(`s-${seat}`);
let list = "";
let names = new Set();

/** The names in the deck list of this phone. */
function listed() {
  const text = deck.load(system);
  if (text !== list) names = new Set(deck.read(text).cards.map(({ name }) => name.toLowerCase()));
  list = text;
  return names;
}

function likely() {
  const mine = listed();
  const there = new Set([...part().querySelectorAll(".card h3")].map((name) => name.textContent.trim().toLowerCase()));
  const comes = (name) => mine.has(name) && !there.has(name);
  return storage.read(REMEMBERED, []).filter(({ form, token, name }) => form && (token || comes(name.toLowerCase()))).slice(0, MOST);
}

function chip({ name, form }) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: `+ ${name}` });
  button.dataset.adds = form;
  return button;
}

function show() {
  const cards = part()?.querySelector(":scope > .cards");
  if (!cards || document.body.matches(".is-flat") || !deck.load(system)) return;
  const row = part().querySelector(".next-cards") ?? Object.assign(document.createElement("p"), { className: "next-cards chips" });
  const now = likely().map(chip);
  if (row.textContent !== now.map((each) => each.textContent).join("")) row.replaceChildren(...now);
  if (row.previousElementSibling !== cards) cards.after(row);
}

document.addEventListener("click", ({ target }) => {
  const fields = target.closest?.("[data-adds]")?.dataset.adds;
  if (!fields) return;
  const form = new URLSearchParams(fields);
  form.set("owner", seat);
  if (outbox.give({ form: String(form) }, `#s-${CSS.escape(seat)}`)) tick();
});
for (const drawn of ["table:changed", "htmx:after:swap", "command:given"]) document.addEventListener(drawn, show);
show();
