"""What to do about the first fault of a definition, in words, as far as its place shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from games.rules.printable import UNPRINTABLE
from games.rules.state import MOST_SEATS, Phrase, Words
from games.rules.state import marked as _

from .definition import LARGEST, canonical
from .reading import WORD

Json = Any
LONGEST: Mapping[str, int] = {
    "title": 60, "about": 500, "author": 200, "says": 500, "rule": 40, "pressed": 20, "ask": 200,
    "tell": 200, "letter": 2,
}  # fmt: skip
"""By key: the most characters of its text."""
MOST: Mapping[str, int] = {
    "zones": 8, "things": 20, "numbers": 40, "rules": 60, "phases": 12, "do": 10, "then": 6,
    "steps": 6, "costs": 4, "choose": 6, "prints": 10,
}  # fmt: skip
"""By key: the most that its list may hold."""
WORDS = frozenset({"kind", "type", "zones", "phases"})
"""The keys of names."""
STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
READS = ("number", "highest", "lowest", "had")
"""The keys of an amount that reads a number."""


def advice(written: Json, place: str, stray: str) -> Words:
    """What is wrong at *place*, and what to do; "" if the place says enough.

    stray: the key there that no definition has.
    """
    if stray:
        beside = UNPRINTABLE.sub("�", stray[:40])
        return Phrase(_("“{key}” is nothing a game can have there"), key=beside)
    if not place:
        return _of_all(written)
    steps = [name or int(index) for name, index in STEP.findall(place)]
    value: Json = written
    for step in steps:
        value = _within(value, step)
    names = [step for step in steps if isinstance(step, str)]
    if names[:1] == ["players"]:
        return _of_players(written["players"])
    if names[:2] == ["numbers", "is"]:
        return _of_circle(written["numbers"], steps[1])
    if isinstance(value, str):
        return _of_text(value, names[-1])
    most = MOST.get(names[-1], len(value)) if isinstance(value, list | dict) else 0
    if isinstance(value, list | dict) and len(value) > most:
        return Phrase(_("{n} is the most"), n=most)
    return ""


def _within(value: Json, step: str | int) -> Json:
    if isinstance(value, dict):
        return value.get(step)
    has = isinstance(value, list) and isinstance(step, int) and step < len(value)
    return value[step] if has else None


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


def _of_text(value: str, key: str) -> Words:
    most = LONGEST.get(key)
    if UNPRINTABLE.search(value):
        return _("it has a character that nobody can see; leave it out")
    if value != value.strip():
        return _("leave out the spaces at its ends")
    if most is not None and len(value) > most:
        return Phrase(_("{n} characters is the most"), n=most)
    if key in WORDS and not WORD(value):
        return _("a name is up to 40 small letters a–z, digits, spaces and + - / ' . :")
    return ""


# Numbers that follow from one another


def _of_circle(numbers: Json, index: Any) -> Words:
    """The numbers that read each other, or the one that must stand before another."""
    follow = {
        number["kind"]: {*_read(number["is"])}
        for number in numbers
        if isinstance(number, dict) and "is" in number and isinstance(number.get("kind"), str)
    }
    kind = numbers[index].get("kind")
    if circle := _circle(follow, kind):
        return Phrase(_("these numbers follow from one another: {names}"), names=" → ".join(circle))
    order = [*follow]
    later = order[order.index(kind) + 1 :] if kind in order else []
    for name in later:
        if name in follow[kind]:
            return Phrase(_("“{name}” must stand before “{kind}”"), name=name, kind=kind)
    return ""


def _circle(follow: Mapping[str, set[str]], kind: str) -> list[str]:
    """The way from *kind* back to it, each read by the one before; nothing if there is none."""
    ways, seen = [[kind]], set[str]()
    while ways:
        way = ways.pop(0)
        for name in sorted(follow.get(way[-1], ())):
            if name == kind:
                return [*way, name]
            if name not in seen:
                seen.add(name)
                ways.append([*way, name])
    return []


def _read(amount: Json) -> Iterator[str]:
    """The names of the numbers that an amount reads."""
    if isinstance(amount, list):
        for part in amount:
            yield from _read(part)
    elif isinstance(amount, dict):
        yield from (amount[key] for key in READS if isinstance(amount.get(key), str))
        for part in amount.values():
            yield from _read(part)
