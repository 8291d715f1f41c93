// Reading the log, over the board or as a page of its own: search as one types, and endless scrolling.

const PAUSE = 200;
const HEADERS = { "HX-Request": "true" };

/** The log at *href*, without the page around it; null if the server does not answer. */
export async function ask(href) {
  const answer = await fetch(href, { headers: HEADERS }).catch(() => null);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").body : null;
}

/**
 * Let the log in *body* be read: *turnTo* goes to the address of what was searched for, and *longer* is
 * notified of the pages, and of the last line, when more have come.
 */
export function read(body, { turnTo, longer }) {
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
  body.addEventListener("submit", (event) => {
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
    const next = (await ask(link.getAttribute("href")))?.querySelector(".log-pages");
    link.removeAttribute("aria-busy");
    if (mine !== asking || !link.isConnected || !next) return;
    const down = next.querySelector(".log-turn:last-of-type .log > li:last-child")?.id.slice(1);
    append(pages, document.adoptNode(next));
    longer?.(pages, down);
    watch();
  }

  const ends = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) more(target);
  });

  /** Load earlier lines once the last line is in sight. */
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
  watch();
  return watch;
}
