// Several players tap one phone at once. A browser makes clicks of fingers that come one by one only; of those that are
// down together, each makes its own here. Minus and plus count on pointer-up, and need none.

const COUNTS = '.steppers li > button[form="t"]';
const WANDER = 20;
const LATE = 40; // milliseconds until the browser has made its own click of a finger, if it makes one; pad.js waits longer
const down = new Map();
const due = new Set();

/** Click what each of several fingers taps; before({ target }) comes first, as it was their pointer that came last. */
export function fingers(before) {
  document.addEventListener("pointerdown", ({ pointerId, target, clientX: x, clientY: y }) => {
    down.set(pointerId, { target, x, y, together: false });
    if (down.size > 1) for (const finger of down.values()) finger.together = true;
  });
  document.addEventListener("pointercancel", ({ pointerId }) => down.delete(pointerId));
  document.addEventListener("pointerup", ({ pointerId, clientX, clientY }) => {
    const finger = down.get(pointerId);
    down.delete(pointerId);
    if (!finger?.together || finger.target.closest(COUNTS)) return;
    if (Math.hypot(clientX - finger.x, clientY - finger.y) > WANDER) return;
    due.add(finger);
    setTimeout(() => {
      if (!due.delete(finger)) return;
      before(finger);
      finger.target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }, LATE);
  });
  document.addEventListener("click", ({ isTrusted, target }) => {
    for (const finger of due) if (isTrusted && finger.target === target) due.delete(finger);
  }, { capture: true });
}
