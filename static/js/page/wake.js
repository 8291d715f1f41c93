// The screen stays on while the table is shown, and again after coming back. Browsers offer a wake lock
// only over https and on this machine. Elsewhere a silent film of ten seconds plays, as none of them lets the
// screen go dark over a film: at once if it is muted, as nobody taps a television, else from the first tap
// on. What each of them takes for one:
//
//   Chrome   a film in sight that covers a fifth of the page; muted, it leaves the phone's music alone
//   Firefox  the same, if it has a sound track at all
//   Safari   one with a sound track that is not muted and does not `loop`, so it is wound back by hand.
//            As "ambient" sound it stops no music

import { on } from "./switches.js";

const FILMS = { "video/mp4": "/static/media/awake.mp4", "video/webm": "/static/media/awake.webm" };
const END = 1;
const APPLE = /^Apple/.test(navigator.vendor);
let lock = null;
let film = null;

async function hold() {
  if (document.hidden || !on("awake") || lock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
  } catch {
    lock = null;
  }
}

function screen() {
  const made = document.createElement("video");
  made.className = "awake";
  made.ariaHidden = "true";
  made.tabIndex = -1;
  made.playsInline = made.disableRemotePlayback = true;
  made.muted = !APPLE;
  if (APPLE && navigator.audioSession) navigator.audioSession.type = "ambient";
  for (const [type, src] of Object.entries(FILMS)) made.append(Object.assign(document.createElement("source"), { type, src }));
  made.addEventListener("timeupdate", () => {
    if (made.currentTime > made.duration - END) made.currentTime = 0;
  });
  made.addEventListener("ended", play);
  document.body.append(made);
  return made;
}

/** A picture over a stream is on no screen that could go dark, and a film would lie over the game. */
const streamed = document.body.classList.contains("is-overlay");

/** Show the film. Without a touch before, some browsers refuse; the next touch tries again. */
function play() {
  if (document.hidden || streamed || !on("awake")) return;
  film ??= screen();
  if (film.paused) film.play().catch(() => {});
}

function stop() {
  lock?.release();
  film?.remove();
  film = null;
}

const stay = "wakeLock" in navigator ? hold : play;
document.addEventListener("visibilitychange", stay);
for (const touched of ["pointerup", "click", "keydown"]) document.addEventListener(touched, stay, { passive: true });
document.addEventListener("switched", () => (on("awake") ? stay() : stop()));
stay();
