// A sheet about cards that share a row: how many of them it means. They stay the same ones while it is open, though
// changes may split the row or add to it.

import { tick } from "../page/haptics.js";
import { steps } from "../page/steps.js";
import { isAt, stayAt } from "./sheet.js";

const body = document.getElementById("sheet-body");
let ids = [];
let address = "";

const form = () => body.querySelector("form.stack");
const listed = (text) => text.split(" ");

/** The sheet means *chosen* from now on; its address says so when it follows the table. */
function mean(chosen) {
  ids = chosen;
  address = `objects/${ids[0]}?${new URLSearchParams({ of: ids.join(" ") })}`;
  stayAt(address);
  for (const field of body.querySelectorAll('[name^="each."]')) field.value = ids.join(" ");
  form().querySelector("output").textContent = ids.length;
  const times = body.querySelector("[data-times]");
  if (times) times.textContent = `×${ids.length}`;
}

/** Mean *n* of the row: of those meant so far, the last ones, then others. */
function choose(n) {
  const row = listed(form().dataset.row);
  const ordered = [...row.filter((id) => !ids.includes(id)), ...ids];
  mean(ordered.slice(-Math.max(1, Math.min(row.length, n))));
}

document.addEventListener("htmx:after:swap", () => {
  if (!form()) return;
  const row = listed(form().dataset.row);
  const same = isAt(address) ? ids.filter((id) => row.includes(id)) : [];
  mean(same.length ? same : listed(form().dataset.chosen));
});

steps("form.stack [data-step]", { now: () => ids.length, set: (_button, n) => choose(n) });

document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  choose(Number(event.submitter.value));
  tick();
});
