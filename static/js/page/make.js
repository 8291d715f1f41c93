/** An element with these properties and children. dataset: its data attributes. */
export function make(tag, { dataset = {}, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  Object.assign(made.dataset, dataset);
  made.append(...children);
  return made;
}
