// Turns a button into a command. The table of buttons comes with the page, as the rule system has it (`Tap` in
// games/systems/presentation.py). Which cards a row means, and what a form's fields say, the server reads
// (games/screens/forms.py); here is read only what shows at once.

import { changing, given, plus } from "./gives.js";
import * as sources from "./sources.js";

const TAPS = JSON.parse(document.getElementById("live").dataset.taps ?? "{}");
const ROW = (holder) => `[name="each.${CSS.escape(holder)}"]`;

/** The command of the button with that name; undefined if it is not a board's button. */
export const tap = (name) => TAPS[name];

/** The mark of a card that lies on its side, and the names of the buttons that turn it and turn it back. */
export function turns() {
  const found = Object.entries(TAPS).filter(([, each]) => each.turns);
  const [on, off] = [true, false].map((value) => found.find(([, { fixed }]) => (fixed.value ?? true) === value)?.[0]);
  return { mark: TAPS[on]?.fixed.mark, on, off };
}

/** The command that puts as many again as there are, by an effect and never as a cost; null if *plus* puts none. On a
 * row each card gets as many as it has. */
export function doubling(plus) {
  if (TAPS[plus.name]?.do !== "place") return null;
  const { cause: _usual, ...command } = fromButton(plus);
  return { ...command, amount: "double" };
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
  return holder ? forRow(command, button, holder) : command;
}

/** *command* for all cards that share the row of *holder*, or as many as the sheet around *button* says. */
export function forRow(command, button, holder) {
  const part = button.closest("#sheet-body") ?? document.getElementById("board");
  const row = part?.querySelector(ROW(holder))?.value.split(" ");
  return row ? { ...command, rows: { [holder]: row } } : command;
}

/** True if this phone's seat controls the card *id*. */
function owned(id) {
  const { seat } = document.getElementById("live").dataset;
  return document.getElementById(`o-${id}`)?.closest("[data-seat]")?.dataset.seat === seat;
}

/** The plain fields of *command*, each under its name without the part that says how to read it. */
export function plainly(command) {
  if (command.form === undefined) return command;
  const fields = [...new URLSearchParams(command.form)].filter(([, value]) => value);
  const read = (name, value) => (name.endsWith(":number") ? Number(value) : name.endsWith(":kind") ? value.trim().toLowerCase() : value);
  return Object.fromEntries(fields.map(([name, value]) => [name.split(":")[0], read(name, value)]));
}

/** The number on the board that a command changes at once, and by how much (0 if only the server knows); null if
 * none. */
export function turned(given) {
  const command = plainly(given);
  const amount = command.amount ?? 1;
  const known = Object.values(TAPS).find((each) => each.do === command.do && each.sign);
  const holder = known && shownAs(command[known.holder], command);
  if (typeof amount !== "number" || typeof holder !== "string" || command[known.unless]) return null;
  const kinds = known.kind ? [command[known.kind]].filter(Boolean) : known.changes;
  const ids = kinds.map((kind) => amountId(holder, kind));
  const id = ids.length > 1 ? ids.find((each) => document.getElementById(each)) : ids[0];
  if (!id && ids.length < 2) return null;
  const place = known.sign > 0 && id ? changing(id) : null;
  return { id, by: place ? tappedThere(place, command) : known.sign * amount };
}

/** The amount that *command* gives in a place where cards change it; 0 unless a tap there gives the same command. */
function tappedThere(place, command) {
  const more = plus(place);
  const tapped = more ? fromButton(more, command.amount) : {};
  const same = Object.keys({ ...tapped, cause: "", order: "" }).every((key) => String(tapped[key]) === String(command[key]));
  return (same && given(place, command.amount)?.amount) || 0;
}

/** The card whose number shows a change of *holder*: the row of the board that the command means whole, or itself. */
function shownAs(holder, command) {
  const ids = command.rows?.[holder] ?? command[`each.${holder}`]?.split(" ") ?? [];
  const whole = (id) => document.querySelector(`#board ${ROW(id)}`)?.value.split(" ").length === ids.length;
  return ids.find(whole) ?? holder;
}

function amountId(holder, kind) {
  return `${holder}.${kind.replaceAll(" ", "_")}`;
}
