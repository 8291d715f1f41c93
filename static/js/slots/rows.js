// Layout of the board on this device: counters in rows or as cards, the notes beside the board or folded away. Rows
// are the default with many counters (data-many); a switch is remembered until it equals the default again.

import * as storage from "../page/storage.js";
import { when } from "../page/when.js";

const groups = () => document.getElementById("groups");
const usual = () => groups().hasAttribute("data-many");

let shown = storage.text("slots:counters"); // "rows", "cards", or "" for what is usual
let notes = storage.text("slots:notes"); // "folded" or ""
const inRows = () => (shown ? shown === "rows" : usual());

function show() {
  groups()?.classList.toggle("is-rows", inRows());
  document.body.classList.toggle("has-folded-notes", notes === "folded");
  const button = document.querySelector("button[data-rows]");
  const words = button?.closest("[data-on]").dataset;
  button?.setAttribute("aria-pressed", String(inRows()));
  if (button) button.dataset.state = inRows() ? words.on : words.off;
}

when("click", "[data-rows], [data-notes]", (button) => {
  if ("notes" in button.dataset) {
    notes = notes ? "" : "folded";
    storage.keepText("slots:notes", notes);
    show();
    document.querySelector(notes ? ".tools [data-notes]" : "#notebook [data-notes]")?.focus();
    return;
  }
  const rows = !inRows();
  shown = rows === usual() ? "" : rows ? "rows" : "cards";
  storage.keepText("slots:counters", shown);
  show();
});
document.addEventListener("table:changed", show);
if (groups()) show();
