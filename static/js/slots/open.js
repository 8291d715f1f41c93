// The counter whose sheet is open beside the board gets a frame; a tapped item is ready to be given.

import { isAt } from "../board/sheet.js";

function mark() {
  for (const slot of document.querySelectorAll("#groups .slot"))
    slot.classList.toggle("is-open", isAt(`slots/${slot.dataset.counter}`));
}

document.addEventListener("click", () => setTimeout(mark)); // by then the sheet has its address
document.addEventListener("table:changed", mark);
document.getElementById("sheet").addEventListener("close", mark);

let item = "";
document.addEventListener("click", (event) => {
  item = event.target.closest?.("#board a[data-item]")?.dataset.item ?? "";
});
document.addEventListener("sheet:shown", () => {
  const give = item && document.querySelector(`#sheet-body [data-item="${CSS.escape(item)}"] .item-give`);
  item = "";
  if (!give) return;
  give.open = true;
  give.scrollIntoView({ block: "nearest" });
});
