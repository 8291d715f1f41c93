// A late guest's chair: the neighbours in words, and the letter of the typed name.

import { offer } from "../known_names.js";

const form = document.querySelector(".chair");
const field = form.elements.name;
const [from, to] = [form.querySelector("[data-from]:not(input)"), form.querySelector("[data-to]:not(input)")];
const go = form.querySelector(".chair-go button");

function shown() {
  const { dataset } = form.querySelector("[name=after]:checked");
  from.textContent = dataset.from;
  to.textContent = dataset.to;
  go.textContent = dataset.go;
  const letter = [...field.value.trim()][0]?.toUpperCase();
  for (const each of form.querySelectorAll(".chairs-free")) {
    const mine = each.querySelector("input").checked;
    each.querySelector(".seat-mark").textContent = mine ? (letter ?? form.dataset.you[0].toUpperCase()) : "+";
  }
}

offer(field);
form.addEventListener("input", shown);
shown();
