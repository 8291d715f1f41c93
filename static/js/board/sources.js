// The card that places counters: the one last used for a kind is offered first.

import * as storage from "../page/storage.js";

const MOST = 4;
const key = `sources:${document.getElementById("live").dataset.game}`;

const read = () => storage.read(key, []);

/** The source that placed this kind last on this phone, if any did. */
export const last = (kind) => read().find((each) => each.kind === kind)?.source;

document.addEventListener("command:given", ({ detail: { do: verb, counter, on, source } }) => {
  if (verb !== "place" || !source || source === on) return;
  const rest = read().filter((each) => each.kind !== counter || each.source !== source);
  storage.keep(key, [{ kind: counter, source }, ...rest].slice(0, 12));
});

/** After the card itself: the sources used last, newest first. */
function offer(select) {
  select.dataset.offered = "";
  const names = [...new Set(read().map((each) => each.source))].slice(0, MOST);
  for (const name of names.reverse()) {
    const known = [...select.options].find((option) => option.value === name);
    const option = known ?? new Option(name, name);
    if (option !== select.options[0]) select.insertBefore(option, select.options[1] ?? null);
  }
}

document.addEventListener("htmx:after:swap", () => {
  document.querySelectorAll("select[data-sources]:not([data-offered])").forEach(offer);
});
