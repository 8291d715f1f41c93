// The form for how a card changes counters: only permanents have types.

function show(form) {
  const of = form.querySelector("[name=of]:checked");
  form.querySelector("[data-types]").disabled = of.value !== "permanents";
}

document.addEventListener("change", ({ target }) => {
  const form = target.name === "of" ? target.closest("form:has([data-types])") : null;
  if (form) show(form);
});
