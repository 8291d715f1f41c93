// Typed lines. Enter takes a line out of its field at once, so that the next can be typed; until it is made it stands
// below the field. Lines are sent one by one, in their order, each under an id that happens once, through reloads and
// lost connections. What is refused, or asked for its type, goes back into the field if nothing was typed since; if
// something was, it stays below, to be tapped.
//
// Nothing becomes public that was not shown: a line that was quicker than its preview stands below with its preview for
// a moment first. Enter again sends it at once, and a tap takes it back.

import { tick } from "../page/haptics.js";
import { float } from "../board/refusals.js";
import { newId } from "../net/outbox.js";
import { make as element } from "../page/make.js";
import { ids, reveal } from "./fresh.js";
import { count } from "./sent.js";
import { button } from "./sets.js";
import * as storage from "../page/storage.js";

const PAUSE = 150;
const SHOWN = 1000;
const AGAIN = 3000;
const TRIES = 3;
const KEY = `lines:${document.getElementById("live").dataset.game}`;
const token = document.querySelector("#t [name=csrfmiddlewaretoken]")?.value ?? "";

let lines = storage.read(KEY, [], true); // { id, form, fields, state: "" (on its way), "asked" or "refused", html: what stands beside it }
let typing = 0; // what was typed so far, counted
let timer = 0; // of the next preview
let busy = false;
let wake = () => {};
let back = null; // the line that was put back into its field, and is selected there

const fieldOf = (form) => form.elements.line;
const previewOf = (form) => form.querySelector("[data-preview]");
const refusalOf = (form) => form.querySelector("p.refusal");
const isOf = (form) => (line) => line.form === form.id;

/** The status and the text of the answer; of none, a status that says so. */
async function post(where, fields) {
  const headers = { "HX-Request": "true", "X-CSRFToken": token };
  try {
    const answer = await fetch(`slots/${where}`, { method: "POST", headers, body: new URLSearchParams(fields) });
    return { status: answer.status, html: await answer.text() };
  } catch {
    return { status: 503, html: "" };
  }
}

function read(html) {
  const part = document.createElement("template");
  part.innerHTML = html;
  return part.content;
}

// The preview of what is being typed

function empty(form) {
  previewOf(form).replaceChildren();
  delete previewOf(form).dataset.line;
}

function show(form, line, html) {
  previewOf(form).innerHTML = html;
  previewOf(form).dataset.line = line;
}

async function preview(form) {
  const fields = Object.fromEntries(new FormData(form));
  const { status, html } = await post("line", fields);
  const asked = previewOf(form).querySelector(".slot-tile");
  if (status === 200 && !asked && fieldOf(form).value === fields.line) show(form, fields.line, html);
}

/** What was refused, or asked for its type, is being changed. */
function typed(form) {
  typing += 1;
  back = null;
  refusalOf(form).replaceChildren();
  if (previewOf(form).querySelector(".slot-tile") || !fieldOf(form).value.trim()) empty(form);
  clearTimeout(timer);
  if (fieldOf(form).value.trim()) timer = setTimeout(() => preview(form), PAUSE);
}

document.addEventListener("input", ({ target }) => {
  if (target.form?.matches("[data-typing]") && target.name === "line") typed(target.form);
});
document.addEventListener("change", ({ target }) => {
  const form = target.matches("[data-prepare]") && document.querySelector("#sheet-body form[data-typing]");
  if (form) typed(form);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.target.id !== "typed-line" || !event.target.value) return;
  event.target.value = "";
  typed(event.target.form);
  event.preventDefault();
});
// Typing over what was put back drops none of it.
document.addEventListener("beforeinput", ({ target, inputType }) => {
  if (!back || target.form?.id !== back.form || !/^insert(?!LineBreak)/.test(inputType)) return;
  if (target.selectionStart || target.selectionEnd < target.value.length) return;
  lines.push(back);
  render();
});

// The lines below the field

function row(line, list) {
  const drop = button("×", () => forget(line));
  const beside = read(line.html);
  beside.querySelector("[name=previewed]")?.remove();
  drop.ariaLabel = list.dataset.drop;
  const dataset = { state: line.state, line: line.id };
  return element("li", { dataset }, button(line.fields.line, () => takeBack(line)), beside, drop);
}

function render() {
  storage.keep(KEY, lines, true);
  for (const form of document.querySelectorAll("form[data-typing]")) {
    const list = form.querySelector("[data-lines]");
    list.replaceChildren(...lines.filter(isOf(form)).map((line) => row(line, list)));
  }
}

function forget(line) {
  if (line.sent) return; // it may be made already
  lines = lines.filter((other) => other !== line);
  render();
  wake();
}

/** Put *line* into its field again; what is half typed there waits in its place. */
function takeBack(line) {
  const form = document.getElementById(line.form);
  const half = fieldOf(form).value;
  if (line.sent) return;
  if (half.trim()) lines.push({ ...line, id: newId(), fields: { line: half }, state: "refused", html: "" });
  forget(line);
  fieldOf(form).value = line.fields.line;
  typed(form);
  fieldOf(form).focus();
}

/** *line* was not made, *html* says why, or asks for its type. */
function stay(line, state, html) {
  const form = document.getElementById(line.form);
  Object.assign(line, { state, html, sent: false });
  if (!form) float({ message: `${line.fields.line}: ${read(html).textContent.trim()}` });
  else if (line.typing === typing && !fieldOf(form).value) putBack(form, line);
  render();
}

function putBack(form, line) {
  const field = fieldOf(form);
  lines = lines.filter((other) => other !== line);
  field.value = line.fields.line;
  if (line.state === "asked") show(form, line.fields.line, line.html);
  else refusalOf(form).replaceChildren(read(line.html));
  if (document.activeElement !== field) return;
  field.select();
  back = line;
}

// Sending

/** Show what *line* would make, and who would see that. */
function preparing(line, html) {
  const shown = read(html).querySelector(".line-shown");
  const previewed = read(html).querySelector("[name=previewed]")?.value;
  const secret = !previewed || !shown || "secret" in shown.dataset || "untyped" in shown.dataset;
  Object.assign(line, { html, until: secret ? 0 : Date.now() + SHOWN });
  line.fields.previewed = previewed ?? "";
  render();
}

async function look(line) {
  const { status, html } = await post("line", line.fields);
  if (status === 200 && lines.includes(line)) preparing(line, html);
}

const pause = (time) => new Promise((done) => {
  wake = done;
  setTimeout(done, time);
});

/** Make *line*, or let it stay. */
async function make(line) {
  await line.looks;
  for (let tries = 0; tries < TRIES; ) {
    if (line.until > Date.now()) await pause(line.until - Date.now());
    if (!lines.includes(line)) return;
    const before = ids();
    line.sent = true;
    const { status, html } = await post("made", { ...line.fields, id: line.id });
    if (status === 204) return made(line, before);
    if (status >= 500 || status === 429) {
      await pause(AGAIN);
      continue;
    }
    line.sent = false;
    if (status !== 200) return stay(line, "refused", html);
    preparing(line, html);
    if (read(html).querySelector(".slot-tile")) return stay(line, "asked", html);
    tries += 1;
  }
  stay(line, "refused", line.html);
}

function made(line, before) {
  lines = lines.filter((other) => other !== line);
  render();
  reveal(before);
  count();
  const form = document.getElementById(line.form);
  if (form && !fieldOf(form).value && !lines.some(isOf(form))) form.closest("dialog")?.close();
}

async function send() {
  if (busy) return;
  busy = true;
  for (let next; (next = lines.find(({ state }) => !state)); ) await make(next);
  busy = false;
}

/** Take the line out of *form*, to be made. */
function take(form, submitter) {
  const fields = Object.fromEntries(new FormData(form, submitter));
  const looked = previewOf(form).dataset.line === fields.line;
  if (!looked) delete fields.previewed;
  const line = { id: newId(), form: form.id, fields, state: "", html: "", typing: ++typing };
  lines.push(line);
  if (!looked) line.looks = look(line);
  fieldOf(form).value = "";
  refusalOf(form).replaceChildren();
  empty(form);
}

// A type, or a new scene, that is tapped below belongs to the line there.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target.closest("form[data-typing]");
    if (!form) return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(timer);
    const waits = lines.find(({ id }) => id === event.submitter?.closest("[data-line]")?.dataset.line);
    const chosen = waits && { ...waits.fields, [event.submitter.name]: event.submitter.value };
    if (waits) Object.assign(waits, { state: "", html: "", fields: chosen });
    else if (fieldOf(form).value.trim()) take(form, event.submitter);
    else return wake();
    tick();
    render();
    send();
  },
  true,
);

document.addEventListener("htmx:after:swap", () => {
  if (document.querySelector("[data-lines]:empty") && lines.length) render();
});
for (const line of lines) Object.assign(line, { typing: -1, sent: false, until: 0, looks: null });
render();
send();
