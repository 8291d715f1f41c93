// The log, over the board.

import { searched } from "../log/reading.js";
import { float } from "./refusals.js";
import { stayAt } from "./sheet.js";

const body = document.getElementById("sheet-body");
const FOLLOWED = 300;

// The sheet follows the table where it was searched, and as far as the log has been read, unless that is far.
body.addEventListener("htmx:after:swap", ({ target }) => {
  const pages = target.closest(".log-pages");
  if (target.matches(".log-search")) stayAt(searched(target));
  if (!pages) return;
  const lines = [...pages.querySelectorAll(".log > li")];
  const followed = pages.dataset.log === "newest" && lines.length < FOLLOWED;
  stayAt(followed ? `log?to=${lines.at(-1).id.slice(1)}` : "");
});
body.addEventListener("htmx:error", ({ target }) => {
  if (target.matches(".log-search")) float({ message: target.dataset.away });
});
