// A completion is told once on each screen: a banner, a sound, a shake. What stands completed when a
// page is first opened is not news.

import { on } from "./switches.js";

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
    // Then it is told again after a reload.
  }
}

function sound() {
  if (!on("sound")) return;
  try {
    const audio = new AudioContext();
    [523, 659, 784].forEach((pitch, i) => {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.18, audio.currentTime + i * 0.13);
      volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + i * 0.13 + 0.4);
      tone.connect(volume).connect(audio.destination);
      tone.start(audio.currentTime + i * 0.13);
      tone.stop(audio.currentTime + i * 0.13 + 0.45);
    });
    setTimeout(() => audio.close(), 1500);
  } catch {
    // No sound before the first touch; the banner is there.
  }
}

function tell(moment) {
  const shown = moment.cloneNode(true);
  banner.append(shown);
  if ("passing" in moment.dataset) setTimeout(() => shown.remove(), PASSING);
  document.getElementById("alarm").textContent = [...moment.querySelectorAll("p, h2")].map((each) => each.textContent).join(". ");
  sound();
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
