"""The sheet of a number: all that it is, and the change behind each of its buttons."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import Phrase
from games.rules.state import marked as _
from games.systems.controls import Stepper

from ..language.coins import coins
from ..language.definition import Definition
from ..language.grammar import Json, Place
from ..language.meaning import PLAYER, TABLE
from ..language.numbers import ANY_SIZE, LOOKS, MOST_OF_A_LOOK, OwnMost
from ..language.reading import SIX_DIGITS
from ..language.saying import purpose
from .choices import Asked, Change, Under, asked, toggled
from .draft import users
from .places import put
from .playable import fault

MOST_PLAYERS = 12
LOOK_WORDS: Mapping[str, str] = {
    "number": _("number"), "pips": _("pips"), "clock": _("clock"), "track": _("track"),
    "switch": _("yes or no"), "none": _("not shown"),
}  # fmt: skip


class Bound(Struct, frozen=True):
    """A limit, with the changes of its minus and plus."""

    key: str
    says: str
    value: Any
    less: Change | None
    more: Change | None
    types: Change | None = None
    """Fields for typed numbers, each named after its key."""


class NumberSheet(Struct, frozen=True):
    """A number. In the rows of choices: what each says, whether it is chosen, and its change.

    looks: also the look's name, and why it cannot be. hues: (hue, letter, chosen, the number that
    has it, change). big: the number that is big. flags: (key, label, on, change). users: what
    cannot stay without it, in words. tried: it as it stands in the trial. stride: of a tap, and of
    a long press. starts: those of roles.
    """

    index: int
    number: Mapping[str, Any]
    purpose: Any
    owners: Sequence[tuple[Any, bool, Change]]
    looks: Sequence[tuple[str, str, bool, Any, Change]]
    bounds: Sequence[Bound]
    starts: Sequence[Bound]
    mosts: Sequence[tuple[Any, bool, Change]]
    steps: Sequence[tuple[str, bool, Change]]
    hues: Sequence[tuple[int, str, bool, str, Change]]
    letter: str
    big: str
    flags: Sequence[tuple[str, str, bool, Change]]
    counts: Change
    works_out: Change
    sentence: Any
    at: str
    asked: Asked | None
    users: Any
    tried: Stepper
    stride: tuple[int, int]


def number_sheet(
    definition: Definition, written: Mapping[str, Any], index: int, at: Place, tried: Stepper
) -> NumberSheet:
    """The sheet of the number at *index* of a definition under way, which has been read."""
    number = written["numbers"][index]
    kind, counted, here = number["kind"], "is" not in number, ("numbers", index)

    def change(key: str, value: Json) -> Change:
        return {"put": [*here, key], "is": value}

    under = _worked_out(definition, written, index)
    said = purpose(definition, number)
    now = number.get("steps", [1, 10])
    looks = [(look, LOOK_WORDS[look], on, why) for look, on, why in _looks(number)]
    return NumberSheet(
        index,
        number,
        said.facts.get("parts", said.facts.get("amount", said)),
        [(says, on, change("on", value)) for says, on, value in _owners(definition, number)],
        [(*each, change("look", each[0])) for each in looks],
        [*_bounds(number, here)] if counted else [],
        [*_starts(definition, number, here)] if counted else [],
        [(says, on, change("most", v)) for says, on, v in _mosts(definition, index, number)],
        [(", ".join(map(str, each)), each == now, change("steps", each)) for each in _steps(now)],
        [(*each, change("colour", each[0])) for each in _hues(definition, kind)],
        coins(definition)[kind].letter,
        next((each.kind for each in definition.numbers.values() if each.big), ""),
        [
            (key, says, bool(number.get(key)), change(key, not number.get(key)))
            for key, says in _flags(definition, number)
        ],
        {"cut": [*here, "is"]},
        change("is", None),
        "" if counted else under.said(under.value),
        json.dumps(at, separators=(",", ":")),
        asked(under, at) if not counted and at[: len(under.root)] == under.root else None,
        users(written, "numbers", kind),
        tried,
        (now[0], now[-1]),
    )


def _worked_out(definition: Definition, written: Mapping[str, Any], index: int) -> Under:
    """How a number is worked out: its subject is a holder of it."""
    number, root = written["numbers"][index], ("numbers", index, "is")

    def first_fault(changed: Json) -> str | None:
        return fault(put(written, root, changed)) or None

    about = {"when": {"always": number.get("on")}}
    return Under(definition, root, "amount", number.get("is"), about, first_fault)


def _owners(definition: Definition, number: Mapping[str, Any]) -> Iterator[tuple[Any, bool, Json]]:
    """The holders that it can be for: each tap adds one, or takes it away while another is left."""
    on = number["on"]
    now = [*on] if isinstance(on, list) else [on]
    words = {PLAYER: Phrase(_("Each player")), TABLE: Phrase(_("The table"))}
    for owner in (PLAYER, TABLE, *definition.roles, *definition.things):
        alone = owner in words and len(now) == 1 and now[0] in words
        yield words.get(owner, owner), owner in now, owner if alone else toggled(now, owner)
    both = [PLAYER, TABLE]
    if {*now} != {*both}:
        yield Phrase(_("Both")), False, both


def _flags(definition: Definition, number: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What it may be besides, each with its label."""
    if PLAYER in definition.numbers[number["kind"]].on:
        yield "big", _("The big number")
    if "is" not in number and number.get("look") != "switch":
        yield "blank", _("Empty until somebody writes it")
    if number.get("blank"):
        yield "once", _("Written once")
    if definition.teams and "is" not in number and number["on"] == PLAYER:
        yield "shared", _("One for each team")


def _mosts(
    definition: Definition, index: int, number: Mapping[str, Any]
) -> Iterator[tuple[Any, bool, Json]]:
    """The choices for its maximum besides a number: no end, another number, a printed value."""
    if "is" in number:
        return
    now = number.get("most", SIX_DIGITS)
    yield Phrase(_("no end")), now == SIX_DIGITS, SIX_DIGITS
    for other in [*definition.numbers.values()][:index]:
        plain = not other.follows and not isinstance(other.most, OwnMost)
        if plain and other.on & definition.numbers[number["kind"]].on:
            value = {"number": other.kind}
            yield Phrase(_("at most its {what}"), what=other.kind), now == value, value
    for name in dict.fromkeys(n for thing in definition.things.values() for n in thing.prints):
        yield (
            Phrase(_("at most the printed {what}"), what=name),
            now == {"print": name},
            {"print": name},
        )


def _hues(definition: Definition, kind: str) -> Iterator[tuple[int, str, bool, str]]:
    marks = coins(definition)
    taken = {mark.hue: name for name, mark in marks.items() if name != kind}
    for hue in range(1, 13):
        other = taken.get(hue, "")
        yield hue, marks[other or kind].letter, marks[kind].hue == hue, other


def _looks(number: Mapping[str, Any]) -> Iterator[tuple[str, bool, Any]]:
    """Each look: its name, whether it is chosen, and why it cannot be."""
    most = number.get("most", SIX_DIGITS)
    for look in LOOKS:
        why: Any = ""
        limit = MOST_OF_A_LOOK.get(look, SIX_DIGITS)
        if look not in ANY_SIZE and ("is" in number or type(most) is not int):
            why = Phrase(_("needs a most"))
        elif type(most) is int and limit < most < SIX_DIGITS:
            why = Phrase(_("up to {n}"), n=limit)
        yield look, number.get("look", "number") == look, why


def _bounds(number: Mapping[str, Any], here: Place) -> Iterator[Bound]:
    """Its limits. here: its place."""
    least, start = number.get("least", 0), number.get("start", 0)
    most = number.get("most", SIX_DIGITS)
    if not number.get("blank"):
        top = most if type(most) is int else 0
        yield _bound("start", _("start"), start, (*here, "start"), (least, top))
    lowest = _bound("least", _("least"), least, (*here, "least"), (-SIX_DIGITS, 0))
    yield lowest if least > -SIX_DIGITS else _from(-10, lowest, "−∞")
    if type(most) is int and most < SIX_DIGITS:
        yield _bound("most", _("most"), most, (*here, "most"), (0, SIX_DIGITS))
    else:
        highest = _bound("most", _("most"), 0, (*here, "most"), (0, SIX_DIGITS))
        yield _from(10, highest, "∞" if type(most) is int else next(iter(most.values())))


def _bound(key: str, says: str, now: int, place: Place, ends: tuple[int, int]) -> Bound:
    """A limit at a place, which a tap changes by 1 between its *ends*."""
    less, more = (
        {"put": [*place], "is": n} if ends[0] <= n <= ends[1] else None for n in (now - 1, now + 1)
    )
    types = {"type": [*place], "number": True, "field": f"text-{key}"}
    return Bound(key, says, now, less, more, types)


def _from(first: int, bound: Bound, says: str) -> Bound:
    """A limit that is no number yet: more of it makes it the *first* one."""
    return replace(bound, value=says, less=None, more={**(bound.more or {}), "is": first})


def _starts(definition: Definition, number: Mapping[str, Any], here: Place) -> Iterator[Bound]:
    """The starts of roles that have this number."""
    if number.get("blank") or number.get("shared"):
        return
    most = number.get("most", SIX_DIGITS)
    ends = number.get("least", 0), most if type(most) is int else 0
    on = definition.numbers[number["kind"]].on
    for n, role in enumerate(each for each in definition.roles if each in on):
        now = number.get("starts", {}).get(role, number.get("start", 0))
        called = definition.labels.get(role, role)
        yield _bound(f"start-{n}", called, now, (*here, "starts", role), ends)


def _steps(now: list[int]) -> list[list[int]]:
    """The usual steps, and those that the number has."""
    usual = [[1], [1, 5], [1, 10], [1, 5, 10], [5, 10], [10, 100], [100, 1000]]
    return usual if now in usual else [now, *usual]


def players(least: int, most: int) -> Iterator[Bound]:
    """The least and the largest number of players."""

    def change(key: str, value: int) -> Change | None:
        now = {"least": least, "most": most, key: value}
        return {"put": ["players"], "is": now} if 1 <= value <= MOST_PLAYERS else None

    yield Bound("least", _("least"), least, change("least", least - 1), change("least", least + 1))
    yield Bound("most", _("most"), most, change("most", most - 1), change("most", most + 1))
