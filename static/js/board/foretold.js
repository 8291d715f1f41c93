// A form for several numbers says what they become where cards change them, before it is sent. The server
// tries the command out (games/screens/foretold.py); nothing is given.

import { fromForm } from "./commands.js";

const PAUSE = 200;
const MOST = 4000;
let timer = 0;

async function fill(form) {
  const place = form.querySelector("[data-foretold]");
  const own = form.matches("[data-command]") ? fromForm(form) : {};
  const command = JSON.stringify({ ...own, ...JSON.parse(place.dataset.foretold || "{}") });
  if (form.dataset.asked === command || command.length > MOST) return;
  form.dataset.asked = command;
  const answer = await fetch(`foretold?${new URLSearchParams({ command })}`, { headers: { Accept: "application/json" } });
  const { foretold } = answer.ok ? await answer.json() : { foretold: [] };
  if (!form.isConnected || form.dataset.asked !== command) return;
  place.replaceChildren(...foretold.map((text) => Object.assign(document.createElement("span"), { textContent: text })));
}

function soon({ target }) {
  const form = target.closest?.("form:has([data-foretold])");
  if (!form) return;
  clearTimeout(timer);
  timer = setTimeout(() => form.isConnected && fill(form), PAUSE);
}

// A button of the form may have changed it, as a tick for all does.
for (const type of ["input", "change", "click", "card:filled"]) document.addEventListener(type, soon);
