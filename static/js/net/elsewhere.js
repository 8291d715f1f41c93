// The server's address may change while a page is open, and the seat's cookie is lost with it. While all is well the
// page fetches a way back (games/seats/reconnect.py). When nothing answers any more, it looks for the server at other
// addresses, and goes there if that proves to be the same server; if it finds none, it asks for the address.

const live = document.getElementById("live");
const banner = document.getElementById("connection");
const SOON = 2000;
const EVERY = 2000;
const QUIET = 20_000;
const RENEWED = 20 * 60_000;
const ANSWER = 2500;
const GONE = 2;
const ASKED = 5;
let way = null;
let fetched = 0;
let heard = Date.now();
let missed = 0;
let looking = false;

async function fetchWay() {
  const answer = await fetch("way-back", { signal: AbortSignal.timeout(ANSWER) });
  if (answer.status === 204) fetched = Date.now(); // there is nowhere to look
  if (answer.status !== 200) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  way?.remove();
  way = document.adoptNode(page.getElementById("way-back"));
  way.addEventListener("submit", goToTyped);
  fetched = Date.now();
}

async function answers(place, proof) {
  try {
    const address = `${place}/here/${way.dataset.question}`;
    const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(ANSWER) });
    return answer.ok && (await answer.text()) === proof;
  } catch {
    return false;
  }
}

async function found() {
  const [places, proofs] = [way.dataset.places, way.dataset.proofs].map((each) => each.split(" "));
  const there = await Promise.all(places.map((place, index) => answers(place, proofs[index])));
  return places.find((_, index) => there[index]);
}

/** The way back at *place* to this page, with what this phone keeps: pending taps, switches, its name. */
function wayTo(place) {
  let kept = "";
  try {
    kept = `#${encodeURIComponent(JSON.stringify({ ...localStorage }))}`;
  } catch {
    // Without storage there is nothing to take along.
  }
  const at = location.pathname.split("/").pop() + location.search;
  return `${place}/back/${way.dataset.token}?at=${encodeURIComponent(at)}${kept}`;
}

function ask() {
  if (!way.isConnected && navigator.onLine) (banner ?? document.querySelector("h1")).after(way);
}

/** Go to the address that was typed, in a tab of its own: a slip of the finger must not end this page,
 * which knows the way. */
function goToTyped(event) {
  event.preventDefault();
  const [host] = way.querySelector("input").value.trim().replace(/^\w+:\/\//, "").split(/[\s/·]/);
  const port = location.port && !/:\d+$/.test(host) ? `:${location.port}` : "";
  if (host) open(wayTo(`http://${host}${port}`), "_blank", "noopener");
}

async function check() {
  const lost = document.body.classList.contains("is-stale");
  if (live && !lost && Date.now() - heard < QUIET) return;
  if (await answers(location.origin, way.dataset.proof)) {
    heard = Date.now();
    missed = 0;
    way.remove();
    if (heard - fetched > RENEWED) await fetchWay();
    return;
  }
  missed += 1;
  if (missed < GONE) return;
  document.dispatchEvent(new Event("table:silent"));
  const place = await found();
  if (place) location.replace(wayTo(place));
  else if (missed >= ASKED) ask();
}

async function look() {
  if (looking || document.hidden || live?.dataset.over) return;
  looking = true;
  try {
    if (way) await check();
    else if (Date.now() - fetched > QUIET) await fetchWay();
  } catch {
    // The next look tries again.
  } finally {
    looking = false;
  }
}

if (location.protocol === "http:") {
  setTimeout(look, SOON);
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
  document.addEventListener("table:changed", () => (heard = Date.now()));
}
