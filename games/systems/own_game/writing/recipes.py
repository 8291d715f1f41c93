"""Recipes: the rules that games have most often, each whole at one tap and then changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from games.rules.state import Phrase
from games.rules.state import marked as _

from ..language.definition import Definition
from ..language.goals import TO_GO, decides, ends
from ..language.grammar import Json
from ..language.meaning import PLAYER
from ..language.numbers import Number
from ..language.saying import sentence


class Recipe(Struct, frozen=True):
    """A rule to begin with. asks: the place in it of the chip that is asked first."""

    label: str
    rule: Json
    asks: tuple[str | int, ...]
    sentence: Any = ""

    @property
    def change(self) -> Mapping[str, Any]:
        return {"append": "rules", "is": self.rule, "ask": [*self.asks]}


def recipes(definition: Definition) -> list[Recipe]:
    """Those that this game can have."""
    return [*_Book(definition).all()] if definition.numbers else []


class _Book:
    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        numbers = [each for each in definition.numbers.values() if not each.follows]
        self.mine = [each for each in numbers if PLAYER in each.on]
        big = [each for each in self.mine if each.big]
        self.hero = next(iter([*big, *self.mine]), None)
        from_zero = [each for each in self.mine if not each.start and each.most]
        self.score = self.hero if self.hero in from_zero else next(iter(from_zero), self.hero)
        self.rest = [each for each in self.mine if each is not self.hero] or self.mine

    def all(self) -> Iterator[Recipe]:
        if not self.mine:
            return
        if self.definition.order != "none":
            yield self.reset()
            yield self.income()
            yield self.tick()
        if any(each.start > 0 for each in self.mine):
            yield self.lose()
        if self.is_open(goal := self.goal()):
            yield self.first(goal)
        yield self.best(_("At the end, the most wins"), "highest")
        yield self.best(_("At the end, the lowest wins"), "lowest")
        if self.is_open(100):
            yield self.lowest()
        yield from self.pay()
        yield self.scores()
        yield self.sum()

    def first_of(self, fits: Callable[[Number], Any], numbers: list[Number] | None = None) -> str:
        among = self.rest if numbers is None else numbers
        return next((each.kind for each in among if fits(each)), among[0].kind)

    def rule(self, label: str, asks: tuple[str | int, ...], **parts: Json) -> Recipe:
        written = {key.rstrip("_"): value for key, value in parts.items()}
        named = written["when"].get("pressed", Phrase(label))
        made = {"rule": named, **written}
        return Recipe(label, made, asks, sentence(self.definition, made))

    def reset(self) -> Recipe:
        kind = self.first_of(lambda each: each.start)
        start = self.definition.numbers[kind].start
        return self.rule(
            _("Reset each turn"), ("do", 0, "of"),
            when={"begins": "turn"}, do=[{"set": start, "of": kind}],
        )  # fmt: skip

    def income(self) -> Recipe:
        kind = self.first_of(lambda each: not each.start)
        return self.rule(
            _("Get some each turn"), ("do", 0, "of"),
            when={"begins": "turn"}, do=[{"add": 1, "of": kind}],
        )  # fmt: skip

    def tick(self) -> Recipe:
        kind = self.first_of(lambda each: each.look == "clock" or each.start)
        return self.rule(
            _("Tick down each turn"), ("do", 0, "of"),
            when={"begins": "turn"}, do=[{"add": -1, "of": kind}],
        )  # fmt: skip

    def lose(self) -> Recipe:
        kind = self.first_of(lambda each: each.start > 0, self.mine)
        return self.rule(
            _("Lose at zero"), ("if", 0),
            when={"always": PLAYER}, if_=[{"number": kind}, "<=", 0], do=[{"out": "it"}],
        )  # fmt: skip

    def goal(self) -> int:
        assert self.score is not None
        most = self.score.most if isinstance(self.score.most, int) else 10
        return most if most < 1000 else 10

    def is_open(self, goal: int) -> bool:
        """True if a game can end at *goal*: nobody begins there, and no rule ends it already."""
        assert self.score is not None
        most = self.score.most if isinstance(self.score.most, int) else goal
        return self.score.start < goal <= most and self.score.kind not in ends(self.definition)

    def first(self, goal: int) -> Recipe:
        assert self.score is not None
        return self.rule(
            _("First to 10 wins"), ("if", 2),
            when={"always": PLAYER}, if_=[{"number": self.score.kind}, ">=", goal],
            do=[{"win": "it"}],
        )  # fmt: skip

    def best(self, label: str, way: str) -> Recipe:
        assert self.score is not None
        kind = self.score.kind
        best = [{"number": kind}, "=", {way: kind, "on": "players"}]
        return self.rule(
            label, ("when", "pressed"),
            when={"pressed": Phrase(_("Game over")), "on": "table"},
            do=[{"win": {"each": "players", "if": best}}],
        )  # fmt: skip

    def lowest(self) -> Recipe:
        assert self.score is not None
        kind = self.score.kind
        least = [{"number": kind}, "=", {"lowest": kind, "on": "players"}]
        return self.rule(
            _("At 100, the lowest wins"), ("if", 2),
            when={"always": "table"}, if_=[{"highest": kind, "on": "players"}, ">=", 100],
            do=[{"win": {"each": "players", "if": least}}],
        )  # fmt: skip

    def pay(self) -> Iterator[Recipe]:
        """What one collects pays for what wins; nothing is proposed if either is not known."""
        wins = [each for each in self.mine if self.wins(each)]
        held = [each for each in self.mine if self.is_resource(each)]
        if not wins or not held:
            return
        paid = self.first_of(lambda each: not each.start, held)
        turn = {} if self.definition.order == "none" else {"own_turn": True}
        most = self.definition.numbers[paid].most
        costs = [{"pay": min(3, most) if isinstance(most, int) else 3, "of": paid}]
        yield self.rule(
            _("Pay to get something"), ("when", "costs", 0, "pay"),
            when={"pressed": Phrase(_("Buy")), "on": PLAYER, **turn, "costs": costs},
            do=[{"add": 1, "of": wins[0].kind}],
        )  # fmt: skip

    def wins(self, number: Number) -> bool:
        """True if a rule says that more of a number wins."""
        goal = ends(self.definition).get(number.kind)
        reached = goal is not None and goal.up and goal.says == TO_GO
        return reached or decides(self.definition, "highest") == number.kind

    def is_resource(self, number: Number) -> bool:
        """True if a number is collected and spent: a heap, with nothing below zero."""
        is_end = number.kind in ends(self.definition) or decides(self.definition) == number.kind
        heap = number.look in ("number", "pips") and not number.least
        return heap and not is_end and not (number.big and number.start)

    def scores(self) -> Recipe:
        return self._asked(_("Scores of a round"), (), {})

    def sum(self) -> Recipe:
        sums = {"most": 26, "total": 26}
        return self._asked(_("Scores that add up to 26"), ("do", 0, "total"), sums)

    def _asked(self, label: str, asks: tuple[str | int, ...], further: Json) -> Recipe:
        assert self.score is not None
        ask = {
            "ask": Phrase(_("How many points?")),
            "of": "players",
            **further,
            "then": [{"add": "answer", "of": self.score.kind, "on": "answerer"}],
        }
        when = {"pressed": Phrase(_("Round is over")), "on": "table"}
        return self.rule(label, asks, when=when, do=[ask])
