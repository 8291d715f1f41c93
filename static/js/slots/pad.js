// One's own Despair, tapped, opens a row below it: dice, or a roll made at the table and the slots it fills.

import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";

let open = false;
const pad = () => document.getElementById("own-pad");

/** Open or close it, or leave it as it is. */
function show(opened = open) {
  open = opened;
  if (pad()) pad().hidden = !open;
  document.querySelector("[data-own-pad]")?.setAttribute("aria-expanded", String(open));
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-own-pad]")) return;
  event.preventDefault();
  show(!open);
});

document.addEventListener("input", ({ target }) => {
  const form = target.closest?.("#own-pad");
  if (!form) return;
  const slots = Math.ceil(Number(target.value) / Number(form.dataset.worth));
  const go = form.querySelector("[name=how]");
  go.disabled = !(slots > 0);
  go.querySelector("span").textContent = go.disabled
    ? ""
    : slots === 1
      ? form.dataset.one
      : form.dataset.many.replace("{n}", slots);
});

// A typed number is given at once: how many slots it fills has been shown already.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target.closest("#own-pad");
    if (!form || event.submitter?.name === "throw") return;
    event.preventDefault();
    event.stopPropagation();
    const { points, shield } = form.elements;
    outbox.give(
      { do: "suffer", on: form.dataset.on, points: Number(points.value), ...(shield ? { shield: shield.value } : {}) },
      "#own",
    );
    tick();
    form.reset();
    show(false);
  },
  true,
);
document.addEventListener("command:given", ({ detail }) => {
  if (detail.do === "suffer") show(false);
});
document.addEventListener("table:changed", () => show());
show();
