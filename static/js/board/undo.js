// Undo and Redo: this seat's own newest line, however many taps it has. The button names it. During taps it says just
// "Undo"; it asks the server when they have paused. Of a rematch that has only begun it is the way back.

import * as outbox from "../net/outbox.js";
import { show } from "./sheet.js";
import { when } from "../page/when.js";

const PAUSE = 400;
const SILENT = 3000;
const WIDE = 240; // px: room for the whole sentence, which ends in dots where it is longer
const live = document.getElementById("live");
let next = null;
let asking = 0;
let timer = 0;

// All of a line or none of it, and one line of the log.
const command = (which, entries) =>
  entries.length === 1 ? { do: which, entry: entries[0] } : { do: which, entries };
const button = () => document.getElementById("undo");

/** The turn and the session, as they are shown. */
function turnNow() {
  return ["turn", "chapter"].map((each) => document.getElementById(each)?.textContent).join();
}

/** Label the button with what Undo takes back; just "Undo" while that is unknown. */
function label() {
  const shown = button();
  const words = shown?.querySelector("span");
  if (!words) return;
  shown.dataset.word ??= words.textContent;
  const text = shown.clientWidth >= WIDE ? next?.undo_text : next?.undo_short;
  words.textContent = text || shown.dataset.word;
  shown.setAttribute("aria-label", next?.undo_text || shown.dataset.word);
  shown.disabled = next?.undo.length === 0 && !next.back;
}

/** What Undo and Redo would take now; null if the server does not answer. */
async function ask() {
  clearTimeout(timer);
  timer = 0;
  const mine = ++asking;
  let answer = null;
  try {
    const response = await fetch("mine", { headers: { Accept: "application/json" } });
    if (response.ok) answer = await response.json();
  } catch {
    // Without a connection the button says just "Undo".
  }
  if (mine !== asking || timer) return answer; // asked again meanwhile, or tapped
  next = answer;
  label();
  return answer;
}

/** The label is out of date: clear it now, ask again when the taps have paused. */
function stale() {
  next = null;
  label();
  soon();
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = 0;
    if (outbox.waiting().length) soon();
    else if (button()) ask();
  }, PAUSE);
}

/** When the server has all taps, or has been silent for too long. */
async function given() {
  const until = Date.now() + SILENT;
  while (outbox.waiting().length && Date.now() < until) await new Promise((go) => setTimeout(go, 30));
}

/** Give what Undo, or Redo, would take, if there is any. "undo:given" says which command takes back what. */
export async function undo(which = "undo") {
  if (!next) await given();
  const lines = next ?? (await ask()); // it takes back what its label says
  if (lines?.back && which === "undo") return htmx.ajax("POST", lines.back, { source: "#aside" });
  if (!lines?.[which].length) return;
  const id = outbox.give(command(which, lines[which]), ".acts, .tools");
  if (which === "redo") return;
  const detail = { id, text: lines.undo_what ?? lines.undo_text, entries: lines.undo };
  document.dispatchEvent(new CustomEvent("undo:given", { detail }));
}

when("click", "[data-turn-back]", () => undo());
when("click", "[data-to]", ({ dataset: { to } }) => outbox.give({ do: "undo", to: Number(to) }, "#sheet-body"));
when("click", "[data-entries]", ({ dataset: { does, entries } }) =>
  outbox.give(command(does, entries.split(" ").map(Number)), "#sheet-body"));

// This seat's commands change what Undo takes; others' only if they undo something.
let waiting = 0;
let turn = turnNow();
outbox.onChange((items) => {
  if (items.length > waiting) stale();
  waiting = items.length;
});
document.addEventListener("table:changed", ({ detail }) => {
  const before = turn;
  turn = turnNow(); // once it has moved on, earlier lines may have to stay
  if (detail.turned || detail.elsewhere || turn !== before) stale();
  else if (detail.number === undefined) soon(); // fetched, so the changes are unknown
});
document.addEventListener("table:refused", ({ detail }) => {
  if (detail.lines) clash(detail.lines);
});

/** Open the log at the lines that can only be taken back together. */
async function clash(lines) {
  await show(`log?lines=${lines}`);
  document.querySelector("#sheet .log .is-marked")?.scrollIntoView({ block: "start" });
}

if (button()) soon();
