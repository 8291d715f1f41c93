// Vibration: one tick when a tap is taken, two when it is refused; a flash where nothing vibrates. Each kind of news is
// felt as itself, and switched by itself: another player's hit, one's turn, and a question or what else is loud.

import { play } from "./sounds.js";
import { on } from "./switches.js";

// Before the first touch of a page, browsers refuse, and complain.
function shake(pattern) {
  if (on("haptics") && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
}

const KINDS = { hit: [60, 60, 60], turn: [350], asked: [20, 80, 20, 80, 20] };
const news = (kind) => on(kind) && shake(KINDS[kind]);

export const hit = () => news("hit");
export const tick = () => shake(8);
export function buzz(tune = "asked", kind = "asked") {
  news(kind);
  play(tune);
}

document.addEventListener("table:refused", () => {
  shake([30, 60, 30]);
  if (!navigator.vibrate) {
    document.body.classList.add("is-refused");
    setTimeout(() => document.body.classList.remove("is-refused"), 250);
  }
});

// A question for this seat: three short ones, so that a phone lying on the table is audible.
const live = document.getElementById("live");
const questions = (place) => new Set([...(place?.querySelectorAll(".prompt") ?? [])].map((each) => each.id));

let asked = questions(document.getElementById(`${live.dataset.seat}.prompts`));
document.addEventListener("htmx:before:settle", ({ target }) => {
  if (target.id !== `${live.dataset.seat}.prompts`) return;
  const now = questions(target);
  if ([...now].some((id) => !asked.has(id))) buzz();
  asked = now;
});
