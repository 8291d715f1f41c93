// Writing a game: typed text is kept on this phone, and a line of numbers sends its complete ones to the server,
// which knows the language. The server draws everything else.

import "../../../page/main.js";
import "../../../page/pass_on.js";
import "../../../page/signs.js";
import "./trial.js";
import * as storage from "../../../page/storage.js";

const form = document.querySelector("form[data-kept]");
const KEPT = ["definition", "open", "at", "taps", "players"];
const TYPED = ["title", "numbers", "seats", "name"];
const field = (name) => form.elements.namedItem(name);
const place = form && `written ${form.dataset.kept}`;

function keep() {
  storage.keep(place, Object.fromEntries([...KEPT, ...TYPED].map((name) => [name, field(name)?.value ?? ""])));
}

const kept = () => storage.read(place, null);
const change = (value) => {
  const button = document.createElement("button");
  Object.assign(button, { name: "change", value: JSON.stringify(value), hidden: true });
  form.append(button);
  form.requestSubmit(button);
  button.remove();
};

// Text that the server has taken over is removed from the line; letters typed meanwhile stay.
function take() {
  const { taken, line, back } = document.getElementById("writing").dataset;
  const typed = field("numbers");
  if (back && typed.value === "") typed.value = back;
  if (taken && typed?.placeholder) typed.placeholder = "…";
  if (!taken || typed?.tagName !== "TEXTAREA" || !typed.value.startsWith(taken)) return;
  const left = typed.value.slice(taken.length).trimStart();
  typed.value = line.endsWith(left) ? line : left;
}

// The line is as high as what stands in it, by hand: WebKit has no field-sizing.
function fit() {
  const typed = document.getElementById("writing-line");
  if (!typed) return;
  typed.style.blockSize = "auto";
  typed.style.blockSize = `${typed.scrollHeight}px`;
}

// The focus in newly opened content: the first field that can have it.
const GOES_ON = [
  "#dock .dock-choices [aria-pressed=true]",
  "#dock .dock-choices button",
  "#dock button",
  ".recipes button",
  ".tried button:enabled",
  ".writing-sheet .number-parts :is(button, input)",
];
const opened = () => `${field("open").value} ${field("at").value}`;

// The open sentence and its open word scroll into sight; by keyboard the focus goes to the choices.
function show(byKeyboard, before) {
  for (const open of form.querySelectorAll('.is-open, .word[aria-expanded="true"]')) {
    open.scrollIntoView({ block: "nearest", behavior: "instant" });
  }
  const lost = !document.activeElement?.closest("#above, #t");
  if (!byKeyboard || (opened() === before && !lost)) return;
  const shown = (each) => document.querySelector(each)?.getClientRects().length;
  const back = before.startsWith("number") ? "#writing-line" : ".writing-add";
  document.querySelector([...GOES_ON, back].find(shown))?.focus();
}

function restore(saved) {
  for (const name of ["title", "name"]) if (saved[name] && field(name)) field(name).value = saved[name];
  const seats = form.querySelector(`[name="seats"][value="${CSS.escape(saved.seats)}"]`);
  if (seats) seats.checked = true;
  for (const name of KEPT) field(name).value = saved[name];
  if (field("numbers") && saved.numbers) field("numbers").value = saved.numbers;
  change({});
}

/** The title stands in the head, outside of its form. */
const on = (type, act) => document.addEventListener(type, (event) => event.target.form === form && act(event));

let keyboard = false;
const unfolded = new Set(); // the ids of what was opened; a change draws it anew
let begun = false;
if (form) {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    keyboard = true;
    if (key === "Escape") document.querySelector("main [data-closes]")?.click();
    if (/^\d$/.test(key) && !target.matches("input, textarea")) {
      [...form.querySelectorAll("#dock .key")].find((each) => each.textContent.trim() === key)?.click();
    }
    if (key === "Enter" && target.dataset?.types) change(JSON.parse(target.dataset.types));
    if (key === "Backspace" && target.id === "writing-line" && !target.value) {
      event.preventDefault();
      change({ back: 1 });
    }
  });
  addEventListener("pointerdown", () => (keyboard = false));
  on("keydown", (event) => {
    const { key, target } = event;
    const set = target.closest(".dock-typed")?.querySelector("button[name]");
    if (key === "Enter" && target.id === "writing-title") {
      event.preventDefault();
      document.getElementById("writing-line").focus();
    }
    if (key !== "Enter" || (target.tagName !== "TEXTAREA" && !target.dataset.types && !set)) return;
    event.preventDefault();
    if (set && target !== set) set.click();
    if (target.tagName === "TEXTAREA" && target.value.trim()) {
      target.value += ",";
      target.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  on("change", ({ target }) => {
    if (target.dataset.types) change(JSON.parse(target.dataset.types));
    else keep();
  });
  on("input", keep);
  on("input", fit);
  addEventListener("resize", fit);
  fit();
  form.addEventListener(
    "submit",
    (event) => {
      if (!event.submitter?.hasAttribute("formaction")) return;
      event.stopImmediatePropagation(); // beginning is a page of its own, not a part of this one
      begun = true;
    },
    true,
  );
  addEventListener("pagehide", () => begun && localStorage.removeItem(place));
  const sheet = () => form.querySelector(".writing-sheet");
  let stood = 0; // how far the page was scrolled before a sheet covered it
  // A change that waited for another goes on from what that has made.
  let before = opened();
  document.addEventListener("htmx:before:request", ({ detail }) => {
    before = opened();
    if (!sheet()) stood = scrollY;
    const { body } = detail.ctx.request;
    if (body?.has?.("page")) body.set("page", new URLSearchParams(new FormData(form)));
    else for (const name of [...KEPT, "numbers"]) body?.set?.(name, field(name).value);
  });
  const folds = ({ target }) => {
    if (target.id) unfolded[target.open ? "add" : "delete"](target.id);
  };
  document.addEventListener("toggle", folds, true);
  document.addEventListener("htmx:after:swap", () => {
    for (const fold of document.querySelectorAll("details[id]")) fold.open ||= unfolded.has(fold.id);
    for (const input of form.querySelectorAll("[data-clear]")) input.value = "";
    take();
    fit();
    keep();
    if (!sheet()) scrollTo({ top: stood, behavior: "instant" });
    show(keyboard, before);
  });

  const saved = kept();
  if (saved && form.hasAttribute("data-fresh")) setTimeout(() => restore(saved)); // once htmx is there
}
