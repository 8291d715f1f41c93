// The lamp's light: as the phone has it, or as somebody chose. Runs before the page is drawn.
const themes = ["", "dark", "light"];

function show(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

try {
  show(localStorage.getItem("theme") ?? "");
} catch {
  // Storage may be forbidden; then the phone decides.
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-switch]")) return;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  show(next);
  try {
    localStorage.setItem("theme", next);
  } catch {
    // It lasts as long as the page.
  }
});
