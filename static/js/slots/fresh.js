// A counter made here is scrolled into view once it is there.

const shown = () => [...document.querySelectorAll("#groups .slot")];
let before = null; // the counters that were there, until another is

/** Those that are there now: what comes after them is new. */
export const ids = () => new Set(shown().map((slot) => slot.id));

/** Scroll to the counter that is not among *known*, now or when it comes. */
export function reveal(known) {
  before = known;
  look();
}

function look() {
  const slot = before && shown().find(({ id }) => !before.has(id));
  if (!slot) return;
  before = null;
  slot.scrollIntoView({ block: "nearest" });
  slot.classList.add("is-new");
}
document.addEventListener("table:changed", look);
