// What changed, announced once for people who listen rather than look.

import { play } from "../page/sounds.js";

const polite = document.getElementById("announcement");
const alarm = document.getElementById("alarm");
const live = document.getElementById("live");
const NEWS_SHOWN = 5000;
let changes = new Map();
let timer = 0;

function holderName(id) {
  const card = document.getElementById(`o-${id}`)?.querySelector(".card > a");
  const seat = document.getElementById(`s-${id}`)?.querySelector(".seat-name span");
  return (card ?? seat)?.textContent ?? id;
}

function speak() {
  timer = 0;
  polite.textContent = [...changes.values()].join(". ");
  changes = new Map();
}

/** News disappears by itself, and shows above an open sheet. */
function tellNews(news) {
  if (document.querySelector("dialog[open]") && news.showPopover) {
    news.popover = "manual";
    news.showPopover();
  }
  setTimeout(() => news.replaceChildren(), NEWS_SHOWN);
}

document.addEventListener("htmx:before:settle", (event) => {
  const target = event.target;
  if (target.tagName === "B" && target.id.includes(".")) {
    const kind = target.parentElement?.dataset.word ?? target.parentElement?.dataset.kind ?? "";
    const holder = target.id.split(".")[0];
    changes.set(target.id, `${holderName(holder)}: ${kind} ${target.textContent}`);
  } else if (target.id === "news") {
    tellNews(target);
  } else if (target.id === "turn") {
    changes.set("turn", target.querySelector(".turn-who")?.textContent ?? "");
    const ended = target.querySelector(".turn-result");
    if (ended) {
      alarm.textContent = ended.textContent;
      play("over");
    }
  } else if (target.id === `${live.dataset.seat}.prompts` && target.childElementCount) {
    alarm.textContent = target.querySelector("h2, h3")?.textContent ?? "";
  }
  if (changes.size) timer ||= setTimeout(speak, 600);
});

// When someone is out of the game, it is announced at once.
const out = () => new Map([...document.querySelectorAll(".seat-lost")].map((each) => [each.closest(".seat")?.id, each]));
let lost = out();
document.addEventListener("table:changed", () => {
  const now = out();
  const fresh = [...now].filter(([id]) => id && !lost.has(id));
  if (fresh.length) alarm.textContent = fresh.map(([id, each]) => `${holderName(id.slice(2))}: ${each.textContent}`).join(". ");
  lost = now;
});
