// What changed, said once for who listens rather than looks.

const polite = document.getElementById("said");
const alarm = document.getElementById("alarm");
const live = document.getElementById("live");
let changes = new Map();
let timer = 0;

function holderName(id) {
  const card = document.getElementById(`o-${id}`)?.querySelector(".card > a");
  const seat = document.getElementById(`s-${id}`)?.querySelector(".seat-name span");
  return (card ?? seat)?.textContent ?? id;
}

function speak() {
  timer = 0;
  polite.textContent = [...changes.values()].join(". ");
  changes = new Map();
}

document.addEventListener("htmx:before:settle", (event) => {
  const target = event.target;
  if (target.tagName === "B" && target.id.includes(".")) {
    const kind = target.parentElement?.dataset.kind ?? "";
    const holder = target.id.split(".")[0];
    changes.set(target.id, `${holderName(holder)}: ${kind} ${target.textContent}`);
  } else if (target.id === "turn") {
    changes.set("turn", target.querySelector(".turn-who")?.textContent ?? "");
    const ended = target.querySelector(".turn-result");
    if (ended) alarm.textContent = ended.textContent;
  } else if (target.id === `${live.dataset.seat}.prompts` && target.childElementCount) {
    alarm.textContent = target.querySelector("h3")?.textContent ?? "";
  }
  if (changes.size) timer ||= setTimeout(speak, 600);
});

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-read-aloud]")) return;
  const parts = [...document.querySelectorAll("#board .seat")].map((seat) => {
    const cards = [...seat.querySelectorAll('.zone .card')].map((card) => {
      const dials = [...card.querySelectorAll(".dials li[data-kind]")].map(
        (dial) => `${dial.dataset.kind} ${dial.querySelector("b").textContent}`,
      );
      const stats = [...card.querySelectorAll("[data-stat]")].map(
        (stat) => `${stat.dataset.stat} ${stat.lastChild.textContent}`,
      );
      return [card.querySelector(".card > a").textContent, ...stats, ...dials].join(", ");
    });
    return [seat.querySelector(".seat-name span").textContent, ...cards].join(". ");
  });
  const text = parts.join(". ");
  alarm.textContent = text;
  if (window.speechSynthesis) {
    speechSynthesis.cancel();
    speechSynthesis.speak(new SpeechSynthesisUtterance(text));
  }
  document.getElementById("menu").close();
});
