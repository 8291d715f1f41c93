"""Recipes: the rules that games have most often, each whole at one tap and then changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import Phrase
from games.rules.state import marked as _
from games.tracks.sets.definition import TypeOf

from ..language.definition import Definition
from ..language.goals import TO_GO, decides, ends
from ..language.grammar import Json, Place
from ..language.meaning import GM, PLAYER, TABLE
from ..language.numbers import Number
from ..language.saying import ENDLESS, sentence
from .rounds import asked
from .winning import best, best_wins


class Recipe(Struct, frozen=True):
    """A rule to begin with. asks: the place in it of the chip that is asked first.

    kind: the number that it is about. others: the same of each other number that it fits.
    """

    label: str
    rule: Json
    asks: Place
    sentence: Any = ""
    kind: str = ""
    others: tuple[Recipe, ...] = ()

    @property
    def change(self) -> Mapping[str, Any]:
        return {"append": "rules", "is": self.rule, "ask": [*self.asks]}


def recipes(definition: Definition) -> list[Recipe]:
    """Those that this game can have, and has not yet; in rounds, first what a round asks for.

    Nobody wins where there is a GM.
    """
    book = _Book(definition)
    forms = list(OF_TRACKS if definition.led else OF_NUMBERS)
    if definition.order == "all":
        forms.sort(key=lambda form: form.fits is not _Book.points)
    found = map(book.of, forms)
    return [replace(first, others=tuple(others)) for first, *others in filter(None, found)]


class _Form(Struct, frozen=True):
    """The form of a recipe. fits: the numbers or tracks that it fits, the likeliest first.

    rule: what it makes of one of them, without a name.
    """

    label: str
    asks: Place
    fits: Callable[[_Book], Iterable[Any]]
    rule: Callable[[_Book, Any], Mapping[str, Json]]


class _Book:
    """What recipes ask of a game."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.turns = definition.order != "none"
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

    def of(self, form: _Form) -> list[Recipe]:
        """A recipe for each that the form fits, unless a rule of the game does just that."""
        rules = self.definition.written.get("rules", ())
        there = [{key: rule[key] for key in ("when", "if", "do") if key in rule} for rule in rules]
        made = [(each, form.rule(self, each)) for each in form.fits(self)]
        return [self.recipe(form, each, rule) for each, rule in made if rule not in there]

    def recipe(self, form: _Form, of: Number | TypeOf, made: Mapping[str, Json]) -> Recipe:
        rule = {"rule": made["when"].get("pressed", Phrase(form.label)), **made}
        kind = of.kind if isinstance(of, Number) else of.type
        return Recipe(form.label, rule, form.asks, sentence(self.definition, rule), kind)

    # Which numbers

    def resets(self) -> list[Number]:
        """What is had anew each turn: not what leads, nor what is collected to win."""
        fitting = [each for each in self.rest if self.is_resource(each)]
        return sorted(fitting, key=lambda each: not each.start) if self.turns else []

    def incomes(self) -> list[Number]:
        return [each for each in self.rest_first if self.turns and self.is_resource(each)]

    def ticks(self) -> list[Number]:
        """What counts down."""
        down = [each for each in self.rest_first if each.look == "clock" or each.start > 0]
        return [each for each in down if self.turns and not self.ended(each)]

    def open(self) -> list[Number]:
        """What may decide when the game is over: what begins at 0, or else what does not."""
        from_zero = [each for each in self.from_zero if not self.ended(each)]
        return from_zero or [each for each in self.shown if each.start and not self.ended(each)]

    def points(self) -> list[Number]:
        """What rounds give points of, if none asks for them: what leads, if it is counted, else
        what begins at 0."""
        scored = {each.kind for each in asked(self.definition.written)}
        counted = [each for each in self.from_zero if not each.follows] or self.rest_first[-1:]
        return [each for each in counted if each.kind not in scored]

    def up_to(self, goal: int = 0) -> list[Number]:
        """What a game can end by at *goal*: nobody begins there, and no rule ends it already."""
        goals = [(each, goal or _goal(each)) for each in self.from_zero if not self.ended(each)]
        return [each for each, end in goals if each.start < end <= _most(each, end)]

    def paid(self) -> list[Number]:
        """What one collects, to pay for what wins; nothing if that is not known."""
        held = [each for each in self.mine if self.is_resource(each)]
        return sorted(held, key=lambda each: bool(each.start)) if self.wins() else []

    def wins(self) -> list[Number]:
        """Those of which a rule says that more wins."""
        goals, leads = ends(self.definition), decides(self.definition, "highest")
        reached = {kind for kind, goal in goals.items() if goal.up and goal.says == TO_GO}
        return [each for each in self.mine if each.kind in {*reached, leads}]

    def is_resource(self, number: Number) -> bool:
        """True if a number is collected and spent: a heap, with nothing below zero."""
        is_end = self.ended(number) or decides(self.definition) == number.kind
        heap = number.look in ("number", "pips") and not number.least
        return heap and not is_end and not (number.big and number.start)

    def ended(self, number: Number) -> bool:
        """True if a rule says how much of it ends the game."""
        return number.kind in ends(self.definition)

    # Which tracks

    def counted(self) -> list[TypeOf]:
        made, tracks = self.definition.set, self.definition.tracks
        own = [tracks[each.type] for each in (*made.kit, *made.shared)]
        return [each for each in own if each.counts == "up"]

    def counts_down(self) -> list[TypeOf]:
        """What players have that counts down."""
        made, tracks = self.definition.set, self.definition.tracks
        return [tracks[own.type] for own in made.kit if tracks[own.type].counts == "down"]

    def secret(self) -> list[TypeOf]:
        return [each for each in self.definition.tracks.values() if each.visibility != "open"]


def _most(number: Number, unless: int) -> int:
    return number.most if isinstance(number.most, int) else unless


def _goal(number: Number) -> int:
    most = _most(number, 10)
    return most if most < 1000 else 10


def _bought(book: _Book, paid: Number) -> Mapping[str, Json]:
    turn = {"own_turn": True} if book.turns else {}
    costs = [{"pay": min(3, _most(paid, 3)), "of": paid.kind}]
    when = {"pressed": Phrase(_("Buy")), "on": PLAYER, **turn, "costs": costs}
    return {"when": when, "do": [{"add": 1, "of": book.wins()[0].kind}]}


def _best(way: str) -> Callable[[_Book, Number], Mapping[str, Json]]:
    def rule(book: _Book, number: Number) -> Mapping[str, Json]:
        made = best_wins(way, number.kind, Phrase(_("Game over")))
        return {"when": made["when"], "do": made["do"]}

    return rule


def _scored(**further: int) -> Callable[[_Book, Number], Mapping[str, Json]]:
    def rule(book: _Book, number: Number) -> Mapping[str, Json]:
        then = [{"add": "answer", "of": number.kind, "on": "answerer"}]
        asks = {"ask": Phrase(_("How many points?")), "of": "players", **further, "then": then}
        return {"when": {"pressed": Phrase(_("Round is over")), "on": TABLE}, "do": [asks]}

    return rule


# fmt: off
EACH_TURN = {"begins": "turn"}
OF_NUMBERS = (
    _Form(_("Reset each turn"), ("do", 0, "set"), _Book.resets, lambda book, n: {
        "when": EACH_TURN, "do": [{"set": n.start, "of": n.kind}],
    }),
    _Form(_("Get some each turn"), ("do", 0, "add"), _Book.incomes, lambda book, n: {
        "when": EACH_TURN, "do": [{"add": 1, "of": n.kind}],
    }),
    _Form(_("Tick down each turn"), ("do", 0, "add"), _Book.ticks, lambda book, n: {
        "when": EACH_TURN, "do": [{"add": -1, "of": n.kind}],
    }),
    _Form(
        _("Lose at zero"), ("if", 0), lambda book: [n for n in book.mine if n.start > 0],
        lambda book, n: {
            "when": {"always": PLAYER}, "if": [{"number": n.kind}, "<=", 0], "do": [{"out": "it"}],
        },
    ),
    _Form(_("First to 10 wins"), ("if", 2), _Book.up_to, lambda book, n: {
        "when": {"always": PLAYER}, "if": [{"number": n.kind}, ">=", _goal(n)],
        "do": [{"win": "it"}],
    }),
    _Form(_("At the end, the most wins"), ("when", "pressed"), _Book.open, _best("highest")),
    _Form(_("At the end, the lowest wins"), ("when", "pressed"), _Book.open, _best("lowest")),
    _Form(
        _("At 100, the lowest wins"), ("if", 2), lambda book: book.up_to(100),
        lambda book, n: {
            "when": {"always": TABLE}, "if": [{"highest": n.kind, "on": "players"}, ">=", 100],
            "do": [{"win": {"each": "players", "if": best("lowest", n.kind)}}],
        },
    ),
    _Form(_("Pay to get something"), ("when", "costs", 0, "pay"), _Book.paid, _bought),
    _Form(_("Scores of a round"), (), _Book.points, _scored()),
    _Form(
        _("Scores that add up to 26"), ("do", 0, "total"), _Book.points,
        _scored(most=26, total=26),
    ),
)
OF_TRACKS = (
    _Form(_("When it is full, it begins again"), ("do", 1, "tell"), _Book.counted, lambda book, t: {
        "when": {"completes": t.type},
        "do": [{"set": t.least, "of": t.type}, {"tell": Phrase(_("It is full."))}],
    }),
    _Form(
        _("At 0, everyone hears it"), ("do", 0, "tell"), _Book.counts_down,
        lambda book, t: {
            "when": {"completes": t.type}, "do": [{"tell": Phrase(_("It is at 0."))}],
        },
    ),
    _Form(
        _("Pay to get something"), ("do", 0, "tell"),
        lambda book: [*book.counts_down()[1:], *book.counts_down()[:1]],
        lambda book, t: {
            "when": {
                "pressed": Phrase(_("Use it")), "on": PLAYER, "costs": [{"pay": 1, "of": t.type}],
            },
            "do": [{"tell": Phrase(_("It is used."))}],
        },
    ),
    _Form(_("A rest gives it back"), ("do", 0, "set"), _Book.counts_down, lambda book, t: {
        "when": {"pressed": Phrase(_("Rest")), "on": GM},
        "do": [{"set": ENDLESS, "of": t.type, "on": "players"}],
    }),
    _Form(_("When it is full, everyone sees it"), ("do", 1, "tell"), _Book.secret, lambda book, t: {
        "when": {"completes": t.type},
        "do": [{"reveal": "it"}, {"tell": Phrase(_("It comes to light."))}],
    }),
)
