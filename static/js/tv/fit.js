// Font size of a board of lists: the largest with which all of it is in sight. Searched only for a new screen size, or
// other groups, as when a turn order begins.
// For one counter more or less the last size is adjusted: each size that is tried lays everything out, and a changed
// number needs none.

const LEAST = 7;
const MOST = 64;
const SOON = 80;
const live = document.getElementById("live");
const root = document.documentElement.style;
let screen = "";
let parts = 0;
let type = 0;
let fitting = 0;

/** How many times too long, or too wide, the board is; 1 or less if all of it is in sight. */
const excess = () => Math.max((live.scrollHeight - 1) / live.clientHeight, (live.scrollWidth - 1) / live.clientWidth);

function fits(size) {
  type = size;
  root.setProperty("--tv-type", `${size}px`);
  return excess() <= 1;
}

function seek() {
  let [low, high] = [LEAST, MOST];
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  fits(low);
}

function shrink() {
  let over = excess();
  while (over > 1 && type > LEAST) over = fits(Math.max(LEAST, type / Math.max(over, 1.01))) ? 1 : excess();
}

function grow(by) {
  const before = type;
  if (!fits(Math.min(MOST, before * by))) fits(before);
}

function fit() {
  fitting = 0;
  const groups = [...live.querySelectorAll("[data-group]")].map((each) => each.dataset.group);
  const here = [innerWidth, innerHeight, ...groups].join();
  const now = live.querySelectorAll("*").length;
  if (here !== screen) seek();
  else if (now >= parts) shrink();
  else grow(parts / now);
  [screen, parts] = [here, now];
}

function soon() {
  fitting ||= setTimeout(fit, SOON);
}

if (document.body.classList.contains("is-slots")) {
  document.addEventListener("table:changed", soon);
  document.addEventListener("htmx:after:swap", soon);
  new ResizeObserver(soon).observe(live);
  if (document.fonts?.status === "loading") document.fonts.ready.then(() => ((screen = ""), fit()));
  fit();
}
