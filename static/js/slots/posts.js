// Forms that ask the server before a command is given: a roll, a tile, a list to tick. htmx sends them; the
// answer is shown in their target, or the event "form:done" names a sheet to open.

import { open, show } from "../board/sheet.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";
import { ids, reveal } from "./fresh.js";
import { shownScene, unseen } from "./tabs.js";

const roll = document.getElementById("roll");
let before = null; // the counters that are there while one is being made here

document.addEventListener("htmx:before:request", ({ target: form }) => {
  if (!form.matches("form")) return;
  before = "scened" in form.dataset ? ids() : null;
  tick();
});

// The answer is shown in its dialog.
document.addEventListener("htmx:after:swap", ({ target: form, detail: { ctx } }) => {
  if (!form.matches?.("form") || ctx.response?.status !== 200) return;
  const dialog = ctx.target.closest("dialog");
  if (dialog) open(dialog);
  ctx.target.querySelector(".is-main")?.focus();
});

document.addEventListener("form:done", ({ target: form, detail: { sheet } }) => {
  if (before) reveal(before);
  before = null;
  if (sheet) show(sheet);
  if (!form.matches?.("form")) return; // it was drawn anew meanwhile
  for (const each of form.querySelectorAll("#act [name=who]")) each.checked = false; // the next Action is somebody else's
  if (sheet || "stays" in form.dataset) return; // an open sheet follows the table by itself
  form.closest("dialog")?.close();
});

// What was rolled is applied or let go: then the counter's sheet has done its work too.
document.addEventListener("table:accepted", ({ detail }) => {
  if (!detail.at?.startsWith("form")) return;
  const form = document.querySelector(detail.at);
  const { next, last } = form?.dataset ?? {};
  if (form?.closest("#roll")) {
    roll.close();
    const sheet = document.getElementById("sheet");
    if (!sheet.querySelector(".moves[data-stays]")) sheet.close();
  }
  if (last) form.closest("dialog").querySelector(".sheet-end button").click(); // nothing is left to choose
  else if (next) show(next);
});
roll.addEventListener("close", () => document.getElementById("roll-body").replaceChildren());

// A counter made while a scene is shown belongs to it, and is hidden if nobody sees anything of that scene;
// its preview says so. The sheet has a tick for it.
function place() {
  const scene = shownScene();
  for (const form of document.querySelectorAll("form[data-scened]")) {
    const tick = form.closest("#sheet-body")?.querySelector("[data-prepare]");
    form.elements.scene.value = scene;
    form.elements.hidden.value = (tick ? tick.checked : unseen(scene)) ? "1" : "";
  }
}
for (const moment of ["submit", "input", "change"]) document.addEventListener(moment, place, true);

// The name of a new counter is saved even if the sheet is closed without Done.
let named = null;
document.addEventListener("input", ({ target }) => {
  if (target.id === "slot-new-name") named = { on: target.form.elements.on.value, name: target.value.trim() };
});
document.addEventListener("command:given", ({ detail }) => {
  if (detail.name) named = null;
});
document.getElementById("sheet").addEventListener("close", () => {
  if (named?.name) outbox.give({ do: "edit", ...named }, `#k-${CSS.escape(named.on)}`);
  named = null;
});

// A new counter opens with its name under the fingers: once, for a sheet that follows the table keeps what is typed.
const focused = new WeakSet();
document.addEventListener("htmx:after:swap", () => {
  const field = document.querySelector("#sheet-body [data-focus]");
  if (!field || focused.has(field)) return;
  focused.add(field);
  field.focus();
  field.select();
});
