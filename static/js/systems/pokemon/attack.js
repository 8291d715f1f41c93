// The sheet of an attack: its damage in steps and usual amounts, and what it would leave, before it is given.

import { tick } from "../../page/haptics.js";
import { steps } from "../../page/steps.js";

const at = (target) => target?.closest?.(".hits") ?? null;
const damage = (form) => form.elements.namedItem("amount:number");
const ticked = (form, name) => form.elements.namedItem(name).checked;

function show(form) {
  const field = damage(form);
  const { left, less } = field.dataset;
  const [weak, resists] = ["weakness:flag", "resistance:flag"].map((name) => ticked(form, name));
  const sum = Math.max(0, field.value * (weak ? 2 : 1) - (resists ? less : 0));
  const after = left && Math.max(0, left - sum);
  const said = [field.value, weak && "× 2", resists && `− ${less}`].filter(Boolean).join(" ");
  form.querySelector("output").textContent = weak || resists ? `${said} = ${sum}` : sum;
  form.classList.toggle("is-out", after === 0);
  if (left) {
    form.querySelector(".hits-left b").textContent = after;
    form.querySelector(".sides > :last-child").style.setProperty("--kept", `${(100 * after) / left}%`);
  }
  for (const usual of form.querySelectorAll("[data-usual]"))
    usual.ariaPressed = String(usual.dataset.usual === field.value);
}

function set(form, n) {
  const field = damage(form);
  field.value = Math.max(0, Math.min(Number(field.max), n));
  show(form);
}

steps(".hits [data-step]", {
  now: ({ form }) => Number(damage(form).value),
  set: ({ form }, n) => set(form, n),
});
document.addEventListener("click", ({ target }) => {
  const usual = target.closest?.("[data-usual]");
  if (!usual) return;
  set(usual.form, Number(usual.dataset.usual));
  tick();
});
document.addEventListener("input", ({ target }) => at(target) && show(at(target)));
document.addEventListener("htmx:after:swap", () => {
  const form = document.querySelector("#sheet-body .hits");
  if (form) show(form);
});
