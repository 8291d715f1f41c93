// Handouts shown to this screen: the newest lies over the board until it is put away here or withdrawn. Put away, it
// stays among the notes. A television puts nothing away: it shows handouts for all beside the counters for as long as
// they are shown.

import { buzz } from "../page/haptics.js";
import * as storage from "../page/storage.js";
import { when } from "../page/when.js";

const live = document.getElementById("live");
const name = `handouts:${live.dataset.game}:${live.dataset.seat}`;
const keyOf = (handout) => handout?.dataset.handout;
const away = new Set(storage.read(name, [])); // those put away here, by their keys
let first = true;

function look() {
  const place = document.getElementById("shown");
  const all = [...document.querySelectorAll("#moments > [data-handout]")];
  const keys = new Set(all.map(keyOf));
  for (const each of [...away]) if (!keys.has(each)) away.delete(each);
  const next = all.find((each) => !away.has(keyOf(each)));
  const stands = place.firstElementChild;
  const fresh = next && keyOf(next) !== keyOf(stands);
  if (!next) place.replaceChildren();
  else if (fresh || place.said !== next.innerHTML) {
    place.said = next.innerHTML;
    const shown = next.cloneNode(true);
    for (const each of shown.querySelectorAll("img")) each.loading = "eager";
    place.replaceChildren(shown);
  }
  if (fresh && !first) {
    document.getElementById("alarm").textContent = next.innerText.trim();
    buzz("complete");
  }
  first = false;
  storage.keep(name, [...away]);
}

when("click", "[data-handout] [data-put-away]", (button) => {
  away.add(keyOf(button.closest("[data-handout]")));
  look();
});
if (document.getElementById("shown")) {
  document.addEventListener("table:changed", look);
  look();
}
