// At the server's new address: take over the old page's storage, and go on to the table. Only this game's keys and
// the page settings are taken; the rest of the link is ignored.

const form = document.querySelector("[data-back]");
const OURS = [`outbox:${form.dataset.back}:`, "switch:", "theme", "name"];

function take() {
  try {
    const brought = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    for (const [key, value] of Object.entries(brought)) {
      if (OURS.some((each) => key.startsWith(each)) && typeof value === "string") localStorage.setItem(key, value);
    }
  } catch {
    // It had nothing, or nothing can be stored.
  }
  history.replaceState(null, "", location.pathname + location.search);
}

form.addEventListener("submit", take, { once: true });
if ("go" in form.dataset) form.requestSubmit();
