// The end of the log, where a screen has room for it: fetched again after each change that it shows.

const PULL = 1500;
let pulling = 0;

async function fill(part) {
  try {
    const answer = await fetch(part.dataset.latest, { headers: { "HX-Request": "true" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const within = part.contains(document.activeElement);
    part.replaceChildren(...page.body.childNodes);
    if (within) part.querySelector("[data-sheet]")?.focus();
  } catch {
    // The next change asks again.
  }
}

/** Fill what is in sight. empty: only where nothing stands yet. */
function pull(empty = false) {
  pulling = 0;
  for (const part of document.querySelectorAll("[data-latest]"))
    if (part.checkVisibility() && !(empty && part.childElementCount)) fill(part);
}

document.addEventListener("table:changed", () => (pulling ||= setTimeout(pull, PULL)));
addEventListener("resize", () => (pulling ||= setTimeout(pull, PULL)));
pull(true);
