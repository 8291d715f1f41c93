// Sharing the link, where the browser can: its own share sheet, or the clipboard. The page is drawn again
// when it has something else to show: who has come, another address or code. When the last seat is taken it
// goes to the table.

const AGAIN = 2500;
const { shows, table, waits } = document.querySelector(".share").dataset;

setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const there = answer.ok ? page.querySelector(".share").dataset : { shows, waits };
    if (waits !== undefined && there.waits === undefined) location.assign(table);
    else if (there.shows !== shows) location.reload();
  } catch {
    // The server does not answer just now.
  }
}, AGAIN);

const row = document.querySelector(".share-pass");
const { link, title } = row.dataset;
const WAYS = {
  share: navigator.share && (() => navigator.share({ title, url: link })),
  copy: navigator.clipboard && (() => navigator.clipboard.writeText(link)),
};

for (const button of row.querySelectorAll("[data-pass]")) {
  const pass = WAYS[button.dataset.pass];
  if (!pass) continue;
  button.hidden = row.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await pass();
      if (button.dataset.done) button.textContent = button.dataset.done;
    } catch {
      // Sharing was cancelled; the link is still there to copy by hand.
    }
  });
}
