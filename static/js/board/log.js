// The log: it is searched as one types, and goes on where its end comes into sight.

import { stayAt, turnTo } from "./sheet.js";

const body = document.getElementById("sheet-body");
const PAUSE = 200;
const FOLLOWED = 300;
const HEADERS = { "HX-Request": "true" };
let timer = 0;
let asking = 0;

// Searching

const found = (form) => {
  const typed = new FormData(form).get("q").trim();
  return typed ? `log?q=${encodeURIComponent(typed)}` : "log";
};

body.addEventListener("input", ({ target }) => {
  const form = target.closest?.("form[data-search]");
  if (!form) return;
  clearTimeout(timer);
  timer = setTimeout(() => turnTo(found(form)), PAUSE);
});
document.addEventListener("submit", (event) => {
  const form = event.target.closest?.("form[data-search]");
  if (!form) return;
  event.preventDefault();
  clearTimeout(timer);
  turnTo(found(form));
});

// Earlier lines

/** The next page, after what stands there; a turn that began on it gets its lines together. */
function append(pages, next) {
  const goesOn = pages.querySelector(".log-turn[data-goes-on]:last-of-type");
  const first = next.querySelector(".log-turn");
  if (goesOn && first && !pages.dataset.log.startsWith("found")) {
    first.querySelector(".log").prepend(...goesOn.querySelectorAll(".log > li"));
    first.id = goesOn.id;
    goesOn.remove();
  }
  pages.querySelector(".log-earlier").remove();
  pages.querySelector(".log-empty")?.remove();
  pages.append(...next.childNodes);
}

async function more(link) {
  const mine = ++asking;
  const pages = link.closest(".log-pages");
  link.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(link.getAttribute("href"), { headers: HEADERS });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.querySelector(".log-pages");
    if (mine !== asking || !link.isConnected || !next) return;
    const down = next.querySelector(".log-turn:last-of-type .log > li:last-child")?.id.slice(1);
    append(pages, document.adoptNode(next));
    htmx.process(pages);
    // It follows the table as far as it has been read, unless that is far.
    const all = pages.querySelectorAll(".log > li").length;
    stayAt(pages.dataset.log === "newest" && all < FOLLOWED && down ? `log?to=${down}` : "");
    watch();
  } finally {
    link.removeAttribute("aria-busy");
  }
}

const ends = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) more(target);
});

/** Load what comes before, once the last line is in sight. */
function watch() {
  ends.disconnect();
  const link = body.querySelector("[data-earlier]");
  if (link) ends.observe(link);
}

body.addEventListener("click", (event) => {
  const link = event.target.closest("[data-earlier]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  more(link);
});
document.addEventListener("htmx:after:swap", ({ target }) => target === body && watch());
