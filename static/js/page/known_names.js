// The names that this phone knows are chips below the field that asks for one, but not those of who sits at the table.

import * as name from "./name.js";

export function offer(field) {
  const here = [...document.querySelectorAll(".chairs bdi")].map((each) => each.textContent);
  const names = name.known().filter((each) => !here.includes(each));
  field.value ||= names[0] ?? "";
  field.form.addEventListener("submit", () => name.keep(field.value.trim()));
  if (names.length < 2) return;
  const box = document.createElement("div");
  box.className = "known-names onward";
  for (const textContent of names) {
    const onclick = () => {
      field.value = textContent;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    };
    box.append(Object.assign(document.createElement("button"), { type: "button", textContent, onclick }));
  }
  field.closest(".field").after(box);
}
