// Sets of counters saved on this phone, to add to any table.

const KEY = "slot-sets";

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

function keep(sets) {
  try {
    localStorage.setItem(KEY, JSON.stringify(sets.slice(0, 20)));
  } catch {
    // Without storage there is the file.
  }
  offer();
}

function button(text, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

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
}

document.addEventListener("click", async (event) => {
  const from = event.target.closest?.("[data-keep-set]")?.dataset.keepSet;
  if (!from) return;
  const set = await (await fetch(from)).json();
  const day = new Date().toISOString().slice(0, 10);
  keep([{ ...set, title: `${set.title || document.title} ${day}` }, ...kept()]);
});
document.addEventListener("htmx:after:swap", () => {
  if (document.querySelector("[data-sets]:empty")) offer();
});
