"""Own games: the system that a table's own definition makes.

Every definition is compiled to a system of its own, which says what a game counts and what happens
by itself. The table keeps the definition among its settings, so that the state, its exports and its
backups carry it. Source: docs/OWN-GAMES.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from games.rules import attribution, batch, cards, dice, notes, seating
from games.rules.events import Event, ResultWithdrawn
from games.rules.state import (
    RESERVED,
    Components,
    GameObject,
    GameState,
    Kinds,
    PlayerSeat,
    Seat,
    Turn,
    Words,
)
from games.rules.system import Automatic, Counters, Defined, Rulebook, Seating, System, Verb

from . import change_rules, turns, verbs
from .course import Course, starts
from .events import LAST, ROUND, SCORES, with_parts
from .from_free_play import adopted
from .holders import OwnSystem, piece_in, round_of
from .language import definition as definitions
from .language.advice import advice as advised
from .language.definition import DEFINITION, Definition
from .language.meaning import PLAYER, TABLE
from .language.reading import Fault
from .language.rules import RULES, rules_of
from .language.schema import schema
from .settling import settle
from .texts import learn, texts


def opening(system: System, given: Mapping[str, Any], settings: Mapping[str, Any]) -> GameState:
    """The opening: every holder has its starts, but for the kinds that `given` names (Own 1)."""
    assert isinstance(system, OwnSystem)
    definition = system.definition
    least, most = definition.players
    if not least <= len(given["seats"]) <= most:
        raise ValueError(f"this game is for {least} to {most} players")
    turn = dict(given.get("turn", {}))
    number = turn.pop("round", 1)
    described = {
        **{part: value for part, value in given.items() if part != TABLE},
        "turn": {"active": (), **turn},
        "objects": {key: _typed(definition, facts) for key, facts in _objects(given).items()},
    }
    state = cards.opening(
        system,
        described,
        {**settings, DEFINITION: definition.written},
    )
    state = _started(definition, state, given)
    assert state.turn is not None
    active = [*state.turn.active]
    state = with_parts(state, **{ROUND: number, LAST: active or None})
    begun = turns.standing(Course(system, state)) if active else None
    return with_parts(state, **{SCORES: begun and [begun]})


def _objects(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = given.get("objects", {})
    return found


def _typed(definition: Definition, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a thing with its type and everything that is printed on it."""
    kind = facts.get("type", next(iter(definition.things)))
    prints = definition.things[kind].prints
    return {**facts, "type": kind, "base": {**prints, **facts.get("base", {})}}


def _started(definition: Definition, state: GameState, given: Mapping[str, Any]) -> GameState:
    """The opening with the starts of all holders, and the table's own numbers."""
    named = {
        **{key: facts.get("counters", {}) for key, facts in given["seats"].items()},
        **{key: facts.get("counters", {}) for key, facts in _objects(given).items()},
        TABLE: given.get(TABLE, {}).get("counters", {}),
    }
    for kind, amount in named[TABLE].items():
        state = state.with_count(TABLE, kind, amount)
    sorts = {
        **dict.fromkeys(state.seats, PLAYER),
        **{key: piece.type for key, piece in state.objects.items() if piece.on_field},  # type: ignore[attr-defined]
        TABLE: TABLE,
    }
    for holder, sort in sorts.items():
        for kind, start in starts(definition, sort):
            if kind not in named[holder]:
                state = state.with_count(holder, kind, start)
    return state


def late_seat(system: System, state: GameState, seat: str) -> tuple[Seat, Kinds]:
    """A seat that comes late, with its starts."""
    assert isinstance(system, OwnSystem)
    return PlayerSeat(seat), dict(starts(system.definition, PLAYER))


def late(verb: Verb) -> Verb:
    """*verb*, by which a guest sits down late: whether the result still holds is seen once all has
    settled."""

    def resolve(system: System, state: GameState, command: Any) -> Iterator[Event]:
        for event in verb.resolve(system, state, command):
            if not isinstance(event, ResultWithdrawn):
                yield event

    return Verb(verb.command, resolve)


def derived(system: System, state: GameState, shown: Any) -> dict[str, Any]:
    """The numbers that follow from others, and the round."""
    assert isinstance(system, OwnSystem)
    if isinstance(shown, Turn):
        return {"round": round_of(state)}
    if isinstance(shown, Seat | GameObject):
        return {"derived": following(system, state, shown.id)}
    return {}


def following(system: OwnSystem, state: GameState, holder: str) -> dict[str, int]:
    """The numbers of a holder that follow from others."""
    kinds = [each.kind for each in system.definition.numbers.values() if each.follows]
    if not kinds:
        return {}
    course = Course(system, state)
    return {kind: course.count(holder, kind) for kind in kinds if course.may_have(holder, kind)}


def table_part(system: System, state: GameState) -> dict[str, Any]:
    """The table's own numbers."""
    assert isinstance(system, OwnSystem)
    return {TABLE: {"counters": dict(state.on(TABLE)), "derived": following(system, state, TABLE)}}


VERBS = {
    **verbs.VERBS,
    **turns.VERBS,
    **change_rules.VERBS,
    **{verb: late(seating.VERBS[verb]) for verb in ("add-seat", "sit-down")},
    **dice.VERBS,
    **notes.VERBS,
    **attribution.VERBS,
    **batch.VERBS,
}

WITHOUT_THINGS = {verb: each for verb, each in VERBS.items() if verb != "create"}


class OwnComponents(Components, frozen=True, kw_only=True):
    """Players and things; the table holds numbers, too."""

    reserved = RESERVED | {TABLE}


class Settling(Automatic, frozen=True):
    """The rules of a definition, in their order."""

    settle = staticmethod(settle)


class Numbers(Counters, frozen=True):
    """Numbers, some of which go below 0."""

    below_zero = True


class OwnSeating(Seating, frozen=True, kw_only=True):
    """Players as the definition wants them."""

    late_seat = staticmethod(late_seat)
    rematch = staticmethod(change_rules.rematch)


class OwnDefined(Defined, frozen=True):
    """The language of own games."""

    adopted = staticmethod(adopted)
    learn = staticmethod(learn)
    schema = staticmethod(schema)

    def advice(self, written: Any) -> Words:
        """What to do about the first fault in a definition; "" if its place says enough."""
        try:
            compiled(written)
        except Fault as found:
            return advised(written, found.place, found.stray)
        return ""


def compiled(written: Any) -> OwnSystem:
    """The system that a definition makes. Raises Fault."""
    return made_of(definitions.understood(written))


@lru_cache(definitions.KEPT)
def made_of(definition: Definition) -> OwnSystem:
    """The system of a definition that has been read."""
    return OwnSystem(
        name="own-game",
        title=definition.title,
        sentence=definition.about or "A game with its own rules.",
        edition="1",
        definition=definition,
        rulebook=Rulebook(
            document="The table’s own rules",
            rules={**rules_of(definition), **RULES},
            translated=frozenset({"de", "es"}),
        ),
        components=OwnComponents(seat=PlayerSeat, object=piece_in(definition.zones[0])),
        zones=definition.zones,
        phases=definition.phases,
        opening=opening,
        verbs=VERBS if definition.things else WITHOUT_THINGS,
        automatic=Settling(),
        counters=Numbers(),
        seating=OwnSeating(most_seats=definition.players[1]),
        defined=OwnDefined(system_of, fault, given, texts),
        derived=derived,
        further=table_part,
    )


def given(system: System, state: GameState, parts: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a scenario's `given` that name every number with a start, even at 0."""
    assert isinstance(system, OwnSystem)
    definition = system.definition

    def whole(holder: str, sort: str) -> dict[str, int]:
        return {**{kind: 0 for kind, _start in starts(definition, sort)}, **state.on(holder)}

    seats = {
        key: {**facts, "counters": whole(key, PLAYER)} for key, facts in parts["seats"].items()
    }
    objects = {
        key: {**facts, "counters": whole(key, facts["type"])}
        if facts["zone"] == definition.zones[0]
        else facts
        for key, facts in parts["objects"].items()
    }
    turn = {**parts["turn"], "round": round_of(state)}
    return {
        "seats": seats,
        "objects": objects,
        "turn": turn,
        TABLE: {"counters": whole(TABLE, TABLE)},
    }


def fault(written: Any) -> str | None:
    """The place of the first fault in a definition; None if it can be played."""
    try:
        compiled(written)
    except Fault as found:
        return found.place
    return None


def system_of(settings: Mapping[str, Any]) -> System:
    """The system of a table whose settings hold a definition; without one, that of none."""
    global _latest
    if DEFINITION not in settings:
        return CURRENT
    written = settings[DEFINITION]
    latest = _latest
    if latest is None or latest[0] is not written:
        _latest = latest = written, compiled(written)
    return latest[1]


_latest: tuple[Any, OwnSystem] | None = None
"""Cache of the last call: every line of a log makes the same one."""

CURRENT = compiled({"title": "Your own game", "things": [{"type": "thing"}]})

EDITIONS = (CURRENT,)
