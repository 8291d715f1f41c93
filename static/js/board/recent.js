// Cards added before, on this phone or in this game: one tap fills in the form. Anything else a game's
// card has is kept as given; code that understands it listens for "card:filled".

const MOST = 12;
const key = `cards:${document.getElementById("live").dataset.system}`;

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? [];
  } catch {
    return [];
  }
}

document.addEventListener("command:given", ({ detail: { do: verb, as: _id, owner: _owner, ...card } }) => {
  if (verb !== "create" || !card.name) return;
  const cards = [card, ...remembered().filter(({ name }) => name !== card.name)];
  try {
    localStorage.setItem(key, JSON.stringify(cards.slice(0, MOST)));
  } catch {
    // Without storage only this game's cards are offered.
  }
});

function fill(form, card) {
  form.elements.name.value = card.name;
  for (const box of form.querySelectorAll('[name="types:list"]')) box.checked = (card.types ?? []).includes(box.value);
  for (const field of form.querySelectorAll('[name^="base."]'))
    field.value = card.base?.[field.name.slice(5).split(":")[0]] ?? "";
  form.dispatchEvent(new CustomEvent("card:filled", { bubbles: true, detail: card }));
}

function offer(list) {
  const form = list.closest("form");
  const cards = new Map(remembered().map((card) => [card.name, card]));
  for (const card of JSON.parse(list.dataset.patterns)) if (!cards.has(card.name)) cards.set(card.name, card);
  list.replaceChildren(
    ...[...cards.values()].slice(0, MOST).map((card) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "chip";
      button.textContent = card.name;
      button.addEventListener("click", () => fill(form, card));
      return button;
    }),
  );
  list.hidden = cards.size === 0;
  const part = list.closest("details");
  if (part) part.hidden = list.hidden;
}

document.addEventListener("htmx:after:swap", () => {
  document.querySelectorAll("#sheet-body [data-patterns]").forEach((list) => {
    if (!list.childElementCount) offer(list);
  });
});
