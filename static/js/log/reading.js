// Reading the log, over the board or as a page of its own: htmx searches as one types, and goes on as one scrolls.

/** The address of what is typed in the search field. */
export const searched = (form) => {
  const typed = form.elements.namedItem("q").value.trim();
  return typed ? `log?q=${encodeURIComponent(typed)}` : "log";
};

// After more lines the way to them is over, and a turn that began earlier has all its lines below its heading.
document.addEventListener("htmx:after:swap", ({ target }) => {
  const pages = target.closest?.(".log-pages");
  if (!pages) return;
  for (const each of pages.querySelectorAll(":is(.log-earlier, .log-empty):not(:last-child)")) each.remove();
  const goesOn = pages.querySelector(".log-turn[data-goes-on]:has(+ .log-turn)");
  if (!goesOn || pages.dataset.log === "found") return;
  const turn = goesOn.nextElementSibling;
  turn.querySelector(".log").prepend(...goesOn.querySelectorAll(".log > li"));
  turn.id = goesOn.id;
  goesOn.remove();
});
