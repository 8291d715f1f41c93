// After a GM's act, the bytes that the players' screens were sent since, as the server counted them at their sockets.

import { make } from "../page/make.js";

const PAUSE = 300; // by then they are sent
let timer = 0;

async function ask(entry) {
  const place = document.getElementById("sent");
  const answer = await fetch("mine?gm").catch(() => null);
  const { sent } = answer?.ok ? await answer.json() : {};
  if (!place || sent?.[0] !== entry) return;
  const bytes = sent[1].reduce((sum, [, n]) => sum + n, 0);
  place.hidden = false;
  place.classList.toggle("is-none", !bytes);
  place.querySelector("span").textContent = place.dataset.word.replace("{n}", bytes);
  place.querySelector("ul").replaceChildren(...sent[1].map(([name, n]) => make("li", {}, `${name}: ${n}`)));
}

document.addEventListener("table:accepted", ({ detail: { entry } }) => {
  const place = document.getElementById("sent");
  if (!place || !entry) return;
  place.hidden = true;
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE, entry);
});
