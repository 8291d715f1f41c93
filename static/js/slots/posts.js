// Forms that ask the server before a command is given: a roll, a typed line, a list to tick. htmx sends them; the
// answer is shown in their target, or the event "form:done" names a sheet to open.

import { open, show } from "../board/sheet.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";
import { shownScene, unseen } from "./tabs.js";

const roll = document.getElementById("roll");
const ids = () => new Set([...document.querySelectorAll("#groups .slot")].map((each) => each.id));
let before = null; // the counters that are there while one is being made here
let made = null; // and those that were there, until it is
let sent = ""; // the typed line that has no answer yet
let asked = null; // its request; one that it replaced may end later
const typed = (form) => ("typing" in form.dataset ? form.elements.line.value : "");

/** True if another line is being typed than was sent. */
const passed = (form) => "typing" in form.dataset && typed(form) !== sent.split("\n")[0];

// Enter twice makes one; a type that is picked meanwhile counts.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-typing]");
  if (!form) return;
  const line = `${typed(form)}\n${event.submitter?.value ?? ""}`;
  if (line !== sent) {
    sent = line;
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("htmx:before:request", ({ target: form, detail: { ctx } }) => {
  if (!form.matches("form")) return;
  if ("typing" in form.dataset) asked = ctx;
  before = "scened" in form.dataset ? ids() : null;
  tick();
});
document.addEventListener("htmx:before:swap", (event) => {
  if (event.target.matches?.("form[data-typing]") && passed(event.target)) event.preventDefault();
});
document.addEventListener("htmx:finally:request", ({ target, detail: { ctx } }) => {
  if (target.matches?.("form[data-typing]") && ctx === asked) sent = "";
});

// The answer is shown in its dialog.
document.addEventListener("htmx:after:swap", ({ target: form, detail: { ctx } }) => {
  if (!form.matches?.("form") || ctx.response?.status !== 200) return;
  const dialog = ctx.target.closest("dialog");
  if (dialog) open(dialog);
  ctx.target.querySelector(".is-main")?.focus();
});

document.addEventListener("form:done", ({ target: form, detail: { sheet } }) => {
  made = before;
  before = null;
  reveal(); // the line may have been quicker than the answer
  if (sheet) show(sheet);
  if (!form.matches?.("form")) return; // it was drawn anew meanwhile
  for (const each of form.querySelectorAll("#act [name=who]")) each.checked = false; // the next Action is somebody else's
  if (sheet || passed(form) || "stays" in form.dataset) return; // an open sheet follows the table by itself
  if ("typing" in form.dataset) {
    form.reset();
    document.querySelector(form.getAttribute("hx-target")).replaceChildren();
  } else {
    form.closest("dialog")?.close();
  }
});

// What is typed on is no longer what was refused, or asked for its type; a line that was emptied makes nothing.
const LINES = "#typed-line, #slot-line";
document.addEventListener("input", ({ target }) => {
  if (!target.matches?.(LINES)) return;
  for (const each of target.form.querySelectorAll("p.refusal, .slot-tiles")) each.replaceChildren();
  if (!target.value.trim()) document.querySelector(target.getAttribute("hx-target")).replaceChildren();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.target.id !== "typed-line" || !event.target.value) return;
  event.target.value = "";
  event.target.dispatchEvent(new Event("input", { bubbles: true }));
  event.preventDefault();
});

// The preview of a line that Enter was quicker than comes too late.
document.addEventListener("htmx:before:swap", (event) => {
  const field = event.target;
  if (!field.matches?.(LINES)) return;
  if (!field.value.trim() || field.form.querySelector(".line-shown ~ .slot-tiles .slot-tile")) event.preventDefault();
});

// What was rolled is applied or let go: then the counter's sheet has done its work too.
document.addEventListener("table:accepted", ({ detail }) => {
  if (!detail.at?.startsWith("form")) return;
  const form = document.querySelector(detail.at);
  const next = form?.dataset.next;
  if (form?.closest("#roll")) {
    roll.close();
    const sheet = document.getElementById("sheet");
    if (!sheet.querySelector(".moves[data-stays]")) sheet.close();
  }
  if (next) show(next);
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

// A counter made here is scrolled into view once it is there.
function reveal() {
  const slot = made && [...document.querySelectorAll("#groups .slot")].find((each) => !made.has(each.id));
  if (!slot) return;
  made = null;
  slot.scrollIntoView({ block: "nearest" });
  slot.classList.add("is-new");
}
document.addEventListener("table:changed", reveal);

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
