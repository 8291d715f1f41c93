// State that the server does not know survives a redraw: an opened pile, a hidden part, a question that came up while
// typing.

htmx.registerExtension("keeps", {
  htmx_before_morph_attr: (element, { attrName }) =>
    !(attrName === "open" && element instanceof HTMLDetailsElement) &&
    !(attrName === "hidden" && element.matches("[data-group], [data-ask], [data-fewer], [data-holder]")) &&
    !(attrName === "aria-pressed" && element.matches("[data-tab]")),
});
