// A refusal stands next to what was tapped, in the game's words, with its rule. Nothing typed is lost.

const SHOWN = 7000;
let floating = null;

function sentence(refused) {
  const text = document.createElement("span");
  text.textContent = refused.message;
  if (refused.rule) {
    const rule = document.createElement("cite");
    rule.textContent = refused.rule;
    text.append(" ", rule);
  }
  return text;
}

document.addEventListener("table:refused", ({ detail }) => {
  const at = detail.item?.at && document.querySelector(detail.item.at);
  const place = at?.querySelector?.(":scope .refusal") ?? null;
  if (place) {
    place.replaceChildren(sentence(detail));
    place.scrollIntoView({ block: "nearest" });
    return;
  }
  floating?.remove();
  floating = document.createElement("p");
  floating.className = "refusal is-floating";
  floating.setAttribute("role", "alert");
  floating.append(sentence(detail));
  const host = at?.closest?.(".seat, #turn, dialog") ? at : document.getElementById("live");
  host.append(floating);
  const mine = floating;
  setTimeout(() => mine.remove(), SHOWN);
});

// The next word of the table on the same place takes it away.
document.addEventListener("pointerdown", () => floating?.classList.add("is-old"), { passive: true });
