// "Previously…" opens by itself when a session has ended, and once more on another day: this phone remembers
// when it was put away. The line above the board opens it at any time.

import { isAt, show } from "../board/sheet.js";
import * as storage from "../page/storage.js";
import { when } from "../page/when.js";

const { game, seat } = document.getElementById("live").dataset;
const key = `previously:${game}`;
const ANOTHER_DAY = 6 * 3600; // seconds
const line = () => document.querySelector("#chapter > a");
const now = () => Date.now() / 1000;
let asked = ""; // the session for which it was opened on this page

function look() {
  const { session, ended } = line()?.dataset ?? {};
  if (!seat || !session || asked === session) return;
  asked = session;
  const last = storage.read(key, {});
  const nextTime = Number(ended) + ANOTHER_DAY;
  const read = last.session === session && (last.at > nextTime || now() < nextTime);
  if (!read) show("slots/previously", line());
}

function here() {
  const { session } = line()?.dataset ?? {};
  if (session) storage.keep(key, { session, at: now() });
}

when("click", "[data-here]", (link, event) => {
  event.preventDefault();
  link.closest("dialog")?.close();
});
const sheet = document.getElementById("sheet");
let open = false;
new MutationObserver(() => {
  if (sheet.open) open = isAt("slots/previously");
  else if (open) here();
}).observe(sheet, { attributeFilter: ["open"] });
document.addEventListener("table:changed", look);
look();
