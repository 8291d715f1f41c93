"""Template tags and filters of the screens with slot counters."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from games.screens.slots import fragments, words
from games.screens.slots.view_models import CounterView
from games.tracks.counter import Counter

register = template.Library()
register.filter("reading", words.reading)
register.filter("amount", words.amount)
register.filter("worth", words.worth)


@register.simple_tag
def slot_figure(counter: Counter) -> SafeString:
    """The filled slots (`fragments.figure`)."""
    return SafeString(fragments.figure(counter))


@register.simple_tag
def slot_number(counter: Counter, place: str) -> SafeString:
    """The number in front of it (`fragments.number`)."""
    return SafeString(fragments.number(counter, place).draw())


@register.simple_tag
def slot_blocks(seen: CounterView, place: str = "") -> SafeString:
    """Its slots (`fragments.slots`)."""
    return SafeString("".join([each.draw() for each in fragments.slots(seen, place)]))


@register.simple_tag
def slot_look(seen: CounterView, place: str = "") -> SafeString:
    """The whole of what is drawn of it (`fragments.look`)."""
    return SafeString(fragments.look(seen, place))


@register.simple_tag
def slot_button(seen: CounterView, way: str, place: str = "") -> SafeString:
    """The button for one slot (`fragments.button`)."""
    return SafeString(fragments.button(seen, way, place))


@register.simple_tag
def slot_said(counter: Counter) -> SafeString:
    """The filled slots in words (`fragments.said`)."""
    return SafeString(fragments.said(counter))


@register.simple_tag(takes_context=True)
def slot_example(context: template.Context, *usual: str) -> str:
    """A type to show in an example: the first of *usual* that this game has, else its own first."""
    types = context["its"].slots.types
    return next((each for each in usual if each in types), next(iter(types)))
