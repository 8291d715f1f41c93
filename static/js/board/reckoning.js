// What digits and signs come to, read left to right from the number that was there.

/** The result of *parts*: numbers, and "+", "-", "*" or "/2" between them. A half is rounded up to a multiple
 * of *unit*. */
export function reckoned(parts, now, unit = 1) {
  let value = now;
  let op = null;
  for (const part of parts) {
    if (part === "/2") value = Math.ceil(value / 2 / unit) * unit;
    else if (["+", "-", "*"].includes(part)) op = part;
    else if (op === "+") value += Number(part);
    else if (op === "-") value -= Number(part);
    else if (op === "*") value *= Number(part);
    else value = Number(part);
  }
  return value;
}
