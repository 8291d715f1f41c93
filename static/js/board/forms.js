// Forms that are commands go through the outbox as they are: the server reads their fields (games/screens/forms.py).
// One whose dialog closes when it is accepted is given once, however often it is sent. Any other gives up what was typed
// at once, so that the next can be typed, and gets it back if it is refused.

import { plainly } from "./commands.js";
import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";

let count = 0;
const leaving = new Map(); // by the place of its form: a dialog to close, and what it showed when the form was sent
const sent = new WeakMap(); // by form: what was typed into it when it was sent
const taken = new Map(); // by command: the texts that were taken out of its form
const TYPED = "textarea, input:is([type=text], [type=number], :not([type]))";

/** The fields of *form* as a browser posts them; this phone's token aside. */
export function fieldsOf(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter));
  fields.delete("csrfmiddlewaretoken");
  return fields;
}

const typed = (form) => [...form.querySelectorAll(TYPED)].map(({ value }) => value).join("\n");

/** The fields for a text in *form* that are empty at first; what is only changed there stays. */
const blanks = (form) =>
  [...form.querySelectorAll(TYPED)].filter(({ type, defaultValue }) => type !== "number" && !defaultValue);

/** Empty *form* for what is typed next, choices too: whom a note was told must not hear the next one. */
function takeOut(form, id) {
  const texts = blanks(form).map(({ value }) => value);
  if (!texts.some(Boolean)) return;
  taken.set(id, { texts, ticks: [...form.elements].map(({ checked }) => checked) });
  form.reset();
  sent.set(form, typed(form));
}

/** Put back what *command* took out of *form*. What is half typed there stays, below it where there is room. */
function putBack(form, command) {
  const { texts, ticks } = taken.get(command?.id) ?? {};
  if (!texts) return;
  if (!blanks(form).some(({ value }) => value)) ticks.forEach((checked, n) => (form.elements[n].checked = checked));
  blanks(form).forEach((field, n) => {
    if (!field.value || field.matches("textarea")) field.value = [texts[n], field.value].filter(Boolean).join("\n\n");
  });
}

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
  const id = outbox.give(command, at);
  form.classList.add("is-waiting");
  tick();
  form.dispatchEvent(new CustomEvent("command:given", { bubbles: true, detail: plainly(command) }));
  if (id && !dialog) takeOut(form, id);
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
  taken.delete(detail?.command.id);
  if (!dialog && form && sent.get(form) === typed(form)) form.reset();
  if (dialog?.ariaLabel === shown) dialog?.close();
});
document.addEventListener("table:refused", ({ detail }) => {
  leaving.delete(detail.item?.at);
  const form = answered(detail.item);
  if (form) putBack(form, detail.item.command);
  taken.delete(detail.item?.command.id);
});
