// What the server does not know stays as it is when a part of the board is drawn again: a pile that
// somebody has opened, a part that somebody has put away, a question that came up while typing.

htmx.registerExtension("keeps", {
  htmx_before_morph_attr: (element, { attrName }) =>
    !(attrName === "open" && element instanceof HTMLDetailsElement) &&
    !(attrName === "hidden" && element.matches("[data-group], [data-ask], [data-fewer], [data-holder]")) &&
    !(attrName === "aria-pressed" && element.matches("[data-tab]")),
});
