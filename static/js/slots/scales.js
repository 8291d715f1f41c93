// What the GM says before an Action, and the counters that its outcomes fill: both stay from last time.

const kept = {};
const selects = () => [...document.querySelectorAll("#act .scale select")];

function offer() {
  for (const select of selects()) {
    const type = CSS.escape(select.dataset.ticks ?? "");
    if (select.dataset.ticks) {
      const slots = document.querySelectorAll(`#groups .slot[data-type="${type}"]:not(.is-complete, .is-resolved)`);
      const named = [...slots].map((slot) => [slot.querySelector(".slot-name a").textContent.trim(), slot.dataset.counter]);
      select.replaceChildren(select.options[0], ...named.map(([name, id]) => new Option(name, id)));
    }
    const there = [...select.options].some((each) => each.value === kept[select.name]);
    if (there) select.value = kept[select.name];
  }
}

document.addEventListener("change", ({ target }) => {
  if (target.closest?.("#act .scale")) kept[target.name] = target.value;
});
// What was filled in the sheet is offered beside the scale from then on.
document.addEventListener("command:given", ({ target, detail }) => {
  if (!target.closest?.(".moves")) return;
  const select = selects().find((each) => [...each.options].some(({ value }) => value && value === detail.on));
  if (select) select.value = kept[select.name] = detail.on;
});
// The sheet after a player's Action counts by the same steps, and what is chosen there stays, too.
document.addEventListener("click", ({ target }) => {
  const link = target.closest?.('a[href*="slots/after?"]');
  if (!link) return;
  const url = new URL(link.href);
  for (const select of selects()) {
    if (!select.name.startsWith("step-")) continue;
    if (link.closest("[data-scale]")) select.value = kept[select.name] = url.searchParams.get(select.name) ?? select.value;
    else url.searchParams.set(select.name, select.value);
  }
  link.href = url.href;
}, true);
document.addEventListener("table:changed", offer);
offer();
