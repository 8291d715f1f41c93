// A form for several numbers says what they become where cards change them, before it is sent. The server
// tries the command out (games/screens/foretold.py); nothing is given. Where the order of those cards
// matters it is a choice, and what is said follows it.

import { fromForm } from "./commands.js";

const PAUSE = 200;
const MOST = 4000;
const asked = new WeakMap();
let timer = 0;

/** The command of *form* as it is, without an order. */
function unordered(form, order) {
  if (!form.matches("[data-command]")) return {};
  if (order) order.disabled = true;
  const command = fromForm(form);
  if (order) order.disabled = false;
  return command;
}

/** Say what the chosen order makes of the numbers. */
function tell(form, { foretold, orders }) {
  const texts = orders[form.querySelector("[data-orders]")?.selectedIndex]?.foretold ?? foretold;
  const spans = texts.map((text) => Object.assign(document.createElement("span"), { textContent: text }));
  form.querySelector("[data-foretold]").replaceChildren(...spans);
}

/** Offer *orders*; the usual one, which comes first, needs no word. */
function offer(choice, orders) {
  if (!choice) return;
  const chosen = choice.value;
  choice.replaceChildren(...orders.map(({ order, says }, n) => new Option(says, n ? JSON.stringify(order) : "")));
  choice.hidden = !orders.length;
  choice.value = [...choice.options].some(({ value }) => value === chosen) ? chosen : "";
}

async function fill(form) {
  const choice = form.querySelector("[data-orders]");
  const also = JSON.parse(form.querySelector("[data-foretold]").dataset.foretold || "{}");
  const command = JSON.stringify({ ...unordered(form, choice), ...also });
  const last = asked.get(form);
  if (last?.command === command) {
    if (last.answer) tell(form, last.answer);
    return;
  }
  if (command.length > MOST) return;
  const now = { command, answer: null };
  asked.set(form, now);
  const got = await fetch(`foretold?${new URLSearchParams({ command })}`, { headers: { Accept: "application/json" } });
  const answer = got.ok ? await got.json() : { foretold: [], orders: [] };
  if (!form.isConnected || asked.get(form) !== now) return;
  now.answer = answer;
  offer(choice, answer.orders);
  tell(form, answer);
}

function soon({ target }) {
  const form = target.closest?.("form:has([data-foretold])");
  if (!form) return;
  clearTimeout(timer);
  timer = setTimeout(() => form.isConnected && fill(form), target.matches("[data-orders]") ? 0 : PAUSE);
}

// A button of the form may have changed it, as a tick for all does.
for (const type of ["input", "change", "click", "card:filled"]) document.addEventListener(type, soon);
