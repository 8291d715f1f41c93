"""What a card, a seat and a prompt show: plain values between the rules and the templates.

Everything is asked of the system and the state (which fields an object has, what is derived, which
verbs there are), so that a new system has a board before anybody draws one for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.utils.translation import gettext as _

from games.rules.commands import parameters
from games.rules.state import CEASED, GameObject, GameState, Prompt, Refused, Seat, Team
from games.rules.system import System

MANY = 10
"""How much a held tap turns a number."""


@dataclass(frozen=True, slots=True)
class Stepper:
    """One number that can be turned: a kind of counter, or a number of the system's own.

    decrement, increment: what turning it down and up asks for (see `TURNS`); "" for nothing.
    big: a hero of the board. hold: how much a held tap turns it. least, most: how far it goes; no
    most where there is no maximum. word: what it is called, where its kind does not say it.
    """

    holder: str
    kind: str
    amount: int
    decrement: str = "less"
    increment: str = "more"
    big: bool = False
    hold: int = MANY
    most: int | None = None
    least: int = 0
    word: str = ""


@dataclass(frozen=True, slots=True)
class Stat:
    """A printed value as it is now; printed is None where there is nothing to compare."""

    name: str
    now: int
    printed: int | None

    @property
    def trend(self) -> str:
        if self.printed is None or self.printed == self.now:
            return ""
        return "up" if self.now > self.printed else "down"


@dataclass(frozen=True, slots=True)
class Act:
    """Something one tap on the card itself asks for."""

    verb: str
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as it lies there."""

    id: str
    name: str
    type: str
    types: tuple[str, ...]
    token: bool
    on_field: bool
    stranger: str
    """Its owner, if another seat controls it."""
    states: tuple[str, ...]
    stats: tuple[Stat, ...]
    steppers: tuple[Stepper, ...]
    acts: tuple[Act, ...]

    @property
    def looks(self) -> str:
        """The states of the component `.card`."""
        named = ["is-big"] if self.big else []
        named += ["is-token"] if self.token else []
        return " ".join([*named, *(f"is-{state}" for state in self.states)])

    @property
    def big(self) -> bool:
        return self.on_field and self.type == "champion"


LEADING = ("champion", "ally", "weapon", "siegeable", "item", "domain", "phantasia", "action")
"""Of several types, the one that a card is drawn as."""


def card_view(
    system: System, state: GameState, thing: GameObject, derived: Mapping[str, Any]
) -> CardView:
    """What *thing* shows."""
    types = tuple(getattr(thing, "types", ()))
    leading = next((each for each in LEADING if each in types), types[0] if types else "")
    return CardView(
        id=thing.id,
        name=thing.name,
        type=leading,
        types=types,
        token=thing.token,
        on_field=thing.on_field,
        stranger=thing.owner if thing.owner != thing.controller else "",
        states=tuple(states(thing)),
        stats=tuple(stats(state, thing, derived)),
        steppers=tuple(object_steppers(system, state, thing)),
        acts=tuple(acts(system, state, thing)),
    )


def states(thing: GameObject) -> Iterator[str]:
    """What is true of *thing*: its marks, and defeat."""
    return (name for name in _flags(type(thing)) if getattr(thing, name) is True)


_FLAGS: dict[type[GameObject], tuple[str, ...]] = {}


def _flags(cls: type[GameObject]) -> tuple[str, ...]:
    """The fields that may be marks; worked out once per class."""
    if cls not in _FLAGS:
        _FLAGS[cls] = tuple(part.name for part in fields(cls) if part.name != "token")
    return _FLAGS[cls]


def stats(state: GameState, thing: GameObject, derived: Mapping[str, Any]) -> Iterator[Stat]:
    """The derived numbers of *thing* that exist, and before them the life that is left."""
    damage, life = state.count(thing.id, "damage"), derived.get("life")
    if "champion" in getattr(thing, "types", ()) and damage and type(life) is int:
        yield Stat("left", max(0, life - damage), None)
    base = getattr(thing, "base", None) or {}
    for name, now in derived.items():
        if type(now) is int:
            yield Stat(name, now, base.get(name) if isinstance(base, Mapping) else None)


def object_steppers(system: System, state: GameState, thing: GameObject) -> Iterator[Stepper]:
    """The numbers on *thing*: those it always shows, then its counters by name."""
    kinds = dict(state.on(thing.id))
    if "damage" in system.verbs and thing.on_field:
        types = getattr(thing, "types", ())
        if "champion" in types:
            yield Stepper(thing.id, "damage", kinds.pop("damage", 0), increment="damage", big=True)
        elif "ally" in types:
            yield Stepper(
                thing.id, "marked", getattr(thing, "marked", 0), decrement="", increment="damage"
            )
    permits = _permits(thing)
    sourced = placed_by_a_source(system)
    for kind in sorted({*kinds, *permits}):
        increment = ("own" if kind in permits else "sourced") if sourced else "more"
        most = permits[kind].maximum if kind in permits else None
        yield Stepper(thing.id, kind, kinds.get(kind, 0), increment=increment, most=most)


def placed_by_a_source(system: System) -> bool:
    """Whether counters are placed only by something that is named."""
    return any(part.key == "source" for part in parameters(system.verbs["place"].command))


def _permits(thing: GameObject) -> Mapping[str, Any]:
    """The kinds that the text of *thing* lets it hold where it lies, face up or not at all."""
    if not thing.on_field or getattr(thing, "face_down", False):
        return {}
    permits = getattr(thing, "permits", {})
    return {kind: each for kind, each in permits.items() if thing.zone in each.zones}


def acts(system: System, state: GameState, thing: GameObject) -> Iterator[Act]:
    """What one tap on *thing* may ask for just now."""
    if "cast" in system.verbs and thing.zone == "command" and getattr(thing, "commander", False):
        yield Act("cast", thing.id, _("Cast"))
    if not thing.on_field:
        return
    if "wield" in system.verbs and "weapon" in getattr(thing, "types", ()):
        yield Act("wield", thing.id, _("wield"))
    if "activate" in system.verbs and state.count(thing.id, "enlighten") >= 3:
        yield Act("enlighten", thing.id, _("3 → draw"))


def seat_steppers(system: System, state: GameState, seat: Seat) -> Iterator[Stepper]:
    """The numbers of a seat itself: its life where the system keeps one, then its counters."""
    follows = derived(system, state, seat)
    if hasattr(seat, "life") and "gain-life" in system.verbs and "shared_life" not in follows:
        yield life_stepper(system, seat.id, getattr(seat, "life", 0))
    kinds = {**dict.fromkeys(system.always_shown, 0), **state.on(seat.id)}
    for kind in sorted(kinds):
        if f"shared_{kind}" not in follows:
            yield Stepper(seat.id, kind, kinds[kind], hold=system.holds.get(kind, MANY))


def team_steppers(system: System, state: GameState, team: Team) -> Iterator[Stepper]:
    """What the players of *team* share. Turning it is turning it for the first of them."""
    seat = team.seats[0]
    if getattr(team, "shared_life", False):
        yield life_stepper(system, seat, getattr(team, "life", 0))
    if getattr(team, "shared_counters", False):
        for kind, n in sorted(state.on(f"team:{team.id}").items()):
            yield Stepper(seat, kind, n, hold=system.holds.get(kind, MANY))
    for kind in system.always_shown:
        if getattr(team, f"shared_{kind}", False):
            hold = system.holds.get(kind, MANY)
            yield Stepper(seat, kind, state.count(f"team:{team.id}", kind), hold=hold)


def set_numbers(seat: Seat) -> list[tuple[str, int]]:
    """The marks of *seat* that are numbers and are not what they are at first."""
    usual = {part.name: part.default for part in fields(seat)}
    return [
        (mark, value)
        for mark in seat.marks
        if type(value := getattr(seat, mark)) is int and value != usual[mark]
    ]


def tallies(seat: Seat) -> Iterator[tuple[str, Mapping[str, int]]]:
    """What *seat* has counted by what it came from."""
    for part in fields(seat):
        value = getattr(seat, part.name)
        if isinstance(value, Mapping) and value:
            yield part.name, value


def life_stepper(system: System, seat: str, life: int) -> Stepper:
    """The life of *seat*, its own or its team's: a hero of the board."""
    hold = system.holds.get("life", MANY)
    least = getattr(system.seat, "least_life", 0)
    word = getattr(system.seat, "life_word", "")
    turned = ("lose-life", "gain-life")
    return Stepper(seat, "life", life, *turned, big=True, hold=hold, least=least, word=word)


def can_hold_counters(system: System, state: GameState, holder: Seat | GameObject) -> bool:
    """Whether *holder* can have counters at all."""
    try:
        system.can_hold_counters(system, state, holder)
    except Refused:
        return False
    return True


def derived(system: System, state: GameState, thing: Any) -> dict[str, Any]:
    """What follows for *thing*; never stored."""
    return system.derived(system, state, thing)


def told_apart(state: GameState, thing: GameObject, seat: str) -> str:
    """The name of *thing*, with *seat* (its keeper's name) behind it if others have that name."""
    alike = (each for each in state.objects.values() if each.name == thing.name)
    if all(keeper(each) == keeper(thing) for each in alike):
        return thing.name
    return f"{thing.name} ({seat})"


def keeper(thing: GameObject) -> str:
    """The seat on whose part of the table *thing* lies."""
    return thing.controller if thing.on_field else thing.owner


def in_zone(state: GameState, seat: str, zone: str) -> list[GameObject]:
    """What lies in *zone* of *seat*, the oldest first."""
    return [
        thing for thing in state.objects.values() if thing.zone == zone and keeper(thing) == seat
    ]


def field_zones(system: System) -> tuple[str, ...]:
    return tuple(zone for zone in system.zones if zone in system.object.field_zones)


def other_zones(system: System) -> tuple[str, ...]:
    """The zones off the field; a token that ceased is in none."""
    return tuple(
        zone for zone in system.zones if zone not in system.object.field_zones and zone != CEASED
    )


@dataclass(frozen=True, slots=True)
class Due:
    """One object of a prompt that asks for a payment."""

    id: str
    name: str
    amount: int
    champion: bool


def dues(system: System, state: GameState, prompt: Prompt) -> tuple[Due, ...]:
    """What a prompt wants paid now, by object."""
    due = derived(system, state, prompt).get("due", prompt.facts.get("due"))
    if not isinstance(due, Mapping):
        return ()
    return tuple(
        Due(
            each,
            state.objects[each].name,
            amount,
            "champion" in getattr(state.objects[each], "types", ()),
        )
        for each, amount in due.items()
        if each in state.objects
    )
