// Search in the rules of a help page, or of its sheet: a row stays if it or its heading has every typed word; a
// heading without rows goes.

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Each row with its elements and its heading: a term with what it means, a line of a list, a paragraph. */
function rows(root) {
  const found = [];
  let heading = null;
  for (const each of root.querySelectorAll("h2, h3, dt, dd, li, p")) {
    if (each.matches("h2, h3")) heading = each;
    else if (each.matches("dd")) found.at(-1)?.parts.push(each);
    else if (!each.parentElement.closest("dd, li")) found.push({ heading, parts: [each] });
  }
  return found;
}

document.addEventListener("input", ({ target }) => {
  const root = target.closest?.("[data-find]")?.parentElement.querySelector("[data-findable]");
  if (!root) return;
  const words = plain(target.value).split(/\s+/u).filter(Boolean);
  const all = rows(root);
  const kept = new Set();
  for (const { heading, parts } of all) {
    const text = plain([heading, ...parts].map((each) => each?.textContent ?? "").join(" "));
    const shown = words.every((word) => text.includes(word));
    for (const each of parts) each.hidden = !shown;
    if (shown) kept.add(heading);
  }
  for (const { heading } of all) if (heading) heading.hidden = !kept.has(heading);
  for (const each of root.querySelectorAll("section"))
    each.hidden = ![...each.querySelectorAll("h2, h3")].some((heading) => kept.has(heading));
  target.closest("[data-find]").querySelector("[role=status]").hidden = kept.size > 0;
});
