// A tap on a card's stats is one on the plus of the number that lowers them, where that stands beside them: damage
// on a creature. Its button is made here, for a board has hundreds of cards.

import { lowering } from "./commands.js";

const live = document.getElementById("live");
const PLUS = lowering.map((name) => `#board .card > .steppers > li > button[name="${name}"]`).join();
let held = "";

/** The plus that the button on a card's stats stands for. */
export function standsFor(button) {
  return button?.closest(".card").querySelector(`.steppers > li > button[name="${button.name}"]`);
}

function show() {
  for (const plus of document.querySelectorAll(PLUS)) {
    const stats = plus.closest(".card").querySelector(":scope > p:has(> [data-stat])");
    const there = stats?.querySelector(":scope > button");
    if (!stats || there) continue;
    const button = plus.cloneNode();
    button.id = `${plus.value}.lowers`;
    button.dataset.kind = plus.parentElement.dataset.kind;
    stats.append(button);
    if (held === button.id && document.activeElement === document.body) button.focus({ preventScroll: true });
  }
}

// Stats that are drawn again keep the keyboard's focus.
document.addEventListener("focusin", ({ target }) => (held = target.id));
document.addEventListener("pointerdown", () => (held = ""));

if (PLUS && live.dataset.seat) {
  document.addEventListener("table:changed", show);
  document.addEventListener("htmx:after:swap", show);
  show();
}
