// A board of lists, as long as its players make them: the largest type with which all of it is in sight.
// Sought only when what is shown, or the screen, has changed; a changed number needs none.

const LEAST = 7;
const MOST = 64;
const SOON = 80;
const live = document.getElementById("live");
const root = document.documentElement.style;
let found = "";
let fitting = 0;

const shape = () => [innerWidth, innerHeight, live.clientHeight, live.querySelectorAll("*").length].join();

function fits(type) {
  root.setProperty("--tv-type", `${type}px`);
  return live.scrollHeight <= live.clientHeight + 1 && live.scrollWidth <= live.clientWidth + 1;
}

function fit() {
  fitting = 0;
  if (found === shape()) return;
  let [low, high] = [LEAST, MOST];
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  fits(low);
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
