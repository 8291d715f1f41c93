// The browser's Back closes what lies over the page instead of leaving it. While anything does, the history has one
// more entry, however many dialogs follow each other.

const over = () => [...document.querySelectorAll("dialog:modal")];
let pushed = false;
let leaving = false; // until the browser has gone back by itself

function look() {
  if (leaving) return;
  if (over().length && !pushed) {
    pushed = true;
    history.pushState({ over: true }, "");
  } else if (!over().length && pushed) {
    pushed = false;
    leaving = true;
    history.back();
  }
}

addEventListener("popstate", () => {
  const own = leaving;
  leaving = false;
  if (!own) {
    pushed = false;
    over().at(-1)?.close();
  }
  look();
});
// One dialog often gives way to another in the same turn of the browser's loop.
new MutationObserver(() => setTimeout(look)).observe(document.body, { subtree: true, attributeFilter: ["open"] });

// A page that is loaded anew, or come back to, has nothing over it.
if (history.state?.over && !over().length) {
  leaving = true;
  history.back();
}
