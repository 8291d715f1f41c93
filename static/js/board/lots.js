// Lots for the first turn: on every screen a lamp with a tail runs round cells, parts and tiles, slower and slower, and
// stops at who begins.

const LASTS = 2400;
const ROUNDS = 3;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const places = (seat) => document.querySelectorAll(`[data-choose="${seat}"], #s-${seat}`);

/** Say of each place how many steps ago the lamp was there. */
function light(seats, step) {
  seats.forEach((seat, n) => {
    for (const each of places(seat)) each.dataset.lamp = (step - n + seats.length) % seats.length;
  });
}

function end(then) {
  document.body.classList.remove("has-lots");
  for (const each of document.querySelectorAll("[data-lamp]")) delete each.dataset.lamp;
  then();
}

document.addEventListener("lots:drawn", ({ detail: { seats, then } }) => {
  const steps = still.matches ? 0 : ROUNDS * seats.length;
  const go = (step) => {
    if (step === steps) return end(then);
    light(seats, step);
    setTimeout(go, ((2 * step + 1) * LASTS) / steps ** 2, step + 1);
  };
  document.getElementById("end-sheet").disabled = false;
  document.body.classList.add("has-lots");
  go(0);
});
