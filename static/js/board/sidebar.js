// The sidebar: seat requests, the current host, and whether the table is locked.

import { buzz } from "../page/haptics.js";
import { make } from "../page/make.js";
import { say } from "../page/say.js";

/** For so many milliseconds a tap is meant for the earlier request. */
const UNREAD = 500;
const live = document.getElementById("live");
const mine = live.dataset.phone;
const sidebar = () => document.getElementById("sidebar");
/** The requests this phone may answer; the others are not shown. */
const theirs = () =>
  [...sidebar().querySelectorAll(".seat-request")].filter(
    (each) => each.dataset.request !== mine && getComputedStyle(each).display !== "none",
  );
let known = new Set();
let came = -Infinity;
let news = "";
/** The text there. The clock counts by itself, so only a change of its state is news. */
const words = () =>
  [...sidebar().querySelectorAll(".seat-requests, .locked, .clock")]
    .map((each) => (each.id === "clock" ? each.className : each.textContent))
    .join(" ");
let shown = words();

/** An open sheet covers everything behind it, so a request that comes meanwhile is copied into it. */
function inFront() {
  document.querySelectorAll(".seat-requests.is-copy").forEach((each) => each.remove());
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  const asked = theirs();
  if (!open || !asked.length) return;
  const copy = make("div", { className: "seat-requests is-copy" }, ...asked.map((each) => each.cloneNode(true)));
  copy.querySelectorAll("[id]").forEach((each) => each.removeAttribute("id"));
  open.prepend(copy);
}

function announce() {
  for (const each of sidebar().querySelectorAll(".seat-request")) {
    const { request, asks = live.dataset.seat } = each.dataset;
    each.classList.toggle("is-mine", request === mine || asks !== live.dataset.seat);
  }
  const asked = theirs();
  const fresh = asked.filter((each) => !known.has(each.dataset.request));
  if (fresh.length && known.size) came = performance.now();
  known = new Set(asked.map((each) => each.dataset.request));
  if (fresh.length) {
    say(fresh.map((each) => each.querySelector(".seat-request-says").textContent).join(" "), true);
    buzz();
  }
  const now = sidebar().querySelector("[data-news], .locked")?.textContent ?? "";
  if (now !== news) say(now);
  news = now;
  inFront();
}

/** The table sent the sidebar again: announce what is new. */
export function look() {
  const now = words();
  announce();
  if (now === shown) return;
  shown = now;
  document.dispatchEvent(new CustomEvent("table:changed", { detail: {} }));
}

live.addEventListener("htmx:ws:after:message:incoming", () => {
  if (sidebar().firstElementChild || shown) look();
});
// A dialog that opens over a request shows it as well.
new MutationObserver(inFront).observe(document.body, { subtree: true, attributeFilter: ["open"] });

// A tap just as a request comes was meant for the earlier one.
document.addEventListener("submit", (event) => {
  if (!event.submitter?.closest(".seat-request") || event.timeStamp - came >= UNREAD) return;
  event.preventDefault();
  event.stopPropagation();
}, true);
// All requests share one form, and each has its own place for a refusal.
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const request = ctx.request.submitter?.closest(".seat-request");
  if (request) ctx.target = request.querySelector(".refusal");
});

announce();
