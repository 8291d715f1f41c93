// Light or dark: the phone's setting, or the choice made here. Runs before the page is drawn, and reports the time
// zone.
const systems = matchMedia("(prefers-color-scheme: dark)");
const theme = () => document.documentElement.dataset.theme || (systems.matches ? "dark" : "light");

/** Each switch says in words which one is on. */
function say() {
  for (const button of document.querySelectorAll("[data-theme-switch]")) button.dataset.state = button.dataset[theme()] ?? "";
}

function show(chosen) {
  if (chosen) document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
  say();
}

try {
  show(localStorage.getItem("theme") ?? "");
} catch {
  // Storage may be blocked; then the phone decides.
}
document.addEventListener("DOMContentLoaded", say);
systems.addEventListener("change", say);

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-switch]")) return;
  const next = theme() === "dark" ? "light" : "dark";
  show(next);
  try {
    localStorage.setItem("theme", next);
  } catch {
    // It lasts as long as the page.
  }
});

// The server shows times as this phone's clock does.
try {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const kept = self === top ? "lax" : "none; secure; partitioned"; // in a frame of another site
  if (zone) document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=${kept}`;
} catch {
  // Then they are the server's.
}
