// On one's own stage, the cards that are likely to come next, each in one tap as it was added last: those of the deck
// list that do not lie there, and tokens.

import * as deck from "./deck.js";
import { learn, made } from "./tokens.js";
import { tick } from "../page/haptics.js";
import { make } from "../page/make.js";
import * as outbox from "../net/outbox.js";
import * as storage from "../page/storage.js";

const { system, seat } = document.getElementById("live").dataset;
const MOST = 3;
const part = () => document.getElementById(`s-${seat}`);
const plain = (names) => names.map(deck.plain);

/** The cards of the list that name one that lies there as its heading calls it, as a commander. */
function naming(text) {
  return [...part().querySelectorAll(".card[data-unnamed]")].flatMap(({ id, dataset: { unnamed } }) => {
    const form = (name) => String(new URLSearchParams({ do: "describe", object: id.slice(2), name, "known:flag": "1" }));
    const those = deck.read(text, [`${unnamed}s?`]).cards.filter(({ under }) => under.startsWith(unnamed.toLowerCase()));
    return those.map(({ name }) => ({ name, form: form(name) }));
  });
}

/** What names a card, tokens of the cards that lie there, then what was added before, then the other tokens of the list. */
function likely() {
  const text = deck.load(system);
  const list = deck.read(text).cards.map(({ name }) => name);
  const mine = plain(list);
  const lie = [...part().querySelectorAll(".card h3")].map(({ textContent }) => textContent);
  const there = plain(lie);
  const comes = ([name]) => mine.includes(name) && !there.includes(name);
  const known = text ? storage.read(`cards:${system}`, []) : [];
  const added = known.filter(({ form, token, name }) => form && (token || comes(plain([name]))));
  const all = [...naming(text), ...made(lie.filter((name, n) => mine.includes(there[n]))), ...added, ...made(list)];
  return all.filter(({ name }, n) => n === all.findIndex((each) => each.name === name)).slice(0, MOST);
}

function show() {
  const cards = part()?.querySelector(":scope > .cards");
  if (!cards) return;
  const row = part().querySelector(".next-cards") ?? make("p", { className: "next-cards chips" });
  const buttons = likely().map(({ name, form }) => make("button", { type: "button", value: form }, `+ ${name}`));
  if (!buttons.length) return row.remove();
  if (row.textContent !== buttons.map(({ textContent }) => textContent).join("")) row.replaceChildren(...buttons);
  if (row.previousElementSibling !== cards) cards.after(row);
}

document.addEventListener("click", ({ target }) => {
  if (!target.matches?.(".next-cards > button")) return;
  const form = new URLSearchParams(target.value);
  if (form.get("do") !== "describe") form.set("owner", seat);
  if (outbox.give({ form: String(form) }, `#s-${CSS.escape(seat)}`)) tick();
});
for (const drawn of ["table:changed", "htmx:after:swap", "command:given", "deck:changed"]) document.addEventListener(drawn, show);
learn();
