"""The fragments that pages and updates share, as tags; and small words for templates."""

from __future__ import annotations

from json import dumps

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.rules.state import Refused
from games.screens import fragments, icons, words
from games.screens.templates import find_own
from games.systems.presentation import Stepper

register = template.Library()


@register.simple_tag
def stepper(number: Stepper) -> SafeString:
    """One number between its minus and its plus, as `fragments.amount` draws it."""
    return mark_safe(fragments.stepper(number))


@register.simple_tag
def mirror(number: Stepper) -> SafeString:
    """The same number once more, in a sheet over the board."""
    return mark_safe(fragments.stepper(number, again=True))


@register.simple_tag
def icon(name: str) -> SafeString:
    """A control's picture out of the one file of them."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#i-{}"/></svg>', icons.address(), name
    )


@register.simple_tag
def attribute(*parts: str) -> SafeString:
    """The value of an attribute, with quotes only if it needs them."""
    return mark_safe(fragments.attribute("".join(parts)))


@register.simple_tag
def said(name: str) -> SafeString:
    """The attribute that says *name* in the language that is read; nothing if it says itself."""
    word = words.spoken(name)
    return mark_safe(f" data-said={fragments.attribute(word)}" if word != name else "")


@register.filter
def spoken(name: str) -> str:
    """A word of the rules as people say it, in their language: "wake-up", "graveyard", "power"."""
    return words.spoken(name)


@register.filter
def refusal_text(refused: Refused) -> str:
    """Why something was refused."""
    return words.refusal_text(refused)


@register.filter
def phrase(said: str) -> str:
    """What the rules say, in the language that is read."""
    return words.phrase_text(said)


@register.filter
def answer(value: object) -> str:
    """What a house rule is set to."""
    return words.answer_text(value)


@register.filter
def up_to(most: int) -> range:
    """The numbers from 0 to *most*."""
    return range(most + 1)


@register.filter
def json(value: object) -> str:
    """*value* for a script to read out of an attribute."""
    return dumps(value)


@register.filter
def initial(name: str) -> str:
    """The letter a seat is known by."""
    return name[:1].upper()


@register.filter
def item(mapping: dict[str, object], key: str) -> object:
    """What *mapping* has under *key*."""
    return mapping.get(key)


@register.simple_tag(takes_context=True)
def own_styles(context: template.Context) -> SafeString:
    """The style sheets that the rule system of the page has besides everybody's."""
    system = context["game"].rules if "game" in context else context["system"]
    chosen = find_own(system, "board/_styles.html")
    return chosen.render(context) if chosen else mark_safe("")
