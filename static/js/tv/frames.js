// Applies frames on a big screen and in a replay: it writes only the differences into the page, as htmx's parsing and
// swapping takes a weak device longer than all the rest.

import { faint, mirror } from "../board/copies.js";

const live = document.getElementById("live");
const ENDS = /<data id="seq"[^>]*><\/data>$/;
/** The contents of a table's frames, except a whole new board. htmx draws that, and everything beside the board. */
const PARTS = "b[id], p[id], span[id], progress[id], a.cell, article, .panel, .zone, .piles, .seat-head, .prompts, #turn, #end, #moments, #seq";
const SWAP = "hx-swap-oob";
const GONE = "delete";
const WAYS = ["true", "outerMorph", GONE];
const drawn = document.createElement("template");

// A change stands in its tile until it has been read: deltas.js adds it, and its ring.
const ADDED = "delta";
const RINGS = ["is-lit", "is-hit"];
const STYLE = "style";

const nodes = (element) => [...element.childNodes].filter((each) => !each.classList?.contains(ADDED));

function attributes(element, now) {
  for (const { name } of [...element.attributes]) if (name !== STYLE && !now.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of now.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Make *element* what *now* is, of the same kind, and change nothing that is so already. */
function write(element, now) {
  if (element.isEqualNode(now)) return;
  if (now.nodeType === Node.TEXT_NODE) {
    if (element.data !== now.data) element.data = now.data;
    return;
  }
  for (const ring of RINGS) if (element.classList.contains(ring)) now.classList.add(ring);
  attributes(element, now);
  arrange(element, nodes(element), nodes(now));
}

const like = (one, other) => one.nodeName === other.nodeName && one.id === other.id;

/** Make *after* the children of *element*: those that have their id, or else stand as they do, are written over. */
function arrange(element, before, after) {
  if (before.length === after.length && before.every((each, n) => like(each, after[n])))
    return before.forEach((each, n) => write(each, after[n]));
  const rest = [...before];
  const found = after.map((now) => {
    const at = rest.findIndex((each) => like(each, now));
    return at < 0 ? null : rest.splice(at, 1)[0];
  });
  for (const each of rest) each.remove();
  let last = null;
  after.forEach((now, n) => {
    const place = last ? last.nextSibling : element.firstChild;
    last = found[n] ?? now;
    if (last !== place) element.insertBefore(last, place);
    if (found[n]) write(last, now);
  });
}

/** The parts of a frame. */
export function parsed(frame) {
  drawn.innerHTML = frame;
  return [...drawn.content.children];
}

/** Bring these parts into the page, where it has them. */
export function swap(parts) {
  const numbers = [...drawn.content.querySelectorAll("b[id], span[id]")].map((each) => each.id);
  for (const part of parts) {
    const there = document.getElementById(part.id);
    const gone = part.getAttribute(SWAP) === GONE;
    part.removeAttribute(SWAP);
    if (gone) there?.remove();
    else if (there) write(there, part);
  }
  mirror(numbers);
  faint(numbers);
}

live.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const text = event.detail.message.data;
  if (typeof text !== "string" || !ENDS.test(text)) return;
  const parts = parsed(text);
  const ours = (part) => part.matches(PARTS) && WAYS.includes(part.getAttribute(SWAP));
  if (!parts.every((part) => ours(part) && document.getElementById(part.id))) return;
  event.preventDefault();
  swap(parts);
  htmx.trigger(live, "htmx:ws:after:message:incoming", event.detail);
});
