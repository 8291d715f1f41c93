// Giving to several at once, and the rad prompt: it asks whether the library ran out only when fewer
// cards were milled than are due.

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-tick], [data-tick-but], [data-tick-all], [data-set]");
  if (!button) return;
  const form = button.closest("form");
  const { tick, tickBut, set } = button.dataset;
  if (set) {
    form.elements.namedItem("amount:number").value = set;
    return;
  }
  for (const box of form.querySelectorAll("[data-seat]"))
    box.checked = tick !== undefined ? box.dataset.seat === tick : box.dataset.seat !== tickBut;
});

function asks(field) {
  const place = field.closest(".fewer").querySelector("[data-fewer]");
  place.hidden = !(field.value !== "" && Number(field.value) < Number(field.dataset.due));
  if (place.hidden) place.querySelector("input").checked = false;
}

document.addEventListener("input", (event) => {
  if (event.target.matches?.("[data-due]")) asks(event.target);
});

// What is due follows the counters while the question waits.
document.addEventListener("table:changed", () => {
  for (const field of document.querySelectorAll(".prompt [data-due]")) {
    if (field.dataset.seen !== field.dataset.due) {
      field.value = field.dataset.due;
      field.dataset.seen = field.dataset.due;
    }
    asks(field);
  }
});
