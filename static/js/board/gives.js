// Amounts that cards of the table change on their way in. The server sends them: with each number for its taps
// (`AmountPreview` in games/systems/controls.py), and on request for any other amount.

import { when, whenDrawn } from "../page/when.js";

const live = document.getElementById("live");

/** The place of the number *id*, if taps on it may give other amounts than were tapped. */
export function changing(id) {
  const number = document.getElementById(id) ?? document.querySelector(`[data-of="${CSS.escape(id)}"]`);
  return number?.closest("li[data-gives]") ?? null;
}

/** The result of tapping *wanted* in *place*: { amount, says }; null if unknown. */
export function given(place, wanted) {
  const entries = JSON.parse(place.dataset.gives);
  const found = entries.find(([tapped, , , seat]) => tapped === wanted && (!seat || seat === live.dataset.seat));
  return found ? { amount: found[1], says: found[2] } : null;
}

/** The steps by which a tap of *seat* in *place* gives that *amount*; "" if none does. */
export function says(place, amount, seat) {
  const entries = place ? JSON.parse(place.dataset.gives) : [];
  return entries.find(([, given, , whose]) => given === amount && (!whose || whose === seat))?.[2] ?? "";
}

export const plus = (place) => [...place.querySelectorAll('button[form="t"]')].at(-1);

/** The results of a command, by kind: [{ amount, says, order }] for each order that matters, the usual one first. */
export async function ask({ on, counter, amount, cause }) {
  const asked = new URLSearchParams({ on, amount, ...(cause && { cause }) });
  for (const kind of [counter].flat()) asked.append("counter", kind);
  const answer = await fetch(`becomes?${asked}`, { headers: { Accept: "application/json" } }).catch(() => null);
  return answer?.ok ? (await answer.json()).becomes : {};
}

const described = (tapped, { amount, says }) => `+${tapped} → ${amount}` + (says ? `: ${says}` : "");

/** Labels each plus with its result. */
function show() {
  for (const place of document.querySelectorAll(".steppers li[data-gives]")) {
    const by = Number(place.dataset.by ?? 1);
    const tap = given(place, by);
    const more = plus(place);
    if (!tap || !more) continue;
    const text = tap.says ? `+${tap.amount}` : "+";
    if (more.textContent !== text) more.textContent = text;
    if (tap.says) more.setAttribute("aria-description", described(by, tap));
    else more.removeAttribute("aria-description");
  }
}

whenDrawn(show);

// A form for counters shows the result of what is typed, and of each kind that is one tap away.

const PAUSE = 150;
let timer = 0;

async function fill(form) {
  const typed = form.querySelector('input[name="counter:kind"]');
  const chips = [...form.querySelectorAll("button[name=counter]")];
  const amount = Number(form.elements.namedItem("amount:number").value);
  const cause = form.elements.namedItem("cause").checked ? "cost" : "";
  const kind = typed.value.trim().toLowerCase();
  const asked = JSON.stringify([kind, amount, cause]);
  form.dataset.previewing = asked;
  const kinds = [...chips.map(({ value }) => value), kind].filter(Boolean);
  const becomes = await ask({ on: form.elements.namedItem("on").value, counter: kinds, amount, cause });
  if (!form.isConnected || form.dataset.previewing !== asked) return;
  for (const chip of chips) {
    const [usual] = becomes[chip.value] ?? [];
    if (usual) chip.dataset.becomes = usual.amount;
    else delete chip.dataset.becomes;
  }
  showPreview(form.querySelector("[data-becomes]:not(button)"), amount, becomes[kind] ?? []);
}

/** Show the result of *amount*; where it depends on the order, the order is a choice. */
export function showPreview(place, amount, ways) {
  const choice = place.querySelector("[data-orders]");
  const options = ways.map((way, n) => new Option(described(amount, way), n ? JSON.stringify(way.order) : ""));
  const shown = ({ text }) => text;
  if (String(options.map(shown)) !== String([...choice.options].map(shown))) choice.replaceChildren(...options);
  choice.hidden = ways.length < 2;
  place.querySelector("output").textContent = ways.length === 1 ? described(amount, ways[0]) : "";
}

function soon(form) {
  clearTimeout(timer);
  timer = setTimeout(() => fill(form), PAUSE);
}

when("input", "form:has([data-becomes])", (form, { target }) => target.matches("[data-orders]") || soon(form));
document.addEventListener("htmx:after:swap", () => document.querySelectorAll("form:has([data-becomes])").forEach(fill));
