// After a GM's act of which the players' screens were sent nothing, as the server counted at their sockets: that.

import { make } from "../page/make.js";

const PAUSE = 300; // by then they are sent
let timer = 0;

async function ask(entry) {
  const place = document.getElementById("sent");
  const answer = await fetch("mine?gm").catch(() => null);
  const { sent } = answer?.ok ? await answer.json() : {};
  if (!place || !sent || (entry ?? sent[0]) !== sent[0] || sent[1].some(([, n]) => n)) return;
  place.hidden = false;
  place.querySelector("span").textContent = place.dataset.word;
  place.querySelector("ul").replaceChildren(...sent[1].map(([name, n]) => make("li", {}, `${name}: ${n}`)));
}

/** Say so of the act *entry*, or of the newest one, once it is sent. */
export function count(entry) {
  const place = document.getElementById("sent");
  if (!place) return;
  place.hidden = true;
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE, entry);
}

document.addEventListener("table:accepted", ({ detail: { entry } }) => entry && count(entry));
