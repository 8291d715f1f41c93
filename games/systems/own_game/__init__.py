"""Own games: the system that a table's own definition makes.

Every definition is compiled to a system of its own, which says what a game counts and what happens
by itself. The table keeps the definition among its settings, so that the state, its exports and its
backups carry it. Source: docs/OWN-GAMES.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from games.rules import attribution, batch, dice, notes, seating
from games.rules.events import Event, ResultWithdrawn
from games.rules.state import (
    RESERVED,
    Components,
    GameState,
    PlayerSeat,
    Words,
)
from games.rules.system import Automatic, Counters, Defined, Rulebook, Seating, System, Verb, cites

from . import change_rules, led, library, plain, roles, turns, verbs
from .derived import derived, table_part
from .events import SCORES, held, written_on
from .holders import OwnSystem, piece_in, roles_in, round_of, sorts_of, team_of
from .language import definition as definitions
from .language.advice import advice as advised
from .language.definition import DEFINITION, Definition
from .language.meaning import TABLE
from .language.reading import Fault
from .language.rules import RULES, rules_of
from .language.schema import schema
from .led import from_set
from .opening import late_seat, opening
from .plain import from_any_game
from .plain.first_rules import begun
from .settling import settle
from .texts import learn, texts
from .tracks import starts


def late(verb: Verb) -> Verb:
    """*verb*, by which a guest sits down late: whether the result still holds is seen once all has
    settled."""

    def resolve(system: System, state: GameState, command: Any) -> Iterator[Event]:
        for event in verb.resolve(system, state, command):
            if not isinstance(event, ResultWithdrawn):
                yield event

    return Verb(verb.command, resolve)


VERBS = {
    **verbs.VERBS,
    **turns.VERBS,
    **change_rules.VERBS,
    **roles.VERBS,
    **{verb: late(seating.VERBS[verb]) for verb in ("add-seat", "sit-down")},
    **dice.VERBS,
    **notes.VERBS,
    **attribution.VERBS,
    **batch.VERBS,
}


def _verbs(definition: Definition) -> dict[str, Verb]:
    """The verbs that make sense in a definition's game."""
    without = {
        "create": not definition.things,
        "team-up": not definition.teams,
        "take-role": not definition.roles,
    }
    return {verb: each for verb, each in VERBS.items() if not without.get(verb)}


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

    def side(self, state: GameState, seat: str, /) -> str:
        return team_of(state, seat)[0]

    late_seat = staticmethod(late_seat)
    rematch = staticmethod(change_rules.rematch)


def compiled(written: Any) -> OwnSystem:
    """The system that a definition makes. Raises Fault."""
    return made_of(definitions.understood(written))


@lru_cache(definitions.KEPT)
def made_of(definition: Definition) -> OwnSystem:
    """The system of a definition that has been read."""
    made = OwnSystem(
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
        verbs=_verbs(definition),
        automatic=Settling(),
        counters=Numbers(),
        seating=OwnSeating(most_seats=definition.players[1]),
        defined=OwnDefined(asks=not (definition.led or definition.plain)),
        derived=derived,
        further=table_part,
    )
    if definition.plain:
        return plain.system(made)
    return led.system(made) if definition.led else made


@cites("GM 6")
def readable(system: OwnSystem) -> OwnSystem:
    """The system without the rules that only GMs read."""
    definition = system.definition
    if not definition.unread:
        return system
    left_out = definition.unread
    kept = [each for each in definition.written["rules"] if each["rule"] not in left_out]
    rules = {name: rule for name, rule in system.rulebook.rules.items() if name not in left_out}
    return replace(
        system,
        definition=replace(
            definition,
            digest=f"{definition.digest} as players read it",
            written={**definition.written, "rules": kept},
        ),
        rulebook=replace(system.rulebook, rules=rules),
    )


def given(system: OwnSystem, state: GameState, parts: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a scenario's `given` that name every number with a start, every blank one that
    is written, even at 0, and the role of who has one."""
    definition = system.definition
    if definition.plain:
        return {}

    def whole(holder: str, sort: str) -> dict[str, int]:
        named = [*(kind for kind, _start in starts(definition, sort)), *written_on(state, holder)]
        return {**dict.fromkeys(named, 0), **state.on(holder)}

    sorts, roles = sorts_of(definition, state), roles_in(state)
    seats = {
        key: {
            **facts,
            **({"counters": whole(key, sorts[key])} if key in sorts else {}),
            **({"role": roles[key]} if key in roles else {}),
        }
        for key, facts in parts["seats"].items()
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


class OwnDefined(Defined, frozen=True):
    """The language of own games. asks: answers may be held back, and numbers revised."""

    asks: bool = True

    system_of = staticmethod(system_of)
    fault = staticmethod(fault)
    given = staticmethod(given)
    texts = staticmethod(texts)
    begun = staticmethod(begun)
    learn = staticmethod(learn)
    in_a_line = staticmethod(library.in_a_line)
    shown = staticmethod(library.shown)
    schema = staticmethod(schema)

    @property
    def held(self) -> Callable[[GameState], Mapping[str, tuple[str, int]]] | None:
        return held if self.asks else None

    def round(self, state: GameState) -> int | None:
        return round_of(state) if SCORES in state.parts else None

    def current(self, written: Any) -> Any:
        """A set of Any RPG is the definition of a game with a GM."""
        return from_set.definition(written) if from_set.is_set(written) else written

    def read_by(self, system: OwnSystem, *, knows: bool) -> System:
        """Players read the rules that tell them of nothing hidden (GM 6)."""
        return system if knows else readable(system)

    def advice(self, written: Any) -> Words:
        """What to do about the first fault in a definition; "" if its place says enough."""
        try:
            compiled(written)
        except Fault as found:
            return advised(written, found.place, found.stray)
        return ""


_latest: tuple[Any, OwnSystem] | None = None
"""Cache of the last call: every line of a log makes the same one."""

CURRENT = compiled({"title": "Your own game", "things": [{"type": "thing"}]})

EDITIONS = (CURRENT,)

FORMERLY = {
    from_set.SYSTEM: from_set.scenario,
    from_any_game.SYSTEM: from_any_game.scenario,
}
"""By the name that some of these games had: how to read a scenario of an older version."""
READY_FORMERLY = from_set.READY
"""By the name that a ready game had: its name."""
