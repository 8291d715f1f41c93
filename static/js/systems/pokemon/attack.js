// The sheet of an attack: its damage in steps and usual amounts, and what it would leave, before it is given.

import { tick } from "../../page/haptics.js";
import { steps } from "../../page/steps.js";
import { when } from "../../page/when.js";

const damage = (form) => form.elements.namedItem("amount:number");
/** What is counted by *button*: the damage to one of the others, or that to the target. */
const counted = (button) => button.closest(".others li")?.querySelector("input") ?? damage(button.form);
const ticked = (form, name) => form.elements.namedItem(name)?.checked;

/** The number of Weakness or Resistance that counts: what is typed, or that of its tick; "on" is × 2. */
function counts(form, name) {
  const { value } = form.querySelector(`[type="number"][name="${name}:number"]`);
  return value || form.querySelector(`[type="checkbox"][name^="${name}:"]:checked`)?.value;
}

/** What is left of a Pokémon that takes *n*; "" if its HP is not known. */
const kept = ({ dataset: { left } }, n) => left && Math.max(0, left - n);

function show(form) {
  const field = damage(form);
  const foe = form.querySelector(".sides > :last-child");
  const weak = counts(form, "weakness");
  const more = Number(field.value) && (weak === "on" ? field.value : (weak ?? 0));
  const less = [
    counts(form, "resistance"),
    !ticked(form, "full:flag") && Number(field.dataset.less),
  ].filter(Boolean);
  const sum = Math.max(0, less.reduce((left, n) => left - n, Number(field.value) + Number(more)));
  const said = [field.value, weak && (weak === "on" ? "× 2" : `+ ${weak}`), ...less.map((n) => `− ${n}`)].filter(Boolean);
  form.querySelector(".hits-end output").textContent = said.length > 1 ? `${said.join(" ")} = ${sum}` : sum;
  const left = kept(foe, sum);
  if (left !== "") {
    form.querySelector(".hits-left b").textContent = left;
    foe.style.setProperty("--kept", `${(100 * left) / foe.dataset.left}%`);
  }
  foe.classList.toggle("is-out", left === 0);
  let others = 0;
  for (const row of form.querySelectorAll(".others > [data-left]")) {
    const { value } = row.querySelector("input");
    const there = kept(row, value);
    others += Number(value);
    row.querySelector("small").textContent = value && there !== "" ? `${row.dataset.left} → ${there}` : row.dataset.left;
    row.classList.toggle("is-out", there === 0);
  }
  form.querySelector(".others output").textContent = others || "";
  const fallen = [...form.querySelectorAll(".is-out[data-worth]:not([data-worth=''])")];
  const prizes = form.querySelector("[data-prizes]");
  const taken = fallen.reduce((all, each) => all + Number(each.dataset.worth), 0);
  prizes.textContent = `${prizes.dataset.prizes} → ${Math.max(0, prizes.dataset.prizes - taken)}`;
  form.querySelector("[data-fallen]").textContent = fallen.map((each) => each.querySelector("b").textContent).join(", ");
  form.classList.toggle("is-out", fallen.length > 0);
  for (const usual of form.querySelectorAll("[data-usual]"))
    usual.ariaPressed = String(usual.dataset.usual === field.value);
}

function set(field, n) {
  const value = Math.max(0, Math.min(Number(field.max), n));
  field.value = value || !field.placeholder ? value : "";
  show(field.form);
}

steps(".hits [data-step]", {
  now: (button) => Number(counted(button).value),
  set: (button, n) => set(counted(button), n),
});
when("click", "[data-usual]", (usual) => {
  set(damage(usual.form), Number(usual.dataset.usual));
  tick();
});
when("input", ".hits", show);
document.addEventListener("htmx:after:swap", () => {
  const form = document.querySelector("#sheet-body .hits");
  if (form) show(form);
});
