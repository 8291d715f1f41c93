"""Template tags: the fragments that pages and updates share, command forms, and small filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from json import dumps
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.template.base import FilterExpression, Parser, Token
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince
from django.utils.translation import gettext

from games.rules import marks
from games.rules.state import MOST, Phrase
from games.rules.system import System
from games.screens import fragments, icons, looks, search
from games.screens.stacks import Stack
from games.screens.templates import OF_GAME, room_of
from games.screens.words import Words
from games.systems import presentation_of
from games.systems.controls import Stepper

register = template.Library()


@register.simple_tag(takes_context=True)
def stepper(
    context: template.Context, number: Stepper, again: bool = False, looks: str = ""
) -> SafeString:
    """One number between its minus and plus buttons (`fragments.stepper`)."""
    return mark_safe(fragments.stepper(context["its"], number, again=again, looks=looks))


@register.simple_tag
def look(number: Stepper) -> SafeString:
    """The picture of a number beside its digits."""
    return mark_safe(fragments.look(number))


@register.simple_tag(takes_context=True)
def tile(context: template.Context, number: Stepper) -> SafeString:
    """The same, as a big tile with its word."""
    its: Words = context["its"]
    word = its.kind(number.kind)
    if number.most is not None and not number.look:
        word = gettext("%(kind)s, at most %(most)s") % {"kind": word, "most": number.most}
    word = conditional_escape(word)
    ending = f"<span class=tile-word>{word}</span></li>"
    made = fragments.stepper(its, number, again=True).removesuffix("</li>") + ending
    zero = "" if number.amount > number.least else " data-least-now"
    return mark_safe(made.replace("<li ", f"<li{zero} ", 1))


@register.simple_tag
@lru_cache
def icon(name: str) -> SafeString:
    """The icon of a control, from the one file of icons."""
    return format_html(
        '<svg class=icon aria-hidden=true><use href="{}#i-{}"/></svg>', icons.address(), name
    )


@register.simple_tag
def system_icon(system: System) -> SafeString:
    """The icon of a rule system, or the initial of its title if it has none."""
    if name := presentation_of(system).new_game.icon:
        return icon(name)
    return format_html("<b class=system-initial aria-hidden=true>{}</b>", gettext(system.title)[:1])


@register.simple_tag
def attribute(*parts: str) -> SafeString:
    """The value of an attribute, quoted only if necessary."""
    return mark_safe(fragments.attribute("".join(parts)))


@register.simple_tag(takes_context=True)
def coin(context: template.Context, kind: str) -> SafeString:
    """The attributes that mark a kind by its hue and letter."""
    return mark_safe(fragments.coin(context["its"], kind))


@register.simple_tag
def amount_id(number: Stepper) -> SafeString:
    """The id of a number on the board."""
    return mark_safe(fragments.amount_id(number.holder, number.kind))


def _of_seat(draw: Callable[..., str]) -> Callable[..., str]:
    return lambda context, seat, *given, **named: draw(
        looks.seat_at(context["its"], seat), *given, **named
    )


for name, draw in ("looks", looks.looks), ("letter", looks.letter), ("seat", looks.mark):
    register.simple_tag(_of_seat(draw), takes_context=True, name=name)
for each in OF_GAME:
    register.filter(each, lambda value, its, each=each: getattr(its, each)(value))
register.filter("ends", marks.ends)
register.filter("printed", fragments.printed)


@register.filter
def lasting(seats: Sequence[Any]) -> tuple[tuple[str, str, str], ...]:
    """How long a mark may last at a table of these *seats*: its `until`, on a button, in full."""
    other = gettext("next turn too"), gettext("until the end of the opponent’s next turn")
    mine = gettext("until my next turn")
    return (
        (marks.TURN, gettext("this turn"), gettext("only until end of turn")),
        (marks.NEXT, mine, mine) if len(seats) > 2 else (marks.LATER, *other),
        (marks.OWN, gettext("my next turn too"), gettext("until the end of my own next turn")),
    )


@register.filter
def up_to(most: int) -> range:
    """The numbers from 0 to *most*."""
    return range(most + 1)


@register.filter
def json(value: object) -> str:
    """*value* as JSON, for a script."""
    return dumps(value)


@register.filter
def spoken(value: object, its: Words) -> str:
    """*value* as JSON, its phrases in the reader's language; "" for nothing."""
    return dumps(_spoken(value, its), ensure_ascii=False, separators=(",", ":")) if value else ""


def _spoken(value: Any, its: Words) -> Any:
    if isinstance(value, Phrase):
        return its.phrase(value)
    if isinstance(value, Mapping):
        return {key: _spoken(each, its) for key, each in value.items()}
    return [_spoken(each, its) for each in value] if isinstance(value, list | tuple) else value


@register.filter
def age(when: datetime) -> str:
    """Time since *when*, in words; "" for less than a minute, Django’s 0 minutes."""
    return timesince(when) if timezone.now() - when >= timedelta(minutes=1) else ""


@register.filter
def initial(name: str) -> str:
    """The first letter of a seat's name, which marks the seat."""
    return name[:1].upper()


@register.filter
def marked(text: str, words: search.Words) -> SafeString:
    """*text* with the places marked where any of the *words* that were typed stands."""
    return words.marked(text)


@register.filter
def item(mapping: dict[str, object], key: str) -> object:
    """The value of *key* in *mapping*."""
    return mapping.get(key)


@register.simple_tag(takes_context=True)
def board_file(context: template.Context, kind: str) -> str:
    """The address of the board's script ("js") or style sheet ("css").

    A rule system's own `main` file, which imports the board's, comes before the board's.
    """
    system = context["game"].rules if "game" in context else context["system"]
    return static(_board_file(system.name, room_of(system), kind))


@lru_cache
def _board_file(system: str, room: str, kind: str) -> str:
    own = (f"{kind}/systems/{system}/{each}main.{kind}" for each in (room, ""))
    return next(filter(finders.find, own), f"{kind}/board/main.{kind}")


@register.simple_tag
def data(value: object) -> SafeString:
    """*value* as the JSON of a data attribute, in single quotes."""
    text = dumps(value, separators=(",", ":")).replace("&", "&amp;").replace("<", "&lt;")
    return mark_safe("'" + text.replace("'", "&#x27;") + "'")


OPENED = " data-command>"
"""The end of a command form's opening tag, and of no other tag."""
POSTED = ' hx-boost="true">'
"""The same of a form on the board that asks the server something first."""
REFUSAL = '<p class="refusal" role="alert"></p>'
ON_FORM = frozenset({"class", "id", "hidden", "enctype"})
"""Attributes of the form itself, besides all names with a hyphen."""


@register.tag(name="command")
def command_form(parser: Parser, token: Token) -> FormNode:
    """The form of a command: its verb, its parameters and, between the tags, its fields.

        {% command "place" on=object.id amount=1 class="section" data-after="close" %}
          <label>{% trans "Kind" %}<input name="counter" required></label>
          <button>{% trans "Place" %}</button>
        {% endcommand %}

    A parameter may be a text, a whole number, a boolean or any JSON value; None is left out.
    Without a verb the buttons name it: `<button name="do" value="spend">`. class, id, hidden and
    names with a hyphen are attributes of the form. The element for a refusal comes last, unless the
    form has one elsewhere.
    """
    return CommandNode(parser, token, "endcommand")


@register.tag(name="post")
def post_form(parser: Parser, token: Token) -> FormNode:
    """A form that a page of the game answers: the steps of its address, and its hidden fields.

        {% post "seats" place.key "leave" then="share" data-leads %}
          <button>{% trans "Just watch" %}</button>
        {% endpost %}

    Attributes, and the element for a refusal, are as in a command.
    """
    return FormNode(parser, token, "endpost")


class FormNode(template.Node):
    """A form that is sent to an address of the game, with or without scripts."""

    opened = POSTED

    def __init__(self, parser: Parser, token: Token, end: str) -> None:
        self.words: list[FilterExpression] = []
        self.given: dict[str, FilterExpression | None] = {}
        self.attributes: dict[str, FilterExpression | None] = {}
        for bit in token.split_contents()[1:]:
            name, equals, value = bit.partition("=")
            if bit[0] in "\"'" or not (equals or "-" in name or name in ON_FORM):
                self.words.append(parser.compile_filter(bit))
            else:
                about = self.attributes if "-" in name or name in ON_FORM else self.given
                about[name] = parser.compile_filter(value) if equals else None
        self.nodelist = parser.parse((end,))
        parser.delete_first_token()

    def address(self, context: template.Context) -> str:
        """Its address, from that of the board."""
        return "/".join(str(word.resolve(context)) for word in self.words)

    def fields(self, context: template.Context) -> Iterator[str]:
        """The hidden fields."""
        for name, value in self.given.items():
            if value:
                field = '<input type="hidden" name="{}" value="{}">'
                yield format_html(field, name, value.resolve(context))

    def render(self, context: template.Context) -> SafeString:
        about = [
            format_html(' {}="{}"', name, value.resolve(context)) if value else f" {name}"
            for name, value in self.attributes.items()
        ]
        action = conditional_escape(f"{context.get('board_url', '')}{self.address(context)}")
        inside = self.nodelist.render(context)
        parts = [
            f'<form method="post" action="{action}"{"".join(about)}{self.opened}',
            token_field(context.get("csrf_token")),
            *self.fields(context),
            inside,
            "" if 'class="refusal"' in inside else REFUSAL,
            "</form>",
        ]
        return mark_safe("".join(parts))


class CommandNode(FormNode):
    """A form that gives a command."""

    opened = OPENED

    def address(self, context: template.Context) -> str:
        return "command"

    def fields(self, context: template.Context) -> Iterator[str]:
        verb = {"do": self.words[0]} if self.words else {}
        for name, value in {**verb, **self.given}.items():
            if value:
                yield hidden(name, value.resolve(context))
        yield each_of(context.get("stack"))


def hidden(name: str, value: Any) -> str:
    """A hidden field for *value*, named as `games.screens.forms` reads it; nothing for None."""
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
def each_of(stack: Stack | None, form: str = "") -> SafeString:
    """The field that says which objects a command in a sheet about a row of them means."""
    if stack is None or len(stack.row) < 2:
        return mark_safe("")
    place = format_html(" form={}", form) if form else ""
    ids = " ".join(stack.chosen)
    field = '<input type="hidden" autocomplete="off" name="each.{}" value="{}"{}>'
    return format_html(field, stack.chosen[0], ids, place)


@register.inclusion_tag("sheets/_number_field.html")
def number_field(
    name: str,
    word: str,
    *,
    read: str = ":number",
    least: int = 0,
    most: int = MOST,
    step: int = 1,
    usual: int | None = None,
    hint: str = "",
    optional: bool = False,
) -> dict[str, Any]:
    """A field for a whole number from *least* to *most*, with its *word*.

    read: how `games.screens.forms` reads it; "" in a form that is no command. usual: the number
    that is there already. hint: what an empty field means.
    """
    field = {"name": name + read, "least": least, "most": most, "step": step, "value": usual}
    return {"word": word, "field": {**field, "hint": hint, "required": not optional}}


@register.inclusion_tag("sheets/_text_field.html")
def text_field(
    name: str,
    word: str,
    *,
    most: int = 80,
    usual: str | None = None,
    hint: str = "",
    optional: bool = False,
    wide: bool = False,
) -> dict[str, Any]:
    """A field for a text of at most that many letters, with its *word*.

    usual and hint: as for `number_field`. wide: it has lines of its own.
    """
    field = {"name": name, "most": most, "value": usual or "", "hint": hint}
    return {"word": word, "field": {**field, "required": not optional}, "wide": wide}


@register.inclusion_tag("sheets/_one_of.html")
def one_of(name: str, values: Iterable[Any], now: Any, none: str = "") -> dict[str, Any]:
    """Buttons of a form that change one thing to one of the *values*; *now* is pressed.

    values: each as it is, or with the word for it. none: the word of a button for nothing.
    """
    choices = [each if isinstance(each, tuple) else (each, each) for each in values]
    return {"name": name, "choices": choices, "now": now, "none": none}


@register.simple_tag
def parameter(name: str, value: Any) -> SafeString:
    """A parameter of the enclosing command, for a name that is only known at render time."""
    return mark_safe(hidden(name, value))


def token_field(token: object) -> str:
    """The CSRF field that Django wants in every form; nothing where all phones share the HTML."""
    if not token or token == "NOTPROVIDED":
        return ""
    return format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', token)
