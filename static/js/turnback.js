// Undo and Redo: this seat's own newest line, however many taps it is made of.

import * as outbox from "./outbox.js";

async function turnBack(which) {
  let lines;
  try {
    const answer = await fetch("mine", { headers: { Accept: "application/json" } });
    lines = await answer.json();
  } catch {
    return;
  }
  for (const entry of lines[which]) outbox.give({ do: which, entry }, ".tools");
  const text = lines[`${which}_text`];
  if (text) document.getElementById("said").textContent = text;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-turn-back]");
  if (button) turnBack(button.dataset.turnBack);
  const line = event.target.closest?.("[data-entries]");
  if (!line) return;
  for (const entry of line.dataset.entries.split(" "))
    outbox.give({ do: line.dataset.does, entry: Number(entry) }, "#sheet-body");
});
