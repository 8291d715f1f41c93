// Buttons that count up or down; held, they go on from ten steps to ten steps, as numbers on the board do.

import { tick } from "./haptics.js";

const HOLD = 500;
const REPEAT = 350;

/** Count with the buttons of *selector*, by their `data-step`. now(button): the number that is there;
 * set(button, n): make it *n*, as far as that is possible. */
export function steps(selector, { now, set }) {
  let timer = 0;
  let held = false;
  const at = (target) => target.closest?.(selector);
  const stop = () => clearTimeout(timer);

  document.addEventListener("pointerdown", ({ target }) => {
    stop();
    held = false;
    const button = at(target);
    if (!button) return;
    const again = () => {
      if (!button.isConnected) return;
      held = true;
      const ten = 10 * button.dataset.step;
      set(button, ten * (Math.floor(now(button) / ten) + 1));
      tick();
      timer = setTimeout(again, REPEAT);
    };
    timer = setTimeout(again, HOLD);
  });
  for (const type of ["pointerup", "pointercancel"]) document.addEventListener(type, stop);

  document.addEventListener("click", (event) => {
    const button = at(event.target);
    if (!button) return;
    event.preventDefault();
    if (!held) {
      set(button, now(button) + Number(button.dataset.step));
      tick();
    }
    held = false;
  });
  document.addEventListener("contextmenu", (event) => at(event.target) && event.preventDefault());
}
