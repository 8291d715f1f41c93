// Where the seats' parts lie on one phone for all. It lies lengthwise: pairs of parts along a spine, perhaps a part at
// either end. Held sideways it shows the same picture, turned.

export const SPINE = 48;
export const STRIP = 64; // a part whose seat has a phone of its own, without what a notch takes from it
// By number of seats, two each: how many at the foot, on the left, at the head and on the right, clockwise.
const LAYOUTS = {
  1: [[1, 0, 0, 0]],
  2: [[1, 0, 1, 0], [0, 1, 0, 1]],
  3: [[1, 1, 0, 1], [0, 1, 0, 2]],
  4: [[0, 2, 0, 2], [1, 1, 1, 1]],
  5: [[1, 2, 0, 2], [0, 3, 0, 2]],
  6: [[0, 3, 0, 3], [1, 2, 1, 2]],
};
const LEFT = 90;
const HEAD = 180;
const RIGHT = 270;

/** The layouts of so many seats. */
export const layouts = (count) => LAYOUTS[count] ?? [[0, Math.ceil(count / 2), 0, Math.floor(count / 2)]];

/** How long an end beside pairs is: it leaves each of them as much, or a little more. */
function ends([foot, left, head, right], height) {
  const rows = Math.max(left, right);
  return height * (foot + head === 1 ? (rows === 1 ? 0.33 : 0.3) : rows === 1 ? 0.27 : 0.22);
}

/** The lengths that *length* is shared into: strips are short, and the others take their room. */
function shared(length, strips) {
  const rest = strips.filter((strip) => !strip).length;
  if (!rest) return strips.map(() => length / strips.length);
  const taken = strips.reduce((sum, strip) => sum + strip, 0);
  return strips.map((strip) => strip || (length - taken) / rest);
}

/** The boxes of a column from *top* down, in the order of its seats. */
function column(lengths, top, box) {
  let y = top;
  return lengths.map((height) => {
    const one = { ...box, y, height };
    y += height;
    return one;
  });
}

/** The boxes on a screen that is higher than wide: of the seats, clockwise, and of the spine for each of them. */
function upright([foot, left, head, right], width, height, strips) {
  const rows = Math.max(left, right);
  const deep = (n) => strips[n] || ends([foot, left, head, right], height);
  const bottom = foot && (rows ? deep(0) : shared(height - SPINE, strips)[0]);
  const top = head && (rows ? deep(foot + left) : height - bottom - SPINE);
  const across = (y) => ({ x: 0, y, width, height: SPINE, facing: 0 });
  const from = top + (head ? SPINE : 0);
  const room = height - from - bottom - (foot && rows ? SPINE : 0);
  const half = (width - SPINE) / 2;
  const along = { x: half, y: from, width: SPINE, height: room };
  const lefts = column(shared(room, strips.slice(foot, foot + left).reverse()), from, { x: 0, width: half, facing: LEFT });
  const rights = column(shared(room, strips.slice(foot + left + head)), from, { x: width - half, width: half, facing: RIGHT });
  const seats = [
    ...(foot ? [{ x: 0, y: height - bottom, width, height: bottom, facing: 0, spine: across(height - bottom - SPINE) }] : []),
    ...lefts.reverse().map((one) => ({ ...one, spine: { ...along, facing: LEFT } })),
    ...(head ? [{ x: 0, y: 0, width, height: top, facing: HEAD, spine: { ...across(top), facing: HEAD } }] : []),
    ...rights.map((one) => ({ ...one, spine: { ...along, facing: RIGHT } })),
  ];
  if (seats.length === 1) Object.assign(seats[0], { y: SPINE, height: height - SPINE, spine: across(0) });
  return seats;
}

const sideways = ({ x, y, width, height, facing, ...more }, whole) =>
  ({ ...more, x: y, y: whole - x - width, width: height, height: width, facing: (facing + 270) % 360 });

/** The boxes of so many seats on a screen, in the layout *which*. strips: by seat, how long its strip is; 0 if it has
 * all its room. */
export function boxes(count, which, width, height, strips = Array(count).fill(0)) {
  const layout = layouts(count)[which] ?? layouts(count)[0];
  if (width <= height) return upright(layout, width, height, strips);
  return upright(layout, height, width, strips).map((one) => ({ ...sideways(one, height), spine: sideways(one.spine, height) }));
}

const SIDES = ["Top", "Right", "Bottom", "Left"];

/** Lay *element* into a box of the screen, turned to its player; what it shows keeps clear of the notch, which takes
 * *insets* from the screen's sides. */
export function lay(element, { x, y, width, height, facing }, insets, screen) {
  const [w, h] = facing % 180 ? [height, width] : [width, height];
  const touching = [y < 1, x + width > screen.width - 1, y + height > screen.height - 1, x < 1];
  Object.assign(element.style, {
    left: `${x + (width - w) / 2}px`, top: `${y + (height - h) / 2}px`,
    width: `${w}px`, height: `${h}px`, rotate: `${facing}deg`,
  });
  SIDES.forEach((_side, n) => {
    const of = (n + facing / 90) % 4;
    element.style.setProperty(`--inset-${SIDES[n].toLowerCase()}`, `${touching[of] ? insets[of] : 0}px`);
  });
}
