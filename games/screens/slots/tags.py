"""Template tags and filters of the screens with slot counters."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from games.screens.slots import fragments, words
from games.screens.slots.view_models import CounterView
from games.systems.stars_and_signs.counter import Counter

register = template.Library()
register.filter("reading", words.reading)
register.filter("amount", words.amount)
register.filter("worth", words.worth)


@register.simple_tag
def slot_figure(counter: Counter) -> SafeString:
    """How full it is (`fragments.figure`)."""
    return SafeString(fragments.figure(counter))


@register.simple_tag
def slot_number(counter: Counter, place: str) -> SafeString:
    """The number in front of it (`fragments.number`)."""
    return SafeString(fragments.number(counter, place))


@register.simple_tag
def slot_blocks(seen: CounterView, place: str = "") -> SafeString:
    """Its slots (`fragments.block`)."""
    blocks = enumerate(seen.blocks, 1)
    return SafeString("".join([fragments.block(seen.id, n, each, place) for n, each in blocks]))


@register.simple_tag
def slot_button(seen: CounterView, way: str) -> SafeString:
    """What changes it by one slot (`fragments.button`)."""
    return SafeString(fragments.button(seen, way))


@register.simple_tag
def slot_said(counter: Counter) -> SafeString:
    """How full it is, in words (`fragments.said`)."""
    return SafeString(fragments.said(counter))
