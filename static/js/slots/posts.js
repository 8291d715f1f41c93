// Forms that ask the server something before a command is given: a roll, a typed line, a list to
// tick. The answer lands where data-into says, or opens the sheet that it names.

import { open, show } from "../board/sheet.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";
import { shownScene, unseen } from "./tabs.js";

const roll = document.getElementById("roll");
const ids = () => new Set([...document.querySelectorAll("#groups .slot")].map((each) => each.id));
let made = null; // the counters that were there before one was made here
let sent = ""; // the typed line that has no answer yet
const typed = (form) => ("typing" in form.dataset ? form.elements.line.value : "");

async function post(form, submitter) {
  const line = typed(form);
  const into = document.querySelector(form.dataset.into || "#none");
  const refusal = form.querySelector("p.refusal");
  const before = ids();
  refusal?.replaceChildren();
  tick();
  let answer;
  try {
    answer = await fetch(submitter?.getAttribute("formaction") || form.action, {
      method: "POST",
      body: new FormData(form, submitter),
      // A form of the board has no token of its own: all screens share its HTML.
      headers: { "HX-Request": "true", "X-CSRFToken": document.querySelector("#t [name=csrfmiddlewaretoken]").value },
    });
  } catch {
    if (refusal) refusal.textContent = document.getElementById("connection").dataset.away;
    return;
  }
  const text = await answer.text();
  if (answer.ok && !text && "scened" in form.dataset) {
    made = before;
    reveal(); // the line may have been quicker than the answer
  }
  if (line !== typed(form)) return; // by now another one is being typed
  if (!answer.ok) {
    if (refusal) refusal.innerHTML = text;
    refusal?.scrollIntoView({ block: "nearest" });
    return;
  }
  if (form.id === "act") form.reset(); // the next Action is somebody else's
  // The server gave the command, not the outbox: Undo has to ask again what it would take.
  document.dispatchEvent(new CustomEvent("table:changed", { detail: {} }));
  if ("stays" in form.dataset) return; // the open sheet follows the table by itself
  const next = answer.headers.get("X-Sheet");
  if (next) return show(next);
  if (into && text) {
    into.innerHTML = text;
    const dialog = into.closest("dialog");
    if (dialog) open(dialog);
    into.querySelector(".is-main")?.focus();
  } else if ("typing" in form.dataset) {
    form.reset();
    into.replaceChildren();
  } else {
    form.closest("dialog")?.close();
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-post]");
  if (!form) return;
  event.preventDefault();
  const line = typed(form) && `${typed(form)}\n${event.submitter?.value ?? ""}`;
  if (line && line === sent) return; // Enter twice makes one; a type that is picked meanwhile counts
  sent = line || sent;
  post(form, event.submitter).finally(() => {
    if (sent === line) sent = "";
  });
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
document.addEventListener("htmx:before:response", (event) => {
  const field = event.detail.ctx.sourceElement;
  if (!field?.matches(LINES)) return;
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

// A counter made while a scene is shown belongs to it, and is hidden if no one sees anything of that scene;
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

// A new counter opens with its name under the fingers.
document.addEventListener("htmx:after:swap", () => {
  const field = document.querySelector("#sheet-body [data-focus]:not([data-focused])");
  if (!field) return;
  field.dataset.focused = "";
  field.focus();
  field.select();
});
