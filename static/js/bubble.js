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

// What somebody else turns: their sign beside the number, in their colour and shape, with the sum.
const NUMBER = /<b id="([^"]+)" hx-swap-oob="true">(\d+)<\/b>/g;
const BY = /<data id="seq"[^>]* data-by="([^"]+)"/;
const live = document.getElementById("live");
const told = new Map();
const coming = new Map();

function tell(seat, number, by, total) {
  const before = told.get(number.id);
  clearTimeout(before?.timer);
  const sum = (before?.seat === seat ? before.sum : 0) + by;
  before?.badge.remove();
  const mark = document.querySelector(`#s-${CSS.escape(seat)} .seat-mark`);
  const badge = document.createElement("span");
  badge.className = "by-other";
  badge.dataset.place = mark?.closest("[data-place]").dataset.place ?? "";
  badge.setAttribute("aria-hidden", "true");
  if (mark) badge.append(mark.cloneNode(true));
  badge.append(`${sum < 0 ? "−" : "+"}${Math.abs(sum)} → ${total}`);
  const place = number.getBoundingClientRect();
  badge.style.left = `${Math.min(innerWidth - 70, Math.max(70, place.left + place.width / 2)) + scrollX}px`;
  badge.style.top = `${place.top - 40 + scrollY}px`;
  document.body.append(badge);
  const gone = () => {
    badge.remove();
    told.delete(number.id);
  };
  told.set(number.id, { seat, sum, badge, timer: setTimeout(gone, SHOWN) });
}

live.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const text = event.detail.message.data;
  const seat = typeof text === "string" && BY.exec(text)?.[1];
  if (!seat || seat === live.dataset.seat) return;
  for (const [, id, shown] of text.matchAll(NUMBER)) {
    // Frames may follow each other faster than they are drawn.
    const by = Number(shown) - (coming.get(id) ?? Number(document.getElementById(id)?.textContent));
    coming.set(id, Number(shown));
    setTimeout(() => {
      coming.delete(id);
      const number = document.getElementById(id);
      if (by && number?.offsetParent) tell(seat, number, by, Number(shown));
    }, 60);
  }
});

// What is taken back has no sum any more.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-turn-back], [data-entries]")) hide();
});
