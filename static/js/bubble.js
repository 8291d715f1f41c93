// The sum of what was just turned, and what it comes to: "+5 → 45", for three seconds.

const element = document.getElementById("bubble");
const SHOWN = 3000;
let sum = { id: "", by: 0, timer: 0 };

function hide() {
  element.hidePopover?.();
  element.hidden = true;
  sum = { id: "", by: 0, timer: 0 };
}

export function bubble(button, id, by) {
  const number = document.getElementById(id);
  if (!number) return;
  clearTimeout(sum.timer);
  const before = sum.id === id ? sum.by : 0;
  sum = { id, by: before + by, timer: setTimeout(() => hide(), SHOWN) };
  element.textContent = `${sum.by < 0 ? "−" : "+"}${Math.abs(sum.by)} → ${number.textContent}`;
  element.hidden = false;
  if (element.matches(":popover-open")) element.hidePopover?.();
  element.showPopover?.(); // above a sheet, if one is open
  const here = button.parentElement.querySelector("b") ?? number;
  const place = here.getBoundingClientRect();
  element.style.left = `${Math.min(innerWidth - 90, Math.max(90, place.left + place.width / 2))}px`;
  element.style.top = `${Math.max(8, place.top - 52)}px`;
}

// What was not accepted comes to nothing.
document.addEventListener("table:refused", hide);

// What is taken back has no sum any more.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-turn-back], [data-entries]")) hide();
});
