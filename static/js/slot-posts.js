// Forms that ask the server something before a command is given: a roll, a typed line, a list to
// tick. The answer lands where data-into says, or opens the sheet that it names.

import { show } from "./sheet.js";
import { tick } from "./haptics.js";

const roll = document.getElementById("roll");

async function post(form, submitter) {
  const into = document.querySelector(form.dataset.into || "#none");
  const refusal = form.querySelector(".refusal");
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
  if (!answer.ok) {
    if (refusal) refusal.innerHTML = text;
    refusal?.scrollIntoView({ block: "nearest" });
    return;
  }
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
  if (form?.closest("#roll")) document.getElementById("sheet").close();
  if (next) show(next);
});
roll.addEventListener("close", () => document.getElementById("roll-body").replaceChildren());

// What is made while a scene is looked at belongs to it.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-scened]");
  const tab = document.querySelector('[data-tab][aria-pressed="true"]')?.dataset.tab ?? "";
  if (form) form.elements.scene.value = tab.startsWith("scene:") ? tab.slice(6) : "";
}, true);

// A new counter opens with its name under the fingers.
document.addEventListener("htmx:after:swap", () => {
  const field = document.querySelector("#sheet-body [data-focus]:not([data-focused])");
  if (!field) return;
  field.dataset.focused = "";
  field.focus();
  field.select();
});
