// Turns a button or a filled-in form into a command. The table of buttons comes with the page, as
// the rule system has it (`Tap` in games/systems/presentation.py); forms are read as in games/pages/forms.py.

import { changing, given, plus } from "./gives.js";
import * as sources from "./sources.js";

const { taps, each } = document.getElementById("live").dataset;
const TAPS = JSON.parse(taps ?? "{}");
/** By verb: the parameters that name a card, with a star if they take a list; "object" or "on" if it is not there. */
const NAMING = JSON.parse(each ?? "{}");
const ROW = (holder) => `[name="each.${CSS.escape(holder)}"]`;

/** The command of the button with that name; undefined if it is not a board's button. */
export const tap = (name) => TAPS[name];

/** The mark of a card that lies on its side, and the names of the buttons that turn it and turn it back. */
export function turns() {
  const found = Object.entries(TAPS).filter(([, each]) => each.turns);
  const [on, off] = [true, false].map((value) => found.find(([, { fixed }]) => (fixed.value ?? true) === value)?.[0]);
  return { mark: TAPS[on]?.fixed.mark, on, off };
}

export function fromButton(button, amount = 1) {
  const { name, value } = button;
  const asked = TAPS[name];
  if (!asked) return null;
  const dot = value.indexOf(".");
  const [holder, kind] = dot < 0 ? [value, ""] : [value.slice(0, dot), value.slice(dot + 1)];
  const command = { do: asked.do, ...asked.fixed };
  if (holder) command[asked.holder] = asked.listed ? [holder] : holder;
  if (asked.kind) command[asked.kind] = kind;
  if (asked.source) command[asked.source] = (asked.recalled && sources.last(kind)) || holder;
  if (asked.counted) command.amount = amount;
  if (asked.own && owned(holder)) Object.assign(command, asked.own);
  return holder ? forEach(command, holder, meant(button, holder)) : command;
}

/** The cards that a button on the card *holder* means: all that share its row, or as many as its sheet says. */
export function meant(button, holder) {
  const part = button.closest("#sheet-body") ?? document.getElementById("board");
  return part?.querySelector(ROW(holder))?.value.split(" ") ?? [holder];
}

/** *command* for each of *ids* where it names *first*, as `for_each` in games/screens/stacks.py makes it. */
export function forEach(command, first, ids) {
  const naming = (NAMING[command.do] ?? "object on").split(" ");
  const keys = naming.map((key) => key.replace("*", ""));
  for (const key of keys) {
    if (!Array.isArray(command[key]) || !command[key].includes(first)) continue;
    command = { ...command, [key]: [...command[key].filter((id) => id !== first && !ids.includes(id)), ...ids] };
  }
  const names = keys.filter((key) => command[key] === first);
  if (!names.length || ids.join() === first) return command;
  if (ids.length === 1) return { ...command, ...Object.fromEntries(names.map((key) => [key, ids[0]])) };
  if (names.length === 1 && naming.includes(`${names[0]}*`)) return { ...command, [names[0]]: ids };
  const { note, ...step } = command;
  return { do: "together", steps: [step], each: { [first]: ids }, ...(note && { note }) };
}

/** Whether this phone's seat controls the card *id*. */
function owned(id) {
  const { seat } = document.getElementById("live").dataset;
  return document.getElementById(`o-${id}`)?.closest("[data-seat]")?.dataset.seat === seat;
}

/** Which number on the board a command changes at once, and by how much (0 if only the server knows); null if none. */
export function turned(command) {
  const amount = command.amount ?? 1;
  const known = Object.values(TAPS).find((each) => each.do === command.do && each.sign);
  const holder = known && one(command[known.holder]);
  if (typeof amount !== "number" || typeof holder !== "string" || command[known.unless]) return null;
  const kinds = known.kind ? [command[known.kind]].filter(Boolean) : known.changes;
  const ids = kinds.map((kind) => amountId(holder, kind));
  const id = ids.length > 1 ? ids.find((each) => document.getElementById(each)) : ids[0];
  if (!id && ids.length < 2) return null;
  const place = known.sign > 0 && id ? changing(id) : null;
  return { id, by: place ? tappedThere(place, command) : known.sign * amount };
}

/** What *command* gives in a place where cards change it; 0 unless a tap there gives the same command. */
function tappedThere(place, command) {
  const more = plus(place);
  const tapped = more ? fromButton(more, command.amount) : {};
  const same = Object.keys({ ...tapped, cause: "", order: "" }).every((key) => String(tapped[key]) === String(command[key]));
  return (same && given(place, command.amount)?.amount) || 0;
}

/** The card that shows the number of *ids*: the row that they are all of, or their sheet. */
function one(ids) {
  if (!Array.isArray(ids)) return ids;
  const all = (id) => document.querySelector(`#board ${ROW(id)}`)?.value.split(" ").length === ids.length;
  return ids.find(all) ?? ids.slice(0, 1).find((id) => document.querySelector(`#sheet-body ${ROW(id)}`));
}

function amountId(holder, kind) {
  return `${holder}.${kind.replaceAll(" ", "_")}`;
}

/** Typed text, as the rules spell a kind of counter: "Energía!" is "energia". */
function kindTyped(text) {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9 +\-/'.:]+/g, " ").replace(/^[/'.: ]+| +$/g, "");
}

export function fromForm(form, submitter) {
  const command = {}, ids = {}, rows = {};
  let secret = false;
  const kinds = new Set([...form.querySelectorAll("[data-lower]")].map(({ name }) => name));
  for (const [field, text] of new FormData(form, submitter)) {
    const [path, how] = field.split(":");
    const dot = path.indexOf(".");
    const [key, inner] = dot < 0 ? [path, ""] : [path.slice(0, dot), path.slice(dot + 1)];
    const value = kinds.has(field) ? kindTyped(String(text)) : String(text).trim();
    if (key === "each") {
      rows[inner] = value.split(" ");
    } else if (how === "member") {
      command[key] ??= [];
      if (value && inner) command[key].push(inner);
    } else if (how === "new") {
      ids[key] = value;
    } else if (value && how === "list") {
      (command[key] ??= []).push(value);
    } else if (value) {
      secret ||= how === "secret";
      const read = how === "flag" || how === "secret" ? true : how === "no" ? false : how === "json" ? JSON.parse(value) : (how === "number" || how === "inside") && /^[+-]?\d+$/.test(value) ? Number(value) : value;
      if (how === "inside") ((command[key] ??= {})[inner.split(".")[0]] ??= {})[inner.split(".")[1]] = read;
      else if (inner) (command[key] ??= {})[inner] = read;
      else command[key] = read;
    }
  }
  delete command.csrfmiddlewaretoken;
  if (command.do === "create") ids.as ??= "";
  for (const [key, like] of Object.entries(ids)) command[key] ??= newId(secret ? "" : command.name ?? like);
  return Object.entries(rows).reduce((made, [first, each]) => forEach(made, first, each), command);
}

function newId(name) {
  const letters = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^[-0-9]+|-+$/g, "").slice(0, 30);
  return `${letters || "card"}-${Math.random().toString(36).slice(2, 6)}`;
}
