// The deck list in the form for a new card: it stays on this phone, and the form says what was read of it.

import * as deck from "./deck.js";
import { learn } from "./tokens.js";
import { when } from "../page/when.js";

const { system } = document.getElementById("live").dataset;
const MOST_LOST = 20;
const field = () => document.querySelector("#new-card [data-deck-text]");

function tell(text) {
  const part = text.closest(".deck");
  const { cards, total, lost } = deck.read(text.value, text.dataset.headings.split(" "));
  const { read, lost: notRead } = part.querySelector("[data-deck-read]").dataset;
  const said = text.value.trim() && read.replace("{n}", total).replace("{names}", cards.length);
  part.querySelector("[data-deck-read]").textContent = lost.length ? `${said} ${notRead}` : said;
  part.querySelector("[data-deck-count]").textContent = total || "";
  part.querySelector("[data-deck-lost]").textContent = lost.slice(0, MOST_LOST).join("\n");
  part.querySelector("[data-deck-drop]").hidden = !text.value;
}

function keep(text) {
  deck.keep(system, text.value);
  tell(text);
  learn();
}

document.addEventListener("htmx:after:swap", () => {
  const text = field();
  if (!text) return;
  if (!text.value && (text.value = deck.load(system))) learn();
  tell(text);
});
document.addEventListener("input", ({ target }) => target === field() && keep(target));
when("click", "[data-deck-drop]", () => {
  field().value = "";
  keep(field());
});
