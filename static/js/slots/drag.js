// Moving a counter with the mouse: onto another to go before it, onto a tab to join that scene.
// "Change it" on its sheet does the same by touch and keyboard.

import * as outbox from "../net/outbox.js";

let dragged = null;

const scene = (group) => group?.dataset.group?.match(/^scene:(.*)$/s)?.[1] ?? null;
const target = (event) => event.target.closest?.("#groups .slot, [data-tab^='scene:']");

function prepare() {
  for (const slot of document.querySelectorAll("#groups .slot:has(.slot-seers)")) {
    slot.draggable = true;
    for (const link of slot.querySelectorAll("a")) link.draggable = false;
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

document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.("#groups .slot[draggable]") ?? null;
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
