// Which scene is shown, and which is only prepared: choices of this screen, kept over a reload.

const live = document.getElementById("live");
const wide = matchMedia("(min-width: 60rem)");
const opened = new Map(); // what was opened or closed here stays so when the board is redrawn
let prepared = kept("prepared");
let chosen = kept("tab");

function kept(what) {
  try {
    return sessionStorage.getItem(`${what}:${live.dataset.game}`) ?? "";
  } catch {
    return "";
  }
}

function keep(what, tab) {
  try {
    sessionStorage.setItem(`${what}:${live.dataset.game}`, tab);
  } catch {
    // It lasts as long as the page.
  }
}

/** The tab of a scene that is only prepared, until it holds something. */
function prepare() {
  const nav = document.querySelector(".tabs");
  if (!nav || !prepared) return;
  if ([...nav.querySelectorAll("[data-tab]")].some((tab) => tab.dataset.tab === prepared)) {
    prepared = "";
    keep("prepared", prepared);
    return;
  }
  const tab = document.createElement("button");
  tab.type = "button";
  tab.dataset.tab = prepared;
  tab.textContent = prepared.slice(6);
  nav.querySelector(".tab-next").after(tab);
}

function show() {
  prepare();
  const tabs = [...document.querySelectorAll("[data-tab]")];
  const here = tabs.some((tab) => tab.dataset.tab === chosen) ? chosen : "";
  for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset.tab === here));
  for (const group of document.querySelectorAll("[data-group]")) {
    group.hidden = Boolean(here) && group.dataset.group !== here;
    if (group.tagName !== "DETAILS") continue;
    const usual = wide.matches && group.matches(".is-seat") && group.closest("#groups:has(.tabs)");
    group.open = Boolean(here) || (opened.get(group.dataset.group) ?? Boolean(usual));
  }
}

document.addEventListener("click", (event) => {
  const tab = event.target.closest?.("[data-tab]");
  if (tab) choose(tab.dataset.tab);
});
document.addEventListener("click", (event) => {
  const group = event.target.closest?.("[data-group] > summary")?.parentElement;
  if (group) opened.set(group.dataset.group, !group.open);
});
function choose(tab) {
  chosen = tab;
  keep("tab", chosen);
  show();
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-next-scene]");
  if (!form) return;
  event.preventDefault();
  prepared = `scene:${form.elements.scene.value.trim()}`;
  keep("prepared", prepared);
  choose(prepared);
  form.closest("dialog").close();
});

// A counter made in a scene no one sees yet starts hidden too, unless the box is unticked.
document.addEventListener("htmx:after:swap", () => {
  const tick = document.querySelector("#sheet-body [data-prepare]:not([data-set])");
  if (!tick) return;
  tick.dataset.set = "";
  const tab = document.querySelector('[data-tab][aria-pressed="true"]')?.dataset.tab ?? "";
  if (!tab.startsWith("scene:") || tab === "scene:") return;
  document.querySelector("[data-scene-name]").textContent = tab.slice(6);
  tick.checked = !document.querySelector(`[data-group="${CSS.escape(tab)}"] [name=hide-slot]`);
});
document.addEventListener("table:changed", show);
show();
