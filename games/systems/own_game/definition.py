"""A definition: what a game counts and what happens by itself, as data that a table wrote.

`read` turns its JSON into a `Definition`, whose conditions and actions are functions, or says where
its first fault is. Source: docs/OWN-GAMES.md, sections 1 and 3.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, field

from games.rules.state import MOST_SEATS

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
from .reading import (
    SIX_DIGITS,
    Fault,
    flag,
    inside,
    keyed,
    listed,
    one_of,
    text,
    whole,
    word,
    words_to,
    written,
)

DEFINITION = "definition"
"""The setting of a table that holds its definition."""
KEPT = 256
"""Definitions that stay in memory once they are read."""
LARGEST = 64 * 1024
"""Bytes of a definition as UTF-8, without optional spaces."""
CEASED = "ceased"
LOOKS = ("number", "pips", "clock", "track", "switch")


class Thing(Struct, frozen=True):
    """A type of card, token, place or piece. prints: its printed values with their defaults."""

    type: str
    prints: Mapping[str, int]


class OwnMost(Struct, frozen=True):
    """A most of each holder's own: the value printed on it, or another of its numbers."""

    print: str | None = None
    number: str | None = None


class Number(Struct, frozen=True):
    """A number that the game counts.

    on: whom it is for: "player", "table", types of things. follows: how it is worked out, if it is
    not counted but follows from others. steps: what a tap and a held finger change it by.
    """

    kind: str
    on: frozenset[str]
    follows: Amount | None = None
    least: int = 0
    most: int | OwnMost = SIX_DIGITS
    start: int = 0
    look: str = "number"
    big: bool = False
    colour: int | None = None
    letter: str | None = None
    steps: tuple[int, ...] = (1, 10)


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
    off, by the key of its `when`. of: the phases, the kind, or the types that it is about. up: of a
    change, only more (True) or only fewer (False).
    """

    place: int
    name: str
    says: str | None
    moment: str
    of: tuple[str, ...] | frozenset[str]
    does: tuple[Action, ...]
    holds: Condition | None = None
    up: bool | None = None
    button: Button | None = None
    questions: tuple[Question, ...] = ()


class Definition(Struct, frozen=True):
    """A game's own rules.

    written: the JSON that it was read from. digest: of its canonical form, the same for every
    definition that says the same.
    """

    written: Mapping[str, Any]
    digest: str
    title: str
    author: str | None
    about: str | None
    players: tuple[int, int]
    cooperative: bool
    zones: tuple[str, ...]
    things: Mapping[str, Thing]
    numbers: Mapping[str, Number]
    order: str
    phases: tuple[str, ...]
    rules: Mapping[str, Rule]
    by_moment: Mapping[tuple[str, str], tuple[Rule, ...]] = field(default_factory=dict)
    """The rules that a moment may set off, in their order, by its key and what it is about."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Definition) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def set_off_by(self, moment: str, about: str) -> tuple[Rule, ...]:
        """The rules that are about that moment, in the order of the definition."""
        return self.by_moment.get((moment, about), ())

    @property
    def scored(self) -> str | None:
        """The number that a score sheet adds up, of a game that is rounds and nothing else: the big
        one of a player, or the first; None if the game has no sheet."""
        if self.order != "all" or self.things or self.cooperative:
            return None
        own = [each for each in self.numbers.values() if "player" in each.on]
        main = next((each for each in own if each.big), own[0] if own else None)
        return main.kind if main and main.follows is None and main.look != "switch" else None


def canonical(written: Any) -> bytes:
    """The JSON of a definition without optional spaces, its keys sorted."""
    return json.dumps(
        written, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode()


def understood(written: Any) -> Definition:
    """The definition in *written*, read once for all that say the same. Raises Fault."""
    return _understood(_body(written))


@lru_cache(KEPT)
def _understood(body: bytes) -> Definition:
    return read(json.loads(body))


def read(written: Any) -> Definition:
    """The definition in *written*. Raises Fault."""
    body = _body(written)
    keyed(written, "", ("title",), KEYS)
    title = text(60)(written["title"], "title")
    author = text()(written["author"], "author") if "author" in written else None
    about = text(500)(written["about"], "about") if "about" in written else None
    players = _players(written.get("players", {}), "players")
    cooperative = flag(written.get("cooperative", False), "cooperative")
    zones = listed(written.get("zones", ["table", "aside"]), "zones", _zone, 1, 8, different=True)
    things = _things(written.get("things", []))
    numbers = _numbers(written.get("numbers", []), things)
    order, phases = _turns(written.get("turns", {}), "turns")
    scope = _scope(things, numbers)
    reader = _Rules(scope, zones, numbers, order, phases)
    rules = {rule.name: rule for rule in reader.read(written.get("rules", []))}
    return Definition(
        written=written,
        digest=hashlib.sha256(body).hexdigest(),
        title=title,
        author=author,
        about=about,
        players=players,
        cooperative=cooperative,
        zones=zones,
        things=things,
        numbers=numbers,
        order=order,
        phases=phases,
        rules=rules,
        by_moment=_by_moment(rules.values()),
    )


KEYS = ("author", "about", "players", "cooperative", "zones", "things", "numbers", "turns", "rules")


def _body(written: Any) -> bytes:
    """The canonical JSON of what may be a definition; its size is looked at before anything."""
    try:
        body = canonical(written)
    except (TypeError, ValueError, RecursionError):
        raise Fault("") from None
    if len(body) > LARGEST:
        raise Fault("")
    return body


def _players(value: Any, place: str) -> tuple[int, int]:
    keyed(value, place, (), ("least", "most"))
    within = whole(1, MOST_SEATS)
    least = within(value.get("least", 1), inside(place, "least"))
    most = within(value.get("most", 8), inside(place, "most"))
    if least > most:
        raise Fault(inside(place, next(written(value, "least", "most"))))
    return least, most


def _zone(value: Any, place: str) -> str:
    if word(value, place) == CEASED:
        raise Fault(place)
    return str(value)


def _things(value: Any) -> dict[str, Thing]:
    found: dict[str, Thing] = {}

    def read_one(each: Any, place: str) -> Thing:
        keyed(each, place, ("type",), ("prints",))
        here = inside(place, "type")
        kind = word(each["type"], here)
        if kind in (PLAYER, TABLE, "any") or kind in found:
            raise Fault(here)
        printed = words_to(whole(-SIX_DIGITS, SIX_DIGITS), 10)
        found[kind] = Thing(kind, printed(each.get("prints", {}), inside(place, "prints")))
        return found[kind]

    listed(value, "things", read_one, 0, 20)
    return found


def _scope(things: Mapping[str, Thing], numbers: Collection[str]) -> Scope:
    printed = {name for thing in things.values() for name in thing.prints}
    return Scope(types=tuple(things), printed=printed, kinds=numbers)


# Numbers


def _numbers(value: Any, things: Mapping[str, Thing]) -> dict[str, Number]:
    found: dict[str, Number] = {}
    plain = _plain_kinds(value)

    def read_one(each: Any, place: str) -> Number:
        further = FOLLOWING if type(each) is dict and "is" in each else COUNTED
        keyed(each, place, ("kind", "on"), further)
        here = inside(place, "kind")
        kind = word(each["kind"], here)
        if kind in found:
            raise Fault(here)
        found[kind] = _number(each, place, kind, found, things, plain)
        return found[kind]

    listed(value, "numbers", read_one, 0, 40)
    return found


COUNTED = ("least", "most", "start", "look", "big", "colour", "letter", "steps")
FOLLOWING = ("is", "look", "big", "colour", "letter")


def _plain_kinds(value: Any) -> frozenset[str]:
    """The kinds of the numbers that do not follow, as far as they can be read."""
    if type(value) is not list:
        return frozenset()
    return frozenset(
        each["kind"]
        for each in value
        if type(each) is dict and "is" not in each and type(each.get("kind")) is str
    )


def _number(
    value: Mapping[str, Any],
    place: str,
    kind: str,
    earlier: Mapping[str, Number],
    things: Mapping[str, Thing],
    plain: frozenset[str],
) -> Number:
    def at(key: str) -> str:
        return inside(place, key)

    holders = (PLAYER, TABLE, *things)
    on = frozenset(one_or_list(value["on"], at("on"), lambda each, p: known(each, p, holders)))
    follows = None
    if "is" in value:
        scope = _scope(things, plain | {name for name in earlier if name not in plain})
        follows = amount(value["is"], at("is"), scope)
    least = whole(-SIX_DIGITS, 0)(value.get("least", 0), at("least"))
    most = _most(value.get("most", SIX_DIGITS), at("most"), earlier, things)
    start = whole(-SIX_DIGITS, SIX_DIGITS)(value.get("start", 0), at("start"))
    if not least <= start <= (0 if isinstance(most, OwnMost) else most):
        raise Fault(at(next(written(value, "least", "most", "start"))))
    look = one_of(*LOOKS)(value.get("look", "number"), at("look"))
    if not _suits(look, least, most, follows):
        raise Fault(at(next(written(value, "least", "most", "look"))))
    big = flag(value.get("big", False), at("big"))
    if big and (PLAYER not in on or any(number.big for number in earlier.values())):
        raise Fault(at("big"))
    colour = whole(1, 12)(value["colour"], at("colour")) if "colour" in value else None
    letter = text(2)(value["letter"], at("letter")) if "letter" in value else None
    steps = _steps(value.get("steps", [1, 10]), at("steps"))
    return Number(kind, on, follows, least, most, start, look, big, colour, letter, steps)


def _most(
    value: Any, place: str, earlier: Mapping[str, Number], things: Mapping[str, Thing]
) -> int | OwnMost:
    if type(value) is not dict:
        return whole(0, SIX_DIGITS)(value, place)
    if "number" in value:
        keyed(value, place, ("number",))
        here = inside(place, "number")
        kind = known(value["number"], here, earlier)
        if earlier[kind].follows or isinstance(earlier[kind].most, OwnMost):
            raise Fault(here)
        return OwnMost(number=kind)
    keyed(value, place, ("print",))
    printed = _scope(things, ()).printed
    return OwnMost(print=known(value["print"], inside(place, "print"), printed))


def _suits(look: str, least: int, most: int | OwnMost, follows: Amount | None) -> bool:
    """Whether a number with these bounds can be drawn like that."""
    if look in ("number", "track"):
        return True
    if follows or isinstance(most, OwnMost):
        return False
    if look == "switch":
        return (least, most) == (0, 1)
    return most <= (30 if look == "pips" else 12)


def _steps(value: Any, place: str) -> tuple[int, ...]:
    found: list[int] = []

    def read_one(each: Any, here: str) -> int:
        step = whole(1, SIX_DIGITS)(each, here)
        if found and step <= found[-1]:
            raise Fault(here)
        found.append(step)
        return step

    return listed(value, place, read_one, 1, 6)


# Turns


def _turns(value: Any, place: str) -> tuple[str, tuple[str, ...]]:
    without = type(value) is dict and value.get("order") == "none"
    keyed(value, place, (), ("order",) if without else ("order", "phases"))
    order = one_of("one", "all", "none")(value.get("order", "one"), inside(place, "order"))
    phases = value.get("phases", ["turn"])
    several = type(phases) is list and len(phases) > 1

    def phase(each: Any, here: str) -> str:
        if word(each, here) == "round" or (each == "turn" and several):
            raise Fault(here)
        return str(each)

    return order, listed(phases, inside(place, "phases"), phase, 1, 12, different=True)


# Rules

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
"""What sets a rule off, by its key: the keys that its `when` must have, and those it may have."""


class _Rules:
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
        holds = condition(value["if"], inside(place, "if"), scope) if "if" in value else None
        questions: list[Question] = []
        where = Place(scope, self.zones, nobody, always=moment == "always", questions=questions)
        does = actions(value["do"], inside(place, "do"), 10, where)
        return Rule(
            number, name, says, moment, does=does, holds=holds, questions=tuple(questions), **parts
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


def rule_fault(definition: Definition, rule: Any, index: int) -> str | None:
    """Where the first fault of *rule* is in a game of that *definition*, as the rule at *index*."""
    scope = _scope(definition.things, definition.numbers)
    order, phases = definition.order, definition.phases
    try:
        _Rules(scope, definition.zones, definition.numbers, order, phases).read([rule])
    except Fault as fault:
        return fault.place.replace("rules[0]", f"rules[{index}]", 1)
    return None


def _by_moment(rules: Collection[Rule]) -> dict[tuple[str, str], tuple[Rule, ...]]:
    found: dict[tuple[str, str], tuple[Rule, ...]] = {}
    for rule in rules:
        for about in rule.of:
            found[rule.moment, about] = (*found.get((rule.moment, about), ()), rule)
    return found


__all__ = ["Button", "Cost", "Definition", "Fault", "Number", "OwnMost", "Rule", "Thing", "read"]
