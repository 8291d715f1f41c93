// What the GM says before an Action, and the counters that its outcomes fill: both stay from last time.

import { when } from "../page/when.js";

const PLAYED = "#groups .group:not(.is-prepared, .is-past)";
const kept = {};
const selects = () => [...document.querySelectorAll("#act .scale select")];

function offer() {
  for (const select of selects()) {
    const type = CSS.escape(select.dataset.ticks ?? "");
    if (select.dataset.ticks) {
      const slots = document.querySelectorAll(`${PLAYED} .slot[data-type="${type}"]:not(.is-complete, .is-resolved)`);
      const named = [...slots].map((slot) => [slot.querySelector(".slot-name a").textContent.trim(), slot.dataset.counter]);
      select.replaceChildren(select.options[0], ...named.map(([name, id]) => new Option(name, id)));
    }
    const there = [...select.options].some((each) => each.value === kept[select.name]);
    if (there) select.value = kept[select.name];
  }
  tell();
}

// "The vault door" is "vault": the first long word.
function short(name) {
  const words = name.split(/\s+/);
  return words.find((word) => word.length > 4) ?? words.sort((a, b) => b.length - a.length)[0];
}

// Each outcome says what a tap would tick: as the server counts it, with the steps and the counters that are chosen.
function tell() {
  for (const tick of document.querySelectorAll("#act [data-fills]")) {
    const { dataset: { fills: type, slots, way, scaled }, firstElementChild: word, lastElementChild: number } = tick;
    const about = [...document.querySelectorAll("#act .scale")].filter((each) => type && each.dataset.type === type);
    const chosen = about.map((each) => each.lastElementChild.selectedOptions[0]).findLast((each) => each?.value);
    const added = scaled === undefined ? [] : about.map((each) => each.firstElementChild.selectedOptions[0]);
    const now = added.reduce((sum, each) => Math.max(0, sum + Number(each.dataset.adds)), Number(slots));
    tick.hidden = !now;
    tick.toggleAttribute("data-sure", Boolean(chosen));
    word.textContent = chosen ? short(chosen.text) : word.dataset.word;
    number.textContent = way + now;
  }
}

when("change", "#act .scale", (_scale, { target }) => {
  kept[target.name] = target.value;
  tell();
});
// What was filled in the sheet is offered beside the scale from then on.
when("command:given", ".moves", (_moves, { detail }) => {
  const select = selects().find((each) => [...each.options].some(({ value }) => value && value === detail.on));
  if (select) select.value = kept[select.name] = detail.on;
  tell();
});
// The sheet after a player's Action counts by the same steps, and what is chosen there stays, too.
when("click", 'a[href*="slots/after?"]', (link) => {
  const url = new URL(link.href);
  for (const select of selects()) {
    if (!select.name.startsWith("step-")) continue;
    if (link.closest("[data-scale]")) select.value = kept[select.name] = url.searchParams.get(select.name) ?? select.value;
    else url.searchParams.set(select.name, select.value);
  }
  tell();
  link.href = url.href;
}, true);
document.addEventListener("table:changed", offer);
offer();
