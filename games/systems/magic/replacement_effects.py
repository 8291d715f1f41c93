"""Standings: abilities that change how many counters are put, stated once by the card's reader.

A card with two such abilities is two standings. One with an object counts while that object is on
the battlefield, for its controller at that moment; one without counts for a seat until it is taken
off. Source: docs/COMMANDS.md, Standing 1 and 3 to 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Annotated, Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from games.rules import state as core
from games.rules.commands import (
    FLAG,
    ID,
    KIND,
    NAME,
    OBJECT,
    SEAT,
    Command,
    Names,
    Parameter,
    Reader,
    Terms,
    each,
    invalid,
    one_of,
    record,
    whole,
)
from games.rules.events import Event
from games.rules.modifiers import FURTHEST
from games.rules.state import GameState, Refused
from games.rules.system import System, Verb, cites

from . import player
from .player import KEYWORDS, POISON, POWER_AND_TOUGHNESS, SHIFT, TYPES, Card, sharing_poison, side
from .tokens import is_a

COST, RULE = "cost", "rule"
"""The causes by which no effect puts counters."""
ANY, YOURS, OPPONENTS, TEAM = "any", "yours", "opponents", "team"
PERMANENTS, PLAYERS, SELF, IT = "permanents", "players", "self", "it"
ANYBODY, YOU = "anybody", "you"
NOTHING = "0"
"""The sign of a standing that lets nothing be put."""
MANY = 3
"""The number of like steps in a row from which one line with their number stands for them."""
WAYS = ("times", "plus", "half", "none", "adds")
"""Effects of a standing on a number of counters, or on creatures; each has one of these."""
GIVEN = (*KEYWORDS, "indestructible")
"""The keywords that a standing may give."""


class Standing(core.Standing, frozen=True):
    """One ability that changes how many counters are put, or what creatures are.

    whose: on whose permanents and players. of: on permanents or players only, or on its object
    alone. types: only on permanents with one of these. kinds: only these. putter: only if that
    player puts them. effects_only: only if an effect puts them. sorts: only on those of one of
    these creature types. others: not on its object. times, plus, half, none: what it does, exactly
    one of them; or adds, to power and toughness, and gives, keywords, both to creatures. per: it
    adds once for each of what these fields name: permanents or, with kinds (empty: of any kind),
    counters, on players or permanents, or on the creature itself (of: "it").
    """

    whose: str = ANY
    of: str | None = None
    types: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    putter: str = ANYBODY
    effects_only: bool = False
    times: int | None = None
    plus: int | None = None
    half: str | None = None
    none: bool | None = None
    sorts: tuple[str, ...] | None = None
    others: bool = False
    adds: Mapping[str, int] | None = None
    gives: tuple[str, ...] | None = None
    per: Mapping[str, Any] | None = None

    @property
    def for_creatures(self) -> bool:
        """True if it is about creatures, and not about counters."""
        return bool(self.adds or self.gives)

    def changed(self, amount: int) -> int:
        """The result for *amount*, 1 or more; no number is larger than a browser can show."""
        if self.times:
            return min(amount * self.times, FURTHEST)
        if self.plus:
            return min(amount + self.plus, FURTHEST)
        if self.half:
            return (amount + (self.half == "up")) // 2
        return 0

    @property
    def how(self) -> str:
        """Its effect in signs: "×2", "+1", "÷2", "+1/+1, trample"; "0" if nothing is put at all."""
        if self.for_creatures:
            signs = ", ".join([*size(self.adds), *(self.gives or ())])
            return f"{signs} × n" if self.per and self.adds else signs
        if self.times:
            return f"×{self.times}"
        if self.plus:
            return f"+{self.plus}"
        return "÷2" if self.half else NOTHING


def size(adds: Mapping[str, int] | None) -> list[str]:
    """What is added to power and toughness, in signs: "+1/+1"; empty if nothing is."""
    return ["/".join(f"{adds.get(stat, 0):+d}" for stat in POWER_AND_TOUGHNESS)] if adds else []


def called(state: GameState, standing: core.Standing) -> str:
    """Its name; if it has none of its own, that of its object."""
    if standing.name == standing.id and standing.object:
        return state.objects[standing.object].name
    return standing.name


def in_signs(state: GameState, steps: Iterable[Standing]) -> list[str]:
    """Each step in signs and names, "×2 Doubling Season"; many like it in a row as one."""
    signs = [
        called(state, step) if step.how == NOTHING else f"{step.how} {called(state, step)}"
        for step in steps
    ]
    runs = [(text, len([*like])) for text, like in groupby(signs)]
    return [text for step, n in runs for text in ([step] * n if n < MANY else [f"{step} ({n})"])]


def you(state: GameState, standing: core.Standing) -> str | None:
    """The player whose it is now; None while it does not apply."""
    seat = standing.seat
    if standing.object is not None:
        card = state.objects[standing.object]
        seat = card.controller if card.on_field else None
    return None if seat is None or state.seats[seat].lost else seat


# To what it applies


class Putting(Struct, frozen=True):
    """So many counters of one kind, about to be put on one holder by one player.

    cause: "cost", "rule", or None for an effect. order: the standings to apply first. entering: the
    objects that enter the battlefield with what is put.
    """

    putter: str
    holder: str
    counter: str
    amount: int = 1
    cause: str | None = None
    order: tuple[str, ...] = ()
    entering: frozenset[str] = frozenset()


@cites("102.3", "102.4", "614.12", "614.1a")
def applies(state: GameState, standing: Standing, putting: Putting) -> bool:
    """True if *standing* is about *putting*, if an effect puts the counters.

    Only permanents and players get counters that can be changed. What enters is not looked at by
    abilities that enter with it, unless they are about their own object alone.
    """
    mine = you(state, standing)
    if mine is None or (standing.kinds and putting.counter not in standing.kinds):
        return False
    if standing.object in putting.entering and standing.of != SELF:
        return False
    return reaches(state, standing, putting.holder, mine) and _is(
        state, standing.putter, putting.putter, mine
    )


def reaches(state: GameState, standing: Standing, holder: str, mine: str) -> bool:
    """True if *standing*, whose player is *mine*, is about such a holder, be it its object or not.
    A creature of whose types nobody has said anything is of none."""
    card = state.objects.get(holder)
    if not isinstance(card, Card):
        fits = standing.of in (None, PLAYERS) and not standing.types and not standing.sorts
        return fits and _is(state, standing.whose, holder, mine)
    return (
        card.on_field
        and standing.of in (None, PERMANENTS, SELF)
        and not (standing.types and {*standing.types}.isdisjoint(card.types))
        and _is(state, standing.whose, card.controller, mine)
        and (not standing.sorts or any(is_a(card, sort) for sort in standing.sorts))
    )


def _is(state: GameState, who: str, seat: str, mine: str) -> bool:
    """True if *seat* is one of those that *who* says, seen from the player *mine*."""
    if who in (YOURS, YOU):
        return seat == mine
    if who == TEAM:
        return side(state, seat) == side(state, mine)
    return who != OPPONENTS or side(state, seat) != side(state, mine)


@cites("604.2", "611.3a", "800.4i")
def number(state: GameState, standing: Standing, card: Card) -> int:
    """How many times *standing* adds to *card*: once, or as often as its `per` says."""
    mine, per = you(state, standing), counted(standing)
    if per is None or mine is None:
        return 1
    if per.of in (SELF, IT):
        holders = [card.id if per.of == IT else per.object or ""]
    else:
        there = [*state.objects, *(seat.id for seat in state.remaining())]
        but = per.object if per.others else None
        holders = [on for on in there if on != but and reaches(state, per, on, mine)]
    if per.kinds is None:
        return sum(on in state.objects for on in holders)
    found = (player.held(state, on) for on in holders)
    return sum(n for kinds in found for kind, n in kinds.items() if kind in (per.kinds or kinds))


def counted(standing: Standing) -> Standing | None:
    """What *standing* counts, as if that were one; None if it adds once."""
    of = standing.id, standing.name, standing.object, standing.seat
    return Standing(*of, **standing.per) if standing.per else None


@cites("609.1", "606.4", "614.16")
def by_effect_only(standing: Standing, putting: Putting) -> bool:
    """True if it waits until another standing was applied: then an effect puts the counters."""
    return standing.effects_only and putting.cause is not None


class Applying:
    """The standings of *state*, asked for what applies to one putting after another.

    A command may put counters on a thousand holders, so like ones are looked up once.
    """

    def __init__(self, state: GameState) -> None:
        self.state = state
        of_counters = [one for one in standings(state) if not one.for_creatures]
        self._of_all = [one for one in of_counters if one.of != SELF]
        self._of_one: dict[str | None, list[Standing]] = {}
        for one in of_counters:
            if one.of == SELF:
                self._of_one.setdefault(one.object, []).append(one)
        self._found: dict[tuple[Any, ...], list[Standing]] = {}

    def to(self, putting: Putting) -> list[Standing]:
        """Those that apply to *putting*, if an effect puts the counters."""
        card = self.state.objects.get(putting.holder)
        holder = alike(card) if isinstance(card, Card) else putting.holder
        like = (putting.counter, putting.putter, putting.entering, holder)
        if like not in self._found:
            self._found[like] = [e for e in self._of_all if applies(self.state, e, putting)]
        own = self._of_one.get(putting.holder, ())
        found = [e for e in self._found[like] if not (e.others and e.object == putting.holder)]
        return found + [each for each in own if applies(self.state, each, putting)]


def alike(card: Card) -> tuple[Any, ...]:
    """What a standing may ask of *card*, but whether it is its own."""
    name = card.name if card.token else ""
    return (card.controller, card.on_field, *card.types, name, *card.subtypes.items())


@cites("101.2", "614.17", "810.10c")
def preventing(applying: Applying, putting: Putting) -> Standing | None:
    """The standing that keeps the counters from being put; of several the one with the least id.

    If one player of a team cannot get the poison that the team shares, none of them can.
    """
    state = applying.state
    team = sharing_poison(state, putting.holder) if putting.counter == POISON else None
    puttings = [putting]
    if team:
        puttings = [replace(putting, holder=mate) for mate in team.seats]
    found = [
        standing.id
        for one in puttings
        for standing in applying.to(one)
        if standing.none and not by_effect_only(standing, putting)
    ]
    return standing_of(state, min(found)) if found else None


def standings(state: GameState) -> Iterator[Standing]:
    for standing in state.standings.values():
        assert isinstance(standing, Standing), standing
        yield standing


def standing_of(state: GameState, standing_id: str) -> Standing:
    found = state.standings[standing_id]
    assert isinstance(found, Standing), found
    return found


# The commands


def _true(value: Any, system: Terms) -> bool:
    if value is True:
        return value
    raise ValueError


PER = record(
    "what is counted: whose, of, types, kinds, sorts, others",
    {
        "whose": one_of(ANY, YOURS, OPPONENTS, TEAM),
        "of": one_of(PERMANENTS, PLAYERS, SELF, IT),
        "types": each(one_of(*TYPES), 1),
        "kinds": each(KIND),
        "sorts": each(KIND, 1),
        "others": FLAG,
    },
)
STANDING = Names("standing", lambda state, i, by: i in state.standings, lambda state, i: False)
TRUE = Reader("true", _true, schema={"const": True})


class Stand(Command, frozen=True, kw_only=True):
    """Say an ability that changes how many counters are put, or creatures, until it is taken off.

    With `object` it counts while that is on the battlefield, for its controller; else for `seat`,
    by default the player who says it. Exactly one of `times`, `plus`, `half` and `none` says what
    it does; the others say when.
    """

    verb: ClassVar[str] = "standing"
    as_: Annotated[str, Parameter(ID)]
    name: Annotated[str | None, Parameter(NAME)] = None
    object: Annotated[str | None, Parameter(ID, names=OBJECT)] = None
    seat: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    whose: Annotated[str, Parameter(one_of(ANY, YOURS, OPPONENTS, TEAM))] = ANY
    of: Annotated[str | None, Parameter(one_of(PERMANENTS, PLAYERS, SELF))] = None
    types: Annotated[tuple[str, ...] | None, Parameter(each(one_of(*TYPES), 1))] = None
    kinds: Annotated[tuple[str, ...] | None, Parameter(each(KIND, 1))] = None
    putter: Annotated[str, Parameter(one_of(ANYBODY, YOU, OPPONENTS))] = ANYBODY
    effects_only: Annotated[bool, Parameter(FLAG)] = False
    times: Annotated[int | None, Parameter(whole(2, 9))] = None
    plus: Annotated[int | None, Parameter(whole(1, 9))] = None
    half: Annotated[str | None, Parameter(one_of("down", "up"))] = None
    none: Annotated[bool | None, Parameter(TRUE)] = None
    sorts: Annotated[tuple[str, ...] | None, Parameter(each(KIND, 1))] = None
    others: Annotated[bool, Parameter(FLAG)] = False
    adds: Annotated[Mapping[str, int] | None, Parameter(SHIFT)] = None
    gives: Annotated[tuple[str, ...] | None, Parameter(each(one_of(*GIVEN), 1))] = None
    per: Annotated[Mapping[str, Any] | None, Parameter(PER)] = None

    def check(self, system: Terms) -> None:
        ways = [getattr(self, way) is not None for way in WAYS]
        if sum(ways) + bool(self.gives and not self.adds) != 1:
            raise invalid("Give exactly one of {ways}.", ways=", ".join(WAYS))
        of_counters = self.kinds or self.putter != ANYBODY or self.effects_only
        itself = self.of == SELF and self.per is None
        if (of_counters or self.of == PLAYERS or itself) and (self.adds or self.gives):
            raise invalid("What adds to creatures has no kinds, players and putters.")
        if self.per is not None and not (self.adds or self.gives):
            raise invalid("Only what adds to creatures counts what is there.")
        if self.object is not None and self.seat is not None:
            raise invalid("Give “object” or “seat”, not both.")
        if self.types is not None and self.of == PLAYERS:
            raise invalid("Players have no types.")
        if self.of == SELF and self.object is None:
            raise invalid("“self” needs the “object” that it is about.")

    def said(self) -> Standing:
        """The standing that was said."""
        seat = self.seat or (self.by if self.object is None else None)
        own = {*Standing.__struct_fields__} - {*core.Standing.__struct_fields__}
        facts = {name: getattr(self, name) for name in own} | {"per": core.plain(self.per)}
        return Standing(self.as_, self.name or self.as_, self.object, seat, **facts)


@cites("614.1a", "611.2")
def stand(system: System, state: GameState, command: Stand) -> Iterator[Event]:
    if command.as_ in state.standings:
        sentence = "The id “{id}” is already in use; choose another."
        raise Refused("taken", sentence, None, id=command.as_)
    said = command.said()
    yield StandingBegan(said.id, called(state, said), said.how, said, _at(said))


class EndStanding(Command, frozen=True, kw_only=True):
    """Take off an ability that stands: its effect has ended, or it was said by mistake."""

    verb: ClassVar[str] = "end-standing"
    standing: Annotated[str, Parameter(ID, names=STANDING)]


def end_standing(system: System, state: GameState, command: EndStanding) -> Iterator[Event]:
    ended = standing_of(state, command.standing)
    yield StandingEnded(ended.id, called(state, ended), ended.how, _at(ended))


def _at(standing: Standing) -> tuple[str, ...]:
    """The holder it is drawn with: its object, or else its seat."""
    return tuple(place for place in (standing.object, standing.seat) if place)


VERBS: Mapping[str, Verb] = {
    "standing": Verb(Stand, stand),
    "end-standing": Verb(EndStanding, end_standing),
}


# What happened


class StandingBegan(Event, frozen=True):
    """An ability stands from now on. name: what it is called. how: what it does, in signs."""

    kind: ClassVar[str] = "standing-began"
    private: ClassVar[tuple[str, ...]] = (
        "said",
        "at",
    )
    standing: str
    name: str
    how: str
    said: Standing
    at: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        return replace(state, standings={**state.standings, self.standing: self.said})

    def touches(self) -> tuple[str, ...]:
        return self.at


class StandingEnded(Event, frozen=True):
    """An ability was taken off. name, how: as in `StandingBegan`."""

    kind: ClassVar[str] = "standing-ended"
    private: ClassVar[tuple[str, ...]] = ("at",)
    standing: str
    name: str
    how: str
    at: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        left = {key: each for key, each in state.standings.items() if key != self.standing}
        return replace(state, standings=left)

    def touches(self) -> tuple[str, ...]:
        return self.at


# The opening, and what follows from a state


def opening(system: System, given: Mapping[str, Any], settings: Mapping[str, Any]) -> GameState:
    """The opening, with what stands in it; whose it is, is the first seat unless it says so."""
    state = player.opening(system, given, settings)
    first = next(iter(state.seats))
    said: dict[str, Standing] = {}
    for standing_id, facts in given.get("standing", {}).items():
        named = {key: fact for key, fact in facts.items() if fact is not None}
        try:
            command = Stand.read({**named, "as": standing_id}, first, system)
        except Refused as refused:
            raise ValueError(f"standing “{standing_id}”: {refused.message}") from None
        standing = said[standing_id] = command.said()
        known = {None, *state.objects}, {None, *state.seats}
        if standing.object not in known[0] or standing.seat not in known[1]:
            raise ValueError(f"standing “{standing_id}” names what is not at this table")
    return replace(state, standings=said)


def rematch(first: GameState, last: GameState) -> GameState:
    """The standings of the commanders of *last*, for a rematch."""
    commanders = {obj.id for obj in first.objects.values() if getattr(obj, "commander", False)}
    theirs = {each.id: each for each in standings(last) if each.object in commanders}
    return replace(first, standings={**theirs, **first.standings})
