"""Who wins by a typed line: a goal, rounds to a goal or so many, the best at the end, and ties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..language.goals import best_of
from ..language.grammar import Json, Place
from ..language.meaning import PLAYER, TABLE
from ..language.reading import SIX_DIGITS
from .line_parts import Typed
from .names import shown, worded
from .places import items, put, there

MOST_RANKED = 4
DOES: Place = ("do", 0)
BEST: Place = ("win", "if")
OF_A_ROUND: Place = ("win", "if", "all", 1)
"""The condition of who is best, in the action of a button and in one after a question."""


def wins(each: Typed) -> dict[str, Any]:
    """The rule of a number's goal."""
    assert each.number is not None
    mine = each.number["on"] == PLAYER
    up = each.goal is not None and each.goal >= each.number.get("start", 0)
    return {
        "rule": f"{each.goal} {shown(each.number)}"[:40].strip(),
        "when": {"always": PLAYER if mine else TABLE},
        "if": [{"number": each.kind}, ">=" if up else "<=", each.goal],
        "do": [{"win": "it" if mine else "players"}],
    }


def best(way: str, kind: str) -> list[Any]:
    return [{"number": kind}, "=", {way: kind, "on": "players"}]


def best_wins(way: str, kind: str, says: str) -> dict[str, Any]:
    """The rule by which who has the most of a number, or the least, wins when the game is over.

    says: its button.
    """
    return {
        "rule": says,
        "when": {"pressed": says, "on": TABLE},
        "do": [{"win": {"each": "players", "if": best(way, kind)}}],
    }


def rounds(each: Typed, *, teams: bool) -> Iterator[dict[str, Any]]:
    """The rules of rounds that ask everyone, or each team, until they end: for points, or for that
    of which points are made, one after another; the first answers are hidden until all are there.
    """
    assert each.number is not None
    who = "teams" if teams else "players"
    won = {"each": "players", "if": {"all": [each.until, best("highest", each.kind)]}}
    if not each.asks:
        asks = _asks(each.number, who, "add", [{"win": won}])
        yield {"rule": _capital(each.text), "when": {"begins": "round"}, "do": [asks]}
        return
    gets = {"each": who, "do": [{"add": each.brings, "of": each.kind}]}
    several, stage = len(each.asks) > 1, str(each.made[-1]["kind"] if each.made else "")
    for n, number in enumerate(each.asks):
        last = n == len(each.asks) - 1
        after = [gets, {"win": won}] if last else [_set(stage, n + 1)]
        asks = _asks(number, who, "set", after)
        if n:
            when = {"when": {"changes": stage, "by": "up"}, "if": [{"number": stage}, "=", n]}
            yield {"rule": _capital(shown(number)), **when, "do": [asks]}
        else:
            begun = [_set(stage, 0), {**asks, "hidden": True}] if several else [asks]
            yield {"rule": _capital(each.text), "when": {"begins": "round"}, "do": begun}


def _set(kind: str, n: int) -> dict[str, Any]:
    return {"set": n, "of": kind, "on": TABLE}


def _asks(number: Mapping[str, Any], who: str, does: str, after: list[Json]) -> dict[str, Any]:
    return {
        "ask": shown(number),
        "of": who,
        **{bound: number[bound] for bound in ("least", "most") if bound in number},
        "then": [{does: "answer", "of": number["kind"], "on": "answerer"}],
        "after": after,
    }


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def with_best_of_rounds(written: Json, way: str) -> Json:
    """*written*, in which whoever is best *way* wins after the last round; None without rounds."""
    for place in _of_rounds(written):
        if found := best_of(there(written, place)):
            return put(written, place, best(way, found.kind))
    return None


def ranked(written: Json) -> tuple[tuple[str, ...], bool]:
    """The numbers by which somebody wins at the end, as far as a line says it, and whether the line
    can say no more what is best of them: () and False if none does."""
    for place, kinds, _first in _rankings(written):
        return kinds, len(kinds) > 1 or "after" not in place
    return (), False


def _rankings(written: Json) -> Iterator[tuple[Place, tuple[str, ...], str]]:
    """The conditions of who is best: their places, the numbers that count, and what is first."""
    buttons = (("rules", n, *DOES, *BEST) for n, _rule in enumerate(items(written, "rules")))
    for place in [*_of_rounds(written), *buttons]:
        match there(written, place):
            case [{"number": kind}, "=", {"on": "players", **how}]:
                yield place, (kind,), "lowest" if "lowest" in how else "highest"
            case [{"rank": [*kinds], **more}, "=", 1]:
                yield place, tuple(kinds), str(more.get("first", "highest"))


def with_tie(written: Json, tie: Typed) -> Json:
    """*written*, in which a number decides between those who are best alike."""
    for place, kinds, first in _rankings(written):
        decided, kind = _decided_by(written, tie, first)
        rank = {"rank": [*kinds, kind]} | ({"first": first} if first == "lowest" else {})
        return put(decided, place, [rank, "=", 1])
    return written


def with_empty_cells(written: Mapping[str, Any]) -> Mapping[str, Any]:
    """*written* whose cells are empty until somebody writes them, and which is over when all are
    written, if a line says who is best by a sum of them."""
    numbers, rules = items(written, "numbers"), items(written, "rules")
    own = [each for each in numbers if _can_be_empty(each)]
    if not own or not any(there(each, ("big",)) and "is" in each for each in numbers):
        return written
    full = {"written": [each["kind"] for each in own], "on": "players"}
    over = {"when": {"always": TABLE}, "if": full}
    empty = [each["kind"] for each in own if "blank" in each]
    for place, _kinds, _first in [*_rankings(written)]:
        rule = there(written, place[:2])
        button = rule["when"] == {"pressed": rule["rule"], "on": TABLE}
        if place[2:] == (*DOES, *BEST) and (button or there(rule, ("if", "written")) == empty):
            rules = put(rules, place[1:2], {"rule": rule["rule"], **over, "do": rule["do"]})
    if rules == items(written, "rules"):
        return written
    numbers = [{**each, **_empty(each)} if each in own else each for each in numbers]
    return {**written, "numbers": numbers, "rules": rules}


def _empty(number: Mapping[str, Any]) -> dict[str, Any]:
    """An empty cell takes what is below 0, too, unless it has a most of its own."""
    bound = {} if {"least", "most"} & number.keys() else {"least": -SIX_DIGITS}
    return {"blank": True, **bound}


def _can_be_empty(number: Mapping[str, Any]) -> bool:
    counted = number.get("on") == PLAYER and "is" not in number
    return counted and not number.get("start") and number.get("look") != "switch"


def _of_rounds(written: Json) -> Iterator[Place]:
    for index, rule in enumerate(items(written, "rules")):
        for n, asks in enumerate(items(rule, "do")):
            for m, _action in enumerate(items(asks, "after")):
                yield ("rules", index, "do", n, "after", m, *OF_A_ROUND)


def _decided_by(written: Mapping[str, Any], tie: Typed, first: str) -> tuple[Json, str]:
    """The number that decides a tie. Of one that counts the other way round it is the opposite."""
    if tie.best == first:
        return written, tie.ties
    numbers = items(written, "numbers")
    word = worded("kind", tie.text, {str(there(each, ("kind",))) for each in numbers})
    opposite = {"on": PLAYER, "look": "none", "is": {"-": [0, {"number": tie.ties}]}}
    return {**written, "numbers": [*numbers, word | opposite]}, word["kind"]
