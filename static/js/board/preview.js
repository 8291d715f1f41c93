// Preview of a form for several numbers where cards change them. The server tries the command out
// (games/screens/previews.py) and draws the answer; this only says when to ask.

const PAUSE = 200;
const PLACE = "[data-command-preview]";
const asked = new WeakMap();
let timer = 0;

function ask(place) {
  const fields = String(new URLSearchParams(new FormData(place.closest("form")))) + place.getAttribute("hx-vals");
  if (!place.isConnected || asked.get(place) === fields) return;
  asked.set(place, fields);
  place.dispatchEvent(new Event("asked"));
}

// A button of the form may have changed it, as a tick for all does.
for (const type of ["input", "change", "click", "card:filled"]) {
  document.addEventListener(type, ({ target }) => {
    const place = target.closest?.("form")?.querySelector(PLACE);
    if (!place) return;
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE, place);
  });
}
// A sheet that has followed the table comes without what was asked for its forms.
document.addEventListener("htmx:after:swap", ({ target }) => {
  if (target.id !== "sheet-body") return;
  for (const place of target.querySelectorAll(PLACE)) if (asked.delete(place)) ask(place);
});
document.addEventListener("htmx:error", ({ target }) => {
  if (!target.matches?.(PLACE)) return;
  target.replaceChildren();
  asked.delete(target);
});
