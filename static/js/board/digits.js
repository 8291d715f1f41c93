// Counts a number's digits for the style sheet: a main number of four needs smaller type than one of two, and numbers
// in a row need wider gaps if one has two, and smaller type if all of them are long.

const ROW = ".is-digits";
const NUMBERS = ":scope > .bit > b";
const HEROES = `.cell-hero, .hero .is-hero > b, ${ROW} > .bit > b`;
const board = document.getElementById("live");

function count(part) {
  const number = part.closest(HEROES);
  for (const each of number ? [number] : part.querySelectorAll(HEROES)) {
    say(each.parentElement, "--digits", each.textContent.trim().length);
    const row = each.closest(ROW);
    if (row) say(row, "--of-all", [...row.querySelectorAll(NUMBERS)].reduce((sum, { textContent }) => sum + textContent.trim().length, 0));
  }
}

function say(holder, name, digits) {
  if (holder.style.getPropertyValue(name) !== `${digits}`) holder.style.setProperty(name, digits);
}

/** Only a changed number is counted again. */
function look(records) {
  const parts = records.map(({ target }) => (target.nodeType === Node.TEXT_NODE ? target.parentElement : target));
  for (const each of new Set(parts)) if (each) count(each);
}

new MutationObserver(look).observe(board, { subtree: true, childList: true, characterData: true });
count(board);
