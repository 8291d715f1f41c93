// What of a table's page is cut, covered or wider than the screen of width x height; returns the complaints.
({ width, height, sheet }) => {
  const wrong = [];
  const must = (fine, what) => fine || wrong.push(what);
  const called = (each) => `${each.id ? `#${each.id}` : ""}.${[...each.classList].join(".")}`;
  const seen = (each) =>
    each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !each.closest(".unseen, noscript");
  const place = (each) => {
    const part = each.closest("[id]");
    return `${part?.id ?? ""} ${each.tagName.toLowerCase()}${called(each)} “${each.textContent.trim().slice(0, 20)}”`;
  };

  // A phone makes its page wider when anything is wider than the screen, and all of it smaller.
  must(innerWidth === width && innerHeight === height, `page ${innerWidth}x${innerHeight}`);
  const root = document.documentElement;
  must(root.scrollWidth <= width, `page scrolls to ${root.scrollWidth}`);

  // Numbers: within all that cuts or scrolls sideways; none over its neighbour
  const whole = /^[−+-]?\d[\d.,]*$/;
  const walker = document.createTreeWalker(document.querySelector("#live"), NodeFilter.SHOW_TEXT);
  const numbers = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const each = text.parentElement;
    if (!whole.test(text.data.trim()) || !seen(each) || each.closest(".tabs")) continue; // those are scrolled
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (!box.width) continue;
    // Scrolled out of sight, or in a line that is not shown: then it is not read wrongly.
    let hidden = false;
    for (let around = each; around && around.id !== "live"; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const edge = around.getBoundingClientRect();
      hidden ||= box.top >= edge.bottom - 2 || box.bottom <= edge.top + 2;
      must(hidden || (box.left >= edge.left - 1 && box.right <= edge.right + 1), `${place(each)} is cut by ${called(around)}`);
    }
    if (!hidden) numbers.push([each, box]);
  }
  const band = ({ top, bottom }) => [top + (bottom - top) * 0.3, bottom - (bottom - top) * 0.3];
  const lies = (one, other) => {
    const [top, bottom] = band(one);
    const [above, below] = band(other);
    return one.left < other.right - 1 && other.left < one.right - 1 && top < below && above < bottom;
  };
  const marks = [...document.querySelectorAll("#live .seat-mark")].filter(seen).map((each) => [each, each.getBoundingClientRect()]);
  const groups = ".strip, .cockpit, .seat";
  for (const [n, [each, box]] of numbers.entries())
    for (const [other, around] of [...numbers.slice(n + 1), ...marks])
      if (each.closest(groups) === other.closest(groups) && !each.contains(other) && lies(box, around))
        wrong.push(`${place(each)} lies on ${place(other)}`);

  // Icons beside numbers keep a size to be known by, and leave the numbers room
  for (const each of document.querySelectorAll(".cell .bit, .places > li, .places .sign")) {
    if (!seen(each) || each.matches(".is-zero.bit")) continue;
    must(each.scrollWidth <= each.clientWidth + 1, `${place(each)} holds ${each.scrollWidth} of ${each.clientWidth} px`);
    const icon = getComputedStyle(each, "::before");
    if (icon.content === "none" || icon.display === "none") continue;
    must(parseFloat(icon.width) >= 12, `${place(each)}: icon ${icon.width}`);
  }

  // In sight: every seat's number, one's own halves, Undo, the next step
  const at = (x, y) => document.elementFromPoint(x, y);
  const inside = ({ left, right, top, bottom }) => left >= 0 && top >= 0 && right <= width + 1 && bottom <= height + 1;
  if (sheet) {
    const dialog = document.querySelector("dialog[open]");
    must(dialog && inside(dialog.getBoundingClientRect()), `sheet ${dialog && JSON.stringify(dialog.getBoundingClientRect())}`);
    return [...new Set(wrong)];
  }
  for (const each of document.querySelectorAll("[data-strip] [data-hero]")) {
    const box = each.getBoundingClientRect();
    const cell = each.closest(".cell");
    must(inside(box) && cell.contains(at((box.left + box.right) / 2, (box.top + box.bottom) / 2)), `${place(each)} is out of sight`);
  }
  const cockpit = document.querySelector("[data-cockpit]");
  if (cockpit) {
    must(inside(cockpit.getBoundingClientRect()), "cockpit out of sight");
    const [less, more] = cockpit.querySelectorAll(".hero .is-hero > button");
    for (const [each, across] of [[less, 0.2], [more, 0.8], [cockpit.querySelector("#undo"), 0.5], [cockpit.querySelector("#next"), 0.5]]) {
      if (!each) continue;
      const box = each.getBoundingClientRect();
      const top = at(box.left + box.width * across, (box.top + box.bottom) / 2);
      must(inside(box) && (each.contains(top) || each.disabled && cockpit.contains(top)), `${called(each)} ${each.name} out of sight`);
    }
  }
  return [...new Set(wrong)];
}
