// The tokens that the cards of this phone's deck list make, as far as the game knows. All that it knows are fetched, as
// the list is never sent.

import * as deck from "./deck.js";

const { system } = document.getElementById("live").dataset;
let all = null;

const tell = () => document.dispatchEvent(new Event("deck:changed"));

/** Tell that the list has changed, and fetch them as soon as there is one. */
export async function learn() {
  tell();
  if (all || !deck.load(system)) return;
  all = [];
  try {
    all = (await (await fetch("known", { headers: { Accept: "application/json" } })).json()).cards;
    tell();
  } catch {
    all = null;
  }
}

/** Those that cards of these names make. */
export function made(names) {
  const there = new Set(names.map((name) => deck.plain(name.split(" // ")[0])));
  return (all ?? []).filter(({ makers }) => makers.some((each) => there.has(deck.plain(each))));
}
