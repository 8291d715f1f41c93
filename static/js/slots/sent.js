// After a GM's act of which the players' screens were sent nothing, as the server counted at their sockets: that.

import { make } from "../page/make.js";

const PAUSE = 300; // by then they are sent
let timer = 0;

async function ask(entry) {
  const place = document.getElementById("sent");
  const answer = await fetch("mine?gm").catch(() => null);
  const { sent } = answer?.ok ? await answer.json() : {};
  if (!place || sent?.[0] !== entry || sent[1].some(([, n]) => n)) return;
  place.hidden = false;
  place.querySelector("span").textContent = place.dataset.word;
  place.querySelector("ul").replaceChildren(...sent[1].map(([name, n]) => make("li", {}, `${name}: ${n}`)));
}

document.addEventListener("table:accepted", ({ detail: { entry } }) => {
  const place = document.getElementById("sent");
  if (!place || !entry) return;
  place.hidden = true;
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE, entry);
});
