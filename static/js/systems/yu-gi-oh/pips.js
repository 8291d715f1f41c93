// One pip for each counter, beside its number: the tournament rules ask for one object per counter.
// Free places up to a card's maximum are shown hollow.

import * as outbox from "../../net/outbox.js";
import { whenDrawn } from "../../page/when.js";

const MOST = 40;
const FULL = "●";
const FREE = "○";

function pips(there, most) {
  if (there > MOST) return "";
  const all = FULL.repeat(there) + FREE.repeat(Math.max(0, Math.min(most, MOST) - there));
  return all.replace(/.{5}(?=.)/gu, "$& ");
}

function draw() {
  for (const number of document.querySelectorAll(".sheet .steppers b")) {
    const stepper = number.parentElement;
    const shown = pips(Number(number.textContent), Number(stepper.dataset.most ?? 0));
    if (stepper.dataset.pips !== shown) stepper.dataset.pips = shown;
  }
}

outbox.onChange(() => queueMicrotask(draw));
whenDrawn(draw);
