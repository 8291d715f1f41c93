// The whole table in words: spoken where the browser has a voice, and always there to read.

import { readers } from "./readers.js";
import { present } from "./sheet.js";

const sheet = document.getElementById("sheet");

function shown(title, sentences) {
  const heading = document.createElement("h2");
  heading.textContent = title;
  const list = document.createElement("ul");
  list.className = "in-words";
  list.append(
    ...sentences.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }),
  );
  present(heading, list);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-read-aloud]");
  if (!button) return;
  const sentences = readers.flatMap((read) => read()).filter(Boolean);
  document.getElementById("menu").close();
  shown(button.dataset.title, sentences);
  if (!window.speechSynthesis?.getVoices().length) return;
  speechSynthesis.cancel();
  const speech = new SpeechSynthesisUtterance(sentences.join(". "));
  speech.lang = document.documentElement.lang;
  speechSynthesis.speak(speech);
});

sheet.addEventListener("close", () => {
  if (!sheet.open) window.speechSynthesis?.cancel();
});
