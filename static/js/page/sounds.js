// Small sounds, made here and not fetched: a question, a completion, dice, a refusal, the end. None
// before the first touch (no browser allows it), none where the switch is off.

import { on } from "./switches.js";

const TUNES = {
  asked: [[659, 0], [880, 0.11]],
  complete: [[523, 0], [659, 0.13], [784, 0.26]],
  fell: [[988, 0], [784, 0.07], [988, 0.14]],
  refused: [[196, 0], [165, 0.1]],
  over: [[392, 0], [523, 0.15], [659, 0.3], [784, 0.45]],
};
const LOUD = { asked: 0.16, complete: 0.18, fell: 0.12, refused: 0.1, over: 0.18 };
const LONG = 0.4;
const APART = 300;
let audio = null;
let last = { name: "", at: 0 };

/** Browsers let a page play sounds after a touch or a key, and stop it again after it was away. */
function wake() {
  if (!on("sound")) return;
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  } catch {
    audio = null; // Stay silent; everything that sounds is shown as well.
  }
}
for (const touched of ["pointerup", "keydown"]) document.addEventListener(touched, wake, { passive: true });

/** Play the tune called *name*, just once even if several things ask for it at the same time. */
export function play(name) {
  const now = Date.now();
  if (!on("sound") || audio?.state !== "running" || (last.name === name && now - last.at < APART)) return;
  last = { name, at: now };
  for (const [pitch, after] of TUNES[name]) {
    const start = audio.currentTime + after;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUD[name], start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LONG);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + LONG);
  }
  document.dispatchEvent(new CustomEvent("sounded", { detail: name }));
}

document.addEventListener("table:refused", () => play("refused"));
document.addEventListener("switched", ({ detail }) => {
  if (detail !== "sound" || !on("sound")) return;
  wake();
  audio?.resume().then(() => play("asked")); // so that you hear what you switched on
});
