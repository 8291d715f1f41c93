// What a button or a filled-in form asks for, as a command. `games/forms.py` reads the same way.

import * as sources from "./sources.js";

const TURNS = {
  less: { do: "remove", holder: "on", kind: "counter" },
  more: { do: "place", holder: "on", kind: "counter" },
  own: { do: "place", holder: "on", kind: "counter", by: "source" },
  sourced: { do: "place", holder: "on", kind: "counter", by: "source" },
  damage: { do: "damage", holder: "on" },
  "gain-life": { do: "gain-life", holder: "seat" },
  "lose-life": { do: "lose-life", holder: "seat" },
  wield: { do: "wield", holder: "object" },
  enlighten: { do: "activate", holder: "object", ability: "enlighten" },
  cast: { do: "cast", holder: "object" },
  "halve-life": { do: "halve-life", holder: "seat" },
  "resolve-spell": { do: "resolve-spell", holder: "on" },
  "begin-phase": { do: "begin-phase", holder: "phase" },
  "fill-slot": { do: "fill", holder: "on", slots: 1 },
  "clear-slot": { do: "clear", holder: "on", slots: 1 },
  "spend-slot": { do: "spend", holder: "on", slots: 1 },
  "reveal-slot": { do: "edit", holder: "on", visibility: "open" },
  "hide-slot": { do: "edit", holder: "on", visibility: "hidden" },
  "resolve-slot": { do: "resolve", holder: "on" },
  "restart-slot": { do: "restart", holder: "on" },
};
const COUNTED = new Set(["place", "remove", "damage", "gain-life", "lose-life"]);

export function fromButton(name, value, amount = 1) {
  if (name === "begin-turn") return { do: "begin-turn", active: [value] };
  const turn = TURNS[name];
  if (!turn) return null;
  const dot = value.indexOf(".");
  const [holder, kind] = dot < 0 ? [value, ""] : [value.slice(0, dot), value.slice(dot + 1)];
  const { holder: holderKey, kind: kindKey, by: sourceKey, ...command } = turn;
  if (holder) command[holderKey] = holder;
  if (kindKey) command[kindKey] = kind;
  if (sourceKey) command[sourceKey] = (name === "sourced" && sources.last(kind)) || holder;
  if (COUNTED.has(command.do)) command.amount = amount;
  return command;
}

/** Which number on the board a command changes at once, and by how much; null if none. */
export function turned(command) {
  const by = command.amount ?? 1;
  if (typeof by !== "number") return null;
  if (command.do === "place" && typeof command.on === "string" && command.counter)
    return { id: amountId(command.on, command.counter), by };
  if (command.do === "remove" && command.counter)
    return { id: amountId(command.on, command.counter), by: -by };
  if (command.do === "damage" && typeof command.on === "string" && !command.source) {
    const id = ["damage", "marked"].map((kind) => amountId(command.on, kind));
    return { id: id.find((each) => document.getElementById(each)), by };
  }
  if (command.do === "gain-life") return { id: amountId(command.seat, "life"), by };
  if (command.do === "lose-life") return { id: amountId(command.seat, "life"), by: -by };
  return null;
}

export function amountId(holder, kind) {
  return `${holder}.${kind.replaceAll(" ", "_")}`;
}

/** What somebody typed, as the rules spell a kind of counter: "Energía!" is "energia". */
function kindTyped(text) {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9 +\-/'.:]+/g, " ").replace(/^[/'.: ]+| +$/g, "");
}

export function fromForm(form, submitter) {
  const command = {};
  for (const field of form.querySelectorAll("[data-lower]")) field.value = kindTyped(field.value);
  for (const [field, text] of new FormData(form, submitter)) {
    const [path, how] = field.split(":");
    const dot = path.indexOf(".");
    const [key, inner] = dot < 0 ? [path, ""] : [path.slice(0, dot), path.slice(dot + 1)];
    const value = String(text).trim();
    if (how === "member") {
      command[key] ??= [];
      if (value && inner) command[key].push(inner);
    } else if (value && how === "list") {
      (command[key] ??= []).push(value);
    } else if (value) {
      const read = how === "flag" ? true : how === "no" ? false : how === "json" ? JSON.parse(value) : how === "number" && /^[+-]?\d+$/.test(value) ? Number(value) : value;
      if (inner) (command[key] ??= {})[inner] = read;
      else command[key] = read;
    }
  }
  delete command.csrfmiddlewaretoken;
  if ((command.do === "create" || command.do === "copy") && !command.prompt) command.as ??= newId(command.name ?? "card");
  return command;
}

function newId(name) {
  const letters = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^[-0-9]+|-+$/g, "").slice(0, 30);
  return `${letters || "card"}-${Math.random().toString(36).slice(2, 6)}`;
}
