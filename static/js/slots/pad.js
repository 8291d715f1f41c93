// One's own large number, tapped, opens a row below it: so many at once, or dice and a roll made at the table.

import { tick } from "../page/haptics.js";
import * as outbox from "../net/outbox.js";
import { when } from "../page/when.js";

let open = false;
const pad = () => document.getElementById("own-pad");

/** Open or close it, or leave it as it is. */
function show(opened = open) {
  open = opened;
  if (pad()) pad().hidden = !open;
  document.querySelector("[data-own-pad]")?.setAttribute("aria-expanded", String(open));
}

when("click", "[data-own-pad]", (_number, event) => {
  event.preventDefault();
  show(!open);
  if (open) pad()?.querySelector("[data-focus]")?.focus();
});
// Typing is another number, not more of it.
document.addEventListener("focusin", ({ target }) => {
  if (target.matches?.("#own-pad [data-focus]")) target.select();
});

document.addEventListener("input", ({ target }) => {
  const { form } = target;
  if (form?.id !== "own-pad") return;
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
    const form = event.target;
    if (form.id !== "own-pad" || event.submitter?.name === "throw") return;
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
document.addEventListener("command:given", ({ target, detail }) => {
  if (detail.do === "suffer" || target.closest?.("#own-pad")) show(false);
});
document.addEventListener("table:changed", () => show());
show();
