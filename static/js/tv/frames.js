// Most frames change numbers: of a seat, of a card, in a seat's tile and panel. A big screen writes into the
// page what is new of them itself, as htmx's parsing and swapping takes a weak one longer than all the rest.

import { mirror } from "../board/numbers.js";

const live = document.getElementById("live");
const ENDS = /<data id="seq"[^>]*><\/data>$/;
/** What each frame of numbers is made of. htmx draws all others. */
const PARTS = "b[id], p[id], a.cell, .panel, .slot, data#seq";
const SWAP = "hx-swap-oob";
const WHOLE = ["true", "outerMorph"];
const drawn = document.createElement("template");

// A change stands in its tile until it has been read: deltas.js adds it, and its ring.
const ADDED = "delta";
const LIT = "is-hit";
const STYLE = "style";

const nodes = (element) => [...element.childNodes].filter((each) => !each.classList?.contains(ADDED));

function attributes(element, now) {
  for (const { name } of [...element.attributes]) if (name !== STYLE && !now.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of now.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Make *element* what *now* is, and change nothing that is so already. */
function write(element, now) {
  const [before, after] = [nodes(element), nodes(now)];
  if (element.nodeName !== now.nodeName || before.length !== after.length) return element.replaceWith(now);
  if (now.nodeType === Node.TEXT_NODE) {
    if (element.data !== now.data) element.data = now.data;
    return;
  }
  if (element.classList.contains(LIT)) now.classList.add(LIT);
  attributes(element, now);
  before.forEach((each, n) => write(each, after[n]));
}

live.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const text = event.detail.message.data;
  if (typeof text !== "string" || !ENDS.test(text)) return;
  drawn.innerHTML = text;
  const parts = [...drawn.content.children];
  const ours = (part) => part.matches(PARTS) && WHOLE.includes(part.getAttribute(SWAP));
  const found = parts.map((part) => ours(part) && document.getElementById(part.id));
  if (!found.every(Boolean)) return;
  event.preventDefault();
  const numbers = [...drawn.content.querySelectorAll("b[id]")].map((each) => each.id);
  parts.forEach((part, n) => {
    part.removeAttribute(SWAP);
    write(found[n], part);
  });
  mirror(numbers);
  htmx.trigger(live, "htmx:ws:after:message:incoming", event.detail);
});
