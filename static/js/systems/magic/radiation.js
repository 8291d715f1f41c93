// Giving to several at once, and the rad question when fewer cards were milled than are due.

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-tick], [data-tick-all]");
  if (!button) return;
  const { tick } = button.dataset;
  for (const box of button.closest("form").querySelectorAll("[data-seat]"))
    box.checked = tick === undefined || box.dataset.seat === tick;
});

// What the rows of the gift sheet give, and how many the X in each of them is.
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
  for (const row of form.parentElement.querySelectorAll(".give-row:not(.drain)")) {
    row.elements.namedItem("do").value = verb;
    row.elements.namedItem("counter").value = verb !== "place" ? "" : other === undefined ? chosen.value : typed.value.trim().toLowerCase();
    for (const each of row.querySelectorAll('[name$=":member"]')) each.name = each.name.replace(/^\w+/, to);
    row.querySelector("[data-x]").value = x;
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-gift] [data-step]");
  if (!button) return;
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
