// The cards that the form for a new card offers as patterns, each { name, from, note, form }, form being its fields. The
// server draws those of the table, and those it knows by what is typed; this phone adds those that it added before, and
// those of its deck list, which is never sent.

import * as deck from "./deck.js";
import { made } from "./tokens.js";
import * as storage from "../page/storage.js";

const { system, seat: mine } = document.getElementById("live").dataset;
export const REMEMBERED = `cards:${system}`;
const MOST_OFFERED = 6;
const ALIKE = 0.6;
const { plain } = deck;

export const sorts = (form) => [...form.querySelectorAll(".sort input")];
export const sort = (form) => sorts(form).find((each) => each.checked) ?? null;

/** The sort of *card*: the first that it names; null if nothing is known of it. */
export function sortOf(form, card) {
  const fields = new URLSearchParams(card.form);
  return sorts(form).find(({ name, value }) => fields.getAll(name).includes(value)) ?? null;
}

/** What the server drew; typed: for which name. */
const drawn = (form) =>
  [...form.querySelectorAll("[data-drawn] > li")].map((row) => {
    const [name, from, note] = [...row.querySelectorAll("b, span, em")].map(({ textContent }) => textContent);
    return { name, from, note, form: row.firstElementChild.value, typed: plain(row.dataset.typed ?? "") };
  });

/** The first card of each name. */
function byName(cards) {
  const found = new Map();
  for (const card of cards) if (!found.has(plain(card.name))) found.set(plain(card.name), card);
  return found;
}

/** All that are there for *form*: its own deck list only for this phone's seat. */
export function known(form) {
  const { fromDeck, fromKnown, fromTokens } = form.dataset;
  const added = storage.read(REMEMBERED, []).map((card) => ({ ...card, from: fromKnown }));
  const others = byName([...drawn(form), ...added]);
  if (form.elements.owner.value !== mine) return [...others.values()];
  const list = deck.read(deck.load(system)).cards;
  const tokens = made(list.map(({ name }) => name)).map((token) => ({ ...token, from: fromTokens }));
  const named = list.map(({ name, token }) => ({ form: "", ...others.get(plain(name)), token, name, from: fromDeck }));
  return [...byName([...tokens, ...named, ...others.values()]).values()];
}

/** How alike two plain names are, from 0 to 1: by the pairs of letters that both have. */
function alike(one, other) {
  const pairs = (name) => Array.from({ length: name.length - 1 }, (_, n) => name.slice(n, n + 2));
  const [its, theirs] = [pairs(one), pairs(other.slice(0, one.length + 1))];
  return its.length ? (2 * its.filter((pair) => theirs.includes(pair)).length) / (its.length + theirs.length) : 0;
}

/** Those to offer for what is typed in *form*, the likeliest first. */
export function offered(form) {
  const typed = plain(form.elements.name.value);
  const chosen = sort(form);
  // As typed it begins so, then it is of this table or my deck, then it is of the chosen sort.
  const rank = (card) => {
    const its = sortOf(form, card);
    const begins = !typed || plain(card.name).startsWith(typed);
    const near = !typed || card.from !== form.dataset.fromKnown;
    return (begins ? 0 : 8) + (near ? 0 : 4) + (its === chosen ? 0 : its ? 2 : 1);
  };
  const matches = (card) => (typed ? plain(card.name).includes(typed) || card.typed === typed : rank(card) < 2);
  const all = known(form).filter(({ name }) => plain(name) !== typed);
  const found = all.filter(matches);
  return (found.length || !typed ? found : all.filter(({ name }) => alike(typed, plain(name)) >= ALIKE))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST_OFFERED);
}
