"""Goals of a game whose rounds ask everyone for points: looked at when all have answered.

Else whoever types first would win, with the points of the others still to come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from ..language.goals import best_of, written_to
from ..language.grammar import Json, Place
from ..language.reading import SIX_DIGITS
from . import winning
from .places import cut, items, put, there

MOST_AFTER = 6


class Asked(Struct, frozen=True):
    """A question that asks everyone for points: its place, and the number that they go to."""

    place: Place
    kind: str


def asked(written: Json) -> Iterator[Asked]:
    """The questions that ask everyone for points."""
    for index, rule in enumerate(items(written, "rules")):
        actions = there(rule, ("do",))
        for n, action in enumerate(actions if isinstance(actions, list) else ()):
            match action:
                case {"ask": _, "of": "players" | "teams", "then": [*then]} if (
                    "choose" not in action
                ):
                    for kind in filter(None, map(written_to, then)):
                        yield Asked(("rules", index, "do", n), kind)


AMOUNT: Place = ("win", "if", "all", 0, 2)
"""The amount of a goal, in its action after a question."""


def newest(written: Json) -> Place:
    """The amount of the goal that was moved last; () if there is none."""
    for question in asked(written):
        if after := there(written, (*question.place, "after")):
            return (*question.place, "after", len(after) - 1, *AMOUNT)
    return ()


def at_the_end_of_rounds(written: Mapping[str, Any]) -> Mapping[str, Any]:
    """*written*, its goals looked at when all have answered, and points without a least."""
    for question in [*asked(written)]:
        written = _without_least(written, question)
        while moved := _with_goal(written, question):
            written = moved
    return written


def _without_least(written: Any, question: Asked) -> Any:
    """Points may be taken off: the number and its question have no least of their own."""
    for index, number in enumerate(items(written, "numbers")):
        if there(number, ("kind",)) != question.kind or not {"is", "look"}.isdisjoint(number):
            continue
        if "total" not in there(written, question.place):
            if not number.get("least"):
                written = put(written, ("numbers", index, "least"), -SIX_DIGITS)
            if "least" not in there(written, question.place):
                written = put(written, (*question.place, "least"), -SIX_DIGITS)
    return written


def _with_goal(written: Any, question: Asked) -> Any:
    """*written* with the first goal of its number after the question; None if there is none."""
    after = there(written, (*question.place, "after")) or []
    for index, rule in enumerate(items(written, "rules")):
        goal = _goal(rule, question.kind)
        if goal and len(after) < MOST_AFTER:
            written = put(written, (*question.place, "after"), [*after, goal])
            return cut(written, ("rules", index))
    return None


def _goal(rule: Json, kind: str) -> Mapping[str, Any] | None:
    """The action that a goal is at the end of a round: the best wins, equal ones share."""
    match rule:
        case {
            "when": {"always": "player"},
            "if": [{"number": number, **more}, ">=" | "<=" as sign, int(amount)],
            "do": [{"win": "it"}],
        } if not more:
            best = "highest" if sign == ">=" else "lowest"
            return _best(number, best, sign, amount, best) if number == kind else None
        case {
            "when": {"always": "table"},
            "if": [{"highest": number, "on": "players"}, ">=" as sign, int(amount)],
            "do": [{"win": {"each": "players", "if": wins}}],
        } if (found := best_of(wins)) and number == found.kind == kind:
            return _best(kind, "highest", sign, amount, found.best)
    return None


def _best(kind: str, reached: str, sign: str, amount: int, best: str) -> Mapping[str, Any]:
    somebody = [{reached: kind, "on": "players"}, sign, amount]
    return {"win": {"each": "players", "if": {"all": [somebody, winning.best(best, kind)]}}}
