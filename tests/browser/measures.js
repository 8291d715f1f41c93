// What a table's page shows against the numbers of the design; returns the complaints.
({ seats, tall, upright }) => {
  const wrong = [];
  const live = document.getElementById("live");
  const all = (selector, root = live) => [...root.querySelectorAll(selector)];
  const seen = (each) =>
    each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !each.closest(".unseen");
  const called = (each) => `${each.tagName.toLowerCase()}${each.id ? `#${each.id}` : ""}.${[...each.classList].join(".")}`;
  const size = (each) => parseFloat(getComputedStyle(each).fontSize);
  const inside = (box, around, slack = 1) =>
    box.left >= around.left - slack && box.right <= around.right + slack &&
    box.top >= around.top - slack && box.bottom <= around.bottom + slack;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const must = (fine, what) => fine || wrong.push(what);
  const textBox = (each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    const middle = (top + bottom) / 2; // a line of a big number is higher than its place
    return { left, right, top: middle - 8, bottom: middle + 8 };
  };
  const uncovered = (each, box = each.getBoundingClientRect()) => {
    const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return top && (each.contains(top) || top.contains(each) && top.closest("a, button, li, article") === each.closest("a, button, li, article"));
  };

  // Every seat's hero number, in sight, uncovered, of its size, within its cell
  const heroes = all("[data-strip] [data-hero]").filter(seen);
  must(heroes.length === seats, `${heroes.length} heroes of ${seats} seats`);
  for (const hero of heroes) {
    const box = textBox(hero);
    const digits = hero.textContent.trim().length;
    const role = seats > 4 ? 26 : 28;
    must(inside(box, screen), `${hero.dataset.hero}: out of sight`);
    must(uncovered(hero, box), `${hero.dataset.hero}: covered`);
    must(inside(box, hero.closest(".cell").getBoundingClientRect(), 0), `${hero.dataset.hero}: wider than its cell`);
    const fits = digits > (seats > 4 ? 2 : 3) ? size(hero) >= 16 && size(hero) <= role : size(hero) === role;
    must(fits, `${hero.dataset.hero}: ${size(hero)} px for ${digits} digits`);
  }

  // The cockpit and what lies in it
  const strip = document.querySelector("[data-strip]").getBoundingClientRect();
  const head = document.querySelector(".head").getBoundingClientRect();
  const cockpit = document.querySelector("[data-cockpit]");
  const dock = cockpit.getBoundingClientRect();
  const sideways = innerHeight < 520;
  must(strip.height === 56, `strip ${strip.height} px`);
  must(head.height === (upright ? 44 : 56), `header ${head.height} px`);
  if (sideways) must(dock.width === 340, `cockpit ${dock.width} px wide`);
  else must(dock.height === (tall ? 240 : 228), `cockpit ${dock.height} px high`);
  must(inside(dock, screen), "cockpit out of sight");
  const low = upright && innerWidth < 600 ? innerHeight * 0.55 : 0;
  const halves = all("[data-cockpit] .hero .is-hero > button", document).filter(seen);
  must(halves.length === 2 || all("[data-cockpit] .hero a", document).some(seen), "no halves");
  for (const half of halves) {
    const box = half.getBoundingClientRect();
    must(box.width >= 160 && box.height >= 104, `${half.name} ${box.width}x${box.height}`);
  }
  for (const each of [...halves, ...all("[data-next], #undo", document)]) {
    const box = each.getBoundingClientRect();
    must(box.top >= low && inside(box, screen), `${called(each)} at ${box.top}`);
    const side = each === halves[0] ? box.width / 4 : box.width * 3 / 4;
    const top = document.elementFromPoint(box.left + side, (box.top + box.bottom) / 2);
    must(each.contains(top), `${called(each)} covered by ${top && called(top)}`);
  }
  for (const hero of all(".hero .is-hero > b").filter(seen)) {
    const box = textBox(hero);
    const tile = hero.closest(".hero").getBoundingClientRect();
    must(inside(box, { ...tile.toJSON(), left: tile.left + 50, right: tile.right - 50 }), `${hero.id}: lies on its signs`);
    const digits = hero.textContent.trim().length;
    const role = hero.closest("[data-cockpit]") ? (sideways ? 120 : 96) : 56;
    must(digits > 3 ? size(hero) >= 40 && size(hero) <= role : size(hero) === role, `${hero.id}: ${size(hero)} px`);
  }

  // Type: value and text; only letters inside marks are smaller
  const walker = document.createTreeWalker(live, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const each = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !seen(each) || each.closest("dialog")) continue;
    if (each.closest(".seat-mark, [data-hero], .is-hero > *")) continue;
    must([16, 28].includes(size(each)), `${called(each)} in ${called(each.parentElement)}: ${size(each)} px`);
  }

  // Nothing is wider than its seat, and nothing is cut off without saying so
  must(document.documentElement.scrollWidth <= innerWidth, `page ${document.documentElement.scrollWidth} px wide`);
  for (const part of all(".cell, .seat, .panel, .cockpit, .head").filter(seen)) {
    const around = part.getBoundingClientRect();
    for (const each of all("a, button, b, p, li, h2", part).filter(seen)) {
      if (each.closest("details:not([open]) > :not(summary)")) continue;
      const box = each.getBoundingClientRect();
      if (!box.width || box.bottom > around.bottom && part.matches(".cell")) continue; // in a line that is not shown
      const slack = part.matches(".seat") ? 13 : 1; // a button's padding may lie in the margin
      must(box.left >= around.left - slack && box.right <= around.right + slack, `${called(each)} wider than ${called(part)}`);
    }
  }
  for (const each of all("*").filter(seen)) {
    const style = getComputedStyle(each);
    if (!/hidden|clip/.test(style.overflowX) || style.textOverflow === "ellipsis" || each.matches(".hero, .phase-word, .seat-says")) continue;
    if (each.clientWidth <= 1) continue;
    must(each.scrollWidth <= each.clientWidth + 1, `${called(each)} cut off: ${each.scrollWidth} of ${each.clientWidth} px`);
  }
  const targets = all("[data-strip] a, [data-cockpit] :is(a, button), .tools > *, .seat.is-chosen :is(a, button)");
  for (const each of targets.filter(seen)) {
    const box = each.getBoundingClientRect();
    must(Math.min(box.width, box.height) >= 43.9, `${called(each)} ${box.width}x${box.height}`);
  }
  const seatsShown = all(".seat").filter(seen).map((each) => [each, each.getBoundingClientRect()]);
  for (const [one, box] of seatsShown)
    for (const [other, around] of seatsShown)
      if (one !== other && one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY === "visible" &&
          box.left < around.right && around.left < box.right && around.top >= box.bottom - 1)
        must(false, `${one.id} lies over ${other.id}`);
  return [...new Set(wrong)];
}
