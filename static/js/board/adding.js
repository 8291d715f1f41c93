// The form for a new card, without a keyboard: the sort used last in this game is chosen, its numbers have steppers,
// and names complete from the deck list of this phone, the cards of this table and those that are known.

import { plain } from "./deck.js";
import { fieldsOf } from "./forms.js";
import { known, offered, REMEMBERED, sort, sortOf, sorts } from "./offers.js";
import { tick } from "../page/haptics.js";
import { steps } from "../page/steps.js";
import * as storage from "../page/storage.js";
import { when } from "../page/when.js";

const { system, game } = document.getElementById("live").dataset;
const SORT = `sort:${system}`;
const MOST_REMEMBERED = 60;
const MOST_FIRST = 3;
const MOST_COPIES = 40;
let prepared = null; // the form that is open
let first = ""; // the sort that was brought to its front
let picked = null;
let copies = 1;
let offers = []; // the cards that are shown to choose from

const open = () => document.querySelector("#sheet-body #new-card");

// The sort of card

const stats = (from) => JSON.parse(from.dataset.stats || "{}");
const number = (form, stat) =>
  form.elements.namedItem(`base.${stat}:number`) ?? form.elements.namedItem(`${stat}:number`);

/** The sort of that input stands first from now on; what then no longer fits in its row goes under "More". */
function bringForward(form, input) {
  const more = form.querySelector(".sorts-more");
  first = input.value;
  more.parentElement.prepend(input.closest(".sort"));
  let letters = 0;
  const row = [...more.parentElement.querySelectorAll(":scope > .sort")];
  const over = row.filter((each, n) => (letters += each.textContent.trim().length) > form.dataset.letters || n >= MOST_FIRST);
  more.querySelector(".sorts").prepend(...over);
}

/** The server draws the sort that was used last in this game first, or the one that was brought forward since. */
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (!ctx.request.action.startsWith("cards/new")) return;
  const last = storage.read(SORT, {});
  ctx.request.body.append("sort", (open() && first) || (last.game === game ? last.sort : ""));
});

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

function offer(form) {
  const list = form.querySelector("[data-offers]");
  const { name } = form.elements;
  offers = offered(form);
  form.querySelector("[data-mean]").hidden = !offers.length || !name.value.trim() || picked === plain(name.value);
  const shown = JSON.stringify(offers);
  if (list.dataset.shown === shown) return; // a finger may be on them
  list.dataset.shown = shown;
  list.replaceChildren(...offers.map((card) => {
    const row = form.querySelector("[data-blank]").content.firstElementChild.cloneNode(true);
    const type = sortOf(form, card);
    if (type && type.name !== "zone") row.firstElementChild.dataset.type = type.value;
    for (const [part, text] of [["b", card.name], ["span", card.from], ["em", card.note]]) row.querySelector(part).textContent = text ?? "";
    return row;
  }));
}

/** Fill in the form as *card* is printed. */
function pick(form, card) {
  const fields = new URLSearchParams(card.form);
  form.elements.name.value = card.name;
  picked = plain(card.name);
  const its = sortOf(form, card);
  if (its) {
    its.checked = true;
    if (its.closest("details")) bringForward(form, its);
  }
  for (const box of form.querySelectorAll('[type="checkbox"][name="types:list"]'))
    box.checked = box.value !== its?.value && fields.getAll(box.name).includes(box.value);
  for (const stat of Object.keys(stats(its ?? form))) {
    const field = number(form, stat);
    field.value = fields.get(field.name) ?? field.value;
  }
  const token = form.elements.namedItem("token:flag");
  const made = card.token || fields.has("token:flag");
  if (token && (made || "tokenByName" in form.dataset)) {
    token.checked = made;
    form.toggleAttribute("data-token-by-name", made);
  }
  extras(form, card.form);
  show(form);
}

// Enter takes the one card that the typed name is a part of, or the one of my deck.
when("keydown", "#new-card [name=name]", ({ form, value }, { key }) => {
  if (key !== "Enter") return;
  const typed = plain(value);
  const decks = offers.filter(({ from }) => from === form.dataset.fromDeck);
  const [only, other] = decks.length ? decks : offers;
  if (only && !other && typed && picked !== typed && plain(only.name).includes(typed)) pick(form, only);
});

/** What else is printed on a card of these fields goes with the form as it is. */
function extras(form, fields) {
  const blank = form.querySelector("[data-blank]").content.querySelector("input");
  form.querySelector("[data-extras]").replaceChildren(
    ...[...new URLSearchParams(fields)]
      .filter(([name]) => name.endsWith(":json"))
      .map(([name, value]) => Object.assign(blank.cloneNode(), { name, value })),
  );
  form.dispatchEvent(new CustomEvent("card:filled", { bubbles: true, detail: fields }));
}

// The form

function prepare() {
  const form = open();
  if (!form) return;
  if (prepared !== form) {
    prepared = form;
    first = "";
    picked = null;
    copies = 1;
    form.elements.name.value = "";
  }
  typed(form);
}

document.addEventListener("htmx:after:swap", prepare);
document.addEventListener("deck:changed", () => {
  if (open()) show(open());
});

// With a keyboard up there is room for little: the name and what completes it come first from then on. Not from
// the touch that brings the keyboard up: its click would land elsewhere.
when("click", "#new-card [name=name]", ({ form }) => {
  if (!matchMedia("(pointer: coarse)").matches) return;
  form.classList.add("is-typing");
  form.closest("dialog")?.scrollTo(0, 0);
});

when("click", "#new-card .offers > li", (chosen) => {
  pick(chosen.closest("#new-card"), offers[[...chosen.parentElement.children].indexOf(chosen)]);
});
when("click", "#new-card [data-quick]", (quick) => {
  number(quick.closest("#new-card"), quick.dataset.quick).value = quick.value;
  tick();
});

steps("#new-card .tile [data-step]", {
  now: (button) => Number(button.parentElement.querySelector("input").value),
  set: (button, n) => {
    const field = button.parentElement.querySelector("input");
    field.value = Math.max(Number(field.min || 0), Math.min(Number(field.max || 999999), n));
  },
});
steps("#new-card .copies [data-step]", {
  now: () => copies,
  set: (button, n) => {
    copies = Math.max(1, Math.min(MOST_COPIES, n));
    show(button.form);
  },
});

when("change", "#new-card", (form, { target }) => {
  if (target.name === "name") return; // it was shown as it was typed
  if (target.closest(".sort")) {
    propose(form);
    if (target.closest("details")) {
      bringForward(form, target);
      form.querySelector(".sorts-more").open = false;
    }
  }
  show(form);
});

when("input", "#new-card [name=name]", ({ form }) => typed(form));

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
    extras(form, "");
  }
  show(form);
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
  const again = fieldsOf(form);
  again.set("copies:copies", 1);
  again.delete("order:json"); // of effects that were there this time
  const values = Object.keys(stats(sort(form) ?? form)).map((stat) => number(form, stat).value);
  return {
    name: form.elements.name.value.trim(),
    note: values.every(Boolean) ? values.join("/") : "",
    token: again.has("token:flag"),
    form: String(again),
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
