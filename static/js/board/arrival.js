// Sitting down for the first time: suggest this phone's last name, saved with OK or with the first tap.

const row = document.querySelector(".welcome");
const KEY = "name";
let kept = false;

function last() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

async function keep() {
  const name = row.elements.name.value.trim();
  kept = true;
  row.classList.add("is-kept");
  row.elements.name.readOnly = true;
  history.replaceState(null, "", location.pathname);
  if (!name) return;
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Without storage it is asked again next time.
  }
  if (name === row.dataset.name) return;
  const answer = await fetch(row.action, { method: "POST", body: new FormData(row), headers: { "HX-Request": "true" } });
  if (answer.ok) return;
  kept = row.hidden = row.elements.name.readOnly = false; // nothing typed is lost
  row.classList.remove("is-kept");
}

if (row) {
  if (last()) row.elements.name.value = last();
  row.addEventListener("submit", (event) => {
    event.preventDefault();
    row.hidden = true;
    keep();
  });
  document.getElementById("board").addEventListener("click", () => kept || keep());
}
