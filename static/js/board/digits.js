// How many digits a seat's main number has, for the style sheet: four need smaller type than two.

const HEROES = ".cell-hero, .hero .is-hero > b";
const board = document.getElementById("live");

function count() {
  for (const number of document.querySelectorAll(HEROES)) {
    const digits = String(number.textContent.trim().length);
    const holder = number.parentElement;
    if (holder.style.getPropertyValue("--digits") !== digits) holder.style.setProperty("--digits", digits);
  }
}

new MutationObserver(count).observe(board, { subtree: true, childList: true, characterData: true });
count();
