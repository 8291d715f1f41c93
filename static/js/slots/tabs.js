// The scene that is shown: a choice of this screen, kept over a reload.

import * as storage from "../page/storage.js";
import { when } from "../page/when.js";

const live = document.getElementById("live");
const KEY = `tab:${live.dataset.game}`;
const wide = matchMedia("(min-width: 60rem)");
const roomy = matchMedia("(min-width: 50rem) and (min-height: 521px)");
const opened = new Map(); // what was opened or closed here survives a redraw
let chosen = storage.text(KEY, true);
let unfolded = false;

const scene = (tab) => (tab.startsWith("scene:") ? tab.slice(6) : "");

/** The scene that a new counter belongs to: the one whose tab is chosen, or under All the only one that
 * runs; "" if there is none. */
export function shownScene() {
  const tab = document.querySelector('[data-tab][aria-pressed="true"]')?.dataset.tab ?? "";
  if (tab) return scene(tab);
  const running = [...document.querySelectorAll("[data-tab]:not(.is-prepared)")].map((each) => scene(each.dataset.tab)).filter(Boolean);
  return running.length === 1 ? running[0] : "";
}

/** Whether that scene runs and nobody but the GM sees anything of it. */
export function unseen(scene) {
  const group = `[data-group="${CSS.escape("scene:" + scene)}"]`;
  return Boolean(scene) && !document.querySelector(`${group}.is-prepared, ${group} [name=hide-slot]`);
}

/** Whether a group of counters is under that tab. */
const under = (group, tab) => {
  if (tab === "party") return group.matches(".is-seat");
  if (tab === "done") return group.matches(".is-done, .is-past");
  return group.dataset.group === tab;
};

function show() {
  const tabs = [...document.querySelectorAll("[data-tab]")];
  const here = tabs.some((tab) => tab.dataset.tab === chosen) ? chosen : "";
  for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset.tab === here));
  document.getElementById("tabs")?.classList.toggle("is-unfolded", unfolded);
  document.getElementById("counted")?.toggleAttribute("hidden", !["", "party"].includes(here));
  for (const group of document.querySelectorAll("[data-group]")) {
    group.hidden = Boolean(here) && !under(group, here);
    const folds = group.matches("details") ? group : group.querySelector(":scope > details");
    if (!folds) continue;
    const usual = (wide.matches && group.matches(".is-seat") && tabs.length) || (roomy.matches && group.matches(".is-mine"));
    folds.open = Boolean(here) || (opened.get(group.dataset.group) ?? Boolean(usual));
  }
}

when("click", "[data-tab]", (tab) => choose(tab.dataset.tab));
when("click", "[data-unfold-tabs]", () => {
  unfolded = true;
  show();
  document.querySelector("#tabs .is-folded").focus();
});
when("click", "[data-group] > summary, [data-group] > details > summary", ({ parentElement: folds }) => {
  opened.set(folds.closest("[data-group]").dataset.group, !folds.open);
});
function choose(tab) {
  chosen = tab;
  storage.keepText(KEY, chosen, true);
  show();
}

when("submit", "form[data-next-scene]", (form) => choose(`scene:${form.elements.scene.value.trim()}`));

// A counter made in a scene of which nobody sees anything starts hidden too, unless the box is
// unticked. In a prepared scene nobody sees it anyway, and it opens with its scene.
document.addEventListener("htmx:after:swap", () => {
  const tick = document.querySelector("#sheet-body [data-prepare]:not([data-set])");
  if (!tick) return;
  tick.dataset.set = "";
  const scene = shownScene();
  if (!scene) return;
  document.querySelector("[data-scene-name]").textContent = scene;
  tick.checked = unseen(scene);
});
document.addEventListener("table:changed", show);
show();
