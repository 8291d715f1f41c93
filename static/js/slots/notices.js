// A notice (an Action, a declined request) stays until it is dismissed here: through the next notice, a redrawn board
// and a reload.

import * as storage from "../page/storage.js";
import { when } from "../page/when.js";

const { game, seat } = document.getElementById("live").dataset;
const key = `notices:${game}:${seat}`;
const sign = (card) =>
  [card.querySelector("h2").textContent, card.querySelector("p")?.textContent, card.querySelector("a")?.getAttribute("href")].join(" ");
const kept = new Map(storage.read(key, [], true)); // what a card says, to the card
const keep = () => storage.keep(key, [...kept], true);

function show() {
  const notices = document.getElementById("notices");
  if (!notices) return;
  const here = new Set([...notices.children].map(sign));
  const before = [...kept].filter(([words]) => !here.has(words)).map(([, card]) => card);
  const fresh = [...notices.children].filter((card) => !kept.has(sign(card)));
  for (const card of fresh) kept.set(sign(card), card.outerHTML);
  if (fresh.length) keep();
  if (before.length) notices.insertAdjacentHTML("afterbegin", before.join(""));
}

when("click", ".proposal [data-notice-over]", (button) => {
  const card = button.closest(".proposal");
  kept.delete(sign(card));
  keep();
  card.remove();
});
document.addEventListener("table:changed", show);
show();
