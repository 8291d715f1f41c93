// A tick under the finger when a tap is taken, two when it is refused; a flash where nothing shakes.

import { on } from "./switches.js";

function shake(pattern) {
  if (on("haptics")) navigator.vibrate?.(pattern);
}

export const tick = () => shake(8);

document.addEventListener("table:refused", () => {
  shake([30, 60, 30]);
  if (!navigator.vibrate) {
    document.body.classList.add("is-refused");
    setTimeout(() => document.body.classList.remove("is-refused"), 250);
  }
});
