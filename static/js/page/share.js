// Passing the link on, where the browser can: its own way to share, or the clipboard.

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
      // Somebody thought better of it; the link stands there to be copied by hand.
    }
  });
}
