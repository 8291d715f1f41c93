"""View models of cards, seats and prompts: plain values between the rules and the templates.

Everything comes from the system, its presentation and the state, so a new system has a board before
anyone designs one for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from operator import attrgetter, is_
from typing import Any, get_origin

from django.utils.text import capfirst
from msgspec import Struct
from msgspec.structs import fields, replace

from games.rules.commands import parameters
from games.rules.state import CEASED, GameObject, GameState, Prompt, Refused, Seat, Team, defaults
from games.rules.system import System
from games.rules.ticks import PUTS, among
from games.screens.words import Words, spaced
from games.systems import presentation_of
from games.systems.board import Board
from games.systems.controls import (
    Act,
    Designation,
    Panel,
    Shared,
    SheetButton,
    Stat,
    Stepper,
    Tally,
)
from games.systems.sheets import Label

Steppers = tuple[Stepper, ...]


class CardView(Struct, frozen=True):
    """A card as it is shown."""

    id: str
    name: str
    unnamed: str
    """What a preset called it, until somebody names it; else ""."""
    type: str
    types: tuple[str, ...]
    token: bool
    on_field: bool
    big: bool
    stranger: str
    """Its owner, if another seat controls it."""
    states: tuple[str, ...]
    ending: tuple[str, ...]
    """Those of its states that end with the turn."""
    stats: tuple[Stat, ...]
    steppers: tuple[Stepper, ...]
    tokens: tuple[Stepper, ...]
    """Those of its numbers that stand in its row, not on its player's panel."""
    hurt: Stepper | None
    """The first of these that lowers its stats, such as damage: it stands below them."""
    hurts: bool
    """True if it does so now, being more than 0."""
    pictured: frozenset[str] | None
    """The kinds of numbers that have a picture there, as the game's presentation has it."""
    acts: tuple[Act, ...]

    @property
    def looks(self) -> str:
        """The state classes of the component `.card`."""
        named = ["is-big"] if self.big else []
        named += ["is-token"] if self.token else []
        return " ".join([*named, *(f"is-{state}" for state in self.states)])


def card_view(
    its: Words,
    system: System,
    state: GameState,
    obj: GameObject,
    derived: Mapping[str, Any],
    seat: str,
    panel_of: Callable[[str], Panel],
) -> CardView:
    """The view of *obj*. seat: its keeper's name. panel_of: the panel of a seat."""
    presentation = its.own
    types = tuple(getattr(obj, "types", ()))
    leading = next((each for each in presentation.board.types if each in types), "".join(types[:1]))
    steppers = object_steppers(system, state, obj)
    tokens = in_row(panel_of, state, obj, steppers)
    return CardView(
        id=obj.id,
        name=plain_name(its, obj, seat),
        unnamed=obj.name if obj.name in presentation.new_game.unnamed else "",
        type=leading,
        types=types,
        token=obj.token,
        on_field=obj.on_field,
        big=leading in presentation.board.heroes and obj.on_field,
        stranger=obj.owner if obj.owner != obj.controller else "",
        steppers=steppers,
        tokens=tokens,
        pictured=presentation.words.pictured,
        **_following(presentation.board, system, state, obj, derived, tokens),
    )


def _ending(obj: GameObject, shown: Iterable[str]) -> tuple[str, ...]:
    """The states among *shown* that end with this turn."""
    return tuple(each for each in shown if each in obj.until and each not in obj.later)


def _following(
    board: Board,
    system: System,
    state: GameState,
    obj: GameObject,
    derived: Mapping[str, Any],
    tokens: Steppers,
) -> dict[str, Any]:
    """The parts of a card's view that may follow from any of its numbers."""
    stats = tuple(board.stats(system, state, obj, derived))
    shown = tuple(states(obj, derived))
    hurt = next(filter(board.lowers, tokens), None) if stats else None
    return {
        "states": shown,
        "ending": _ending(obj, shown) if obj.until else (),
        "stats": stats,
        "hurt": hurt,
        "hurts": hurt is not None and hurt.amount != 0,
        "acts": tuple(board.acts(system, state, obj)),
    }


def turned(
    system: System,
    state: GameState,
    obj: GameObject,
    derived: Mapping[str, Any],
    last: CardView,
    kind: str,
) -> CardView:
    """The view of *obj*, of which nothing but a number has changed since the *last* one."""
    key = obj.id, kind, state.count(obj.id, kind)
    tokens = tuple([each.turned(*key) for each in last.tokens])
    steppers = tuple([each.turned(*key) for each in last.steppers])
    board = presentation_of(system).board
    following = _following(board, system, state, obj, derived, tokens)
    return replace(last, steppers=steppers, tokens=tokens, **following)


class CacheKey(Struct, frozen=True):
    """Everything but its holder that affects what a tap on a number gives; the cache key of a card.

    sources: the objects that the standings are about. flags: the marks of the seats.
    """

    standings: Mapping[str, Any]
    teams: Mapping[str, Team]
    sources: tuple[GameObject | None, ...]
    flags: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, state: GameState) -> CacheKey:
        if not state.standings:
            return NO_STANDINGS
        sources = tuple(state.objects.get(each.object or "") for each in state.standings.values())
        flags = tuple(
            (seat.lost, *(getattr(seat, mark) is True for mark in seat.marks))
            for seat in state.seats.values()
        )
        return cls(state.standings, state.teams, sources, flags)

    def same(self, other: CacheKey) -> bool:
        """True if a tap gives the same with both. Parts of a state are compared by identity."""
        return self is other or (
            self.standings is other.standings
            and self.teams is other.teams
            and self.flags == other.flags
            and all(map(is_, self.sources, other.sources))
        )


NO_STANDINGS = CacheKey({}, {}, (), ())
"""The key of a state without standings."""


def in_row(
    panel_of: Callable[[str], Panel], state: GameState, obj: GameObject, steppers: Steppers
) -> Steppers:
    """Those of an object's numbers that are not on its player's panel."""
    big = any(map(attrgetter("big"), steppers))
    if not (big and obj.on_field and obj.controller in state.seats):
        return steppers
    on_panel = numbers_of(panel_of(obj.controller))
    shown = {(each.holder, each.kind) for each in on_panel}
    return tuple(each for each in steppers if (each.holder, each.kind) not in shown)


def object_steppers(system: System, state: GameState, obj: GameObject) -> tuple[Stepper, ...]:
    """The numbers with buttons on *obj*."""
    return tuple(
        completed(system, state, presentation_of(system).board.object_steppers(system, state, obj))
    )


def completed(system: System, state: GameState, steppers: Iterable[Stepper]) -> Iterable[Stepper]:
    """*steppers*, each with what a tap gives where what stands may change it."""
    if not state.standings or (previews := presentation_of(system).board.previews) is None:
        return steppers
    gives = previews.gives
    return [replace(each, gives=tuple(gives(system, state, each))) for each in steppers]


def states(obj: GameObject, derived: Mapping[str, Any]) -> Iterator[str]:
    """The states of *obj*: its marks, and what follows from it that is true or a word."""
    yield from (name for name in _flags(type(obj)) if getattr(obj, name) is True)
    for name, value in derived.items():
        if value is True:
            yield name
        elif isinstance(value, list | tuple):
            yield from (each for each in value if isinstance(each, str))


@cache
def _flags(cls: type[GameObject]) -> tuple[str, ...]:
    """The fields that may be marks."""
    return tuple(name for name in cls.__struct_fields__ if name != "token")


def placed_by_a_source(system: System) -> bool:
    """True if every placing of counters names its source."""
    return any(part.key == "source" for part in parameters(system.verbs["place"].command))


def seat_steppers(system: System, state: GameState, whose: Seat | Team) -> Iterable[Stepper]:
    """The numbers of a seat, or those that a team shares: the system's own, then counters by name.

    A tap on a team's counts for its first player.
    """
    own = presentation_of(system).board.seat_steppers(system, state, whose)
    holder = seat = whose.id
    if isinstance(whose, Team):
        holder, seat = f"team:{whose.id}", whose.seats[0]
    return completed(system, state, (*own, *_counters(system, state, holder, seat)))


def _counters(system: System, state: GameState, holder: str, seat: str) -> list[Stepper]:
    """The counters of *holder*, turned through *seat*: those it has, and those always shown.

    The kinds that the system lists keep their places, in its order; others follow by name.
    """
    presentation, owner = presentation_of(system), system.counters.owner
    shown = {
        kind: 0 for kind in presentation.board.always_shown if owner(state, seat, kind) == holder
    }
    kinds = {**shown, **state.on(holder)}
    if not kinds:
        return []
    listed = dict.fromkeys((*presentation.board.always_shown, *presentation.board.player_kinds))
    order = [*(kind for kind in listed if kind in kinds), *sorted(kinds.keys() - listed.keys())]
    return [Stepper(seat, kind, kinds[kind]) for kind in order]


def panel(system: System, state: GameState, seat: str) -> Panel:
    """The numbers of a seat in their places, with those it shares with its team."""
    holder = state.seats[seat]
    numbers = [*seat_steppers(system, state, holder)]
    for team in state.teams.values():
        if seat in team.seats:
            numbers += seat_steppers(system, state, team)
    return presentation_of(system).board.panel(system, state, holder, numbers)


def numbers_of(shown: Panel) -> Iterator[Stepper]:
    """The numbers that can be turned on a panel."""
    if shown.hero:
        yield shown.hero
    yield from (each for each in shown.places if isinstance(each, Stepper))


class Bit(Struct, frozen=True):
    """A sign of a seat in the strip, besides its main number. amount: None for a mere sign; id: the
    number on the board that it repeats, as (holder, kind); by: the parts of a tally, as (seat,
    amount)."""

    kind: str
    amount: int | None
    id: tuple[str, str] | None = None
    by: tuple[tuple[str, int], ...] = ()


def bits(shown: Panel) -> Iterator[Bit]:
    """The strip's signs for what is on a panel; those at 0 are hidden until they are not."""
    apart = {each.it.kind if isinstance(each, Shared) else each.kind for each in shown.rows}
    for place in shown.places:
        match place:
            case Stepper(kind=kind) if kind in apart or place is shown.strip:
                continue
            case Stepper(holder=holder, kind=kind, amount=amount):
                yield Bit(kind, amount, (holder, kind))
            case Tally(kind=kind, amounts=amounts):
                by = tuple((seat, amount) for seat, amount in amounts if amount)
                yield Bit(kind, max((amount for _seat, amount in by), default=0), by=by)
            case Designation(kind=kind, held=True):
                yield Bit(kind, None)
            case SheetButton(signs=signs):
                yield from (Bit(sign.kind, sign.amount) for sign in signs if sign.own)


def set_numbers(seat: Seat) -> list[tuple[str, int]]:
    """The number marks of *seat* that differ from their defaults."""
    usual = defaults(type(seat))
    return [
        (mark, value)
        for mark in seat.marks
        if type(value := getattr(seat, mark)) is int and value != usual[mark]
    ]


def tallies(seat: Seat) -> Iterator[tuple[str, Mapping[str, int]]]:
    """The amounts of *seat* that are counted by source."""
    for name in _by_source(type(seat)):
        if value := getattr(seat, name):
            yield name, value


@cache
def _by_source(cls: type[Seat]) -> tuple[str, ...]:
    """The fields of *cls* that are counted by source."""
    mappings = [
        part.name for part in fields(cls) if issubclass(get_origin(part.type) or object, Mapping)
    ]
    return tuple(name for name in mappings if name != "until")


def marked(seat: Seat) -> tuple[Any, ...]:
    """All that a head shows of *seat* itself: whether it is out, its marks, what is counted by
    source."""
    shown: tuple[Any, ...] = _marks(type(seat))(seat)
    return shown


@cache
def _marks(cls: type[Seat]) -> attrgetter[Any]:
    return attrgetter("lost", "id", *cls.marks, *_by_source(cls))


def can_hold_counters(system: System, state: GameState, holder: Seat | GameObject) -> bool:
    """True if *holder* can have any counters."""
    try:
        system.counters.can_hold(system, state, holder)
    except Refused:
        return False
    return True


def distinct_name(its: Words, state: GameState, obj: GameObject, seat: str) -> str:
    """The name of *obj*, followed by *seat* (its keeper's name) if others share the name."""
    if shown := its.unnamed(obj.name, seat):
        return shown
    name, whose = obj.name, keeper(obj)
    for each in state.objects.values():
        if each.name == name and keeper(each) != whose:
            return f"{name} ({seat})"
    return name


def token_name(its: Words, token: GameObject) -> str:
    """The name of *token*; one that a rule made has none but its type and number: "Clock 1"."""
    if token.name != token.id:
        return token.name
    kind, _dash, n = token.id.rpartition("-")
    label = its.own_text(kind)
    return capfirst(f"{label} {n}" if label != kind else spaced(token.id))


def plain_name(its: Words, obj: GameObject, seat: str) -> str:
    """The name of *obj* beside other things of *seat* (its keeper's name)."""
    return its.unnamed(obj.name, seat) or (token_name(its, obj) if obj.token else obj.name)


def keeper(obj: GameObject) -> str:
    """The seat on whose part of the table *obj* is."""
    return obj.controller if obj.zone in obj.field_zones else obj.owner


def in_zone(state: GameState, seat: str, zone: str) -> list[GameObject]:
    """The objects in *zone* of *seat*, oldest first."""
    return [obj for obj in state.objects.values() if obj.zone == zone and keeper(obj) == seat]


def field_zones(system: System) -> tuple[str, ...]:
    return tuple(zone for zone in system.zones if zone in system.components.object.field_zones)


def other_zones(system: System) -> tuple[str, ...]:
    """The zones off the field, without the one for tokens that ceased to exist."""
    return tuple(
        zone
        for zone in system.zones
        if zone not in system.components.object.field_zones and zone != CEASED
    )


class Due(Struct, frozen=True):
    """One object that a prompt asks a payment for. hero: it is one of the board's heroes."""

    id: str
    name: str
    amount: int
    hero: bool


def prompt_facts(system: System, state: GameState, prompt: Prompt, label: Label) -> dict[str, Any]:
    """Everything that a prompt's template may show of it now."""
    facts = puts if prompt.kind == PUTS else presentation_of(system).sheets.prompt_facts
    more = facts(system, state, prompt, label)
    return {**prompt.facts, **system.derived(system, state, prompt), **more}


def puts(system: System, state: GameState, prompt: Prompt, label: Label) -> Mapping[str, Any]:
    """Of the question on whom a card puts counters: on: whom it may be, one's own cards and other
    players first. counters: which. it: to what something happened."""
    put = prompt.facts["what"]
    counters = put.get("counters") or state.on(put.get("from_", ""))
    counters = counters or {put["counter"]: put["amount"]}
    found = among(system, state, prompt)
    choices = [state.objects.get(each) or state.seats[each] for each in found]
    choices.sort(
        key=lambda it: (getattr(it, "controller", it.id) == prompt.to) == (it.id in state.seats)
    )
    on = [(each.id, label(each)) for each in choices]
    it = state.objects.get(prompt.facts["it"] or "")
    return {"on": on, "counters": [*counters.items()], "it": it and label(it)}


def dues(
    system: System, state: GameState, prompt: Prompt, named: Callable[[GameObject], str]
) -> tuple[Due, ...]:
    """The payments that a prompt asks for now. named: what an object is called."""
    due = system.derived(system, state, prompt).get("due", prompt.facts.get("due"))
    if not isinstance(due, Mapping):
        return ()
    heroes = presentation_of(system).board.heroes
    return tuple(
        Due(obj.id, named(obj), amount, not heroes.isdisjoint(getattr(obj, "types", ())))
        for each, amount in due.items()
        if (obj := state.objects.get(each))
    )
