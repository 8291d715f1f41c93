// The score sheet as a picture goes straight to what the phone shares with, where it can share files; else the link
// opens it.

import { when } from "../page/when.js";

const sharing = { files: [new File([], "sheet.png", { type: "image/png" })] };

when("click", "[data-picture]", async (link, event) => {
  if (!navigator.canShare?.(sharing)) return;
  event.preventDefault();
  try {
    const picture = await (await fetch(link.href)).blob();
    await navigator.share({ files: [new File([picture], "sheet.png", { type: "image/png" })] });
  } catch (error) {
    if (error.name !== "AbortError") location.assign(link.href); // a tap that took too long may not share
  }
});
