// The form for a new card, without a keyboard: the sort used last in this game is chosen, its numbers have steppers,
// and names complete from the deck list of this phone, the cards of this table and those that are known.

import * as deck from "./deck.js";
import { fieldsOf } from "./forms.js";
import { learn, made } from "./tokens.js";
import { tick } from "../page/haptics.js";
import { steps } from "../page/steps.js";
import * as storage from "../page/storage.js";

const { system, game, seat: mine } = document.getElementById("live").dataset;
const REMEMBERED = `cards:${system}`;
const SORT = `sort:${system}`;
const MOST_REMEMBERED = 60;
const MOST_OFFERED = 6;
const MOST_FIRST = 3;
const ALIKE = 0.6;
const MOST_COPIES = 40;
const PAUSE = 150;
const OF_THE_ACT = new Set(["do", "as", "name", "zone", "owner", "controller", "counters", "note", "types", "base", "makers"]);
const prepared = new WeakMap(); // each form's sorts, in the game's order
const foremost = new WeakMap(); // and the one that stands first
const { plain } = deck;
let fetched = [];
let fetchedFor = ""; // the name, however it was spelt
let picked = null;
let copies = 1;
let timer = 0;

const open = () => document.querySelector("#sheet-body #new-card");

// The sort of card

const sorts = (form) => [...form.querySelectorAll(".sort input")];
const sort = (form) => sorts(form).find((each) => each.checked) ?? null;
const stats = (from) => JSON.parse(from.dataset.stats || "{}");
const number = (form, stat) =>
  form.elements.namedItem(`base.${stat}:number`) ?? form.elements.namedItem(`${stat}:number`);

/** Put the sorts where they belong: as many as fit stand in the first row, the others under "More". */
function arrange(form) {
  const more = form.querySelector(".sorts-more");
  if (!more) return;
  let letters = 0;
  const order = [...new Set([foremost.get(form) ?? "", ...prepared.get(form)])];
  const row = order.map((id) => document.getElementById(id)).filter(Boolean);
  const first = row.filter((each, n) => {
    letters += each.textContent.trim().length;
    return n < MOST_FIRST && letters <= Number(form.dataset.letters);
  });
  const under = more.querySelector(".sorts");
  const stand = (place, all) => all.some((each, n) => place.children[n] !== each) && place.prepend(...all);
  stand(more.parentElement, first);
  stand(under, row.filter((each) => !first.includes(each)));
}

/** The sort of that input stands first from now on. */
function bringForward(form, input) {
  foremost.set(form, input.closest(".sort").id);
}

/** Its numbers, as its sort proposes them. */
function propose(form) {
  for (const [stat, value] of Object.entries(stats(sort(form) ?? form))) number(form, stat).value = value ?? "";
}

/** What a card without a name is called. */
function called(form) {
  const marked = [...form.querySelectorAll("[type=checkbox][data-called]")].find((each) => each.checked);
  return (marked ?? sort(form) ?? form).dataset.called;
}

function show(form) {
  const asked = stats(sort(form) ?? form);
  for (const tile of form.querySelectorAll(".tile[data-stat]")) {
    const hidden = !(tile.dataset.stat in asked);
    tile.hidden = hidden;
    tile.querySelector("input").disabled = hidden;
  }
  for (const each of form.querySelectorAll('[type="checkbox"][name="types:list"]'))
    each.disabled = each.value === sort(form)?.value;
  const { name } = form.elements;
  name.placeholder = called(form);
  const text = copies > 1 ? form.dataset.addSeveral : form.dataset.add;
  form.querySelector("[data-add-card]").textContent = text
    .replace("{n}", copies)
    .replace("{name}", name.value.trim() || called(form));
  form.querySelector("[data-copies-now]").textContent = `× ${copies}`;
  offer(form);
}

// Cards to take as patterns

const readDeck = (form, text) => deck.read(text, form.querySelector("[data-headings]").dataset.headings.split(" "));

/** Those of this table, those the game knows, those added before on this phone: by name. */
function known(form) {
  const cards = new Map();
  const add = (list, from) => {
    for (const card of list) if (!cards.has(plain(card.name))) cards.set(plain(card.name), { ...card, from });
  };
  add(JSON.parse(form.dataset.patterns), form.dataset.fromHere);
  add(JSON.parse(form.dataset.tokens), form.dataset.fromTokens);
  add(fetched, form.dataset.fromKnown);
  add(storage.read(REMEMBERED, []), form.dataset.fromKnown);
  if (form.elements.owner.value !== mine) return [...cards.values()];
  const list = readDeck(form, deck.load(system)).cards;
  const tokens = made(list.map(({ name }) => name)).map((token) => ({ ...token, from: form.dataset.fromTokens }));
  const others = list.filter(({ name }) => !tokens.some((token) => plain(token.name) === plain(name)));
  const own = others.map(({ name, token }) => ({
    ...cards.get(plain(name)),
    ...(token && { token }),
    name,
    from: form.dataset.fromDeck,
  }));
  own.push(...tokens);
  const names = new Set(own.map(({ name }) => plain(name)));
  return [...own, ...[...cards.values()].filter(({ name }) => !names.has(plain(name)))];
}

/** The sort of *card*: the first that it names; null if nothing is known of it. */
const sortOf = (form, card) =>
  sorts(form).find((each) => (each.name === "zone" ? each.value === card.zone : card.types?.includes(each.value))) ?? null;

/** How alike two plain names are, from 0 to 1: by the pairs of letters that both have. */
function alike(one, other) {
  const pairs = (name) => Array.from({ length: name.length - 1 }, (_, n) => name.slice(n, n + 2));
  const [its, theirs] = [pairs(one), pairs(other.slice(0, one.length + 1))];
  return its.length ? (2 * its.filter((pair) => theirs.includes(pair)).length) / (its.length + theirs.length) : 0;
}

function offered(form) {
  const typed = plain(form.elements.name.value);
  const answers = new Set(fetchedFor === typed ? fetched.map(({ name }) => plain(name)) : []);
  const chosen = sort(form);
  // As typed it begins so, then it is of this table or my deck, then it is of the chosen sort.
  const rank = (card) => {
    const its = sortOf(form, card);
    const begins = !typed || plain(card.name).startsWith(typed);
    const near = !typed || card.from !== form.dataset.fromKnown;
    return (begins ? 0 : 8) + (near ? 0 : 4) + (its === chosen ? 0 : its ? 2 : 1);
  };
  const matches = (card) => plain(card.name).includes(typed) || answers.has(plain(card.name));
  const all = known(form).filter(({ name }) => plain(name) !== typed);
  const found = all.filter((card) => (typed ? matches(card) : rank(card) < 2));
  return (found.length || !typed ? found : all.filter(({ name }) => alike(typed, plain(name)) >= ALIKE))
    .map((card, place) => ({ card, place, rank: rank(card) }))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .slice(0, MOST_OFFERED)
    .map(({ card }) => card);
}

function note(form, card) {
  if (card.note) return card.note;
  const values = Object.keys(stats(sortOf(form, card) ?? form)).map((stat) => card.base?.[stat] ?? card[stat]);
  return values.length && values.every((value) => Number.isInteger(value)) ? values.join("/") : "";
}

function piece(tag, text, kind = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

function offer(form) {
  const list = form.querySelector("[data-offers]");
  const cards = offered(form);
  const shown = JSON.stringify(cards);
  const { name } = form.elements;
  form.querySelector("[data-mean]").hidden = !cards.length || !name.value.trim() || picked === plain(name.value);
  if (list.dataset.shown === shown) return; // a finger may be on them
  list.dataset.shown = shown;
  const rows = cards.map((card) => {
    const button = piece("button", "", "offer");
    button.type = "button";
    const type = sortOf(form, card);
    if (type && type.name !== "zone") button.dataset.type = type.value;
    button.append(piece("i", "", "shape"), piece("b", card.name), piece("span", card.from), piece("em", note(form, card)));
    button.addEventListener("click", () => pick(form, card));
    const row = document.createElement("li");
    row.append(button);
    return row;
  });
  list.replaceChildren(...rows);
}

/** Fill in the form as *card* is printed. */
function pick(form, card) {
  form.elements.name.value = card.name;
  picked = plain(card.name);
  const its = sortOf(form, card);
  if (its) {
    its.checked = true;
    if (its.closest("details")) bringForward(form, its);
    arrange(form);
  }
  for (const box of form.querySelectorAll('[type="checkbox"][name="types:list"]'))
    box.checked = box.value !== its?.value && (card.types ?? []).includes(box.value);
  for (const stat of Object.keys(stats(its ?? form))) {
    const value = card.base?.[stat] ?? card[stat];
    if (value !== undefined) number(form, stat).value = value;
  }
  const token = form.elements.namedItem("token:flag");
  if (token && (card.token || "tokenByName" in form.dataset)) {
    token.checked = card.token === true;
    if (card.token) form.dataset.tokenByName = "";
    else delete form.dataset.tokenByName;
  }
  extras(form, card);
  form.dispatchEvent(new CustomEvent("card:filled", { bubbles: true, detail: card }));
  show(form);
}

// Enter takes the one card that the typed name is a part of.
document.addEventListener("keydown", ({ key, target }) => {
  const form = target.closest?.("#new-card");
  if (key !== "Enter" || !form || target.name !== "name") return;
  const typed = plain(target.value);
  const [only, other] = offered(form);
  if (only && !other && typed && plain(only.name).includes(typed)) pick(form, only);
});

/** What else is printed on *card* goes with the form as it is. */
function extras(form, card) {
  const others = Object.entries(card).filter(([key, value]) => !OF_THE_ACT.has(key) && typeof value === "object");
  form.querySelector("[data-extras]").replaceChildren(
    ...others.map(([key, value]) => {
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = `${key}:json`;
      field.value = JSON.stringify(value);
      return field;
    }),
  );
}

// The deck list

function tellDeck(form) {
  const text = form.querySelector("[data-deck-text]");
  const { cards, total, lost } = readDeck(form, text.value);
  const summary = form.querySelector("[data-deck-read]");
  form.querySelector("[data-deck-count]").textContent = total || "";
  summary.textContent = text.value.trim() ? summary.dataset.read.replace("{n}", total).replace("{names}", cards.length) : "";
  if (lost.length) summary.textContent += ` ${summary.dataset.lost}`;
  form.querySelector("[data-deck-lost]").replaceChildren(...lost.slice(0, 20).map((line) => piece("li", line)));
  form.querySelector("[data-deck-drop]").hidden = !text.value;
}

// The form

function prepare() {
  const form = open();
  if (!form) return;
  if (!prepared.has(form)) {
    prepared.set(form, sorts(form).map((each) => each.closest(".sort").id));
    fetched = [];
    picked = null;
    copies = 1;
    const { game: where, sort: used } = storage.read(SORT, {});
    const last = where === game && sorts(form).find((each) => each.value === used);
    if (last) {
      last.checked = true;
      bringForward(form, last);
    }
    propose(form);
    form.elements.name.value = "";
    form.querySelector("[data-deck-text]").value = deck.load(system);
    learn();
  }
  arrange(form);
  tellDeck(form);
  show(form);
}

document.addEventListener("htmx:after:swap", prepare);
document.addEventListener("deck:changed", () => {
  if (open()) show(open());
});

// With a keyboard up there is room for little: the name and what completes it come first from then on. Not from
// the touch that brings the keyboard up: its click would land elsewhere.
document.addEventListener("click", ({ target }) => {
  const form = target.closest?.("#new-card");
  if (!form || target.name !== "name" || !matchMedia("(pointer: coarse)").matches) return;
  form.classList.add("is-typing");
  form.closest("dialog")?.scrollTo(0, 0);
});

document.addEventListener("click", ({ target }) => {
  const form = target.closest?.("#new-card");
  const turn = target.closest?.("[data-turn]");
  const quick = target.closest?.("[data-quick]");
  if (!form) return;
  if (quick) {
    number(form, quick.dataset.quick).value = quick.value;
    tick();
  }
  if (turn) {
    const field = turn.parentElement.querySelector("input");
    const value = Number(field.value || 0) + Number(turn.dataset.turn);
    field.value = Math.max(Number(field.min || 0), Math.min(Number(field.max || 999999), value));
    tick();
  } else if (target.closest("[data-deck-drop]")) {
    deck.keep(system, "");
    form.querySelector("[data-deck-text]").value = "";
    tellDeck(form);
    learn();
  }
});

steps("#new-card [data-step]", {
  now: () => copies,
  set: (button, n) => {
    copies = Math.max(1, Math.min(MOST_COPIES, n));
    show(button.form);
  },
});

document.addEventListener("change", ({ target }) => {
  const form = target.closest?.("#new-card");
  if (!form || target.name === "name") return; // it was shown as it was typed
  if (target.closest(".sort")) {
    propose(form);
    if (target.closest("details")) {
      bringForward(form, target);
      arrange(form);
      form.querySelector(".sorts-more").open = false;
    }
  }
  show(form);
});

document.addEventListener("input", ({ target }) => {
  const form = target.closest?.("#new-card");
  if (!form) return;
  if (target.matches("[data-deck-text]")) {
    deck.keep(system, target.value);
    tellDeck(form);
    learn();
  } else if (target.name === "name") {
    typed(form);
  }
});

/** A fully typed name is that card; another name is no longer the card that was picked. */
function typed(form) {
  const name = plain(form.elements.name.value);
  const same = name && known(form).find((card) => plain(card.name) === name);
  if (same && picked !== name) {
    const asTyped = form.elements.name.value;
    pick(form, same);
    form.elements.name.value = asTyped;
  } else if (picked && picked !== name) {
    picked = null;
    extras(form, {});
    form.dispatchEvent(new CustomEvent("card:filled", { bubbles: true, detail: {} }));
  }
  show(form);
  clearTimeout(timer);
  if (form.dataset.knows === "true" && name.length > 1) timer = setTimeout(() => ask(form), PAUSE);
}

/** Ask the game for the cards it knows. What was typed is sent, the deck list never. */
async function ask(form) {
  const name = form.elements.name.value;
  try {
    const answer = await fetch(`known?${new URLSearchParams({ name })}`, { headers: { Accept: "application/json" } });
    const { cards } = await answer.json();
    if (!form.isConnected || form.elements.name.value !== name) return;
    fetched = cards;
    fetchedFor = plain(name);
  } catch {
    return;
  }
  typedAgain(form);
}

function typedAgain(form) {
  const name = plain(form.elements.name.value);
  const same = fetched.find((card) => plain(card.name) === name);
  if (same && picked !== name) pick(form, same);
  else show(form);
}

// Adding

const apart = (form) => form.dataset.numbered === "true" || form.querySelector('[name$=":secret"]:checked');

/** Copies share their name, and so their row; those without one that never share a row are numbered. */
document.addEventListener(
  "submit",
  ({ target: form }) => {
    if (!form.matches("#sheet-body #new-card")) return;
    const { name } = form.elements;
    const unnamed = !name.value.trim();
    form.toggleAttribute("data-unnamed", unnamed);
    if (unnamed) name.value = called(form);
    const field = form.querySelector("[data-copies]");
    field.name = unnamed && apart(form) ? "copies:numbered" : "copies:copies";
    field.value = copies;
  },
  true,
);

/** The card that is typed into *form*, to be picked again, or added again as one copy. */
function written(form) {
  const fields = new FormData(form);
  const again = fieldsOf(form);
  again.set("copies:copies", 1);
  const values = Object.keys(stats(sort(form) ?? form)).map((stat) => [stat, number(form, stat).value]);
  return {
    ...Object.fromEntries([...form.querySelectorAll("[data-extras] input")].map(({ name, value }) => [name.replace(":json", ""), JSON.parse(value)])),
    name: form.elements.name.value.trim(),
    zone: fields.getAll("zone").findLast(Boolean),
    types: fields.getAll("types:list"),
    token: fields.has("token:flag"),
    form: String(again),
    base: Object.fromEntries(values.filter(([, value]) => value).map(([stat, value]) => [stat, Number(value)])),
  };
}

document.addEventListener("command:given", ({ target: form }) => {
  if (!form.matches("#new-card")) return;
  if (!("unnamed" in form.dataset)) {
    const card = written(form);
    const others = storage.read(REMEMBERED, []).filter(({ name }) => name !== card.name);
    storage.keep(REMEMBERED, [card, ...others].slice(0, MOST_REMEMBERED));
  }
  if (sort(form) && !picked) storage.keep(SORT, { game, sort: sort(form).value });
});
