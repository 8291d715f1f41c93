// Giving to several at once, and the rad question when fewer cards were milled than are due.

import { when } from "../../page/when.js";

const live = document.getElementById("live");

when("click", "[data-tick], [data-tick-all]", (button) => {
  const { tick } = button.dataset;
  for (const box of button.closest("form").querySelectorAll("[data-seat]"))
    box.checked = tick === undefined || box.dataset.seat === tick;
});

/** Lifelink: what *seats* lose, this phone's player gains, in one. */
function drained(seats, amount) {
  const gained = { do: "gain-life", seat: live.dataset.seat, amount: amount * seats.length };
  return JSON.stringify([{ do: "lose-life", seats, amount }, gained]);
}

// The contents of the gift sheet's rows, and the X in each.
function gift(form) {
  const chosen = form.querySelector("[name=gift]:checked");
  const { verb, other } = chosen.dataset;
  const typed = form.elements.namedItem("typed");
  typed.closest("[data-kind-typed]").hidden = other === undefined;
  const to = verb === "place" ? "on" : "seats";
  const x = form.elements.namedItem("x").value || form.elements.namedItem("x").defaultValue;
  for (const row of form.parentElement.querySelectorAll(".drain")) {
    const one = JSON.parse(row.querySelector("button").value);
    const steps = one.map((step) => ({ ...step, amount: step.amount * Number(x) }));
    row.querySelector("[data-x]").value = JSON.stringify(steps);
  }
  const place = form.querySelector("[data-command-preview]");
  const kind = other === undefined ? chosen.value : typed.value.trim().toLowerCase();
  const on = JSON.parse(form.dataset.opponents);
  const put = { "do:json": verb, "on:json": on, "counter:json": kind, "amount:json": 1 };
  const fields = Object.entries(verb === "place" ? put : {}).map(([name, value]) => [name, JSON.stringify(value)]);
  place?.setAttribute("hx-vals", JSON.stringify(Object.fromEntries(fields)));
  const drains = verb === "drain";
  for (const row of form.parentElement.querySelectorAll(".give-row:not(.drain)")) {
    row.elements.namedItem("do").value = drains ? "together" : verb;
    row.elements.namedItem("counter").value = verb === "place" ? kind : "";
    const members = [...row.querySelectorAll('[name$=":member"]')];
    for (const each of members) {
      each.name = each.name.replace(/^\w+/, to);
      each.disabled = drains;
    }
    const seats = members.map(({ name }) => name.slice(to.length + 1, -":member".length));
    for (const button of row.querySelectorAll("button")) {
      const amount = Number("x" in button.dataset ? x : button.textContent);
      button.name = drains ? "steps:json" : "amount:number";
      button.value = drains ? drained(seats, amount) : amount;
    }
    row.hidden = drains && seats.includes(live.dataset.seat);
  }
}

when("click", "[data-gift] [data-step]", (button) => {
  const field = button.form.elements.namedItem("x");
  if (button.dataset.step === "1") field.stepUp();
  else field.stepDown();
  gift(button.form);
});

for (const kind of ["input", "change", "submit"])
  document.addEventListener(kind, (event) => {
    const form = event.target.closest?.("[data-gift]");
    if (!form) return;
    if (kind === "submit") event.preventDefault();
    gift(form);
  });

/** Fewer cards than are due: no more of them can be nonland, and the library must have run out. */
function fewer(field) {
  const milled = field.value === "" ? Number(field.dataset.due) : Number(field.value);
  const place = field.closest(".fewer").querySelector("[data-fewer]");
  const box = place.querySelector("input");
  place.hidden = box.disabled = milled >= Number(field.dataset.due);
  box.required = !place.hidden;
  if (place.hidden) box.checked = false;
  for (const each of field.form.elements.namedItem("nonland:number")?.entries?.() ?? []) {
    each[1].disabled = Number(each[1].value) > milled;
    if (each[1].disabled) each[1].checked = false;
  }
}

document.addEventListener("input", (event) => {
  if (event.target.matches?.("[data-due]")) fewer(event.target);
});

// What is due follows the counters while the question waits.
document.addEventListener("table:changed", () => {
  for (const field of document.querySelectorAll("#dock [data-due]")) {
    if (field.dataset.seen !== field.dataset.due) {
      field.value = field.dataset.due;
      field.dataset.seen = field.dataset.due;
    }
    fewer(field);
  }
});
