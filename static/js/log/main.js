// The log as a page of its own. Its address has the search, so that a reload and a link show the same.

import { searched } from "./reading.js";

const form = document.querySelector(".log-search");
const said = document.querySelector(".sheet-body > .refusal");

form.addEventListener("htmx:after:swap", () => {
  said.textContent = "";
  history.replaceState(null, "", searched(form));
});
form.addEventListener("htmx:error", () => (said.textContent = form.dataset.away));
