"""Recipes: the rules that games have most often, each whole at one tap and then changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import Phrase
from games.rules.state import marked as _
from games.tracks.sets.definition import TypeOf

from ..language.definition import Definition
from ..language.goals import TO_GO, decides, ends
from ..language.grammar import Json
from ..language.meaning import GM, PLAYER
from ..language.numbers import Number
from ..language.saying import ENDLESS, sentence
from .rounds import asked
from .winning import best_wins


class Recipe(Struct, frozen=True):
    """A rule to begin with. asks: the place in it of the chip that is asked first.

    kind: the number that it is about. others: the same of each other number that it fits.
    """

    label: str
    rule: Json
    asks: tuple[str | int, ...]
    sentence: Any = ""
    kind: str = ""
    others: tuple[Recipe, ...] = ()

    @property
    def change(self) -> Mapping[str, Any]:
        return {"append": "rules", "is": self.rule, "ask": [*self.asks]}


def recipes(definition: Definition) -> list[Recipe]:
    """Those that this game can have, and has not yet."""
    book = _Book(definition)
    return [*(book.with_gm() if definition.led else book.all())]


Counted = TypeVar("Counted", Number, TypeOf)


class _Book:
    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.shown = [each for each in definition.numbers.values() if PLAYER in each.on]
        self.mine = [each for each in self.shown if not each.follows]
        self.main = self.hero(self.shown)
        hero = self.hero(self.mine)
        self.rest = [each for each in self.mine if each is not hero]
        self.rest_first = [*self.rest, *filter(None, [hero])]
        from_zero = [each for each in self.shown if not each.start and each.most]
        self.from_zero = sorted(from_zero, key=lambda each: each is not self.main)

    def hero(self, among: list[Number]) -> Number | None:
        return next((each for each in among if each.big), next(iter(among), None))

    def all(self) -> Iterator[Recipe]:
        if self.definition.order != "none":
            yield from self.of_each(self.reset, self.resets())
            yield from self.of_each(self.income, filter(self.is_resource, self.rest_first))
            yield from self.of_each(self.tick, filter(self.ticks, self.rest_first))
        yield from self.of_each(self.lose, [each for each in self.mine if each.start > 0])
        yield from self.of_each(self.first, [each for each in self.from_zero if self.is_open(each)])
        ended = ends(self.definition)
        open_ones = [each for each in self.from_zero if each.kind not in ended] or [
            each for each in self.shown if each.start and each.kind not in ended
        ]
        yield from self.of_each(self.most, open_ones)
        yield from self.of_each(self.least, open_ones)
        hundred = [each for each in self.from_zero if self.is_open(each, 100)]
        yield from self.of_each(self.lowest, hundred)
        yield from self.pay()
        scored = {each.kind for each in asked(self.definition.written)}
        points = [each for each in self.points() if each.kind not in scored]
        yield from self.of_each(self.scores, points)
        yield from self.of_each(self.sum, points)

    def with_gm(self) -> Iterator[Recipe]:
        """Those of tracks: nobody wins where there is a GM."""
        tracks = self.definition.tracks
        made = self.definition.set
        own = [tracks[each.type] for each in (*made.kit, *made.shared)]
        counted = [each for each in own if each.counts != "items"]
        players = {each.type for each in made.kit}
        yield from self.of_each(self.again, [each for each in counted if each.counts == "up"])
        down = [each for each in counted if each.counts == "down" and each.type in players]
        yield from self.of_each(self.runs_out, down)
        yield from self.of_each(self.use, [*down[1:], *down[:1]])
        yield from self.of_each(self.gives_back, down)
        hidden = [each for each in tracks.values() if each.visibility != "open"]
        yield from self.of_each(self.comes_to_light, hidden)

    def again(self, kind: TypeOf) -> Recipe:
        return self.rule(
            kind.type, _("When it is full, it begins again"), ("do", 1, "tell"),
            when={"completes": kind.type},
            do=[{"set": kind.least, "of": kind.type}, {"tell": Phrase(_("It is full."))}],
        )  # fmt: skip

    def runs_out(self, kind: TypeOf) -> Recipe:
        return self.rule(
            kind.type, _("When it is used up, everyone hears it"), ("do", 0, "tell"),
            when={"completes": kind.type}, do=[{"tell": Phrase(_("It is used up."))}],
        )  # fmt: skip

    def use(self, kind: TypeOf) -> Recipe:
        return self.rule(
            kind.type, _("Pay to get something"), ("do", 0, "tell"),
            when={
                "pressed": Phrase(_("Use it")), "on": PLAYER,
                "costs": [{"pay": 1, "of": kind.type}],
            },
            do=[{"tell": Phrase(_("It is used."))}],
        )  # fmt: skip

    def gives_back(self, kind: TypeOf) -> Recipe:
        return self.rule(
            kind.type, _("A rest gives it back"), ("do", 0, "set"),
            when={"pressed": Phrase(_("Rest")), "on": GM},
            do=[{"set": ENDLESS, "of": kind.type, "on": "players"}],
        )  # fmt: skip

    def comes_to_light(self, kind: TypeOf) -> Recipe:
        return self.rule(
            kind.type, _("When it is full, everyone sees it"), ("do", 1, "tell"),
            when={"completes": kind.type},
            do=[{"reveal": "it"}, {"tell": Phrase(_("It comes to light."))}],
        )  # fmt: skip

    def of_each(
        self, make: Callable[[Counted], Recipe], numbers: Iterable[Counted]
    ) -> Iterator[Recipe]:
        """A recipe for the first of the numbers that it fits, with the same for the others."""
        made = [found for each in numbers if not self.is_there(found := make(each))]
        if made:
            yield replace(made[0], others=tuple(made[1:]))

    def is_there(self, recipe: Recipe) -> bool:
        """True if a rule of the game does just that."""
        return any(
            all(rule.get(key) == recipe.rule.get(key) for key in ("when", "if", "do"))
            for rule in self.definition.written.get("rules", ())
        )

    def rule(self, kind: str, label: str, asks: tuple[str | int, ...], **parts: Json) -> Recipe:
        written = {key.rstrip("_"): value for key, value in parts.items()}
        named = written["when"].get("pressed", Phrase(label))
        made = {"rule": named, **written}
        return Recipe(label, made, asks, sentence(self.definition, made), kind)

    # Which numbers

    def resets(self) -> list[Number]:
        """What is had anew each turn: not what leads, nor what is collected to win."""
        fitting = [each for each in self.rest if self.is_resource(each)]
        return sorted(fitting, key=lambda each: not each.start)

    def ticks(self, number: Number) -> bool:
        counts_down = number.look == "clock" or number.start > 0
        return counts_down and number.kind not in ends(self.definition)

    def points(self) -> list[Number]:
        """What rounds give points of: what leads, if it is counted, else what begins at 0."""
        counted = [each for each in self.from_zero if not each.follows]
        return counted or self.rest_first[-1:]

    def is_open(self, number: Number, goal: int = 0) -> bool:
        """True if a game can end at *goal*: nobody begins there, and no rule ends it already."""
        goal = goal or self.goal(number)
        most = number.most if isinstance(number.most, int) else goal
        return number.start < goal <= most and number.kind not in ends(self.definition)

    def goal(self, number: Number) -> int:
        most = number.most if isinstance(number.most, int) else 10
        return most if most < 1000 else 10

    # The recipes

    def reset(self, number: Number) -> Recipe:
        return self.rule(
            number.kind, _("Reset each turn"), ("do", 0, "set"),
            when={"begins": "turn"}, do=[{"set": number.start, "of": number.kind}],
        )  # fmt: skip

    def income(self, number: Number) -> Recipe:
        return self.rule(
            number.kind, _("Get some each turn"), ("do", 0, "add"),
            when={"begins": "turn"}, do=[{"add": 1, "of": number.kind}],
        )  # fmt: skip

    def tick(self, number: Number) -> Recipe:
        return self.rule(
            number.kind, _("Tick down each turn"), ("do", 0, "add"),
            when={"begins": "turn"}, do=[{"add": -1, "of": number.kind}],
        )  # fmt: skip

    def lose(self, number: Number) -> Recipe:
        return self.rule(
            number.kind, _("Lose at zero"), ("if", 0),
            when={"always": PLAYER}, if_=[{"number": number.kind}, "<=", 0], do=[{"out": "it"}],
        )  # fmt: skip

    def first(self, number: Number) -> Recipe:
        return self.rule(
            number.kind, _("First to 10 wins"), ("if", 2),
            when={"always": PLAYER}, if_=[{"number": number.kind}, ">=", self.goal(number)],
            do=[{"win": "it"}],
        )  # fmt: skip

    def most(self, number: Number) -> Recipe:
        return self._best(number, _("At the end, the most wins"), "highest")

    def least(self, number: Number) -> Recipe:
        return self._best(number, _("At the end, the lowest wins"), "lowest")

    def _best(self, number: Number, label: str, way: str) -> Recipe:
        made = best_wins(way, number.kind, Phrase(_("Game over")))
        return self.rule(number.kind, label, ("when", "pressed"), when=made["when"], do=made["do"])

    def lowest(self, number: Number) -> Recipe:
        kind = number.kind
        least = [{"number": kind}, "=", {"lowest": kind, "on": "players"}]
        return self.rule(
            number.kind, _("At 100, the lowest wins"), ("if", 2),
            when={"always": "table"}, if_=[{"highest": kind, "on": "players"}, ">=", 100],
            do=[{"win": {"each": "players", "if": least}}],
        )  # fmt: skip

    def pay(self) -> Iterator[Recipe]:
        """What one collects pays for what wins; nothing is proposed if either is not known."""
        wins = [each for each in self.mine if self.wins(each)]
        held = [each for each in self.mine if self.is_resource(each)]
        if not wins or not held:
            return
        turn = {} if self.definition.order == "none" else {"own_turn": True}

        def buy(paid: Number) -> Recipe:
            most = paid.most if isinstance(paid.most, int) else 3
            when = {"pressed": Phrase(_("Buy")), "on": PLAYER, **turn}
            costs = [{"pay": min(3, most), "of": paid.kind}]
            return self.rule(
                paid.kind, _("Pay to get something"), ("when", "costs", 0, "pay"),
                when={**when, "costs": costs}, do=[{"add": 1, "of": wins[0].kind}],
            )  # fmt: skip

        yield from self.of_each(buy, sorted(held, key=lambda each: bool(each.start)))

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

    def scores(self, number: Number) -> Recipe:
        return self._asked(number, _("Scores of a round"), (), {})

    def sum(self, number: Number) -> Recipe:
        sums = {"most": 26, "total": 26}
        return self._asked(number, _("Scores that add up to 26"), ("do", 0, "total"), sums)

    def _asked(
        self, number: Number, label: str, asks: tuple[str | int, ...], further: Json
    ) -> Recipe:
        ask = {
            "ask": Phrase(_("How many points?")),
            "of": "players",
            **further,
            "then": [{"add": "answer", "of": number.kind, "on": "answerer"}],
        }
        when = {"pressed": Phrase(_("Round is over")), "on": "table"}
        return self.rule(number.kind, label, asks, when=when, do=[ask])
