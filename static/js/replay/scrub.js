// A finger on the film. At the film it goes through the whole evening; the higher it is lifted above, the finer it goes,
// down to single lines, and the film no longer jumps to it.

const LOW = 40; // so far above the film a finger still goes through the whole evening, in pixels
const FINER = 60; // every so many pixels above that, four times finer
const FINEST = 1 / 8; // lines a pixel
const COARSE = 1 / 2; // from so many lines a pixel on, it is said that there is a finer way

/** Call *jump* with the lines that a finger on *film* points at; *slider* shows them. */
export function scrub(film, slider, jump) {
  const last = Number(slider.max);
  let at = null; // where the finger was, and the line there, with its fraction

  function whole() {
    const head = parseFloat(getComputedStyle(film).getPropertyValue("--head-of-play"));
    const { left, width, top } = film.getBoundingClientRect();
    return { left: left + head / 2, top, rate: last / (width - head) };
  }

  const within = (n) => Math.min(last, Math.max(0, n));

  function point(n) {
    const line = Math.round(n);
    if (line !== Number(slider.value)) jump(line);
  }

  film.addEventListener("pointerdown", (event) => {
    if (event.button || at) return;
    event.preventDefault();
    film.setPointerCapture(event.pointerId);
    slider.focus({ preventScroll: true, focusVisible: false });
    const { left, rate } = whole();
    at = { id: event.pointerId, x: event.clientX, line: within((event.clientX - left) * rate) };
    film.classList.toggle("is-coarse", rate > COARSE);
    point(at.line);
  });
  film.addEventListener("pointermove", (event) => {
    if (event.pointerId !== at?.id) return;
    const { left, top, rate } = whole();
    const height = top - event.clientY - LOW;
    const fine = Math.max(Math.min(rate, FINEST), rate * 4 ** (-Math.max(0, height) / FINER));
    if (height > 0) at.fine = true;
    at.line = at.fine ? within(at.line + (event.clientX - at.x) * fine) : within((event.clientX - left) * rate);
    at.x = event.clientX;
    film.classList.toggle("is-coarse", fine > COARSE);
    point(at.line);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    film.addEventListener(end, (event) => {
      if (event.pointerId !== at?.id) return;
      at = null;
      film.classList.remove("is-coarse");
    });
  }
  film.classList.add("is-scrubbed");
}
