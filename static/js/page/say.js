// Announcements to screen readers. Every script makes them here: those within a moment are
// read together, and the same thing once.

const TOGETHER = 150;
const KEPT = 5000;
const REGIONS = ["announcement", "alarm"];
const waiting = new Map(REGIONS.map((id) => [id, []]));
const timers = new Map();

function read(id) {
  const region = document.getElementById(id);
  const said = waiting.get(id).splice(0);
  region.textContent = said.join(". ");
  // Removed, so that a reader that walks the page later does not meet it again.
  timers.set(id, setTimeout(() => {
    timers.delete(id);
    region.textContent = "";
  }, KEPT));
}

/** The name of *element*: the label of its heading, if it has one, else its text; "" without an element. */
export function spoken(element) {
  const label = element?.querySelector("h3[aria-label]")?.getAttribute("aria-label");
  return label ?? element?.textContent.trim() ?? "";
}

/** Say *text*; loud: at once, whatever is being read. */
export function say(text, loud = false) {
  const id = loud && document.getElementById("alarm") ? "alarm" : "announcement";
  const said = text.replace(/\s+/g, " ").trim();
  const texts = waiting.get(id);
  if (!said || texts.includes(said) || !document.getElementById(id)) return;
  if (!texts.length) {
    clearTimeout(timers.get(id));
    timers.set(id, setTimeout(read, TOGETHER, id));
  }
  texts.push(said);
}
