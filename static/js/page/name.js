// The names given on this phone: chips where one is asked for, the last one chosen already. They are kept nowhere else.

import * as storage from "./storage.js";

const MOST = 6;
const known = () => storage.read("names", [storage.text("name")]).filter(Boolean);

export function keep(name) {
  if (name) storage.keep("names", [name, ...known().filter((each) => each !== name)].slice(0, MOST));
}

/** Offer the names that are known in *field*, but not those of who sits at this table. */
export function offer(field) {
  const sits = [...document.querySelectorAll(".cell-name, .chairs bdi")].map((each) => each.textContent.trim());
  const names = known().filter((each) => !sits.includes(each));
  field.value ||= names[0] ?? "";
  if (names.length < 2) return;
  const chips = names.map((each) => Object.assign(document.createElement("button"), { type: "button", textContent: each }));
  const mark = () => chips.forEach((each) => each.setAttribute("aria-pressed", each.textContent === field.value));
  for (const chip of chips)
    chip.addEventListener("click", () => {
      field.value = chip.textContent;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  field.addEventListener("input", mark);
  const box = Object.assign(document.createElement("div"), { className: "known-names" });
  box.append(...chips);
  const label = field.closest(".field");
  if (label) label.after(box);
  else field.before(box);
  mark();
}
