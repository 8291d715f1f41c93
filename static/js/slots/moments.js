// Each screen announces a completion once: a banner, a sound, a vibration. What is already complete when
// a page is first opened is not news.

import { play } from "../page/sounds.js";
import { on } from "../page/switches.js";

const live = document.getElementById("live");
const banner = document.getElementById("banner");
const key = `moments:${live.dataset.game}:${live.dataset.seat}`;
const PASSING = 20000;

function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
}

let told = remembered();

function keep() {
  try {
    sessionStorage.setItem(key, JSON.stringify([...told]));
  } catch {
    // Without storage it is announced again after a reload.
  }
}

function tell(moment) {
  const shown = moment.cloneNode(true);
  banner.append(shown);
  if ("passing" in moment.dataset) setTimeout(() => shown.remove(), PASSING);
  document.getElementById("alarm").textContent = [...moment.querySelectorAll("p, h2")].map((each) => each.textContent).join(". ");
  play("complete");
  if (on("haptics")) navigator.vibrate?.([60, 80, 60, 80, 160]);
}

function look() {
  const standing = [...document.querySelectorAll("#moments > [data-moment]")];
  const keys = new Set(standing.map((each) => each.dataset.moment));
  if (told === null) {
    told = keys;
    return keep();
  }
  told = new Set(told);
  for (const each of standing) {
    if (told.has(each.dataset.moment)) continue;
    told.add(each.dataset.moment);
    tell(each);
  }
  for (const each of [...told]) {
    if (keys.has(each) || each.includes(".")) continue;
    told.delete(each);
    banner.querySelector(`[data-moment="${CSS.escape(each)}"]`)?.remove();
  }
  keep();
}

document.addEventListener("table:changed", look);
banner.addEventListener("click", (event) => {
  if (event.target.closest("[data-moment-over]")) event.target.closest(".moment").remove();
});
look();
