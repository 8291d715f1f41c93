// Announces changed numbers to screen readers, once: by how much, and who did it. Moments announce what Undo took
// back and what rules did.

import { say, spoken } from "../page/say.js";
import { signed } from "./deltas.js";
import { read } from "./numbers.js";
import { asked } from "./questions.js";

const live = document.getElementById("live");
const PAUSE = 600;
// A redrawn board is read when it is asked for.
const MOST = 6;
const since = new Map();
const announced = new Map();
let before = numbers();
let question = asked()?.id ?? "";
let timer = 0;

/** Each number of the board, with its kind; and the holders that are there. */
function numbers() {
  const found = new Map();
  for (const each of live.querySelectorAll(".steppers b[id]")) {
    const { word, kind } = each.parentElement.dataset;
    found.set(each.id, { n: read(each.textContent), kind: word ?? kind ?? "" });
  }
  const holders = new Set([...live.querySelectorAll(".card, .seat, [data-titled]")].map(({ id }) => id.replace(/^[os]-|\.panel$/g, "")));
  return { found, holders };
}

function called(holder) {
  const at = CSS.escape(holder);
  return spoken(live.querySelector(`#o-${at} > a, #s-${at} .seat-name h2`));
}

function speak() {
  timer = 0;
  const sentences = [];
  for (const [id, { was, by }] of since) {
    if (Date.now() - announced.get(id) < 2 * PAUSE) continue;
    const { n, kind } = before.found.get(id) ?? { n: 0, kind: was.kind };
    if (n === was.n) continue;
    const holder = id.split(".")[0];
    const whose = by && by !== holder ? live.dataset.announced : live.dataset.announcedOwn;
    const words = { who: called(by), by: signed(n - was.n), kind, holder: called(holder), n };
    sentences.push(whose.replace(/\{(\w+)\}/g, (_, name) => words[name]));
  }
  since.clear();
  announced.clear();
  if (sentences.length <= MOST) say(sentences.join(". "));
}

document.addEventListener("numbers:announced", ({ detail: ids }) => {
  for (const id of ids) announced.set(id, Date.now());
});

document.addEventListener("table:changed", ({ detail }) => {
  const now = numbers();
  const actors = document.getElementById("seq")?.dataset.by ?? "";
  const by = actors.includes(" ") ? "" : actors;
  for (const id of new Set([...now.found.keys(), ...before.found.keys()])) {
    const holder = id.split(".")[0];
    if (!now.holders.has(holder) || !before.holders.has(holder)) continue;
    const was = before.found.get(id) ?? { n: 0, kind: now.found.get(id).kind };
    if (was.n === (now.found.get(id)?.n ?? 0)) continue;
    if (detail.turned) since.delete(id);
    else since.set(id, { was: since.get(id)?.was ?? was, by });
  }
  before = now;
  if (since.size) timer ||= setTimeout(speak, PAUSE);
  const form = asked();
  if (form && form.id !== question) say(form.querySelector("h2, h3")?.textContent ?? "", true);
  question = form?.id ?? "";
});
