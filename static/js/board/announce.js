// What changed, announced once for people who listen rather than look.

const polite = document.getElementById("announcement");
const alarm = document.getElementById("alarm");
const live = document.getElementById("live");
let changes = new Map();
let timer = 0;

function holderName(id) {
  const card = document.getElementById(`o-${id}`)?.querySelector(".card > a");
  const seat = document.getElementById(`s-${id}`)?.querySelector(".seat-name h2");
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
    const kind = target.parentElement?.dataset.word ?? target.parentElement?.dataset.kind ?? "";
    const holder = target.id.split(".")[0];
    changes.set(target.id, `${holderName(holder)}: ${kind} ${target.textContent}`);
  } else if (target.id === `${live.dataset.seat}.prompts` && target.childElementCount) {
    alarm.textContent = target.querySelector("h2, h3")?.textContent ?? "";
  }
  if (changes.size) timer ||= setTimeout(speak, 600);
});
