// A board of lists, as long as its players make them: the largest type with which all of it is in sight.
// Sought only when what is shown, or the screen, has changed; a changed number needs none.

const LEAST = 7;
const MOST = 64;
const SOON = 80;
const live = document.getElementById("live");
const root = document.documentElement.style;
let found = "";
let type = (LEAST + MOST) / 2;
let fitting = 0;

const shape = () => [innerWidth, innerHeight, live.clientHeight, live.querySelectorAll("*").length].join();

function fits(size) {
  root.setProperty("--tv-type", `${size}px`);
  return live.scrollHeight <= live.clientHeight + 1 && live.scrollWidth <= live.clientWidth + 1;
}

function fit() {
  fitting = 0;
  if (found === shape()) return;
  // First near the type there was, then further away: one counter more or less changes little.
  let [low, high, step, middle] = [LEAST, MOST, 1, type];
  while (high - low > 0.5) {
    if (fits(middle)) low = middle;
    else high = middle;
    middle = middle === low ? Math.min(low + step, (low + high) / 2) : Math.max(high - step, (low + high) / 2);
    step *= 4;
  }
  type = low;
  root.setProperty("--tv-type", `${type}px`);
  found = shape();
}

function soon() {
  fitting ||= setTimeout(fit, SOON);
}

if (document.body.classList.contains("is-slots")) {
  document.addEventListener("table:changed", soon);
  document.addEventListener("htmx:after:swap", soon);
  new ResizeObserver(soon).observe(live);
  if (document.fonts?.status === "loading") document.fonts.ready.then(() => ((found = ""), fit()));
  fit();
}
