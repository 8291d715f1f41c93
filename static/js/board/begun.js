// A board that has just begun. A commander, or a pile of two, is open while nothing else lies there; and on a phone
// that is new to a game, the cockpit's signs have their words below the cards, until one is tapped.

import { when } from "../page/when.js";

const KEY = `named:${document.getElementById("live").dataset.system}`;
const met = new WeakSet();

/** True if one of the signs was tapped here before, or storage is blocked: then they are not named. */
function known() {
  try {
    return Boolean(localStorage.getItem(KEY));
  } catch {
    return true;
  }
}

/** The word of a place of the cockpit; none if it is a word itself. */
function wordOf(place) {
  if (place.matches(".is-target, .is-chosen-sign")) return place.dataset.word;
  if (!place.dataset.kind) return "";
  const said = place.querySelector(":scope > [aria-pressed]")?.getAttribute("aria-label")?.split(",")[0];
  const unseen = place.matches(".act") && place.querySelector(":scope > a > .unseen");
  return said || (unseen && unseen.textContent.trim()) || place.dataset.word || place.dataset.kind;
}

function line(place, word) {
  const item = document.createElement("li");
  item.dataset.made = "";
  for (const mark of ["kind", "hue", "letter"]) if (place.dataset[mark]) item.dataset[mark] = place.dataset[mark];
  item.className = place.dataset.kind ? "chip" : place.matches(".is-target") ? "of-target" : "of-sign";
  item.textContent = word;
  if (item.className === "of-sign") item.dataset.mark = place.textContent.trim();
  return item;
}

function name(list) {
  const places = [...document.querySelectorAll("#cockpit .places > li")];
  const named = places.map((each) => [each, wordOf(each)]).filter(([, word]) => word);
  list.querySelectorAll("[data-made]").forEach((each) => each.remove());
  list.prepend(...named.map(([each, word]) => line(each, word)));
  list.hidden = !list.childElementCount;
}

function show() {
  for (const list of document.querySelectorAll("[data-names]")) {
    if (known()) list.hidden = true;
    else name(list);
  }
  for (const pile of document.querySelectorAll("#board .pile")) {
    if (met.has(pile)) continue;
    met.add(pile);
    const bare = !pile.closest(".cards").querySelector(":scope > .zone > .card");
    if (bare && pile.querySelectorAll(".card").length <= 2) pile.open = true;
  }
}

when("click", "#cockpit .places, .seat-head .act", () => {
  if (known()) return;
  try {
    localStorage.setItem(KEY, "1");
  } catch {
    return;
  }
  show();
});
document.addEventListener("table:changed", show);
show();
