// The log, over the board.

import { read } from "../log/reading.js";
import { stayAt, turnTo } from "./sheet.js";

const body = document.getElementById("sheet-body");
const FOLLOWED = 300;

/** The sheet follows the table as far as the log has been read, unless that is far. */
function longer(pages, down) {
  htmx.process(pages);
  const all = pages.querySelectorAll(".log > li").length;
  stayAt(pages.dataset.log === "newest" && all < FOLLOWED && down ? `log?to=${down}` : "");
}

const watch = read(body, { turnTo, longer });
document.addEventListener("htmx:after:swap", ({ target }) => target === body && watch());
