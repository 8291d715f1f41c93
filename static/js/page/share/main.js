// Sharing the link, where the browser can. The page is redrawn for changes: a guest, another address or code. When
// the last seat is taken it goes to the table.

import * as made from "../made.js";
import { offer } from "../pass.js";

const AGAIN = 2500;
const { shows, table, waits, made: own } = document.querySelector(".share").dataset;

setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const there = answer.ok ? page.querySelector(".share").dataset : { shows, waits };
    if (waits !== undefined && there.waits === undefined) location.assign(table);
    else if (there.shows !== shows) location.reload();
  } catch {
    // The server does not answer just now.
  }
}, AGAIN);

if (own) made.keep(JSON.parse(own));
offer(document.querySelector(".share-pass"));
