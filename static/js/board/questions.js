// The questions to my seat, oldest first: the label of the chosen answer, its missing fields, and the keyboard's
// focus when a question comes or is answered.

const TYPED = "input:not([type='radio'], [type='checkbox']), select, textarea";
const DEAD = 400; // a finger on its way to what stood there before
let shown = asked()?.id ?? "";
let came = 0;
let keyboard = false;
let before = null;

/** The form of the oldest question that waits for this phone, if there is one that is not answered in a score sheet. */
export function asked() {
  return document.querySelector("#dock .prompt:not(:has([data-in-sheet])), #dock .prompt:has(.picks-one), #live .fight");
}

/** The button that gives the answer of *form*; the next step takes its place. */
export const answer = (form) => form.querySelector("button.is-main");

const chosen = (form) => [...form.elements].filter((each) => each.type === "radio" && each.checked);

/** The words of the next step: those of what is chosen, or what it adds up to ("Pay 2, sacrifice 1"). */
export function says(form) {
  const main = answer(form);
  const picked = chosen(form);
  const own = picked.find((each) => each.dataset.says)?.dataset.says;
  if (own) return own.charAt(0).toLocaleUpperCase() + own.slice(1);
  const sums = {};
  for (const { dataset } of picked) if (dataset.part) sums[dataset.part] = (sums[dataset.part] ?? 0) + Number(dataset.by);
  const parts = Object.keys(sums).map((part) => main.getAttribute(`data-adds-${part}`).replace("{n}", sums[part]));
  const text = parts.join(", ");
  return text ? text.charAt(0).toLocaleUpperCase() + text.slice(1) : main.textContent.trim();
}

/** The first field of *form* that lacks a value or has a wrong one. */
const wrong = (form) => [...form.elements].find((each) => each.willValidate && !each.validity.valid);
export const complete = (form) => !wrong(form);

/** Report in place what is missing. */
export function complain(form) {
  const field = wrong(form);
  const folded = field.closest("details");
  if (folded) folded.open = true;
  const typed = field.matches(TYPED) && !field.validity.valueMissing;
  form.querySelector(".refusal").textContent = typed ? field.validationMessage : answer(form).dataset.missing;
  field.focus({ preventScroll: true });
}

for (const kind of ["input", "change"])
  document.addEventListener(kind, ({ target }) => {
    if (target.form?.matches(".prompt")) target.form.querySelector(".refusal").replaceChildren();
  });

// A tap on one of these is the whole answer; keys choose first.
document.addEventListener("change", ({ target }) => {
  const form = target.closest?.("[data-answers-at-once]") && target.form;
  if (form && !keyboard && complete(form) && Date.now() - came > DEAD) form.requestSubmit(answer(form));
});

// `complain` reports what is missing, never the browser's bubble.
document.addEventListener("invalid", (event) => {
  const { form } = event.target;
  if (!form?.matches(".prompt")) return;
  event.preventDefault();
  if (!form.closest("#dock")) complain(form);
}, true);

document.addEventListener("keydown", () => (keyboard = true), true);
document.addEventListener("pointerdown", ({ target }) => {
  keyboard = false;
  const menu = document.querySelector("#dock .prompt-more[open]");
  if (menu && !menu.contains(target)) menu.open = false;
}, true);

/** The keyboard's focus, to restore it after everything was redrawn. */
function place() {
  const at = document.activeElement;
  const answering = at?.closest("#dock") || (before && at?.id === "next");
  if (!at || at === document.body || answering) return before;
  return at.id ? { id: at.id } : { name: at.getAttribute("name"), value: at.getAttribute("value"), element: at };
}

function back() {
  const was = before;
  before = null;
  if (!was) return;
  const same = [...document.querySelectorAll("button")].find((each) => each.name === was.name && each.value === was.value);
  const found = was.id ? document.getElementById(was.id) : was.element.isConnected ? was.element : same;
  (found ?? document.getElementById("next"))?.focus({ preventScroll: true });
}

/** With a keyboard: to the question that has come, to the next one, or back where it was. */
function follow() {
  const form = asked();
  const now = form?.id ?? "";
  if (now === shown) return;
  const at = document.activeElement;
  const typing = at?.matches(TYPED) || document.querySelector("dialog[open]");
  shown = now;
  came = Date.now();
  if (!keyboard || typing) return;
  if (!form) {
    if (!at || at === document.body || at.id === "next") back();
    return;
  }
  before = place();
  const first = [...form.elements].find((each) => each.checkVisibility() && each.type !== "hidden");
  (first ?? document.getElementById("next")).focus({ preventScroll: true });
}

document.addEventListener("htmx:after:swap", follow);
document.addEventListener("table:changed", follow);
