"""Template tags and filters of the screens with slot counters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django import template
from django.utils.safestring import SafeString

from games.screens.slots import fragments, words

register = template.Library()
register.filter("reading", words.reading)
register.filter("worth", words.worth)


DRAWN: Mapping[str, Callable[..., str]] = {
    "slot_figure": fragments.figure,
    "slot_number": lambda counter, place: fragments.number(counter, place).draw(),
    "slot_blocks": lambda *of: "".join([each.draw() for each in fragments.slots(*of)]),
    "slot_look": fragments.look,
    "slot_button": fragments.button,
    "slot_said": fragments.said,
}
"""The tags that draw a part of a counter, each with the function of `fragments` that does."""


def _safe(draw: Callable[..., str]) -> Callable[..., SafeString]:
    return lambda *of: SafeString(draw(*of))


for name, draw in DRAWN.items():
    register.simple_tag(_safe(draw), name=name)


@register.simple_tag(takes_context=True)
def slot_example(context: template.Context, *usual: str) -> str:
    """A type to show in an example: the first of *usual* that this game has, else its own first."""
    types = context["its"].slots.types
    return next((each for each in usual if each in types), next(iter(types)))
