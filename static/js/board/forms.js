// Forms that are commands go through the outbox as they are: the server reads their fields (games/screens/forms.py).
// They keep what was typed until it is accepted, and what was typed on meanwhile. One whose dialog closes then is given
// once, however often it is sent.

import { plainly } from "./commands.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";

let count = 0;
const leaving = new Map(); // by the place of its form: a dialog to close, and what it showed when the form was sent
const sent = new WeakMap(); // by form: what was typed into it when it was sent
const TYPED = "textarea, input:is([type=text], [type=number], :not([type]))";

/** The fields of *form* as a browser posts them; this phone's token aside. */
export function fieldsOf(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter));
  fields.delete("csrfmiddlewaretoken");
  return fields;
}

const typed = (form) => [...form.querySelectorAll(TYPED)].map(({ value }) => value).join("\n");

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-command]");
  if (!form) return;
  event.preventDefault();
  form.dataset.given ??= String(++count);
  const at = `form[data-given="${form.dataset.given}"]`;
  if (leaving.has(at) && sent.get(form) === typed(form)) return;
  sent.set(form, typed(form));
  form.querySelector(".refusal")?.replaceChildren();
  const command = { form: String(fieldsOf(form, event.submitter)) };
  const dialog = form.dataset.after === "close" && form.closest("dialog");
  if (dialog) leaving.set(at, [dialog, dialog.ariaLabel]);
  outbox.give(command, at);
  form.classList.add("is-waiting");
  tick();
  form.dispatchEvent(new CustomEvent("command:given", { bubbles: true, detail: plainly(command) }));
});

function answered(item) {
  const form = item?.at?.startsWith("form") && document.querySelector(item.at);
  form?.classList?.remove("is-waiting");
  return form || null;
}

document.addEventListener("table:accepted", ({ detail }) => {
  const form = answered(detail);
  const [dialog, shown] = leaving.get(detail?.at) ?? []; // its form may have gone with what it answered
  leaving.delete(detail?.at);
  if (!dialog && form && sent.get(form) === typed(form)) form.reset();
  if (dialog?.ariaLabel === shown) dialog?.close();
});
document.addEventListener("table:refused", ({ detail }) => {
  leaving.delete(detail.item?.at);
  answered(detail.item);
});
