// A player hits a creature in sight: a tap on it, a number, Hit. It waits for the GM's nod, or counts at once where the
// GM allows that. Nothing of the creature but its name is on this phone. What waits stands in its row, too.

import { askFor } from "../board/pad.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";
import { when } from "../page/when.js";

const words = document.getElementById("pad").dataset;

when("click", "[data-hits]", (creature) => {
  const { hits, atOnce } = creature.dataset;
  const on = creature.closest(".slot").dataset.counter;
  askFor(`${hits} · ${atOnce === undefined ? words.nods : words.atOnce}`, words.hit, (slots) => {
    outbox.give({ do: "propose", command: { do: "fill", on, slots } }, `#k-${CSS.escape(on)}`);
    tick();
  });
});

function mark() {
  for (const word of document.querySelectorAll("#groups [data-waits]")) delete word.dataset.waits;
  for (const { dataset } of document.querySelectorAll("#asked [data-waits]")) {
    const word = document.querySelector(`#${CSS.escape(dataset.on)} :is(.slot-word, .slot-seers)`);
    if (word) word.dataset.waits = [word.dataset.waits, dataset.waits].filter(Boolean).join(" ");
  }
}

mark();
document.addEventListener("table:changed", mark);
