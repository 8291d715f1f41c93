// The page that passes a game on, as a sheet over the page that has the game. Without scripts it is a page.

import "./back.js";
import { make } from "./make.js";
import { offer } from "./pass.js";
import { when } from "./when.js";

const CONTENT = ".pass-on, .refusal";

function over(content) {
  const sheet = make("dialog", { className: "pass-over" }, content);
  sheet.setAttribute("aria-labelledby", "pass-on-name");
  sheet.addEventListener("click", ({ target }) => {
    if (target === sheet || target.closest("[data-closes]")) sheet.close();
  });
  sheet.addEventListener("close", () => sheet.remove());
  for (const closes of sheet.querySelectorAll("[data-closes]")) closes.hidden = false;
  document.body.append(sheet);
  sheet.showModal();
}

when("click", "[data-pass-on]", async (button, event) => {
  event.preventDefault();
  const { form, formAction } = button;
  try {
    const answer = await fetch(formAction, { method: "POST", body: new FormData(form) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const content = page.querySelector(CONTENT);
    if (content.dataset.link) offer(content);
    over(content);
  } catch {
    form.action = formAction;
    form.submit(); // the browser says why it fails
  }
});
