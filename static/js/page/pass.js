// Sharing a link, where the browser can: its own share sheet, or the clipboard.

export function offer(row) {
  const { link, title } = row.dataset;
  const ways = {
    share: navigator.share && (() => navigator.share({ title, url: link })),
    copy: navigator.clipboard && (() => navigator.clipboard.writeText(link)),
  };
  for (const button of row.querySelectorAll("[data-pass]")) {
    const pass = ways[button.dataset.pass];
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
}
