// On one phone for all, a code in each part by which exactly that part is taken over, readable from its side; until
// another tap on the button, a tap on a code, or the part's seat has a phone of its own.

const live = document.getElementById("live");
const button = document.querySelector("[data-codes]");
const made = () => [...live.querySelectorAll(":scope > [data-code]")];
const part = (code) => document.getElementById(`s-${code.dataset.code}`);

function close() {
  for (const each of made()) each.remove();
  button.setAttribute("aria-pressed", "false");
}

async function open(place) {
  const answer = await fetch("flat/codes").catch(() => null);
  if (!answer?.ok) return;
  close();
  live.insertAdjacentHTML("beforeend", await answer.text());
  button.setAttribute("aria-pressed", "true");
  follow(place);
}

function follow(place) {
  for (const each of made()) {
    const seat = part(each);
    if (!seat || seat.dataset.answeredByAny === undefined) {
      each.remove();
      continue;
    }
    const { place: at, colour } = seat.dataset;
    Object.assign(each.dataset, { place: at, colour });
    place(each, seat);
  }
  if (!made().length) button?.setAttribute("aria-pressed", "false");
}

/** Follow the taps on the button; place(element, seat) lays an element over that seat's part. */
export function codes(place) {
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.("[data-codes]") && !made().length) open(place);
    else if (target.closest?.("[data-codes], [data-code]")) close();
  });
  return { follow: () => follow(place) };
}
