// The text of a known card about counters; and one question about an unknown kind.

import { plainly } from "../../board/commands.js";

/** " (Pendulum Zone)" where a card's text speaks of other zones than the usual, in the words of the choice. */
const inZones = (form, zones, card) => {
  if (!(zones?.length < 4) || String(zones) === card.zone || String(zones) === SPELLS_AND_TRAPS) return "";
  const names = zones.map((zone) => zoneOf(form, zone)?.closest("label").textContent ?? zone);
  return ` (${names.join(", ")})`;
};
const SPELLS_AND_TRAPS = "spell-trap,field-zone";
const zoneOf = (form, zone) => form.querySelector(`[type="radio"][name="zone"][value="${zone}"]`);

const words = (form, kind, facts, card, note) => {
  const most = facts.maximum ? `${note.most} ${facts.maximum}` : note.any;
  return `${kind}: ${most}${inZones(form, facts.zones, card)}`;
};

/** Show a card's text about counters. */
function showFacts(form, fields) {
  const note = form.querySelector("[data-known-facts]");
  if (!note) return;
  const card = plainly({ form: fields });
  const [permits, gains, alerts, stats, battles] = [card.permits, card.on_spell, card.thresholds, card.per_counter, card.in_battle].map((each) => Object.entries(JSON.parse(each ?? "{}")));
  note.textContent = [
    ...permits.map(([kind, facts]) => words(form, kind, facts, card, note.dataset)),
    ...gains.map(([kind, gain]) => `+${gain.amount ?? gain} ${kind} ${note.dataset.spell}${inZones(form, gain.zones, card)}`),
    ...stats.map(([kind, by]) => `${kind}: +${by.atk} ATK`),
    ...battles.flatMap(([sort, kinds]) => Object.entries(kinds).map(([kind, by]) => `${kind} ⚔ ${sort}: ${by.atk} ATK, DEF`)),
    ...(card.places ? [`${note.dataset.places}: ${card.places}`] : []),
    ...alerts.map(([kind, at]) => `${kind} ${note.dataset.alert} ${at}`),
  ].join(" · ");
  note.hidden = !note.textContent;
}

document.addEventListener("card:filled", ({ target, detail }) => showFacts(target, detail));

// Kinds

const spelt = (typed) =>
  typed.trim().toLowerCase().replace(/[\s-]*counters?$/, "").replace(/[^a-z0-9 +\-/'.:]/g, "").slice(0, 40).trim();

const listed = (field) => new Set([...(field.list?.options ?? [])].map((option) => option.value));

function ask(form, kind, question) {
  const place = form.parentElement.querySelector("[data-ask]");
  if (!place) return;
  place.hidden = !kind;
  place.querySelector("[data-held-word]").textContent = kind;
  for (const field of place.querySelectorAll("[data-held-kind]")) field.value = kind;
  for (const part of place.querySelectorAll("[data-unlisted], [data-question]")) part.hidden = !question;
}

document.addEventListener("change", (event) => {
  const field = event.target;
  if (!field.matches?.("[data-kind-name]")) return;
  field.value = spelt(field.value);
  const form = field.closest("form[data-kinds]");
  if (form) ask(form, field.value && !listed(field).has(field.value) ? field.value : "", true);
});

document.addEventListener("submit", (event) => {
  for (const field of event.target.querySelectorAll("[data-kind-name]")) field.value = spelt(field.value);
}, true);

// The card may not hold that kind: perhaps its text was never noted. Once it is said that it may, what was
// refused is done.
let refused = null;
document.addEventListener("table:refused", ({ detail }) => {
  const form = detail.item?.at?.startsWith("form") ? document.querySelector(detail.item.at) : null;
  if (detail.code !== "not-permitted" || !form?.matches("[data-kinds]")) return;
  const field = form.querySelector("[data-kind-name]");
  const { counter: kind } = plainly(detail.item.command);
  ask(form, kind, !listed(field).has(kind));
  refused = { form, kind };
});

document.addEventListener("table:accepted", ({ detail }) => {
  const { do: verb, counter } = plainly(detail.command);
  if (verb !== "open-kind" && verb !== "permit") return;
  for (const place of document.querySelectorAll("[data-ask]")) place.hidden = true;
  const { form, kind } = refused ?? {};
  refused = null;
  if (kind !== counter || !form.isConnected) return;
  form.querySelector("[data-kind-name]").value = kind;
  form.requestSubmit();
});
