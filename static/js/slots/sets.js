// Sets of counters saved on this phone, to add to any table.

import { make } from "../page/make.js";
import * as storage from "../page/storage.js";

const KEY = "slot-sets";

const kept = () => storage.read(KEY, []);

function keep(sets) {
  storage.keep(KEY, sets.slice(0, 20));
  offer();
}

export const button = (text, onclick) => make("button", { type: "button", onclick }, text);

function offer() {
  for (const place of document.querySelectorAll("[data-sets]")) {
    const form = place.closest("form");
    const sets = kept();
    place.replaceChildren(
      ...sets.flatMap((set, at) => [
        button(`${set.title} · ${set.counters.length}`, () => {
          form.elements.text.value = JSON.stringify(set);
          form.requestSubmit();
          form.elements.text.value = "";
        }),
        button("×", () => keep(sets.filter((_set, other) => other !== at))),
      ]),
    );
    place.hidden = !sets.length;
  }
  for (const button of document.querySelectorAll("[data-keep-set] [data-scripted]")) button.hidden = false;
}

/** *title*, or if a set that is kept has it, the first of "title 2", "title 3" that is free. */
function free(title, sets) {
  const taken = new Set(sets.map((set) => set.title));
  let name = title;
  for (let number = 2; taken.has(name); number += 1) name = `${title} ${number}`;
  return name;
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-keep-set]");
  if (!form || event.submitter?.name !== "keep") return;
  event.preventDefault();
  const set = await (await fetch(`${form.action}?${new URLSearchParams(new FormData(form))}`)).json();
  keep([{ ...set, title: free(set.title, kept()) }, ...kept()]);
  form.reset();
});
document.addEventListener("htmx:after:swap", () => {
  if (document.querySelector("[data-sets]:empty")) offer();
});
