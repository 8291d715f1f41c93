// Undo and Redo: this seat's own newest line, however many taps it is made of.

import * as outbox from "../net/outbox.js";

// All of a line or none of it, and one line of the log.
const command = (which, entries) =>
  entries.length === 1 ? { do: which, entry: entries[0] } : { do: which, entries };

async function turnBack(which) {
  let lines;
  try {
    const answer = await fetch("mine", { headers: { Accept: "application/json" } });
    lines = await answer.json();
  } catch {
    return;
  }
  if (lines[which].length) outbox.give(command(which, lines[which]), ".tools");
  const text = lines[`${which}_text`];
  if (text) document.getElementById("announcement").textContent = text;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-turn-back]");
  if (button) turnBack(button.dataset.turnBack);
  const here = event.target.closest?.("[data-to]");
  if (here) outbox.give({ do: "undo", to: Number(here.dataset.to) }, "#sheet-body");
  const line = event.target.closest?.("[data-entries]");
  if (!line) return;
  const entries = line.dataset.entries.split(" ").map(Number);
  outbox.give(command(line.dataset.does, entries), "#sheet-body");
});
