// Moving a counter with the mouse: onto another to go before it, onto a tab to join that scene. Moving an item: onto
// the inventory that gets it, or onto a seat of the party, for its first one in play; one that is not ours to give is
// asked for.
// "Change it" and "Give" on their sheets do the same by touch and keyboard.

import * as outbox from "../net/outbox.js";

let dragged = null; // a counter, or the link of an item

const scene = (group) => group?.dataset.group?.match(/^scene:(.*)$/s)?.[1] ?? null;
const isItem = () => "item" in dragged.dataset;
const home = () => dragged.closest(".slot");

function target(event) {
  if (!isItem()) return event.target.closest?.("#groups .slot, [data-tab^='scene:']");
  const folded = event.target.closest?.("#groups details:not([open]) > summary");
  if (folded) folded.parentElement.open = true; // what is below it may be meant
  const place = event.target.closest?.("#groups .slot:has(> .inventory), #party [data-bag]");
  const into = place && inventory(place);
  return into && into !== home() ? place : null;
}

/** Where an item goes that is dropped on *place*: an inventory, or a seat that has one. */
function inventory(place) {
  if (place.matches(".slot")) return place;
  const bag = `.slot[data-bag="${CSS.escape(place.dataset.bag)}"]`;
  return document.querySelector(`#groups .group:not(.is-prepared, .is-past) ${bag}`);
}

function prepare() {
  for (const slot of document.querySelectorAll("#groups .slot:has(.slot-seers)")) {
    slot.draggable = true;
    for (const link of slot.querySelectorAll("a")) link.draggable = "item" in link.dataset;
  }
}

function over(event) {
  document.querySelector(".is-over")?.classList.remove("is-over");
  const place = dragged && target(event);
  if (!place || place === dragged) return;
  event.preventDefault();
  place.classList.add("is-over");
}

function drop(event) {
  const place = dragged && target(event);
  document.querySelector(".is-over")?.classList.remove("is-over");
  if (!place || place === dragged) return;
  event.preventDefault();
  if (isItem()) return give(place);
  const id = dragged.dataset.counter;
  const at = `#${CSS.escape(dragged.id)}`;
  if (place.dataset.tab) {
    const named = place.dataset.tab.slice("scene:".length);
    outbox.give({ do: "edit", on: id, scene: named || null }, at);
    return;
  }
  const group = place.closest("[data-group]");
  const order = [...group.querySelectorAll(".slot")].map((slot) => slot.dataset.counter).filter((each) => each !== id);
  order.splice(order.indexOf(place.dataset.counter), 0, id);
  const named = scene(group);
  outbox.give({ do: "arrange", on: order, ...(named === null ? {} : { scene: named || null }) }, at);
}

function give(place) {
  const { counter } = home().dataset;
  const to = inventory(place).dataset.counter;
  const command = { do: "give", on: counter, item: dragged.dataset.item, to };
  outbox.give("asks" in dragged.dataset ? { do: "propose", command } : command, `#k-${CSS.escape(counter)}`);
}

document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.("#groups [data-item], #groups .slot[draggable]") ?? null;
  dragged?.classList.add("is-dragged");
  if (dragged) event.dataTransfer.effectAllowed = "move";
});
document.addEventListener("dragover", over);
document.addEventListener("drop", drop);
document.addEventListener("dragend", () => {
  dragged?.classList.remove("is-dragged");
  dragged = null;
});
document.addEventListener("table:changed", prepare);
prepare();
