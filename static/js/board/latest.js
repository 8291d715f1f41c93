// The end of the log, where a screen has room for it: fetched again after each change that it shows.

const PULL = 1500;
let pulling = 0;

/** Fill what is in sight. empty: only where nothing stands yet. */
function pull(empty = false) {
  pulling = 0;
  for (const part of document.querySelectorAll("[data-latest]"))
    if (part.checkVisibility() && !(empty && part.childElementCount))
      htmx.ajax("GET", part.dataset.latest, { source: part, target: part, swap: "innerMorph" });
}

document.addEventListener("table:changed", () => (pulling ||= setTimeout(pull, PULL)));
addEventListener("resize", () => (pulling ||= setTimeout(pull, PULL)));
pull(true);
