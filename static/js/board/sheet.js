// The sheet: a card, a seat or the log, over the board. It follows the table while it is open and keeps what is being
// typed. It shows what was asked for last: late answers neither reopen it nor replace anything that was opened
// meanwhile.

import { floatAway } from "./refusals.js";

const sheet = document.getElementById("sheet");
const body = document.getElementById("sheet-body");
const { needed } = document.getElementById("connection").dataset;
const THROTTLE = 400;
const docks = sheet.dataset.docks && matchMedia(sheet.dataset.docks);
let address = ""; // address of its content
let coming = null; // pending content: its address, when it has loaded, and whether the sheet was closed meanwhile
let timer = 0;
let following = "";
const dialogs = () => [...document.querySelectorAll("dialog[open]")].filter((each) => each !== sheet);

/** Open a dialog over the board, or beside it where the game and the screen have room for that. */
export function open(dialog) {
  if (dialog.open) return;
  if (docks?.matches) dialog.show();
  else dialog.showModal();
}

const wanted = (link) =>
  link.matches("[data-sheet], .card > a, .seat-name, .add-card, .sheet a:not([href^='/'], [href^='#'], [data-page])");

/** True if the sheet is open at that address, or is about to be. */
export const isAt = (href) => Boolean(href) && (coming?.href ?? address) === href;

/** True if it is loading something. */
export const isComing = () => Boolean(coming);

/** The open sheet follows the table at that address from now on. */
export function stayAt(href) {
  if (address) address = href;
}

/** Show *nodes*, which have no address and follow nothing. */
export function present(...nodes) {
  forget();
  freeHeight();
  body.replaceChildren(...nodes);
  name();
  if (!sheet.open) sheet.showModal();
}

const name = () => sheet.setAttribute("aria-label", body.querySelector("h2")?.textContent.trim() ?? "");

/** Load *href*, in place of whatever is loading. False if the server does not answer. */
async function load(href, style) {
  let answered = true;
  const failed = ({ target }) => (answered &&= target !== body);
  body.addEventListener("htmx:error", failed);
  await htmx.ajax("GET", href, { target: "#sheet-body", swap: style, source: "#sheet-body" });
  body.removeEventListener("htmx:error", failed);
  return answered;
}

function forget() {
  coming = null;
  address = "";
  clearTimeout(timer);
  timer = 0;
  htmx.trigger(body, "htmx:abort");
}

// The tapped element stays under the finger when more appears above it. It may be a new element by then, so it is
// found by its text and action.
const TAPPABLE = "button, label, summary";
const sign = (each) => [each.tagName, each.name, each.value, each.textContent.trim()].join();
let touched = "";
sheet.addEventListener("pointerdown", ({ target }) => {
  const part = target.closest(TAPPABLE);
  touched = part ? sign(part) : "";
});
const held = () => [...body.querySelectorAll(TAPPABLE)].find((each) => sign(each) === touched);

/** *href* with the kinds of the tiles in sight, which keep their places whatever counters come and go. */
function keeping(href) {
  const kinds = [...(body.querySelector(":scope > .tiles")?.querySelectorAll("li[data-kind]") ?? [])].map((each) => ["kept", each.dataset.kind]);
  if (!kinds.length) return href;
  return `${href}${href.includes("?") ? "&" : "?"}${new URLSearchParams(kinds)}`;
}

// What others do moves no way out: the sheet keeps its height until the player taps or unfolds something in it.
const freeHeight = () => (sheet.style.blockSize = "");
sheet.addEventListener("toggle", freeHeight, { capture: true });

/** Reload the sheet to match the table. */
async function follow() {
  if (touched) freeHeight();
  else if (sheet.matches(":modal")) sheet.style.blockSize = `${sheet.offsetHeight}px`;
  const before = held()?.getBoundingClientRect().top;
  following = "now";
  await load(keeping(address), "innerMorph");
  following = "";
  const after = held()?.getBoundingClientRect().top;
  if (before !== undefined && after !== undefined) sheet.scrollTop += after - before;
}

// Never shows older state than this phone's own taps: the sheet is loaded again.
document.addEventListener("table:accepted", () => {
  if (following) following = "behind";
});
body.addEventListener("htmx:before:swap", (event) => {
  if (event.target !== body) return;
  if (coming) address = coming.href;
  else if (following === "behind") event.preventDefault();
});

/** Load *href*, then show it. A failure is shown at the element *at*. */
export async function show(href, at) {
  const beneath = dialogs();
  clearTimeout(timer);
  timer = 0;
  const mine = (coming = { href, closed: !sheet.open, there: load(href, "innerHTML") });
  const answered = await mine.there;
  if (coming !== mine) return;
  coming = null;
  if (!answered) {
    floatAway({ message: needed }, at?.isConnected ? at : null);
    return;
  }
  if (!sheet.open && dialogs().some((each) => !beneath.includes(each))) {
    forget();
    return;
  }
  for (const each of beneath) each.close();
  name();
  freeHeight();
  open(sheet);
  sheet.scrollTop = 0;
  body.querySelector("[data-asked]")?.scrollIntoView({ block: "center" });
  document.dispatchEvent(new CustomEvent("sheet:shown"));
}

// A link that is tapped while the sheet is loading stands for its like in the new content.
async function tapThere(link) {
  const said = link.textContent.trim();
  await coming?.there;
  [...body.querySelectorAll("a[href]")].find((each) => each.textContent.trim() === said)?.click();
}

/** Leave for another page if it answers: one that does not would take the table's place. */
async function leave(link) {
  const answered = await fetch(link.href, { method: "HEAD" }).then(
    () => true,
    () => false,
  );
  if (answered) location.assign(link.href);
  else floatAway({ message: needed }, link);
}

/** Whether a page that does not answer is lost: no worker shows a copy, as on a network without https. */
const isAlone = () => document.body.classList.contains("is-stale") && !navigator.serviceWorker?.controller;

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (link && wanted(link) && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const href = link.getAttribute("href");
    if (coming && body.contains(link)) tapThere(link);
    else if (coming?.href !== href) show(href, link);
  } else if (link?.matches("[data-page]") && isAlone()) {
    event.preventDefault();
    leave(link);
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
  const docked = [...document.querySelectorAll("dialog[open]")].at(-1); // it does not close by itself
  if (!docked) return;
  docked.close();
  event.preventDefault();
});

function soon() {
  timer ||= setTimeout(() => {
    timer = 0;
    if (coming) soon();
    else if (sheet.open && address) follow();
  }, THROTTLE);
}

document.addEventListener("table:changed", () => {
  if (sheet.open || coming) soon();
});
sheet.addEventListener("close", () => {
  if (sheet.open || coming?.closed) return; // the event comes a little later: it may have been opened since
  forget();
  touched = "";
  body.replaceChildren();
});
