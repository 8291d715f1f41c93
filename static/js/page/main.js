// A preset sets its usual number of seats until someone chooses a number; from then on it only raises
// that number to what it needs.

import * as name from "./name.js";

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

const own = document.querySelector('.new [name="name"]');
if (own) {
  own.value ||= name.last();
  own.form.addEventListener("submit", () => name.keep(own.value.trim()));
}
