// The whole table in words: spoken where the browser has a voice, and always there to read.

import { make } from "../page/make.js";
import { when } from "../page/when.js";
import { readers } from "./readers.js";
import { present } from "./sheet.js";

const sheet = document.getElementById("sheet");

when("click", "[data-read-aloud]", (button) => {
  const sentences = readers.flatMap((read) => read()).filter(Boolean);
  document.getElementById("menu").close();
  const lines = sentences.map((line) => make("li", {}, line));
  present(make("h2", {}, button.dataset.title), make("ul", { className: "in-words" }, ...lines));
  if (!window.speechSynthesis?.getVoices().length) return;
  speechSynthesis.cancel();
  const speech = new SpeechSynthesisUtterance(sentences.join(". "));
  speech.lang = document.documentElement.lang;
  speechSynthesis.speak(speech);
});

sheet.addEventListener("close", () => {
  if (!sheet.open) window.speechSynthesis?.cancel();
});
