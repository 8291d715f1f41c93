// The picture beside a number: pips, a clock, a track. The server draws it (fragments.py); here it follows
// the number as it changes.

const read = (text) => Number(text.replace("−", "-"));

/** The parts from which to which pips or a track are filled. */
function filled(track, n, least) {
  if (!track) return [0, n - least];
  return n > 0 ? [1 - least, n + 1 - least] : [n - least, -least];
}

export function draw() {
  for (const picture of document.querySelectorAll("svg.look")) {
    const number = picture.closest("li, .cell-top")?.querySelector("b[id], b[data-of]");
    if (!number || picture.dataset.now === number.textContent) continue;
    const least = Number(picture.dataset.least);
    const most = Number(picture.dataset.most);
    const n = Math.max(least, Math.min(read(number.textContent), most));
    const on = picture.querySelector(".on");
    const track = picture.classList.contains("is-track") && least < 0;
    picture.dataset.now = number.textContent;
    if (picture.classList.contains("is-clock")) {
      on.setAttribute("stroke-dasharray", `${n - least} ${most - least}`);
      continue;
    }
    const [start, end] = filled(track, n, least);
    const parts = most - least + (track ? 1 : 0);
    on.setAttribute("x1", ((100 * start) / parts).toFixed(2));
    on.setAttribute("x2", ((100 * end) / parts).toFixed(2));
    on.setAttribute("pathLength", String(end - start));
  }
}
