// A player hits a creature in sight: a tap on it, a number, Hit. It waits for the GM's nod, or counts at once where the
// GM allows that. Nothing of the creature but its name is on this phone. What waits stands in its row, too.

import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";

let pad = null;
let on = "";

function show(slot) {
  const template = document.getElementById("hit-bar");
  const cockpit = document.querySelector(".cockpit.has-bar");
  if (!template || !cockpit) return;
  pad ??= template.content.firstElementChild.cloneNode(true);
  cockpit.prepend(pad);
  on = slot.dataset.counter;
  pad.hidden = false;
  const { hits, atOnce } = slot.querySelector("[data-hits]").dataset;
  pad.querySelector("[data-name]").textContent = hits;
  pad.toggleAttribute("data-at-once", atOnce !== undefined);
  pad.elements.amount.focus();
}

function leave() {
  pad.reset();
  pad.hidden = true;
  document.querySelector(`#k-${CSS.escape(on)} [data-hits]`)?.focus({ preventScroll: true });
}

document.addEventListener("click", ({ target }) => {
  const creature = target.closest?.("[data-hits]");
  if (creature) show(creature.closest(".slot"));
  else if (target.closest?.("#hit [data-act=leave]")) leave();
});
document.addEventListener("keydown", ({ key, target }) => key === "Escape" && target.closest?.("#hit") && leave());
document.addEventListener(
  "submit",
  (event) => {
    if (event.target.id !== "hit") return;
    event.preventDefault();
    event.stopPropagation();
    const slots = Number(pad.elements.amount.value);
    if (!(slots > 0)) return pad.elements.amount.focus();
    outbox.give({ do: "propose", command: { do: "fill", on, slots } }, `#k-${CSS.escape(on)}`);
    tick();
    leave();
  },
  true,
);
function mark() {
  for (const word of document.querySelectorAll("#groups [data-waits]")) delete word.dataset.waits;
  for (const { dataset } of document.querySelectorAll("#asked [data-waits]")) {
    const word = document.querySelector(`#${CSS.escape(dataset.on)} :is(.slot-word, .slot-seers)`);
    if (word) word.dataset.waits = [word.dataset.waits, dataset.waits].filter(Boolean).join(" ");
  }
}

mark();
document.addEventListener("table:changed", () => {
  mark();
  if (pad && !pad.hidden && !document.getElementById(`k-${on}`)) leave();
});
