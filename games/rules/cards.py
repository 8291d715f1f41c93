"""The core of all card games: counters on objects in zones, control, marks, turns and phases.

A system takes `VERBS`, replaces those that differ and adds its own.
Source: docs/COMMANDS.md, Verbs 1, Turn 1, Prompts 1 to 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from . import attribution, batch, counting, dice, marks, notes, seating, ticks
from .commands import (
    FLAG,
    ID,
    KINDS,
    NAME,
    OBJECT,
    PHASE,
    PROMPT,
    SEAT,
    WAITING,
    ZONE,
    Command,
    Parameter,
    Terms,
    each,
    invalid,
    parameters,
)
from .events import (
    Controlled,
    Created,
    Described,
    Event,
    Moved,
    PhaseBegan,
    Placed,
    Shifted,
    TurnBegan,
    Voided,
)
from .marks import refuse_off_field
from .seating import refuse_taken
from .state import CEASED, MOST, GameObject, GameState, Kinds, Refused, Seat, Team, Turn, from_facts
from .system import System, Verb
from .targets import LISTED, one_after_another

# Objects


class CreateEmpty(Command, frozen=True, kw_only=True):
    """Bring a new object into the game, without counters.

    A system adds its own fields to this command. The owner is, unless given, the controller, or
    else the seat that creates it.
    """

    verb: ClassVar[str] = "create"
    as_: Annotated[str, Parameter(ID)]
    name: Annotated[str | None, Parameter(NAME)] = None
    zone: Annotated[str | None, Parameter(ZONE)] = None
    owner: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    controller: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    token: Annotated[bool, Parameter(FLAG)] = False


class Create(CreateEmpty, frozen=True, kw_only=True):
    """Bring a new object into the game. A system adds its own fields to this command.

    The owner is, unless given, the controller, or else the seat that creates it.
    """

    counters: Annotated[Kinds | None, Parameter(KINDS)] = None


def arrives(
    system: System, state: GameState, arrival: Event, obj: GameObject, extra: Kinds
) -> Iterator[Event]:
    """*arrival*, then the counters *obj* has: those printed (if on the field), and *extra*.

    state: just before it.
    """
    kinds = dict(extra)
    printed = system.counters.printed(system, obj) if obj.on_field else {}
    for kind, amount in printed.items():
        kinds[kind] = kinds.get(kind, 0) + amount
    for kind, amount in kinds.items():
        if amount > MOST:
            raise counting.too_many(kind)
    yield arrival
    if system.counters.printed_first:
        yield from _put_on(system, obj, printed, printed)
        kinds = dict(extra)
        printed = {}
    yield from _put_on(system, obj, kinds, printed)


def _put_on(system: System, obj: GameObject, kinds: Kinds, printed: Kinds) -> Iterator[Event]:
    for kind, amount in sorted(kinds.items()):
        if amount:
            rule = system.counters.printed_by[kind] if printed.get(kind) else None
            yield Placed(obj.id, kind, amount, rule=rule)


Arriving = Callable[[System, GameState, Event, GameObject, Kinds], Iterator[Event]]
"""The entry of an object with its counters: `arrives`, or a system's own."""


def create(
    system: System, state: GameState, command: CreateEmpty, arriving: Arriving = arrives
) -> Iterator[Event]:
    refuse_taken(state, command.as_)
    own = {*system.components.object.__struct_fields__} - {*GameObject.__struct_fields__}
    zone = command.zone or system.zones[0]
    owner = command.owner or command.controller or command.by
    in_play = zone in system.components.object.field_zones
    obj = system.components.object(
        id=command.as_,
        name=command.name or command.as_,
        zone=zone,
        owner=owner,
        controller=(command.controller or owner) if in_play else owner,
        token=command.token,
        **{name: value for name in own if (value := getattr(command, name, None)) is not None},
    )
    counters = (command.counters if isinstance(command, Create) else None) or {}
    if any(counters.values()):
        system.counters.can_hold(system, state, obj)
    yield from arriving(system, state, Created.of(obj), obj, counters)


class MoveEmpty(Command, frozen=True, kw_only=True):
    """Move objects to another zone, all or none; they lose their counters, and bring none."""

    verb: ClassVar[str] = "move"
    object: Annotated[tuple[str, ...], Parameter(LISTED, names=OBJECT)]
    to: Annotated[str, Parameter(ZONE)]
    controller: Annotated[str | None, Parameter(ID, names=SEAT)] = None


class Move(MoveEmpty, frozen=True, kw_only=True):
    """Move objects to another zone, all or none; they lose their counters.

    counters: those that each enters the field with.
    """

    counters: Annotated[Kinds | None, Parameter(KINDS)] = None


def move(
    system: System, state: GameState, command: MoveEmpty, arriving: Arriving = arrives
) -> Iterator[Event]:
    return one_after_another(
        state,
        command.object,
        lambda now, each: _moved(system, now, command, now.objects[each], arriving),
    )


def _moved(
    system: System, state: GameState, command: MoveEmpty, obj: GameObject, arriving: Arriving
) -> Iterator[Event]:
    enters = command.to in obj.field_zones and not obj.on_field
    counters = command.counters if isinstance(command, Move) else None
    if counters is not None and not enters:
        raise Refused("wrong-target", "Only an object that enters the field can bring counters.")
    if obj.zone in (command.to, obj.goes_to(command.to, state.on(obj.id))):
        return
    if obj.one_field and obj.on_field and command.to in obj.field_zones:
        yield Shifted(obj.id, obj.zone, command.to)
        return
    controller = (command.controller or obj.owner) if enters else None
    moved = change_zone(state, obj, command.to, controller=controller)
    if enters:
        arrived = moved.evolve(state).objects[obj.id]
        yield from arriving(system, state, moved, arrived, counters or {})
    else:
        yield moved


def change_zone(
    state: GameState,
    obj: GameObject,
    zone: str,
    how: str = "moved",
    controller: str | None = None,
    rule: str | None = None,
) -> Moved:
    """The event that *obj* moves to *zone*; a token that leaves the field ceases to exist.

    controller: who controls it from now on. By default it keeps its controller between zones of the
    field, and goes back to its owner elsewhere.
    """
    if controller is None:
        controller = obj.controller if zone in obj.field_zones else obj.owner
    had = dict(state.on(obj.id))
    to, rule = obj.goes_to(zone, had), obj.sent_by(zone, had) or rule
    left = obj.controller if obj.controller != controller else None
    own = {key: one for key, one in state.ticks.items() if one["on"] == obj.id}
    ticks = {key: one for key, one in own.items() if one.get("to") not in (None, "it")} or None
    sent = replace(obj, token=False).goes_to(zone, had) if to == CEASED else None
    return Moved(obj.id, obj.zone, to, how, had, controller, left, ticks, sent, rule=rule)


class Control(Command, frozen=True, kw_only=True):
    """Give another seat control of objects on the field, all or none; their counters stay."""

    verb: ClassVar[str] = "control"
    object: Annotated[tuple[str, ...], Parameter(LISTED, names=OBJECT)]
    to: Annotated[str, Parameter(ID, names=SEAT)]


def control(system: System, state: GameState, command: Control) -> Iterator[Event]:
    return one_after_another(
        state, command.object, lambda now, each: _controlled(now.objects[each], command)
    )


def _controlled(obj: GameObject, command: Control) -> Iterator[Event]:
    refuse_off_field(obj)
    if obj.controller != command.to:
        yield Controlled(obj.id, obj.controller, command.to)


class Describe(Command, frozen=True, kw_only=True):
    """Correct what cards say, in any zone; no counter comes or goes with it.

    A system adds the fields that its cards have besides a name.
    """

    verb: ClassVar[str] = "describe"
    object: Annotated[tuple[str, ...], Parameter(LISTED, names=OBJECT)]
    name: Annotated[str | None, Parameter(NAME)] = None

    def said(self) -> dict[str, Any]:
        """The new values of the card's text, by field; only the fields that were given."""
        given = {part.attribute: getattr(self, part.attribute) for part in parameters(type(self))}
        return {key: said for key, said in given.items() if key != "object" and said is not None}

    def check(self, system: Terms) -> None:
        if not self.said():
            parts = (part.key for part in parameters(type(self)) if part.key != "object")
            raise invalid("Say what the card says: {fields}.", fields=", ".join(parts))


def describe(system: System, state: GameState, command: Describe) -> Iterator[Event]:
    said = command.said()
    return one_after_another(
        state, command.object, lambda now, each: described(now.objects[each], said)
    )


def described(obj: GameObject, said: Mapping[str, Any]) -> Iterator[Event]:
    """The event that a card says something else."""
    yield Described(obj.id, tuple(sorted(said)), said, (obj.controller, obj.owner))


# The turn


class BeginTurn(Command, frozen=True, kw_only=True):
    """Begin the turn of a seat, or of several that share a turn, in the first phase."""

    verb: ClassVar[str] = "begin-turn"
    usual: ClassVar[Mapping[str, Any]] = {}
    """What the button of a turn says besides."""
    active: Annotated[tuple[str, ...], Parameter(each(ID, 1), names=SEAT)]


def begin_turn(system: System, state: GameState, command: BeginTurn) -> Iterator[Event]:
    refuse_while_waiting(state)
    yield from marks.go_back(system, state, command.active)
    yield TurnBegan(command.active, system.phases[0], marks.temporary(state))


def refuse_while_waiting(state: GameState) -> None:
    """Refuse a new turn or phase while a prompt waits (Prompts 3)."""
    if state.prompts:
        sentence = "A question is still waiting: “{question}” Answer it first."
        raise Refused("waiting", sentence, "Prompts 3", question=state.prompts[0].kind)


class BeginPhase(Command, frozen=True, kw_only=True):
    """Begin a later phase of this turn; phases may be skipped."""

    verb: ClassVar[str] = "begin-phase"
    phase: Annotated[str, Parameter(PHASE)]


def begin_phase(system: System, state: GameState, command: BeginPhase) -> Iterator[Event]:
    refuse_while_waiting(state)
    assert state.turn is not None
    now = state.turn.phase
    later = system.phases.index(command.phase) > system.phases.index(now)
    if not later and command.phase not in system.again.get(now, ()):
        sentence = "The {phase} phase cannot begin after {now}."
        raise Refused("wrong-phase", sentence, "Turn 1", phase=command.phase, now=now)
    yield PhaseBegan(command.phase, now)


def comes_to(
    system: System, state: GameState, phase: str, rule: str | None = None
) -> Iterator[PhaseBegan]:
    """*phase* begins, if the turn has not come to it yet."""
    if state.turn and state.turn.phase in system.phases[: system.phases.index(phase)]:
        yield PhaseBegan(phase, state.turn.phase, rule=rule)


# Prompts


class Void(Command, frozen=True, kw_only=True):
    """Dismiss a waiting trigger or ability without resolving it."""

    verb: ClassVar[str] = "void"
    prompt: Annotated[str, Parameter(PROMPT, names=WAITING)]


def void(system: System, state: GameState, command: Void) -> Iterator[Event]:
    prompt = state.prompt(command.prompt)
    assert prompt is not None
    yield Voided.of(state, prompt)


def may_answer(system: System, state: GameState, command: Any) -> None:
    """Refuse an answer from any seat but the one that is asked (Prompts 2)."""
    prompt = state.prompt(command.prompt)
    if prompt and prompt.to != command.by:
        raise Refused(
            "forbidden", "Only the player this question is for can answer it.", "Prompts 2"
        )


VERBS: Mapping[str, Verb] = {
    "place": Verb(counting.Place, counting.place),
    "spend": Verb(counting.Spend, counting.spend),
    "remove": Verb(counting.Remove, counting.remove),
    "transfer": Verb(counting.Transfer, counting.transfer),
    "correct": Verb(counting.Correct, counting.correct),
    "create": Verb(Create, create),
    "move": Verb(Move, move),
    "control": Verb(Control, control),
    "mark": Verb(marks.Mark, marks.mark),
    "describe": Verb(Describe, describe),
    "begin-turn": Verb(BeginTurn, begin_turn),
    "begin-phase": Verb(BeginPhase, begin_phase),
    "void": Verb(Void, void),
    **dice.VERBS,
    **notes.VERBS,
    **seating.VERBS,
    **attribution.VERBS,
    **batch.VERBS,
}


# The opening


def opening(system: System, given: Mapping[str, Any], settings: Mapping[str, Any]) -> GameState:
    """The state that the `given` of a scenario describes. A seat that has lost is not active.

    Raises TypeError, KeyError or ValueError if it does not describe one.
    """
    counters: dict[str, Kinds] = {}
    seats: dict[str, Seat] = {}
    for seat_id, facts in given["seats"].items():
        seats[seat_id] = from_facts(
            system.components.seat, {"id": seat_id, **_held(facts, seat_id, counters)}
        )
    first = next(iter(seats))
    objects: dict[str, GameObject] = {}
    for object_id, facts in given.get("objects", {}).items():
        own = {"id": object_id, "name": object_id, "zone": system.zones[0], "owner": first}
        own |= _held(facts, object_id, counters)
        own.setdefault("controller", own["owner"])
        if own["zone"] not in system.components.object.field_zones:
            own["controller"] = own["owner"]
        objects[object_id] = from_facts(system.components.object, own)
    teams: dict[str, Team] = {}
    for team_id, facts in given.get("teams", {}).items():
        own = {"id": team_id, **_held(facts, f"team:{team_id}", counters)}
        teams[team_id] = from_facts(system.components.team, own)
    members = [seat for team in teams.values() for seat in team.seats]
    if len(set(members)) != len(members) or not set(members) <= set(seats):
        raise ValueError("a team must name seats of this table, and no seat may be on two teams")
    turn, lost = given.get("turn", {}), {key for key, seat in seats.items() if seat.lost}
    active = (seat for seat in turn.get("active", (first,)) if seat not in lost)
    state = GameState(
        seats=seats,
        objects=objects,
        counters=counters,
        teams=teams,
        turn=Turn(tuple(active), turn.get("phase", system.phases[0])),
        settings=dict(settings),
    )
    return ticks.opening(system, state, given)


def _held(facts: Mapping[str, Any], holder: str, counters: dict[str, Kinds]) -> dict[str, Any]:
    """*facts* without its counters, which are added to *counters* under *holder*."""
    facts = dict(facts)
    kinds = {kind: amount for kind, amount in facts.pop("counters", {}).items() if amount}
    if kinds:
        counters[holder] = kinds
    return facts
