// What somebody may switch off, remembered on this phone.

export function on(name) {
  try {
    return localStorage.getItem(`switch:${name}`) !== "off";
  } catch {
    return true;
  }
}

function show() {
  for (const button of document.querySelectorAll("[data-switch]"))
    button.setAttribute("aria-pressed", String(on(button.dataset.switch)));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-switch]");
  if (!button) return;
  const name = button.dataset.switch;
  try {
    localStorage.setItem(`switch:${name}`, on(name) ? "off" : "on");
  } catch {
    return;
  }
  show();
  document.dispatchEvent(new CustomEvent("switched", { detail: name }));
});
show();
