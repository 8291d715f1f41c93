// Whatever a page shows may be drawn anew at any time, so the document listens for it.

/** Call act(element, event) for each event of *type* in an element that *selector* fits. */
export function when(type, selector, act, how) {
  document.addEventListener(type, (event) => {
    const element = event.target.closest?.(selector);
    if (element) act(element, event);
  }, how);
}

/** Call *act* now, and each time something was drawn: by the table, or by htmx. */
export function whenDrawn(act) {
  for (const type of ["table:changed", "htmx:after:swap"]) document.addEventListener(type, () => act());
  act();
}
