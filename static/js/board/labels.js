// Labels each plus and minus for screen readers: a board has hundreds, so it is done here and not in
// the page.

const words = document.getElementById("live").dataset;

function label() {
  for (const button of document.querySelectorAll(".steppers button:not([aria-label])")) {
    const kind = button.parentElement.dataset.word ?? button.parentElement.dataset.kind;
    if (!kind) continue;
    const less = button === button.parentElement.firstElementChild && button.textContent === "−";
    const holder = button.closest(".card, [data-titled]")?.querySelector(":scope > a, :scope > h3")?.textContent.trim();
    button.setAttribute("aria-label", `${less ? words.less : words.more} ${kind}${holder ? `, ${holder}` : ""}`);
  }
  if (!words.seat) return;
  for (const number of document.querySelectorAll(".steppers li:not(.act, .caption) > b:not([tabindex])")) {
    number.tabIndex = 0;
    number.setAttribute("role", "button");
    number.setAttribute("aria-haspopup", "dialog");
    number.setAttribute("aria-description", number.parentElement.dataset.word ?? number.parentElement.dataset.kind ?? "");
  }
}

// A redrawn number keeps the keyboard focus.
let place = "";
document.addEventListener("focusin", ({ target }) => (place = target.matches(".steppers b[id]") ? target.id : ""));
document.addEventListener("pointerdown", () => (place = ""));

function changed() {
  label();
  if (place && document.activeElement === document.body) document.getElementById(place)?.focus({ preventScroll: true });
}

document.addEventListener("table:changed", changed);
document.addEventListener("htmx:after:swap", changed);
label();
