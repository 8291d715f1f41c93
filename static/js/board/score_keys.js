// The cells of a score sheet. A tap on anybody's opens the keys where the next step stands; what is typed stands in the
// cell, and is written when the cell is left by any way but Undo. Next goes on to the next empty cell: down one's own
// column of parts, else along the row. A cell that is made of answers corrects one of them, one of a round that was
// counted what it brought.

import { looks } from "./deltas.js";
import { reckoned } from "./reckoning.js";
import * as outbox from "../net/outbox.js";
import { tick } from "../page/haptics.js";
import { make } from "../page/make.js";
import * as storage from "../page/storage.js";

const live = document.getElementById("live");
const WRITABLE = "[data-counter], [data-prompt], [data-said]";
const sheet = () => document.getElementById("scores");
const acts = () => document.querySelector("#cockpit > .acts");
const columnOf = (cell) => cell.parentElement.dataset.seat;
const rowOf = (cell) => cell.closest("tr");
const isMine = (cell) => columnOf(cell) === live.dataset.seat;
const isEmpty = (cell) => cell.classList.contains("is-empty") && !sent.has(cell.id);
const writable = (cell) =>
  live.dataset.seat && cell.matches(WRITABLE) && (!cell.dataset.prompt || isMine(cell) || "byAny" in cell.dataset);
const cells = () => [...document.querySelectorAll("#scores .score")].filter(writable);
const opened = () => openId && document.getElementById(openId);
const headOf = (cell) => (rowOf(cell).querySelector("th > b") ?? rowOf(cell).querySelector("th")).textContent.trim();
const numberIn = (text) => (text.trim() ? Number(text.trim().replace("−", "-")) : null);
const printed = (n) => String(n).replace("-", "−");
const strip = (seat) => document.getElementById(`${seat}.cell`);
const nameOf = (seat) => strip(seat).querySelector(".cell-name").textContent;
const sumOf = (seat) => numberIn(document.getElementById(`${seat}.sum`).querySelector("b").textContent);

let openId = "";
let was = null; // the number that stood in the open cell; null if none did
let asks = ""; // the question that it answers
let stood = ""; // what it showed, as HTML
let direct = true; // what is typed is what it shows: not so of a bid from which points are made
let said = []; // the answers of which it is made: prompt, number, and what that is called
let which = 0; // the one that is corrected
let parts = [];
let usual = false; // the number that stands there is the one that was bid: a digit takes its place
let cleared = false; // the last digit of what stood there was taken away
const sent = new Map(); // by cell: what it showed before a number that the table has not answered yet

/** The number that is typed; null if none is. */
function typed() {
  const meant = parts.at(-1) === "-" || parts.at(-1) === "+" ? parts.slice(0, -1) : parts;
  return meant.length ? reckoned(meant, 0) : cleared ? null : was;
}

const fits = (cell, n) => n !== null && n >= Number(cell.dataset.least ?? n) && n <= Number(cell.dataset.most ?? n);

/** "Dan, coins" or "Ana, round 3". */
function called(cell) {
  const row = headOf(cell);
  const says = rowOf(cell).dataset.sort === "round" ? sheet().dataset.round.replace("{n}", row) : row;
  const what = cell.id === openId && said.length > 1 ? `, ${said[which][2]}` : "";
  return `${nameOf(columnOf(cell))}, ${says}${what}`;
}

/** Read what stands in *cell*. */
function read(cell) {
  stood = cell.innerHTML;
  said = cell.dataset.said ? JSON.parse(cell.dataset.said) : [];
  which = Math.min(which, Math.max(0, said.length - 1));
  was = said.length ? said[which][1] : isEmpty(cell) ? null : numberIn(cell.textContent);
  direct = !said.length || (said.length === 1 && numberIn(cell.textContent) === was);
}

/** The cell after *cell* that is still empty; null after the last one. */
function following(cell) {
  if (cell.dataset.said ?? cell.dataset.round) return null;
  const empty = cells().filter((each) => isEmpty(each) && each !== cell);
  const after = (each) => cell.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING;
  if (isMine(cell) && rowOf(cell).dataset.sort === "part") return empty.find((each) => isMine(each) && after(each));
  return empty.find(after) ?? empty[0];
}

/** The button that begins the next round, once *cell* is its last: no other seat's is empty, and no further question
 * fills it, of which its row says so. */
function beginning(cell) {
  const left = cell && [...rowOf(cell).querySelectorAll(".score")].some((each) => each !== cell && isEmpty(each));
  if (left || (cell && rowOf(cell).querySelector("th > small"))) return null;
  return document.querySelector("#step button[name=begin-turn]");
}

// What a cell's number becomes

function command(cell, n) {
  const { counter, prompt, round } = cell.dataset;
  if (said.length) return { do: "revise", prompt: said[which][0], round: parseInt(headOf(cell)), number: n };
  if (prompt) return { do: "answer", prompt, number: n };
  const on = columnOf(cell);
  if (round) return { do: "correct", on, counter, round: Number(round), to: n };
  if (was) return { do: "correct", on, counter, to: n };
  return n < 0 ? { do: "remove", on, counter, amount: -n } : { do: "place", on, counter, amount: n };
}

/** Write what is typed into the open cell. */
function write() {
  const cell = opened();
  const n = typed();
  if (!cell || !parts.length || !fits(cell, n) || (n === was && !isEmpty(cell))) return;
  const meant = command(cell, n);
  const id = outbox.give(meant, `#${CSS.escape(cell.id)}`);
  if (!id) return;
  note(meant);
  sent.set(cell.id, { id, text: stood });
  if (direct) stood = printed(n);
  cell.innerHTML = stood;
  was = n;
  parts = [];
  tick();
}

// The keys

function press(key) {
  if (usual && /\d/.test(key)) parts = [];
  usual = false;
  const last = parts.at(-1);
  if (key === "back") {
    if (!parts.length && was !== null && !cleared) parts = [String(was)];
    const end = parts.pop();
    if (end?.length > 1 && end !== "-") parts.push(end.slice(0, -1));
    cleared = !parts.length;
  } else if (key === "sign") {
    if (!parts.length && was !== null && !cleared) parts = [String(-was)];
    else if (last === undefined || last === "+") parts.push("-");
    else parts[parts.length - 1] = last.startsWith("-") ? last.slice(1) : `-${last}`;
    parts = parts.filter(Boolean);
  } else if (key === "+") {
    if (!parts.length && was !== null && !cleared) parts = [String(was)];
    if (parts.length && parts.at(-1) !== "+" && parts.at(-1) !== "-") parts.push("+");
  } else if (last !== undefined && last !== "+") {
    if (last.length < 7) parts[parts.length - 1] = last === "0" ? key : last + key;
  } else parts.push(key);
  show();
}

/** A row of keys: what each stands for, and what it says. */
function row(name, keys) {
  const buttons = keys.map(([value, says]) => make("button", { type: "button", dataset: { [name]: value } }, says));
  return make("div", { className: "keys-steps" }, ...buttons);
}

/** What a written number is usually off by: tens and fives where all are such, else tens and ones. */
function steps() {
  const by = cells().every((each) => (numberIn(each.textContent) ?? 0) % 5 === 0) ? 5 : 1;
  return row("step", [[-10, "−10"], [-by, `−${by}`], [by, `+${by}`], [10, "+10"]]);
}

/** The answers that can be corrected. */
const answers = () => row("answer", said.map(([, number, what], n) => [n, `${what} ${printed(number)}`]));

function show() {
  const cell = opened();
  const keys = acts()?.querySelector(".keys");
  if (!cell || !keys) return;
  const n = typed();
  const main = keys.querySelector(".keys-write");
  const says = keys.querySelector(".keys-says span:last-child");
  if (!parts.length && !direct) cell.innerHTML = stood;
  else cell.textContent = n === null ? (parts.length ? "−" : "") : printed(n);
  const sum = parts.length > 1 ? parts.map(printed).join(" ") : "";
  const bad = n !== null && !fits(cell, n);
  const { least, most } = cell.dataset;
  const corrects = (parts.length || cleared) && was !== null && !sum && !bad;
  const step = corrects ? `${printed(was)} → ${n === null ? "" : printed(n)}` : "";
  const total = corrects ? summed(cell, n) : "";
  keys.querySelector("p > b").textContent = total ? `${called(cell)}: ${step}` : called(cell);
  for (const each of keys.querySelectorAll("[data-answer]")) each.setAttribute("aria-pressed", Number(each.dataset.answer) === which);
  if (bad && !(least && most)) says.textContent = least ? `≥ ${printed(least)}` : `≤ ${printed(most)}`;
  else if (bad) says.textContent = sheet().dataset.bounds.replace("{least}", printed(least)).replace("{most}", printed(most));
  else says.textContent = total || step || (sum && n !== null ? `${sum} = ${printed(n)}` : "");
  main.disabled = bad || (n === null && (parts.length > 0 || cleared));
  label(main, cell);
}

/** What the total becomes with a corrected number, and who has as much: "340 → 350, level with Cleo". */
function summed(cell, n) {
  if (!(said.length || cell.dataset.round) || !direct || n === null) return "";
  const seat = columnOf(cell);
  const total = sumOf(seat) + n - was;
  const seats = [...rowOf(cell).querySelectorAll("td")].map((each) => each.dataset.seat);
  const level = seats.filter((each) => each !== seat && sumOf(each) === total).map(nameOf).join(", ");
  const change = `${printed(sumOf(seat))} → ${printed(total)}`;
  return level ? `${change}, ${sheet().dataset.level.replace("{who}", level)}` : change;
}

function label(main, cell) {
  const to = following(cell);
  const { dataset } = sheet();
  if (to) {
    const seat = columnOf(to);
    const whose = seat === columnOf(cell) ? [headOf(to)] : [signOf(seat), nameOf(seat)];
    main.replaceChildren(make("span", {}, dataset.next), ...whose.slice(0, -1), make("span", {}, whose.at(-1)));
  } else if (beginning(cell) && isEmpty(cell)) {
    const round = parseInt(headOf(cell));
    main.replaceChildren(dataset.writes.replace("{n}", round + 1));
  } else {
    const what = parts.length && typed() !== null ? printed(typed()) : "";
    main.replaceChildren(make("span", {}, parts.length ? dataset.write : dataset.ends), make("b", {}, what));
  }
}

/** The mark of *seat*, in its looks. */
function signOf(seat) {
  const mark = strip(seat).querySelector(".seat-mark").cloneNode(true);
  return make("span", { className: "keys-mark", ariaHidden: "true", dataset: looks(strip(seat)) }, mark);
}

/** Open *cell*: what was typed into another is written. */
function open(cell) {
  leave();
  openId = cell.id;
  which = 0;
  asks = cell.dataset.prompt;
  read(cell);
  usual = isEmpty(cell) && "usual" in cell.dataset;
  parts = usual ? [cell.dataset.usual] : [];
  cleared = false;
  const keys = make("div", { className: "keys" }, document.getElementById("score-keys").content.cloneNode(true));
  keys.querySelector(".keys-says").prepend(signOf(columnOf(cell)));
  if (said.length > 1) keys.querySelector(".keys-says").after(answers());
  else if (was) keys.querySelector(".keys-says").after(steps());
  acts().append(keys);
  mark();
  show();
  cell.scrollIntoView({ block: "nearest" });
}

/** Draw the open cell as open, and its column. */
function mark() {
  for (const each of document.querySelectorAll("#scores :is(.is-open, .is-column)")) each.classList.remove("is-open", "is-column");
  const cell = opened();
  live.classList.toggle("is-keying", Boolean(cell));
  if (!cell) return;
  sheet().style.setProperty("--of", `var(--seat-${strip(columnOf(cell)).dataset.colour})`);
  cell.classList.add("is-open");
  for (const each of sheet().querySelectorAll(`td[data-seat="${CSS.escape(columnOf(cell))}"]`)) each.classList.add("is-column");
}

/** Leave the open cell; what is typed is written, or with *undone* it stays as it was. */
function leave({ undone = false } = {}) {
  const cell = opened();
  if (usual) parts = [];
  usual = false;
  if (cell && !undone) write();
  if (cell && (undone || !sent.has(cell.id))) cell.innerHTML = stood;
  openId = "";
  parts = [];
  acts()?.querySelector(".keys")?.remove();
  mark();
}

let begins = false; // the last cell of a round is written: the next round may begin

function next() {
  const cell = opened();
  if (!cell) return;
  const to = following(cell);
  begins = !to && isEmpty(cell) && Boolean(beginning(cell));
  write();
  leave();
  if (to) open(document.getElementById(to.id));
  look();
}

/** The next round begins with the first cell open. */
function goOn() {
  const step = beginning();
  if (!begins || sent.size) return;
  const first = cells().find(isEmpty);
  if (first) {
    begins = false;
    open(first);
  } else if (step && begins !== "given" && !document.querySelector("#end [data-again]")) {
    begins = "given";
    step.click();
  }
}

// Hidden answers: only the phone that gave one knows its number, until all are revealed

const GIVEN = `hidden ${location.pathname}`;
const given = () => storage.read(GIVEN, {}, true);

function note({ do: verb, prompt, number }) {
  if (verb === "answer") storage.keep(GIVEN, { ...given(), [prompt]: number }, true);
}

function showOwn() {
  const known = given();
  for (const cell of document.querySelectorAll("#scores [data-held]")) {
    const number = known[cell.dataset.held];
    if (number === undefined) continue;
    cell.classList.add("is-own");
    cell.textContent = printed(number);
  }
}

document.addEventListener("command:given", ({ detail }) => detail && note(detail));

// What is to be written next, for the next step

function look() {
  if (!sheet()) return;
  const first = cells().find((each) => isEmpty(each) && isMine(each)) ?? cells().find(isEmpty);
  const { dataset } = sheet();
  const round = first && rowOf(first).dataset.sort === "round";
  const words = first && (round ? dataset.writes.replace("{n}", headOf(first)) : `${dataset.next}: ${called(first)}`);
  showOwn();
  if (words) dataset.unwritten = words;
  else delete dataset.unwritten;
  for (const cell of cells()) {
    cell.setAttribute("role", "button");
    cell.tabIndex = 0;
    cell.setAttribute("aria-label", `${called(cell)}, ${cell.textContent.trim() || dataset.empty}`);
  }
  document.dispatchEvent(new Event("scores:looked"));
}

document.addEventListener("scores:write", () => {
  const first = cells().find((each) => isEmpty(each) && isMine(each)) ?? cells().find(isEmpty);
  if (first) open(first);
});

document.addEventListener("click", ({ target }) => {
  const cell = target.closest?.("#scores .score");
  const key = target.closest?.("[data-digit]");
  if (cell && writable(cell)) {
    if (cell.id !== openId) open(cell);
    look();
  } else if (key) press(key.dataset.digit);
  else if (target.closest?.("[data-step]")) {
    parts = [String((typed() ?? 0) + Number(target.closest("[data-step]").dataset.step))];
    show();
  } else if (target.closest?.("[data-answer]")) {
    which = Number(target.closest("[data-answer]").dataset.answer);
    was = said[which][1];
    parts = [];
    cleared = false;
    show();
  }
  else if (target.closest?.(".keys-write")) next();
  else if (target.closest?.("[data-keys-close]")) {
    leave();
    look();
  } else if (openId && target.closest?.(".undo")) leave({ undone: true });
});

document.addEventListener("keydown", (event) => {
  const on = event.target.closest?.("#scores .score");
  if (!openId && on && (event.key === "Enter" || event.key === " ")) on.click();
  else if (!openId || event.target.closest?.("dialog, input, textarea") || event.metaKey || event.ctrlKey || event.altKey) return;
  else if (/^\d$/.test(event.key) || event.key === "+") press(event.key);
  else if (event.key === "-") press("sign");
  else if (event.key === "Backspace") press("back");
  else if (event.key === "Enter" && !event.target.closest?.("button")) next();
  else if (event.key === "Escape") leave();
  else return;
  event.preventDefault();
});

const known = new Map(); // by cell: what it showed

/** A number of a round that is over, or of a part, and became another, has a ring in the actor's colour. */
function ring() {
  const actor = strip(document.getElementById("seq")?.dataset.by);
  for (const cell of cells().filter((each) => each.id !== openId)) {
    const before = known.get(cell.id);
    known.set(cell.id, cell.textContent);
    if (!actor || !before || before === cell.textContent || rowOf(cell).matches(".is-now")) continue;
    cell.style.setProperty("--by", `var(--seat-${actor.dataset.colour})`);
    cell.classList.add("is-hit");
    setTimeout(() => cell.classList.remove("is-hit"), 3000);
  }
}

/** A redrawn sheet shows what is open; a cell that is gone, or was answered meanwhile, is open no more. */
function changed() {
  const waiting = new Set(outbox.waiting().map(({ command: { id } }) => id));
  for (const [cell, { id }] of sent) if (!waiting.has(id)) sent.delete(cell);
  ring();
  const cell = opened();
  if (openId && (!cell || !writable(cell) || cell.dataset.prompt !== asks)) leave({ undone: true });
  else if (cell) {
    if (!parts.length && !cleared) read(cell);
    mark();
    show();
  }
  goOn();
  look();
}

document.addEventListener("table:refused", ({ detail }) => {
  begins = false;
  const found = [...sent].find(([, { id }]) => id === detail.item?.command.id);
  if (!found) return;
  sent.delete(found[0]);
  const cell = document.getElementById(found[0]);
  if (cell && cell.id !== openId) cell.innerHTML = found[1].text;
});
document.addEventListener("table:changed", changed);
document.addEventListener("htmx:after:swap", changed);
ring();
look();
