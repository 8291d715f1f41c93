"""The end of the game of a definition, as far as its leading number decides it.

"First to 10 points wins" is a goal: the board shows how much it still is. Other rules that end a
game are not drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from games.rules.state import Words
from games.rules.state import marked as _
from games.systems.controls import Goal, Stepper

from .definition import KEPT, Definition
from .meaning import PLAYER, TABLE

TO_GO = _("%(n)s to go")
ENDS = {
    "lowest": _("%(n)s to the end, least wins"),
    "highest": _("%(n)s to the end, most wins"),
}


class Ranking(NamedTuple):
    """The numbers by which players are ranked, the first of which counts most, and what is best:
    "highest" or "lowest"."""

    kinds: tuple[str, ...]
    best: str

    @property
    def kind(self) -> str:
        return self.kinds[0]


def best_of(condition: Any) -> Ranking | None:
    """That a player has the most or the least of a number, if just this is a condition."""
    match condition:
        case [{"number": str(kind)}, "=", {"on": "players", **best}]:
            return next((Ranking((kind,), way) for way in ENDS if best == {way: kind}), None)
    return None


class End(NamedTuple):
    """A number's amount that ends the game. up: it is reached from below. says: how far it is."""

    amount: int
    up: bool
    says: Words


@lru_cache(KEPT)
def ends(definition: Definition) -> Mapping[str, End]:
    """By kind: the amount of a player's number that ends the game, where a rule says just that."""
    found: dict[str, End] = {}
    for rule in definition.written.get("rules", ()):
        for kind, end in _end(rule):
            found.setdefault(kind, end)
    return found


def _end(rule: Mapping[str, Any]) -> Iterator[tuple[str, End]]:
    """The end that a rule says: who has N wins, or who has the lowest once somebody has N."""
    for action in rule["do"]:
        for after in action.get("after", ()):
            yield from _end_of_round(after.get("win"))
    for condition in _conditions(rule.get("if")):
        match rule["when"], condition, rule["do"]:
            case {"always": "player"}, [{"number": str(kind)}, op, int(most)], [{"win": "it"}]:
                if op in (">=", "=", "<="):
                    yield kind, End(most, op != "<=", TO_GO)
            case (
                {"always": "table"} | {"ends": "round"},
                [{"highest": str(kind), "on": "players"}, ">=" | "=", int(most)],
                [{"win": {"each": "players", "if": wins}}],
            ) if (best := best_of(wins)) and best.kind == kind:
                yield kind, End(most, up=True, says=ENDS[best.best])


def _end_of_round(winners: Any) -> Iterator[tuple[str, End]]:
    """The end that is looked at when all have answered: who is best wins, once somebody has N."""
    match winners:
        case {
            "each": "players",
            "if": {"all": [[{**reached}, ">=" | "<=" as sign, int(amount)], wins]},
        } if (best := _ranked(wins)) and best.kind in reached.values():
            says = TO_GO if best.best in reached or "number" in reached else ENDS[best.best]
            yield best.kind, End(amount, sign == ">=", says)


@lru_cache(KEPT)
def decides(definition: Definition, *ways: str) -> str:
    """The counted number by which somebody has the most or the least and wins; "" if none is.

    ways: "highest" or "lowest"; both if none is given.
    """
    for rule in definition.written.get("rules", ()):
        for action in rule["do"]:
            match action.get("win"):
                case {"each": "players", "if": condition} if best := best_of(condition):
                    if best.best in (ways or ENDS) and not definition.numbers[best.kind].follows:
                        return best.kind
    return ""


def written_to(action: Any) -> str:
    """The number to which an action adds the answer; "" if it does not."""
    match action:
        case {"add": "answer", "of": str(kind), "on": "answerer"}:
            return kind
    return ""


@lru_cache(KEPT)
def ranking(definition: Definition) -> Ranking | None:
    """The ranking by which a rule says who wins; None if none does."""
    for rule in definition.written.get("rules", ()):
        for condition in _winning(rule["do"]):
            every = condition.get("all", ()) if isinstance(condition, dict) else [condition]
            for found in filter(None, map(_ranked, every)):
                return found
    for kind, end in ends(definition).items():
        return Ranking((kind,), "highest" if end.up else "lowest")
    return None


def _winning(actions: Any) -> Iterator[Any]:
    """The conditions under which actions name players the winners."""
    for action in actions:
        match action.get("win"):
            case {"each": "players", "if": condition}:
                yield condition
        yield from _winning((*action.get("after", ()), *action.get("do", ())))


def _ranked(condition: Any) -> Ranking | None:
    if best := best_of(condition):
        return best
    match condition:
        case [{"rank": kinds, **how}, "=", last] if isinstance(kinds, str | list):
            lowest = (how.get("first") == "lowest") is (last == 1)
            each = (kinds,) if isinstance(kinds, str) else tuple(kinds)
            return Ranking(each, "lowest" if lowest else "highest")
    return None


def _conditions(condition: Any) -> list[Any]:
    """The one comparison of a condition, beside whose turn it has to be; else nothing."""
    match condition:
        case {"all": [*parts]}:
            return [each for each in parts if not _is_turn(each)] if len(parts) <= 2 else []
        case [*_]:
            return [condition]
    return []


def _is_turn(condition: Any) -> bool:
    return bool(condition == {"is": "it", "in": "active"})


def goal(definition: Definition, hero: Stepper | None) -> Goal | None:
    """The distance of the leading number from its end."""
    end = ends(definition).get(hero.kind) if hero else None
    if hero is None or end is None or hero.holder == TABLE:
        return None
    start = definition.numbers[hero.kind].start
    whole = end.amount - start if end.up else start - end.amount
    left = end.amount - hero.amount if end.up else hero.amount - end.amount
    return Goal(end.says, max(left, 0), whole, end.amount) if whole > 0 else None


def concerned(definition: Definition) -> frozenset[str]:
    """The numbers of which a goal depends."""
    return frozenset(
        number.kind
        for number in definition.numbers.values()
        if PLAYER in number.on and number.kind in ends(definition)
    )
