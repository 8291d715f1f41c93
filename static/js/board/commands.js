// Turns a button or a filled-in form into a command. The table of buttons comes with the page, as
// the rule system has it (`Tap` in games/systems/presentation.py); forms are read as in games/pages/forms.py.

import * as sources from "./sources.js";

const TAPS = JSON.parse(document.getElementById("live").dataset.taps ?? "{}");

/** The command of the button with that name; undefined if it is not a board's button. */
export const tap = (name) => TAPS[name];

export function fromButton(name, value, amount = 1) {
  const asked = TAPS[name];
  if (!asked) return null;
  const dot = value.indexOf(".");
  const [holder, kind] = dot < 0 ? [value, ""] : [value.slice(0, dot), value.slice(dot + 1)];
  const command = { do: asked.do, ...asked.fixed };
  if (holder) command[asked.holder] = asked.listed ? [holder] : holder;
  if (asked.kind) command[asked.kind] = kind;
  if (asked.source) command[asked.source] = (asked.recalled && sources.last(kind)) || holder;
  if (asked.counted) command.amount = amount;
  return command;
}

/** Which number on the board a command changes at once, and by how much; null if none. */
export function turned(command) {
  const amount = command.amount ?? 1;
  const known = Object.values(TAPS).find((each) => each.do === command.do && each.sign);
  const holder = known && command[known.holder];
  if (typeof amount !== "number" || typeof holder !== "string" || command[known.unless]) return null;
  const kinds = known.kind ? [command[known.kind]].filter(Boolean) : known.changes;
  const ids = kinds.map((kind) => amountId(holder, kind));
  const id = ids.length > 1 ? ids.find((each) => document.getElementById(each)) : ids[0];
  return id || ids.length > 1 ? { id, by: known.sign * amount } : null;
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
  const command = {}, ids = {};
  let secret = false;
  for (const field of form.querySelectorAll("[data-lower]")) field.value = kindTyped(field.value);
  for (const [field, text] of new FormData(form, submitter)) {
    const [path, how] = field.split(":");
    const dot = path.indexOf(".");
    const [key, inner] = dot < 0 ? [path, ""] : [path.slice(0, dot), path.slice(dot + 1)];
    const value = String(text).trim();
    if (how === "member") {
      command[key] ??= [];
      if (value && inner) command[key].push(inner);
    } else if (how === "new") {
      ids[key] = value;
    } else if (value && how === "list") {
      (command[key] ??= []).push(value);
    } else if (value) {
      secret ||= how === "secret";
      const read = how === "flag" || how === "secret" ? true : how === "no" ? false : how === "json" ? JSON.parse(value) : how === "number" && /^[+-]?\d+$/.test(value) ? Number(value) : value;
      if (inner) (command[key] ??= {})[inner] = read;
      else command[key] = read;
    }
  }
  delete command.csrfmiddlewaretoken;
  if (command.do === "create") ids.as ??= "";
  for (const [key, like] of Object.entries(ids)) command[key] ??= newId(secret ? "" : command.name ?? like);
  return command;
}

function newId(name) {
  const letters = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^[-0-9]+|-+$/g, "").slice(0, 30);
  return `${letters || "card"}-${Math.random().toString(36).slice(2, 6)}`;
}
