// Counts a main number's digits for the style sheet: one of four needs smaller type than one of two.

const HEROES = ".cell-hero, .hero .is-hero > b";
const board = document.getElementById("live");

export function count(part) {
  const number = part.closest(HEROES);
  for (const each of number ? [number] : part.querySelectorAll(HEROES)) {
    const { style } = each.parentElement;
    const digits = `${each.textContent.trim().length}`;
    if (style.getPropertyValue("--digits") !== digits) style.setProperty("--digits", digits);
  }
}

/** Only a changed number is counted again, and one whose count a redrawn seat has lost. */
function look(records) {
  const parts = records.map(({ target }) => (target.nodeType === Node.TEXT_NODE ? target.parentElement : target));
  for (const each of new Set(parts)) if (each) count(each);
}

if (board) {
  new MutationObserver(look).observe(board, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ["style"],
  });
  count(board);
}
