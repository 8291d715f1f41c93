// Sharing the link, where the browser can: its own share sheet, or the clipboard. The page is drawn again
// when it has something else to show: another address or code, or no free seat.

const AGAIN = 5000;
const { shows } = document.querySelector(".share").dataset;

setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok && page.querySelector(".share").dataset.shows !== shows) location.reload();
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
