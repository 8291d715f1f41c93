// A card, a seat or the log, over the board. It follows the table while it is open and keeps what is
// being typed.

const sheet = document.getElementById("sheet");
const body = document.getElementById("sheet-body");
const THROTTLE = 400;
const docks = sheet.dataset.docks && matchMedia(sheet.dataset.docks);
let address = "";
let timer = 0;
let following = "";
let coming = null;

/** Open a dialog over the board, or beside it where the game and the screen have room for that. */
export function open(dialog) {
  if (dialog.open) return;
  if (docks?.matches) dialog.show();
  else dialog.showModal();
}

const wanted = (link) =>
  link.matches("[data-sheet], .card > a, .seat-name, .add-card, .sheet a:not([href^='/'], [href^='#'], [data-page])");

/** Whether the sheet is open at that address. */
export const isAt = (href) => Boolean(href) && address === href;

/** The open sheet follows the table at that address from now on. */
export function stayAt(href) {
  if (address) address = href;
}

/** Go to another address of what the sheet shows; what is being typed stays. */
export async function turnTo(href) {
  address = href;
  await load("innerMorph");
}

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
  following = "now";
  await load("innerMorph");
  following = "";
  const after = held()?.getBoundingClientRect().top;
  if (before !== undefined && after !== undefined) sheet.scrollTop += after - before;
}

// What this phone's own tap has changed since is not taken back: the sheet is asked for again.
document.addEventListener("table:accepted", () => {
  if (following) following = "behind";
});
body.addEventListener("htmx:before:swap", (event) => following === "behind" && event.preventDefault());

export async function show(href) {
  address = href;
  clearTimeout(timer);
  timer = 0;
  const mine = (coming = load("innerHTML"));
  try {
    await mine;
  } finally {
    if (coming === mine) coming = null;
  }
  document.querySelectorAll("dialog[open]").forEach((other) => other !== sheet && other.close());
  sheet.setAttribute("aria-label", body.querySelector("h2")?.textContent.trim() ?? "");
  open(sheet);
  sheet.scrollTop = 0;
  body.querySelector("[data-asked]")?.scrollIntoView({ block: "center" });
}

// A link that is tapped while the sheet goes elsewhere says what it said before: its like is meant, there.
async function tapThere(link) {
  const said = link.textContent.trim();
  await coming;
  [...body.querySelectorAll("a[href]")].find((each) => each.textContent.trim() === said)?.click();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (link && wanted(link) && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    if (coming && body.contains(link)) tapThere(link);
    else show(link.getAttribute("href"));
  } else if (event.target.closest?.("[data-close]")) {
    event.target.closest("dialog").close();
  } else if (event.target instanceof HTMLDialogElement && event.target.matches(":modal")) {
    event.target.close(); // the backdrop
  } else if (event.target.closest?.("[data-menu]")) {
    document.getElementById("menu").showModal();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog:modal")) return;
  [...document.querySelectorAll("dialog[open]")].at(-1)?.close(); // a docked one does not by itself
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
