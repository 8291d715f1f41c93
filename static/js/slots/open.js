// The counter whose sheet is open beside the board is framed.

import { isAt } from "../board/sheet.js";

function mark() {
  for (const slot of document.querySelectorAll("#groups .slot"))
    slot.classList.toggle("is-open", isAt(`slots/${slot.dataset.counter}`));
}

document.addEventListener("click", () => setTimeout(mark)); // by then the sheet has its address
document.addEventListener("table:changed", mark);
document.getElementById("sheet").addEventListener("close", mark);
