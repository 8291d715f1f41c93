// The names that this phone knows are chips below the field that asks for one, but not those of who sits at the table.

import { make } from "./make.js";
import * as name from "./name.js";

export function offer(field) {
  const here = [...document.querySelectorAll(".chairs bdi")].map((each) => each.textContent);
  const names = name.known().filter((each) => !here.includes(each));
  field.value ||= names[0] ?? "";
  field.form.addEventListener("submit", () => name.keep(field.value.trim()));
  if (names.length < 2) return;
  const buttons = names.map((each) => {
    const onclick = () => {
      field.value = each;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    };
    return make("button", { type: "button", onclick }, each);
  });
  field.closest(".field").after(make("div", { className: "known-names onward" }, ...buttons));
}
