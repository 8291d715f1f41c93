// A phone in the middle of the table: places and directions of the seats' parts. This phone remembers rotated parts.

const live = document.getElementById("live");
const board = () => document.getElementById("board");
const menu = document.getElementById("flat-menu");
const turns = document.getElementById("flat-turns");
const key = `flat:${live.dataset.game}`;
// Clockwise from this phone's seat: column, row and direction, by number of seats; then how many rows its
// column has, where another has more. No part lies across the middle of the table: the menu is there.
const PLACES = {
  1: [[0, 0, 0]],
  2: [[0, 1, 0], [0, 0, 180]],
  3: [[0, 1, 0], [0, 0, 180], [1, 0, 180]],
  4: [[0, 1, 0], [0, 0, 180], [1, 0, 180], [1, 1, 0]],
  5: [[0, 2, 0], [0, 1, 90], [0, 0, 180], [1, 0, 180, 2], [1, 1, 0, 2]],
  6: [[0, 2, 0], [0, 1, 90], [0, 0, 180], [1, 0, 180], [1, 1, 270], [1, 2, 0]],
};

// When the screen is wider than it is high, five and six seats have more room side by side.
const WIDE = {
  5: [[0, 1, 0], [0, 0, 180], [1, 0, 180], [2, 0, 180], [1, 1, 0]],
  6: [[0, 1, 0], [0, 0, 180], [1, 0, 180], [2, 0, 180], [2, 1, 0], [1, 1, 0]],
};

// A part lower than this has its question beside its number, in pixels.
const LOW = 300;
// And one that is also narrower than this has little room beside the menu.
const NARROW = 360;

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

function places(count) {
  if (innerWidth > innerHeight && WIDE[count]) return WIDE[count];
  if (PLACES[count]) return PLACES[count];
  const rows = Math.ceil(count / 2);
  return Array.from({ length: count }, (_, n) => [n % 2, Math.floor(n / 2), n < 2 ? 180 : 0]).map(([column, row, facing]) => [column, rows - 1 - row, facing]);
}

/** The parts, clockwise from this phone's own. */
function parts() {
  const seats = [...board().querySelectorAll(":scope > .seat")];
  const own = Math.max(0, seats.findIndex((seat) => seat.dataset.seat === live.dataset.seat));
  return [...seats.slice(own), ...seats.slice(0, own)];
}

function lay() {
  const seats = parts();
  const where = places(seats.length);
  const facing = remembered();
  const most = Math.max(...where.map(([, row]) => row)) + 1;
  seats.forEach((seat, n) => {
    const [column, row, usual, rows = most] = where[n];
    const height = innerHeight / rows;
    // Those at the same height, whose column may have another number of rows.
    const beside = where.filter(([, other, , its = most]) => other * rows < (row + 1) * its && row * its < (other + 1) * rows);
    const width = board().clientWidth / new Set(beside.map(([other]) => other)).size;
    const turned = facing[seat.dataset.seat] ?? usual;
    const [w, h] = turned % 180 ? [height, width] : [width, height];
    const x = column * width + (width - w) / 2;
    const y = row * height + (height - h) / 2;
    Object.assign(seat.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px`, rotate: `${turned}deg` });
    // The middle of its edge towards the others is the middle of the table, where the menu is.
    const central = turned % 180 ? row * 2 + 1 === rows : x + w / 2 === board().clientWidth / 2;
    seat.classList.toggle("is-central", central);
    seat.classList.toggle("is-low", h < LOW && w > h);
    seat.classList.toggle("is-narrow", w < NARROW);
    seat.classList.toggle("is-mine", seat.dataset.seat === live.dataset.seat);
    seat.dataset.facing = turned;
  });
  for (const button of turns.querySelectorAll("button")) button.style.rotate = `${seats.find((seat) => seat.dataset.seat === button.dataset.turns)?.dataset.facing ?? 0}deg`;
}

/** The seat whose turn it is, and each seat's main number, as the strip says. */
function mark() {
  for (const seat of board().querySelectorAll(":scope > .seat")) {
    const cell = document.getElementById(`${seat.dataset.seat}.cell`);
    seat.classList.toggle("is-active", cell?.classList.contains("is-active") ?? false);
    const hero = seat.querySelector(".hero .is-hero > b");
    if (hero) hero.dataset.hero = seat.dataset.seat;
  }
}

function changed() {
  lay();
  mark();
}

for (const seat of parts()) {
  const cell = document.getElementById(`${seat.dataset.seat}.cell`);
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.turns = seat.dataset.seat;
  const { place, colour, emblem } = seat.dataset;
  Object.assign(button.dataset, { place, colour, emblem });
  button.setAttribute("aria-label", `${turns.firstElementChild.textContent}: ${seat.getAttribute("aria-label")}`);
  button.append(cell.querySelector(".seat-mark").cloneNode(true));
  turns.append(button);
}

document.addEventListener("click", (event) => {
  const who = event.target.closest?.("[data-turns]")?.dataset.turns;
  if (!who) {
    if (event.target.closest?.("#flat-menu :is(a, button)")) menu.hidePopover();
    return;
  }
  const facing = remembered();
  const seat = document.getElementById(`s-${who}`);
  facing[who] = (Number(seat.dataset.facing) + 90) % 360;
  try {
    localStorage.setItem(key, JSON.stringify(facing));
  } catch {
    // Without storage a part cannot be turned.
  }
  lay();
});

// A seat’s moments face its player.
new MutationObserver(() => {
  const place = document.getElementById("moment");
  const seat = board().querySelector(`.seat[data-place="${place.firstElementChild?.dataset.place}"]`);
  place.style.setProperty("--facing", `${seat?.dataset.facing ?? 0}deg`);
}).observe(document.getElementById("moment"), { childList: true });

document.addEventListener("table:changed", changed);
document.addEventListener("htmx:after:swap", changed);
addEventListener("resize", lay);
changed();
document.body.classList.add("is-laid");
