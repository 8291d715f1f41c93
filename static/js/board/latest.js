// The end of the log, where a screen has room for it: fetched again after each change that it shows.

const PULL = 1500;
let pulling = 0;

/** Make what stands in *place* what stands in *now*. Lines that stand there already are not laid out again. */
function renew(place, now) {
  let at = place.firstChild;
  const drop = () => {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  };
  for (const each of [...now.childNodes]) {
    let same = at;
    while (same && !same.isEqualNode(each)) same = same.nextSibling;
    while (same && at !== same) drop();
    if (same) at = at.nextSibling;
    else if (at?.nodeName === "OL" && each.nodeName === "OL") {
      renew(at, each);
      at = at.nextSibling;
    } else place.insertBefore(each, at);
  }
  while (at) drop();
}

async function fill(part) {
  try {
    const answer = await fetch(part.dataset.latest, { headers: { "HX-Request": "true" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const within = part.contains(document.activeElement);
    renew(part, page.body);
    if (within && !part.contains(document.activeElement)) part.querySelector("[data-sheet]")?.focus();
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
