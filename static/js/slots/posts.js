// Forms that ask the server something before a command is given: a roll, a typed line, a list to
// tick. The answer lands where data-into says, or opens the sheet that it names.

import { show } from "../board/sheet.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";

const roll = document.getElementById("roll");
const ids = () => new Set([...document.querySelectorAll("#groups .slot")].map((each) => each.id));
let made = null; // the counters that were there before one was made here

async function post(form, submitter) {
  const into = document.querySelector(form.dataset.into || "#none");
  const refusal = form.querySelector(".refusal");
  const before = ids();
  refusal?.replaceChildren();
  tick();
  let answer;
  try {
    answer = await fetch(submitter?.getAttribute("formaction") || form.action, {
      method: "POST",
      body: new FormData(form, submitter),
      headers: { "HX-Request": "true" },
    });
  } catch {
    if (refusal) refusal.textContent = document.getElementById("connection").dataset.away;
    return;
  }
  const text = await answer.text();
  if (answer.ok && "scened" in form.dataset) {
    made = before;
    reveal(); // the line may have been quicker than the answer
  }
  if (!answer.ok) {
    if (refusal) refusal.innerHTML = text;
    refusal?.scrollIntoView({ block: "nearest" });
    return;
  }
  if ("stays" in form.dataset) return; // the open sheet follows the table by itself
  const next = answer.headers.get("X-Sheet");
  if (next) return show(next);
  if (into) {
    into.innerHTML = text;
    into.closest("dialog:not([open])")?.showModal();
    into.querySelector(".is-main")?.focus();
  } else {
    form.closest("dialog")?.close();
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-post]");
  if (!form) return;
  event.preventDefault();
  post(form, event.submitter);
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

// A counter made while a scene is shown belongs to it.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-scened]");
  const tab = document.querySelector('[data-tab][aria-pressed="true"]')?.dataset.tab ?? "";
  if (!form) return;
  form.elements.scene.value = tab.startsWith("scene:") ? tab.slice(6) : "";
  form.elements.hidden.value = document.querySelector("#sheet-body [data-prepare]:checked") ? "1" : "";
}, true);

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
