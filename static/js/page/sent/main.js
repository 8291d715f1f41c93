// A received game is in this page's address, behind the #, which no browser sends anywhere. The server is asked to
// show it, and forgets it.

import * as made from "../made.js";
import { offer } from "../known_names.js";
import "../pass_on.js";

async function read() {
  const form = document.querySelector(".sent");
  if (!form || location.hash.length < 2) return;
  const body = new FormData(form);
  body.set("text", location.hash.slice(1));
  body.delete("file");
  const answer = await fetch(form.action, { method: "POST", body });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const shown = page.querySelector("main");
  if (!shown) return;
  document.title = page.title;
  for (const sheet of page.querySelectorAll("head link[rel=stylesheet]")) {
    if (!document.querySelector(`link[href="${sheet.getAttribute("href")}"]`)) document.head.append(sheet);
  }
  document.querySelector("main").replaceWith(shown);
  serve();
}

function serve() {
  const game = document.querySelector(".sent-game");
  if (!game) return;
  const what = game.querySelector("[data-kept]");
  if (what && made.keeps(game.dataset.packed)) what.textContent = what.dataset.kept;
  game.querySelector("[data-pass-on]").addEventListener("click", () => made.keep(game.dataset));
  const field = game.querySelector("[name=name]");
  if (!field) return;
  offer(field);
}

serve();
read();
addEventListener("hashchange", () => location.reload());
