// The turn bar: the current phase stays in view, and so does a new question for this phone, unless a
// finger is busy elsewhere.

const live = document.getElementById("live");
const AT_WORK = 1000;
let tapped = 0;

const mine = () => new Map([...document.querySelectorAll(".seat.is-mine .prompt")].map((each) => [each.id, each]));
let known = mine();

document.addEventListener("pointerdown", ({ target }) => {
  tapped = target.closest?.(".steppers") ? Date.now() : 0;
}, { passive: true });

document.addEventListener("table:changed", () => {
  const now = mine();
  const fresh = [...now.values()].find((each) => !known.has(each.id));
  known = now;
  if (!fresh || document.querySelector("dialog[open]") || Date.now() - tapped < AT_WORK) return;
  requestAnimationFrame(() => bring(fresh.id)); // the browser may still be holding the old scroll position
});

function bring(id) {
  const place = document.getElementById(id)?.getBoundingClientRect();
  if (!place) return;
  const top = document.getElementById("turn")?.getBoundingClientRect().bottom ?? 0;
  const end = document.querySelector(".tools").getBoundingClientRect().top;
  if (place.top < top || place.bottom > end) scrollBy(0, place.top - top - 8);
}

// On the phone of the seat that is asked, the waiting line says "you".
function address() {
  for (const line of document.querySelectorAll(".turn-waiting [data-to]")) {
    line.classList.toggle("is-own", line.dataset.to === live.dataset.seat);
  }
}
document.addEventListener("table:changed", address);
address();

// From the waiting line to the question itself.
live.addEventListener("click", (event) => {
  const link = event.target.closest?.(".turn-waiting a");
  const prompt = link && document.getElementById(link.getAttribute("href").slice(1));
  if (!prompt) return;
  event.preventDefault();
  prompt.scrollIntoView({ block: "start" });
});

// The row of phases is wider than a phone: the current one stays in view.
function showPhase() {
  const now = document.querySelector(".phases [aria-current]");
  const row = now?.parentElement;
  if (row) row.scrollLeft = now.offsetLeft - row.offsetLeft - (row.clientWidth - now.offsetWidth) / 2;
}

document.addEventListener("table:changed", showPhase);
showPhase();
