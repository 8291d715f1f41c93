// The usual amounts of a cockpit: for the seat that the target says, with the sign that is chosen.

import { fromButton, turned } from "./commands.js";
import { changed, looks } from "./deltas.js";
import * as outbox from "../net/outbox.js";
import { tick } from "../page/haptics.js";

const live = document.getElementById("live");
let target = live.dataset.seat ?? "";
let sign = "-";

const seats = () => [...document.querySelectorAll("#strip [data-choose]")].map((cell) => cell.dataset.choose);

function show() {
  const all = seats();
  if (!all.includes(target)) target = live.dataset.seat;
  for (const button of document.querySelectorAll("#cockpit [data-target]")) {
    const mark = document.querySelector(`#strip [data-choose="${CSS.escape(target)}"] .seat-mark`);
    if (mark) Object.assign(button.parentElement.dataset, looks(mark.closest("[data-place]")));
    button.querySelector(".seat-mark").textContent = mark?.textContent ?? "";
  }
  for (const button of document.querySelectorAll("#cockpit [data-sign]")) {
    button.dataset.sign = sign;
    button.textContent = sign === "-" ? "−" : "+";
    button.setAttribute("aria-pressed", String(sign === "-"));
  }
}

document.addEventListener("click", (event) => {
  const pressed = event.target.closest?.("#cockpit :is([data-target], [data-sign])");
  if (!pressed) return;
  if ("sign" in pressed.dataset) sign = sign === "-" ? "+" : "-";
  else target = seats()[(seats().indexOf(target) + 1) % seats().length];
  tick();
  show();
});

// Before the button's own click: it means the chosen target and sign.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#cockpit .is-amount button");
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const name = "half" in button.dataset ? button.name : sign === "-" ? button.dataset.less : button.dataset.more;
  const command = fromButton(name, `${target}.${button.value.split(".")[1]}`, Number(button.dataset.by ?? 1));
  const turn = turned(command);
  outbox.give(command, "#cockpit");
  tick();
  if (turn?.id) changed(turn.id, turn.by);
}, { capture: true });

document.addEventListener("table:changed", show);
show();
