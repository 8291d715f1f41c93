// A preset sets its usual number of seats until someone chooses a number; from then on it only raises
// that number to what it needs.

import { offer } from "./known_names.js";
import * as storage from "./storage.js";

let said = false;

document.addEventListener("change", ({ target }) => {
  if (target.name === "seats") said = true;
  const least = Number(target.dataset?.least);
  const most = Number(target.dataset?.most);
  const seats = document.querySelector('input[name="seats"]:checked');
  if (!least || !seats) return;
  const wished = said ? seats.value : (target.dataset.usual ?? seats.value);
  const fitting = Math.min(Math.max(Number(wished), least), most);
  const wanted = document.querySelector(`input[name="seats"][value="${fitting}"]`);
  if (wanted) wanted.checked = true;
});

// How many phones: as it was last time on this phone.
const KEY = "phones";
const phones = [...document.querySelectorAll('.new [name="phones"]')];
const last = phones.find(({ value }) => value && value === storage.text(KEY));
if (last) last.checked = true;
phones[0]?.form.addEventListener("submit", () => storage.keepText(KEY, phones.find(({ checked }) => checked)?.value));

const own = document.querySelector('.new [name="name"]');
if (own) offer(own);
