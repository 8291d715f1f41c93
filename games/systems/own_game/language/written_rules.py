"""The rules that a table wrote: what they are, and how they are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from .actions import Action, Place, Question, actions
from .expressions import (
    PLAYER,
    TABLE,
    Amount,
    Condition,
    Scope,
    Who,
    amount,
    condition,
    known,
    narrowed,
    one_or_list,
    types,
    who,
)
from .numbers import Number
from .reading import (
    Fault,
    flag,
    inside,
    keyed,
    listed,
    one_of,
    text,
)

TURNED = ("during", "own_turn")
"""The keys of a button that only a game with turns has."""
MOMENTS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "begins": (("begins",), ()),
    "ends": (("ends",), ()),
    "changes": (("changes",), ("by",)),
    "enters": (("enters",), ()),
    "leaves": (("leaves",), ()),
    "pressed": (("pressed", "on"), ("who", *TURNED, "once", "target", "number", "costs")),
    "always": (("always",), ()),
}
"""The keys of a rule's `when` by moment: those that it must have, and those it may have."""


class Cost(Struct, frozen=True):
    """The cost of a press: who pays how many of what."""

    pay: Amount
    of: str
    on: Who


class Button(Struct, frozen=True):
    """The button of a rule: when and by whom it can be pressed.

    on: "player", "table", or types. during: the phases in which it can be pressed; empty: always.
    once: in what it can be pressed once. bounds: of the number that is asked for, if one is.
    """

    label: str
    on: frozenset[str]
    by_holder: bool
    during: tuple[str, ...] = ()
    own_turn: bool = False
    once: str | None = None
    target: Who | None = None
    bounds: tuple[Amount, Amount] | None = None
    costs: tuple[Cost, ...] = ()


class Rule(Struct, frozen=True):
    """A rule: its trigger, its condition and its actions.

    place: its place among the rules, from 1. says: the author's own sentence. moment: what sets it
    off, by the key of its `when`. of: the phases, the kind, or the types that it is about.
    compared: both sides of each comparison of its condition. up: of a change, only more (True) or
    only fewer (False).
    """

    place: int
    name: str
    says: str | None
    moment: str
    of: tuple[str, ...] | frozenset[str]
    does: tuple[Action, ...]
    holds: Condition | None = None
    compared: tuple[Amount, ...] = ()
    up: bool | None = None
    button: Button | None = None
    questions: tuple[Question, ...] = ()


class RuleReader:
    """Reads the rules of a definition whose other parts have been read."""

    def __init__(
        self,
        scope: Scope,
        zones: tuple[str, ...],
        numbers: Mapping[str, Number],
        order: str,
        phases: tuple[str, ...],
    ) -> None:
        self.scope = scope
        self.zones = zones
        self.numbers = numbers
        self.order = order
        self.phases = phases

    def read(self, value: Any) -> tuple[Rule, ...]:
        names: set[str] = set()

        def read_one(each: Any, place: str) -> Rule:
            keyed(each, place, ("rule", "when", "do"), ("says", "if"))
            if type(each["when"]) is dict and "always" in each["when"] and "if" not in each:
                raise Fault(place)
            here = inside(place, "rule")
            name = text(40)(each["rule"], here)
            if name in names:
                raise Fault(here)
            names.add(name)
            return self._rule(each, place, name, len(names))

        return listed(value, "rules", read_one, 0, 60)

    def _rule(self, value: Mapping[str, Any], place: str, name: str, number: int) -> Rule:
        says = text(500)(value["says"], inside(place, "says")) if "says" in value else None
        moment, scope, nobody, parts = self._when(value["when"], inside(place, "when"))
        holds, compared = None, list[Amount]()
        if "if" in value:
            told = narrowed(scope, compared=compared)
            holds = condition(value["if"], inside(place, "if"), told)
        questions: list[Question] = []
        where = Place(scope, self.zones, nobody, always=moment == "always", questions=questions)
        does = actions(value["do"], inside(place, "do"), 10, where)
        return Rule(
            number,
            name,
            says,
            moment,
            does=does,
            holds=holds,
            compared=tuple(compared),
            questions=tuple(questions),
            **parts,
        )

    def _when(self, value: Any, place: str) -> tuple[str, Scope, bool, dict[str, Any]]:
        """The moment, what is known then, whether `it` can only be the table, and further parts."""
        if type(value) is not dict:
            raise Fault(place)
        named = [key for key in value if key in MOMENTS]
        if len(named) != 1 or (self.order == "none" and named[0] in ("begins", "ends")):
            raise Fault(place)
        needed, further = MOMENTS[named[0]]
        without = TURNED if self.order == "none" else ()
        keyed(value, place, needed, [key for key in further if key not in without])
        scope, nobody, parts = getattr(self, f"_{named[0]}")(value, place)
        return named[0], scope, nobody, parts

    def _begins(self, value: Mapping[str, Any], place: str) -> tuple[Scope, bool, dict[str, Any]]:
        begins = value["begins"]
        if begins in ("turn", "round"):
            return self.scope, begins == "round", {"of": (begins,)}
        return self.scope, False, {"of": self._phases(begins, inside(place, "begins"))}

    def _phases(self, value: Any, place: str) -> tuple[str, ...]:
        return one_or_list(value, place, lambda each, here: known(each, here, self.phases))

    def _ends(self, value: Mapping[str, Any], place: str) -> tuple[Scope, bool, dict[str, Any]]:
        ends = one_of("turn", "round")(value["ends"], inside(place, "ends"))
        return self.scope, ends == "round", {"of": (ends,)}

    def _changes(self, value: Mapping[str, Any], place: str) -> tuple[Scope, bool, dict[str, Any]]:
        here = inside(place, "changes")
        kind = known(value["changes"], here, self.numbers)
        if self.numbers[kind].follows:
            raise Fault(here)
        by = one_of("up", "down", "any")(value.get("by", "any"), inside(place, "by"))
        up = None if by == "any" else by == "up"
        nobody = self.numbers[kind].on == {TABLE}
        return narrowed(self.scope, change=True), nobody, {"of": (kind,), "up": up}

    def _enters(self, value: Mapping[str, Any], place: str) -> tuple[Scope, bool, dict[str, Any]]:
        meant = types(value["enters"], inside(place, "enters"), self.scope)
        return self.scope, False, {"of": meant}

    def _leaves(self, value: Mapping[str, Any], place: str) -> tuple[Scope, bool, dict[str, Any]]:
        meant = types(value["leaves"], inside(place, "leaves"), self.scope)
        return self.scope, False, {"of": meant}

    def _always(self, value: Mapping[str, Any], place: str) -> tuple[Scope, bool, dict[str, Any]]:
        meant = self._holders(value["always"], inside(place, "always"))
        return self.scope, meant == {TABLE}, {"of": meant}

    def _holders(self, value: Any, place: str) -> frozenset[str]:
        """Players, the table, or types of things."""
        if value in (PLAYER, TABLE):
            return frozenset({value})
        return types(value, place, self.scope)

    def _pressed(self, value: Mapping[str, Any], place: str) -> tuple[Scope, bool, dict[str, Any]]:

        def at(key: str) -> str:
            return inside(place, key)

        label = text(20)(value["pressed"], at("pressed"))
        on = self._holders(value["on"], at("on"))
        nobody = on == {TABLE}
        by = one_of(*(("anyone",) if nobody else ("holder", "anyone")))
        by_holder = by(value.get("who", "anyone" if nobody else "holder"), at("who")) == "holder"
        during = self._phases(value["during"], at("during")) if "during" in value else ()
        own_turn = flag(value.get("own_turn", False), at("own_turn"))
        spans = ("game",) if self.order == "none" else ("turn", "round", "game")
        once = one_of(*spans)(value["once"], at("once")) if "once" in value else None
        scope = narrowed(self.scope, presser=True)
        target = who(value["target"], at("target"), scope) if "target" in value else None
        scope = narrowed(scope, target=target is not None)
        bounds = _bounds(value["number"], at("number"), scope) if "number" in value else None
        scope = narrowed(scope, chosen=bounds is not None)
        costs = self._costs(value["costs"], at("costs"), scope) if "costs" in value else ()
        button = Button(label, on, by_holder, during, own_turn, once, target, bounds, costs)
        return scope, nobody, {"of": on, "button": button}

    def _costs(self, value: Any, place: str, scope: Scope) -> tuple[Cost, ...]:
        def read_one(each: Any, here: str) -> Cost:
            keyed(each, here, ("pay", "of"), ("on",))
            pay = amount(each["pay"], inside(here, "pay"), scope)
            kind = known(each["of"], inside(here, "of"), self.numbers)
            return Cost(pay, kind, who(each.get("on", "it"), inside(here, "on"), scope))

        return listed(value, place, read_one, 1, 4)


def _bounds(value: Any, place: str, scope: Scope) -> tuple[Amount, Amount]:
    keyed(value, place, (), ("least", "most"))
    least = amount(value.get("least", 0), inside(place, "least"), scope)
    return least, amount(value.get("most", 9999), inside(place, "most"), scope)


def by_moment(rules: Collection[Rule]) -> dict[tuple[str, str], tuple[Rule, ...]]:
    """*rules* by the key of their moment and what it is about."""
    found: dict[tuple[str, str], tuple[Rule, ...]] = {}
    for rule in rules:
        for about in rule.of:
            found[rule.moment, about] = (*found.get((rule.moment, about), ()), rule)
    return found
