// The log as a page of its own. Its address has the search, so that a reload and a link show the same.

import { ask, read } from "./reading.js";

const body = document.querySelector(".sheet-body");
let wanted = "";

/** Show the log at *href* below the search field; late answers never replace newer ones. */
async function turnTo(href) {
  wanted = href;
  const log = await ask(href);
  if (wanted !== href) return;
  const form = body.querySelector("form[data-search]");
  body.querySelector(".refusal").textContent = log ? "" : form.dataset.away;
  if (!log) return;
  while (form.nextElementSibling) form.nextElementSibling.remove();
  const asked = log.querySelector("form[data-search]");
  while (asked.nextElementSibling) form.parentElement.append(asked.nextElementSibling);
  history.replaceState(null, "", href);
  watch();
}

const watch = read(body, { turnTo });
