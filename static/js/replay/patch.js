// Patches the page with the differences of two drawings of a board. State set by scripts stays: a class, a scroll
// position.

const drawn = document.createElement("template");

/** A drawing of the parts of a board, by their ids. */
export function parsed(html, ids) {
  drawn.innerHTML = html;
  const found = new Map(ids.map((id) => [id, drawn.content.getElementById(id)]).filter(([, part]) => part));
  drawn.replaceChildren();
  return found;
}

function attributes(was, now, live) {
  for (const { name } of was.attributes) if (name !== "class" && !now.hasAttribute(name)) live.removeAttribute(name);
  for (const { name, value } of now.attributes) {
    if (name !== "class" && was.getAttribute(name) !== value) live.setAttribute(name, value);
  }
  if (was.className === now.className) return;
  for (const name of was.classList) if (!now.classList.contains(name)) live.classList.remove(name);
  live.classList.add(...now.classList);
}

const like = (was, now, live) =>
  was.nodeName === now.nodeName && live.nodeName === now.nodeName && was.id === now.id && was.childNodes.length === now.childNodes.length && live.childNodes.length === now.childNodes.length;

/** Turn *live*, which was drawn as *was*, into *now*. Returns whether anything was taken out or put in. */
export function patch(was, now, live) {
  if (was.isEqualNode(now)) return false;
  if (!like(was, now, live)) {
    live.replaceWith(document.importNode(now, true));
    return true;
  }
  if (now.nodeType === Node.TEXT_NODE) {
    live.data = now.data;
    return false;
  }
  if (now.nodeType === Node.ELEMENT_NODE) attributes(was, now, live);
  const children = [...live.childNodes];
  let replaced = false;
  now.childNodes.forEach((child, n) => {
    replaced = patch(was.childNodes[n], child, children[n]) || replaced;
  });
  return replaced;
}
