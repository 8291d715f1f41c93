// All tiles keep as many free lines below their numbers as one of them needs: the tiles stay alike, and a change
// without a new line lays out no tile but its own.

const live = document.getElementById("live");
const SAID = ":scope > .bit:not(.is-sign)";
let asked = 0;

/** How high the lines in *bits* are; they lie one above the other at its end. */
function height(bits) {
  const shown = [...bits.querySelectorAll(SAID)].filter((each) => each.offsetHeight);
  const starts = shown.map((each) => each.offsetTop);
  const ends = shown.map((each) => each.offsetTop + each.offsetHeight);
  return shown.length ? Math.max(...ends) - Math.min(...starts) : 0;
}

function fit() {
  asked = 0;
  const needed = `${Math.max(0, ...[...document.querySelectorAll(".bits")].map(height))}px`;
  if (live.style.getPropertyValue("--bits") !== needed) live.style.setProperty("--bits", needed);
}

const soon = () => (asked ||= requestAnimationFrame(fit));

/** True if a change may need other lines: not a change of a cell's ring, of a card, or of a moment. */
function matters({ type, target }) {
  const part = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
  if (!part || part.closest(".delta")) return false;
  return Boolean(part.closest(".bits")) || (type === "childList" && Boolean(part.querySelector(".bits")));
}

if (document.body.matches(".tv.is-cards")) {
  new MutationObserver((records) => records.some(matters) && soon()).observe(live, { subtree: true, childList: true, characterData: true, attributeFilter: ["class"] });
  addEventListener("resize", soon);
  document.fonts?.ready.then(soon);
  fit();
}
