// What each plus and minus is, for who listens: a board has hundreds, so it is said here and not in
// the page.

const words = document.getElementById("live").dataset;

function label() {
  for (const button of document.querySelectorAll(".dials button:not([aria-label])")) {
    const kind = button.parentElement.dataset.kind;
    if (!kind) continue;
    const less = button === button.parentElement.firstElementChild && button.textContent === "−";
    button.setAttribute("aria-label", `${less ? words.less : words.more} ${kind}`);
  }
}

document.addEventListener("table:changed", label);
document.addEventListener("htmx:after:swap", label);
label();
