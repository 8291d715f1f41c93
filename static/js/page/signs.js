// ± beside a field: a phone that shows digits alone has no minus. Pressed before or after the digits are typed.

import { when } from "./when.js";

const field = (button) => button.parentElement.querySelector("input");
const press = (button, pressed) => button.setAttribute("aria-pressed", pressed);
const pressed = (button) => button.getAttribute("aria-pressed") === "true";
const digits = (input) => input.value.replace(/^[-−]/, "");

function write(input, negative) {
  if (!digits(input)) return;
  input.value = `${negative ? "-" : ""}${digits(input)}`;
}

when("click", "[data-plus-minus]", (button) => {
  const input = field(button);
  const negative = input.value ? !/^[-−]/.test(input.value) : !pressed(button);
  press(button, negative);
  write(input, negative);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.focus();
});

document.addEventListener("input", ({ target, isTrusted }) => {
  const button = isTrusted && target.parentElement?.querySelector("[data-plus-minus]");
  if (!button) return;
  if (/^[-−]/.test(target.value)) press(button, true);
  else write(target, pressed(button));
});
