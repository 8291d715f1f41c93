// A note while two taps in a row took long to be answered: the server is far, or the network slow. It goes with the
// next quick answer, or by itself.

const FAR = 400;
const SHOWN = 15_000;
const note = document.getElementById("far");
let before = 0;
let hiding = 0;

document.addEventListener("table:accepted", ({ detail }) => {
  const took = Date.now() - detail.since;
  note.hidden = Math.min(took, before) <= FAR;
  before = took;
  clearTimeout(hiding);
  hiding = setTimeout(() => (note.hidden = true), SHOWN);
});
