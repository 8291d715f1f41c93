"""What to do about the first fault of a definition, in words, as far as its place shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.rules.input import UNPRINTABLE
from games.rules.state import MOST_SEATS, Phrase, Words
from games.rules.state import marked as _

from .definition import LARGEST, canonical
from .forms import GRAMMAR
from .grammar import Json, Place, place_of, within
from .reading import WORD
from .sorts import WORD as NAME


def advice(written: Json, place: str, stray: str) -> Words:
    """What is wrong at *place*, and what to do; "" if the place says enough.

    stray: the key there that no definition has.
    """
    if stray:
        beside = UNPRINTABLE.sub("�", stray[:40])
        return Phrase(_("“{key}” is nothing a game can have there"), key=beside)
    if not place:
        return _of_all(written)
    steps = place_of(place)
    value: Json = written
    for step in steps:
        value = within(value, step)
    names = [step for step in steps if isinstance(step, str)]
    if names[:1] == ["players"]:
        return _of_players(written["players"])
    if names[:2] == ["numbers", "is"]:
        return _of_circle(written["numbers"], steps[1])
    if isinstance(value, str):
        return _of_text(value, _schema(written, steps))
    if isinstance(value, list | dict):
        schema = _schema(written, steps)
        most = schema.get("maxItems", schema.get("maxProperties", len(value)))
        return Phrase(_("{n} is the most"), n=most) if len(value) > most else ""
    return ""


def _schema(written: Json, place: Place) -> Mapping[str, Any]:
    """What may stand at a place, as JSON Schema."""
    sort, key = GRAMMAR.at("definition", written, place)
    if key is not None and key.many:
        return {"maxItems": key.many[1]}
    return (GRAMMAR.sorts[sort].schema or {}) if sort in GRAMMAR.sorts else {}


def _of_all(written: Json) -> Words:
    if not isinstance(written, dict):
        return _("a game is a map in braces, with a title")
    if "title" not in written:
        return _("it has no title")
    try:
        large = len(canonical(written)) > LARGEST
    except (TypeError, ValueError, RecursionError):
        return ""
    return Phrase(_("it is too large: {n} KB is the most"), n=LARGEST // 1024) if large else ""


def _of_players(players: Json) -> Words:
    counts = [players.get("least", 1), players.get("most", 8)] if isinstance(players, dict) else []
    if all(type(count) is int and 1 <= count <= MOST_SEATS for count in counts):
        return _("the least is more than the most") if counts else ""
    return Phrase(_("a whole number from 1 to {n}: {n} is the most"), n=MOST_SEATS)


def _of_text(value: str, schema: Mapping[str, Any]) -> Words:
    most = schema.get("maxLength")
    if UNPRINTABLE.search(value):
        return _("it has a character that nobody can see; leave it out")
    if value != value.strip():
        return _("leave out the spaces at its ends")
    if most is not None and len(value) > most:
        return Phrase(_("{n} characters is the most"), n=most)
    if schema == NAME and not WORD(value):
        return _("a name is up to 40 small letters a–z, digits, spaces and + - / ' . :")
    return ""


# Numbers that follow from one another


def _of_circle(numbers: Json, index: Any) -> Words:
    """The numbers that read each other, or the one that must stand before another."""
    follow = {
        number["kind"]: {name for _at, name in GRAMMAR.names("amount", number["is"], "numbers")}
        for number in numbers
        if isinstance(number, dict) and "is" in number and isinstance(number.get("kind"), str)
    }
    kind = numbers[index].get("kind")
    if ways := circle(kind, lambda name: sorted(follow.get(name, ()))):
        names = " → ".join([*ways, kind])
        return Phrase(_("these numbers follow from one another: {names}"), names=names)
    order = [*follow]
    later = order[order.index(kind) + 1 :] if kind in order else []
    for name in later:
        if name in follow[kind]:
            return Phrase(_("“{name}” must stand before “{kind}”"), name=name, kind=kind)
    return ""


def circle(first: str, after: Callable[[str], Iterable[str]]) -> list[str]:
    """The shortest way from *first* back to it, each *after* the one before; [] without one."""
    ways, seen = [[first]], set[str]()
    while ways:
        way = ways.pop(0)
        for name in after(way[-1]):
            if name == first:
                return way
            if name not in seen:
                seen.add(name)
                ways.append([*way, name])
    return []
