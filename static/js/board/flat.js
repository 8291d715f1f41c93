// The phone lies in the middle: where each seat's part is and which way it faces. This phone remembers
// what was rotated.

const board = () => document.getElementById("board");
const middle = document.getElementById("flat");
const key = `flat:${document.getElementById("live").dataset.game}`;
// Clockwise from this phone's seat: column, row and direction, by number of seats.
const PLACES = {
  1: [[0, 0, 0]],
  2: [[0, 1, 0], [0, 0, 180]],
  3: [[0, 1, 0], [0, 0, 180], [1, 0, 180]],
  4: [[0, 1, 0], [0, 0, 180], [1, 0, 180], [1, 1, 0]],
  5: [[0, 2, 0], [0, 1, 90], [0, 0, 180], [1, 0, 180], [1, 2, 0]],
  6: [[0, 2, 0], [0, 1, 90], [0, 0, 180], [1, 0, 180], [1, 1, 270], [1, 2, 0]],
};

// When the screen is wider than it is high, five and six seats have more room side by side.
const WIDE = {
  5: [[0, 1, 0], [0, 0, 180], [1, 0, 180], [2, 0, 180], [1, 1, 0]],
  6: [[0, 1, 0], [0, 0, 180], [1, 0, 180], [2, 0, 180], [2, 1, 0], [1, 1, 0]],
};

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

function lay() {
  const seats = [...board().querySelectorAll(":scope > .seat")];
  const where = places(seats.length);
  const facing = remembered();
  const rows = Math.max(...where.map(([, row]) => row)) + 1;
  const height = innerHeight / rows;
  seats.forEach((seat, n) => {
    const [column, row, usual] = where[n];
    const width = innerWidth / where.filter(([, other]) => other === row).length;
    const turned = facing[seat.dataset.seat] ?? usual;
    const aside = turned % 180 !== 0;
    const [w, h] = aside ? [height, width] : [width, height];
    const x = column * width + (width - w) / 2;
    const y = row * height + (height - h) / 2;
    Object.assign(seat.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px`, rotate: `${turned}deg` });
    seat.classList.add("is-mine");
    seat.dataset.facing = turned;
    if (!seat.querySelector(":scope > .flat-turn")) seat.append(turner());
    if (n === 0 && !seat.querySelector(":scope > .flat-own")) seat.append(owner());
  });
}

/** Say, in the part of this phone's seat, which seat the taps are logged for. */
function owner() {
  const said = document.createElement("p");
  said.className = "flat-own";
  said.textContent = middle.dataset.own;
  return said;
}

function turner() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "flat-turn";
  button.textContent = "⟳";
  button.setAttribute("aria-label", middle.dataset.turn);
  return button;
}

document.addEventListener("click", (event) => {
  const seat = event.target.closest?.(".flat-turn")?.closest(".seat");
  if (!seat) return;
  const facing = remembered();
  facing[seat.dataset.seat] = (Number(seat.dataset.facing) + 90) % 360;
  try {
    localStorage.setItem(key, JSON.stringify(facing));
  } catch {
    // Without storage it lasts until the board next changes.
  }
  lay();
});
document.addEventListener("table:changed", lay);
document.addEventListener("htmx:after:swap", lay);
addEventListener("resize", lay);
lay();
