// Items of a row are shown whole or not at all. A row that ends before its items do says that there are more: in
// a seat's cell of the strip, and at the end of one's own counters, where a tap shows them until the next one
// elsewhere.

import { when } from "../page/when.js";

const ROWS = "#strip .cell-bits, #cockpit > .panel > .places";
const button = () => document.getElementById("more-places");
const own = () => document.querySelector("#cockpit > .panel > .places");
const thingsOf = (row) => row.querySelectorAll(":scope > li:not(.is-further), :scope > .bits:not(.is-in-overview) > .bit:not(.is-zero)");
const below = new Set();
const watched = new WeakSet();
let all = false;

// Observed, not measured: measuring would lay the page out at each change.
const seen = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) below[isIntersecting ? "delete" : "add"](target);
  showMore();
}, { threshold: 0.5 });

function showMore() {
  for (const each of below) if (!each.isConnected) below.delete(each);
  for (const row of document.querySelectorAll(ROWS)) {
    row.dataset.more = [...thingsOf(row)].some((each) => below.has(each)) ? "…" : "";
  }
  const row = own();
  if (!row || !button()) return;
  row.classList.toggle("is-all", all);
  button().hidden = !all && !row.dataset.more;
  button().textContent = all ? "×" : row.dataset.more;
  button().setAttribute("aria-expanded", String(all));
}

/** Observe the current items: each change may bring others. */
function watch() {
  for (const each of document.querySelectorAll(ROWS))
    for (const thing of each.querySelectorAll(":scope > li, .bit")) {
      if (watched.has(thing)) continue;
      watched.add(thing);
      seen.observe(thing);
    }
  showMore();
}

when("click", "#more-places", () => {
  all = !all;
  showMore();
});
document.addEventListener("pointerdown", ({ target }) => {
  if (!all || target.closest?.("#cockpit .places, #more-places, dialog")) return;
  all = false;
  showMore();
}, { passive: true });
document.addEventListener("table:changed", watch);
watch();
