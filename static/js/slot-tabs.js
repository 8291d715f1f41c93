// Which scene is shown: a choice of this screen, kept over a reload.

const live = document.getElementById("live");
const key = `tab:${live.dataset.game}`;
let chosen = "";
try {
  chosen = sessionStorage.getItem(key) ?? "";
} catch {
  chosen = "";
}

function show() {
  const tabs = [...document.querySelectorAll("[data-tab]")];
  const here = tabs.some((tab) => tab.dataset.tab === chosen) ? chosen : "";
  for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset.tab === here));
  for (const group of document.querySelectorAll("[data-group]")) {
    group.hidden = Boolean(here) && group.dataset.group !== here;
    if (here && !group.hidden && group.tagName === "DETAILS") group.open = true;
  }
}

document.addEventListener("click", (event) => {
  const tab = event.target.closest?.("[data-tab]");
  if (!tab) return;
  chosen = tab.dataset.tab;
  try {
    sessionStorage.setItem(key, chosen);
  } catch {
    // It lasts as long as the page.
  }
  show();
});
document.addEventListener("table:changed", show);
show();
