"""Who wins by a typed line: a goal, rounds to a goal or so many, the best at the end, and ties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..language.goals import best_of
from ..language.grammar import Json, Place
from ..language.meaning import PLAYER, TABLE
from .places import items, put, there
from .rounds import asked
from .typed import Typed, shown, worded

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


def rounds(each: Typed, *, teams: bool) -> dict[str, Any]:
    """The rule of rounds that ask everyone, or each team, for points until they end."""
    assert each.number is not None
    won = {"each": "players", "if": {"all": [each.until, best("highest", each.kind)]}}
    asks = {
        "ask": shown(each.number),
        "of": "teams" if teams else "players",
        "then": [{"add": "answer", "of": each.kind, "on": "answerer"}],
        "after": [{"win": won}],
    }
    says = each.text[:1].upper() + each.text[1:]
    return {"rule": says, "when": {"begins": "round"}, "do": [asks]}


def with_best_of_rounds(written: Json, way: str) -> Json:
    """*written*, in which whoever is best *way* wins after the last round; None without rounds."""
    for place in _of_rounds(written):
        if found := best_of(there(written, place)):
            return put(written, place, best(way, found.kind))
    return None


def with_tie(written: Json, tie: Typed) -> Json:
    """*written*, in which a number decides between those who are best alike."""
    buttons = (("rules", n, *DOES, *BEST) for n, _rule in enumerate(items(written, "rules")))
    for place in [*_of_rounds(written), *buttons]:
        match there(written, place):
            case [{"number": kind}, "=", {"on": "players", **how}] if kind != tie.ties:
                first = "lowest" if "lowest" in how else "highest"
                ranked = {"rank": [kind]} | ({"first": first} if first == "lowest" else {})
            case [{"rank": [*_kinds], **more} as ranked, "=", 1]:
                first = str(more.get("first", "highest"))
            case _:
                continue
        decided, kind = _decided_by(written, tie, first)
        if kind in ranked["rank"] or len(ranked["rank"]) == MOST_RANKED:
            return written
        written = decided
        return put(written, place, [{**ranked, "rank": [*ranked["rank"], kind]}, "=", 1])
    return written


def _of_rounds(written: Json) -> Iterator[Place]:
    for question in asked(written):
        for n, _action in enumerate(there(written, (*question.place, "after")) or ()):
            yield (*question.place, "after", n, *OF_A_ROUND)


def _decided_by(written: Mapping[str, Any], tie: Typed, first: str) -> tuple[Json, str]:
    """The number that decides a tie. Of one that counts the other way round it is the opposite."""
    if tie.best == first:
        return written, tie.ties
    numbers = items(written, "numbers")
    word = worded("kind", tie.text, {str(there(each, ("kind",))) for each in numbers})
    opposite = {"on": PLAYER, "look": "none", "is": {"-": [0, {"number": tie.ties}]}}
    return {**written, "numbers": [*numbers, word | opposite]}, word["kind"]
