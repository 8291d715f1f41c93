// Tapping cards: a tap on a card's sign turns the card on its side, or back, where the game does that. Finger or
// mouse only; the card's sheet has a button for it too.

import { fromButton, turns } from "./commands.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";

const live = document.getElementById("live");
const { mark, on, off } = turns();
const REACH = 40; // of its sign, which begins where the link does

function signed(event) {
  const link = event.target.closest?.("#board .zone .card > a");
  const card = link?.parentElement;
  if (!card?.dataset.type || !event.detail || event.ctrlKey || event.metaKey || event.defaultPrevented) return null;
  const box = link.getBoundingClientRect();
  const from = getComputedStyle(link).direction === "rtl" ? box.right - event.clientX : event.clientX - box.left;
  return from < REACH ? card : null;
}

if (mark && live.dataset.seat) {
  document.addEventListener("click", (event) => {
    const card = document.body.classList.contains("is-choosing") ? null : signed(event);
    if (!card || card.closest(".pile")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const value = card.id.slice(2);
    const button = Object.assign(document.createElement("button"), { name: card.classList.contains(`is-${mark}`) ? off : on, value });
    outbox.give(fromButton(button), `#${CSS.escape(card.id)}`);
    tick();
  }, { capture: true });
}
