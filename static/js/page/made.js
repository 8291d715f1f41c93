// The games that this phone keeps: each with its title, how many rules it has, and its definition as the
// word that stands in links. They are nowhere else.

import * as storage from "./storage.js";

const KEY = "games";
const MOST = 50;

export function all() {
  const found = storage.read(KEY, []);
  return Array.isArray(found) ? found.filter((each) => typeof each?.packed === "string") : [];
}

const store = (games) => storage.keep(KEY, games.slice(0, MOST));

export function keeps(packed) {
  return all().some((each) => each.packed === packed);
}

export function keep({ title, rules, packed }) {
  return store([{ title, rules: Number(rules), packed }, ...all().filter((each) => each.packed !== packed)]);
}

export function forget(packed) {
  store(all().filter((each) => each.packed !== packed));
}
