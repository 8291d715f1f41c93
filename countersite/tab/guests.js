// Two scans: where a page shows its code, and where it takes the other's. By the camera where the browser reads codes;
// by the phone's own, as a code is the address of a page that hands it over; or typed and pasted.

import { generate } from "./qr.mjs";

const AGAIN = 100;

/** Show *code* in *place*, as the address that says *what* to do with it. */
export function show(place, what, code) {
  const link = place.querySelector("[data-code]");
  link.href = link.textContent = `${new URL("../", import.meta.url)}#${what}=${code}`;
  const canvas = place.querySelector("canvas");
  generate(link.href).toCanvas(canvas, { pad: 2 });
  Object.assign(canvas.style, { display: "block", inlineSize: "100%", imageRendering: "pixelated" });
  place.querySelector("[data-copy]").onclick = () => navigator.clipboard.writeText(link.href);
}

/** Give *take* each code that is read in *place*, where what it throws is said. Returns a way to give it one. */
export function reader(place, say, take) {
  const form = place.querySelector("[data-reader]");
  const alert = form.querySelector("[role=alert]");
  const scan = form.querySelector("[data-scan]");
  async function read(text) {
    alert.textContent = say("connecting");
    try {
      await take((await text).trim().replace(/^.*#\w+=/, ""));
      form.reset();
      alert.textContent = "";
    } catch (error) {
      alert.textContent = say(error.message) ?? say("failed");
    }
  }
  form.onsubmit = (event) => {
    event.preventDefault();
    read(form.elements.code.value);
  };
  scan.hidden = !("BarcodeDetector" in window);
  scan.onclick = () => read(seen());
  return read;
}

/** What the camera reads from another phone's screen. */
async function seen() {
  const dialog = document.getElementById("camera");
  const video = dialog.querySelector("video");
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  const ask = { video: { facingMode: "environment" } };
  const stream = await navigator.mediaDevices.getUserMedia(ask).catch(() => { throw new Error("unseen"); });
  dialog.showModal();
  try {
    video.srcObject = stream;
    await video.play();
    while (dialog.open) {
      const [found] = await detector.detect(video);
      if (found) return found.rawValue;
      await new Promise((later) => setTimeout(later, AGAIN));
    }
    throw new Error("cancelled");
  } finally {
    for (const track of stream.getTracks()) track.stop();
    dialog.close();
  }
}
