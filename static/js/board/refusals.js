// A refusal appears next to the tapped control, in the game's words, with its rule. Nothing typed is lost and nothing
// moves under the finger.

import { plainly, turned } from "./commands.js";
import { make } from "../page/make.js";
import { when } from "../page/when.js";

const SHOWN = 7000;
const ROOM = 110;
let floating = null;

const sentence = ({ message, rule }) => make("span", {}, message, ...(rule ? [" ", make("cite", {}, rule)] : []));

/** The command's origin, if it is in view: the button itself, if it is still there. */
function origin(item) {
  const places = item?.at ? [...document.querySelectorAll(item.at)].filter((each) => each.checkVisibility()) : [];
  return places.findLast((each) => each.matches("button")) ?? places[0] ?? null;
}

const top = (element) => element.getBoundingClientRect().top;

/** The number that would have changed, or its buttons if they stand above it; else the command's origin. */
function tapped(item) {
  const id = item && turned(item.command)?.id;
  const numbers = id ? [...document.querySelectorAll(`#${CSS.escape(id)}, [data-of="${CSS.escape(id)}"]`)] : [];
  const number = numbers.findLast((each) => each.checkVisibility());
  if (!number) return origin(item);
  const buttons = [...number.parentElement.querySelectorAll(":scope > button")].filter((each) => each.checkVisibility());
  return [number.parentElement, ...buttons].reduce((one, other) => (top(other) < top(one) ? other : one));
}

/** Show *refused* beside the element *at*, or below the turn. */
export function float(refused, at) {
  floating?.remove();
  floating = make("p", { className: "refusal is-floating", role: "alert" }, sentence(refused));
  const dialog = at?.closest("dialog[open]") ?? [...document.querySelectorAll("dialog[open]")].at(-1);
  (dialog ?? document.body).append(floating);
  const place = (at ?? document.getElementById("turn") ?? document.body).getBoundingClientRect();
  const from = dialog ? dialog.getBoundingClientRect().top - dialog.scrollTop : -scrollY;
  const below = place.bottom + 6;
  const above = place.top - floating.offsetHeight - 6;
  const seen = below < innerHeight - ROOM ? below : Math.max(8, Math.min(above, innerHeight - ROOM));
  floating.style.insetBlockStart = `${seen - from}px`;
  const mine = floating;
  setTimeout(() => mine.remove(), SHOWN);
}

/** The same of what needs the connection: it goes when that is back. */
export function floatAway(refused, at) {
  float(refused, at);
  const mine = floating;
  document.addEventListener("htmx:ws:after:connection", () => mine.remove(), { once: true });
}

// A button that fills cards says so once there is no room on any of them.
when("click", "[data-full]", (button) => {
  const limited = [...document.querySelectorAll("#board .card li[data-most]")];
  const full = limited.every((place) => place.querySelector("b").textContent === place.dataset.most);
  if (limited.length && full) float({ message: button.dataset.full }, button);
}, true);

document.addEventListener("table:refused", ({ detail }) => {
  if (detail.lines) return; // the log opens at these lines (undo.js)
  const at = origin(detail.item);
  const place = at?.querySelector?.(":scope .refusal:not(.is-floating)") ?? null;
  if (place?.parentElement.checkVisibility() && at.matches("form, dialog, .tools, #sheet-body")) {
    place.replaceChildren(sentence(detail));
    place.scrollIntoView({ block: "nearest" });
    return;
  }
  float(detail, tapped(detail.item));
});

// The command was accepted but placed nothing, so say so at the finger.
document.addEventListener("table:idle", ({ detail: item }) => {
  const { do: verb, amount } = plainly(item.command);
  if (verb !== "place" || amount === 0) return;
  float({ message: document.getElementById("live").dataset.idle }, tapped(item));
});

// The next touch removes it: it has been read, or it is in the way.
document.addEventListener("pointerdown", () => {
  const read = floating;
  setTimeout(() => read?.remove(), 400);
}, { passive: true });

// Missing fields are reported in the form, in our words, and not in the browser's own bubble.
document.addEventListener(
  "invalid",
  (event) => {
    const field = event.target;
    const place = field.form?.querySelector(":scope .refusal");
    if (!place || !field.form.matches("[data-command]")) return;
    event.preventDefault();
    if (field.form.querySelector(":invalid:not(fieldset)") !== field) return;
    const name = field.labels?.[0]?.innerText.trim().split("\n")[0] || field.getAttribute("aria-label") || field.name;
    const missing = document.getElementById("sheet").dataset.missing;
    place.textContent = field.validity.valueMissing ? missing.replace("{field}", name) : field.validationMessage;
    field.closest("details:not([open])")?.setAttribute("open", "");
    field.focus();
  },
  true,
);

// The same of a form that htmx sends: an earlier refusal is removed, and a missing answer is shown as well.

const said = ({ target: form, detail: { ctx } }) =>
  form.matches?.("form") ? (form.querySelector(".refusal") ?? (ctx?.target?.matches?.(".refusal") ? ctx.target : null)) : null;

// A form without such a place has its refusal where it is itself.
document.addEventListener("htmx:response:error", ({ target: form, detail: { ctx } }) => {
  if (!form.matches?.("form") || form.querySelector(".refusal") || ctx.target?.matches?.(".refusal")) return;
  const { body } = new DOMParser().parseFromString(ctx.text, "text/html");
  const message = body.querySelector(".refusal, main")?.textContent.trim() || ctx.response.raw.statusText;
  float({ message }, ctx.request.submitter ?? form);
});

document.addEventListener("htmx:before:request", (event) => said(event)?.replaceChildren());
document.addEventListener("htmx:error", (event) => {
  const place = said(event);
  if (place) place.textContent = document.getElementById("connection").dataset.away;
});
document.addEventListener("htmx:after:swap", (event) => {
  const place = said(event);
  if (place?.firstChild) place.scrollIntoView({ block: "nearest" });
});
