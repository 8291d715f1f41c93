// An open summary says when the game has gone on; it is not redrawn under its reader's eyes.

const EVERY = 10_000;
const notice = document.getElementById("newer");

async function ask() {
  if (document.hidden || !notice.hidden) return;
  const asked = new URL(location.href);
  asked.searchParams.set("newer", "");
  const headers = { "If-None-Match": notice.dataset.tag };
  const answer = await fetch(asked, { headers, cache: "no-store" }).catch(() => null);
  notice.hidden = answer?.status !== 204;
}

setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
window.addEventListener("pageshow", ({ persisted }) => persisted && ask());
