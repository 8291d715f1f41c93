// A card, a seat or the log, over the board. It follows the table while it is open and keeps what is
// being typed.

const sheet = document.getElementById("sheet");
const body = document.getElementById("sheet-body");
const THROTTLE = 400;
let address = "";
let timer = 0;

const wanted = (link) =>
  link.matches("[data-sheet], .card > a, .seat-name, .add-card, .sheet a:not([href^='/'], [href^='#'], [data-page])");

async function load(style) {
  const here = address;
  await htmx.ajax("GET", here, { target: "#sheet-body", swap: style, source: "#sheet-body" });
}

// What was just tapped stays under the finger when more appears above it. It may be a new element by
// then, so it is found by its text and action.
const TAPPABLE = "button, label, summary";
const sign = (each) => [each.tagName, each.name, each.value, each.textContent.trim()].join();
let touched = "";
sheet.addEventListener("pointerdown", ({ target }) => {
  const part = target.closest(TAPPABLE);
  touched = part ? sign(part) : "";
});
const held = () => [...body.querySelectorAll(TAPPABLE)].find((each) => sign(each) === touched);

/** Reload the sheet to match the table. */
async function follow() {
  const before = held()?.getBoundingClientRect().top;
  await load("innerMorph");
  const after = held()?.getBoundingClientRect().top;
  if (before !== undefined && after !== undefined) sheet.scrollTop += after - before;
}

export async function show(href) {
  address = href;
  clearTimeout(timer);
  timer = 0;
  await load("innerHTML");
  document.querySelectorAll("dialog[open]").forEach((open) => open !== sheet && open.close());
  sheet.setAttribute("aria-label", body.querySelector("h2")?.textContent.trim() ?? "");
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
  body.querySelector("[data-asked]")?.scrollIntoView({ block: "center" });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (link && wanted(link) && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    show(link.getAttribute("href"));
  } else if (event.target.closest?.("[data-close]")) {
    event.target.closest("dialog").close();
  } else if (event.target instanceof HTMLDialogElement) {
    event.target.close(); // the backdrop
  } else if (event.target.closest?.("[data-menu]")) {
    document.getElementById("menu").showModal();
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest?.("form[data-filter]");
  if (!form) return;
  event.preventDefault();
  show(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`);
});

document.addEventListener("change", ({ target }) => {
  if (target.matches("form[data-filter] select")) target.form.requestSubmit();
});

document.addEventListener("table:changed", () => {
  if (!sheet.open || timer) return;
  timer = setTimeout(() => {
    timer = 0;
    if (sheet.open && address) follow();
  }, THROTTLE);
});
sheet.addEventListener("close", () => {
  address = "";
  touched = "";
  body.replaceChildren();
});
