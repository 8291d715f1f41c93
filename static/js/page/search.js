// A search field leaves of a list only what has words that begin with all that is typed in it.

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

document.addEventListener("input", ({ target }) => {
  const list = document.getElementById(target.dataset?.search ?? "");
  if (!list) return;
  const words = plain(target.value).split(/\s+/).filter(Boolean);
  for (const each of list.children) {
    const text = ` ${plain(each.textContent).replace(/[^\p{L}\p{N}]+/gu, " ")}`;
    each.hidden = !words.every((word) => text.includes(` ${word}`));
  }
});
