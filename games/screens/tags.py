"""The fragments that pages and updates share, as tags; and small words for templates."""

from __future__ import annotations

from json import dumps
from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.utils.html import conditional_escape, format_html
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
        '<svg class=icon aria-hidden=true><use href="{}#i-{}"/></svg>', icons.address(), name
    )


@register.simple_tag
def attribute(*parts: str) -> SafeString:
    """The value of an attribute, with quotes only if it needs them."""
    return mark_safe(fragments.attribute("".join(parts)))


@register.simple_tag
def said(name: str) -> SafeString:
    """The attribute that says *name* in the language that is read; nothing if it says itself."""
    word = words.spoken(name)
    return mark_safe(f" data-word={fragments.attribute(word)}" if word != name else "")


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


@register.simple_tag
def data(value: object) -> SafeString:
    """*value* as the JSON of a data attribute, in single quotes, which JSON has none of."""
    text = dumps(value, separators=(",", ":")).replace("&", "&amp;").replace("<", "&lt;")
    return mark_safe("'" + text.replace("'", "&#x27;") + "'")


OPENED = " data-command>"
"""How the first tag of a command's form ends, and nothing else does."""
REFUSAL = '<p class="refusal" role="alert"></p>'
ON_FORM = frozenset({"class", "id", "hidden"})
"""What is said of the form itself, besides everything that has a hyphen in its name."""


@register.tag(name="command")
def command_form(parser: Parser, token: Token) -> CommandNode:
    """The form of a command: its verb, then its parameters, and between the tags what is asked.

        {% command "place" on=thing.id amount=1 class="section" data-after="close" %}
          <label>{% trans "Kind" %}<input name="counter" required></label>
          <button>{% trans "Place" %}</button>
        {% endcommand %}

    A parameter may be a text, a whole number, true or not, or anything JSON can say; None is left
    out. Without a verb the buttons say what to do: `<button name="do" value="spend">`. class, id,
    hidden and names with a hyphen are attributes of the form. The place for a refusal comes last,
    unless the form has one where it wants it.
    """
    verb: FilterExpression | None = None
    given: dict[str, FilterExpression | None] = {}
    attributes: dict[str, FilterExpression | None] = {}
    for bit in token.split_contents()[1:]:
        name, equals, value = bit.partition("=")
        if bit[0] in "\"'" or not (equals or "-" in name or name in ON_FORM):
            verb = parser.compile_filter(bit)
        else:
            about = attributes if "-" in name or name in ON_FORM else given
            about[name] = parser.compile_filter(value) if equals else None
    nodelist = parser.parse(("endcommand",))
    parser.delete_first_token()
    return CommandNode(nodelist, {"do": verb, **given} if verb else given, attributes)


class CommandNode(template.Node):
    """A form that gives a command, with a script or without one."""

    def __init__(
        self,
        nodelist: NodeList,
        given: dict[str, FilterExpression | None],
        attributes: dict[str, FilterExpression | None],
    ) -> None:
        self.nodelist, self.given, self.attributes = nodelist, given, attributes

    def render(self, context: template.Context) -> SafeString:
        about = [
            format_html(' {}="{}"', name, value.resolve(context)) if value else f" {name}"
            for name, value in self.attributes.items()
        ]
        fields = [
            hidden(name, value.resolve(context)) for name, value in self.given.items() if value
        ]
        action = conditional_escape(f"{context.get('board_url', '')}command")
        inside = self.nodelist.render(context)
        parts = [
            f'<form method="post" action="{action}"{"".join(about)}{OPENED}',
            token_field(context.get("csrf_token")),
            *fields,
            inside,
            "" if 'class="refusal"' in inside else REFUSAL,
            "</form>",
        ]
        return mark_safe("".join(parts))


def hidden(name: str, value: Any) -> str:
    """A hidden field for *value*, with the reader that `forms` has for it; none for None."""
    if value is None:
        return ""
    if value is True or value is False:
        name, value = (f"{name}:flag", "on") if value else (f"{name}:no", "1")
    elif isinstance(value, int):
        name = f"{name}:number"
    elif isinstance(value, dict | list | tuple):
        name, value = f"{name}:json", dumps(value)
    return format_html('<input type="hidden" name="{}" value="{}">', name, value)


@register.simple_tag
def parameter(name: str, value: Any) -> SafeString:
    """A parameter of the command around it, where its name is not known before."""
    return mark_safe(hidden(name, value))


def token_field(token: object) -> str:
    """The field that Django wants in every form; nothing in what is drawn for all phones."""
    if not token or token == "NOTPROVIDED":
        return ""
    return format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', token)
