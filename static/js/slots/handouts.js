// The GM's form for a handout. Pictures are made small on this device, to be sent at once and without the photo's
// place and time. They may also be dropped on the board, or pasted.

import { show } from "../board/sheet.js";

const LONGEST = 1600; // pixels, as the server keeps it
const MOST_PNG = 2_000_000; // bytes, for browsers that write no WebP
const form = () => document.getElementById("handout-file");
const place = () => form().querySelector(".refusal");
let sending = false;
let pressed = null; // the button of a handout that waits for its picture

const written = (canvas, type) => new Promise((done) => canvas.toBlob(done, type, 0.85));

/** The picture in *file* as a small one, upright. Throws if this browser cannot read it. */
async function small(file) {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const pen = canvas.getContext("2d");
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const made = await written(canvas, "image/webp");
  if (made.type === "image/webp" || made.size < MOST_PNG) return made;
  pen.globalCompositeOperation = "destination-over"; // a JPEG has no holes
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  return written(canvas, "image/jpeg");
}

function wait(now) {
  sending = now;
  const says = form()?.querySelector(".handout-waits");
  if (says) says.hidden = !now;
}

async function send(file) {
  place().replaceChildren();
  wait(true);
  try {
    const made = await small(file);
    const files = new DataTransfer();
    files.items.add(new File([made], file.name, { type: made.type }));
    form().elements.file.files = files.files;
    form().requestSubmit();
  } catch {
    wait(false);
    pressed = null;
    place().textContent = place().dataset.unreadable;
    form().elements.file.value = "";
  }
}

document.addEventListener("change", ({ target }) => {
  if (target.form && target.form === form() && target.files?.length) send(target.files[0]);
});
document.addEventListener("htmx:finally:request", ({ target }) => {
  if (target !== form()) return;
  wait(false);
  const waiting = pressed;
  pressed = null;
  if (waiting?.isConnected && document.querySelector("#handout-picture input")) waiting.form.requestSubmit(waiting);
});
document.addEventListener("submit", (event) => {
  if (event.target.id !== "handout-new" || !sending) return;
  event.preventDefault();
  event.stopPropagation();
  pressed = event.submitter;
}, true);

// For everyone, or for some: one button sends it, and says to whom.
document.addEventListener("change", ({ target }) => {
  const all = target.closest?.(".note-new")?.querySelector("[data-to-all]");
  if (!all || !target.checked) return;
  for (const each of all.form.querySelectorAll("[data-to-all], [name='to:list']"))
    if ((each === all) !== (target === all)) each.checked = false;
});

// Dropped or pasted

const isGm = () => Boolean(document.getElementById("tabs"));
const pictureIn = (data) => [...(data?.files ?? [])].find((each) => each.type.startsWith("image/"));
const isFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

async function bring(file) {
  if (!form()) await show("handouts");
  if (form()) send(file);
}

document.addEventListener("dragover", (event) => {
  if (isGm() && isFile(event)) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!isGm() || !isFile(event)) return;
  event.preventDefault();
  const file = pictureIn(event.dataTransfer);
  if (file) bring(file);
});
document.addEventListener("paste", (event) => {
  const file = isGm() && pictureIn(event.clipboardData);
  if (!file) return;
  event.preventDefault();
  bring(file);
});
