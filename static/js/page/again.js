// A page that could not be shown reloads as soon as the server answers. Many phones may wait for it at once, so each
// has its own interval.

const EVERY = 10_000;
const PACE = EVERY * (0.75 + Math.random() / 2);

async function again() {
  if (document.hidden) return;
  const { ok } = await fetch("/livez", { cache: "no-store" });
  if (ok) location.reload();
}

const soon = () => again().catch(() => {}); // nothing answers yet
setInterval(soon, PACE);
addEventListener("online", soon);
