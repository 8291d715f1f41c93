// Paying from several cards: the numbers in each part of the field, and the cards to take from, one tap each. The sum
// of the cards is the number paid.

import { when, whenDrawn } from "../../page/when.js";

const inScope = (scope, mine) =>
  scope === "any-field" ? () => true : scope === "own-field" ? (seat) => seat === mine : (seat) => seat !== mine;

function show(form) {
  const mine = form.dataset.split;
  const kind = form.querySelector('[name="counter"]:checked')?.value;
  const scope = form.querySelector('[name="on"]:checked')?.value;
  const rows = [...form.querySelectorAll("[data-holder]")].filter((row) => row.dataset.ofKind === kind);
  for (const place of form.querySelectorAll("[data-sum]")) {
    const fits = inScope(place.dataset.sum, mine);
    place.textContent = rows.filter((row) => fits(row.dataset.holder)).reduce((sum, row) => sum + Number(row.dataset.there), 0);
  }
  const fits = inScope(scope, mine);
  for (const row of form.querySelectorAll("[data-holder]")) {
    row.hidden = row.dataset.ofKind !== kind || !fits(row.dataset.holder);
    row.querySelector("input").disabled = row.hidden;
  }
  if (rows.filter((row) => !row.hidden).length > 1) form.querySelector(".split").open = true;
}

/** The number that is paid follows what is taken from the cards. */
function total(form) {
  const taken = [...form.querySelectorAll("[data-holder]:not([hidden]) input")];
  if (taken.every((field) => !field.value)) return;
  form.elements.namedItem("amount:number").value = taken.reduce((sum, field) => sum + Number(field.value), 0);
}

when("input", "[data-holder]", (_row, { target }) => total(target.form));

when("click", "[data-holder] [data-step]", (step) => {
  const field = step.parentElement.querySelector("input");
  field.value = Math.min(Number(field.max), Math.max(0, Number(field.value) + Number(step.dataset.step)));
  total(field.form);
});

whenDrawn(() => document.querySelectorAll("form[data-split]").forEach(show));
when("change", "form[data-split]", show);

document.addEventListener("table:refused", ({ detail }) => {
  const form = detail.item?.at?.startsWith("form") ? document.querySelector(detail.item.at) : null;
  if (!form?.matches("[data-split]") || detail.code !== "choose") return;
  form.querySelector(".split").open = true;
  form.querySelector("[data-holder]:not([hidden]) input")?.focus();
});
