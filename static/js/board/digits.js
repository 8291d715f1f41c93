// How many digits a seat's main number has, for the style sheet: four need smaller type than two.

const HEROES = ".cell-hero, .hero .is-hero > b";
const board = document.getElementById("live");

function count(part) {
  const number = part.closest(HEROES);
  for (const each of number ? [number] : part.querySelectorAll(HEROES)) {
    const digits = String(each.textContent.trim().length);
    const holder = each.parentElement;
    if (holder.style.getPropertyValue("--digits") !== digits) holder.style.setProperty("--digits", digits);
  }
}

/** Of a number that has changed only that number is counted. */
function look(records) {
  const parts = records.map(({ target }) => (target.nodeType === Node.TEXT_NODE ? target.parentElement : target));
  for (const each of new Set(parts)) if (each) count(each);
}

new MutationObserver(look).observe(board, { subtree: true, childList: true, characterData: true });
count(board);
