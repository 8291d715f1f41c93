"""A played game as a scenario and back; `rulecheck` replays an exported table to the same state.

`written` needs only the opening and the log. `read` takes a scenario from anywhere and checks all
of it before a game is made of it.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from .commands import ID, KIND, NAME
from .entry import Entry
from .history import MOST_ITEMS, MOST_KINDS, MOST_STANDINGS, History
from .revising import without_number
from .scenario import SpecificationError, opening, whole
from .secrecy import private_log
from .state import CEASED, MOST, MOST_SEATS, GameState, Refused, plain, to_facts
from .system import System

MOST_COMMANDS = 20_000

Scenario = dict[str, Any]


def given(system: System, state: GameState) -> dict[str, Any]:
    """The `given` of a scenario that begins with *state*, without its prompts and result."""

    def held(things: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
        return {
            key: {**to_facts(obj, {"id"}), "counters": dict(state.on(prefix + key))}
            for key, obj in things.items()
        }

    parts: dict[str, Any] = {
        "seats": held(state.seats),
        "objects": held(state.objects),
        "teams": held(state.teams, "team:"),
        "slot_counters": {k: to_facts(v, {"id"}) for k, v in state.slot_counters.items()},
        "scenes": dict(state.scenes),
        "standing": {k: to_facts(v, {"id"}) for k, v in state.standings.items()},
        "ticks": plain(state.ticks),
        "turn": to_facts(state.turn) if state.turn else None,
    }
    if private_log(system):  # of which a GM prepares some for another evening
        parts["notes"] = {k: to_facts(v, {"id"}) for k, v in state.notes.items()}
    if not state.objects and not state.turn:  # slot counters hold no other counters
        for facts in parts["seats"].values():
            del facts["counters"]
    if system.defined:
        parts |= system.defined.given(system, state, parts)
    return {part: facts for part, facts in parts.items() if facts}


def written(history: History, name: str, title: str) -> Scenario:
    """The game so far as a scenario: its opening, all its commands, and the state they lead to.

    Undone commands are included, and so are the undos, so that every entry keeps its number; an
    answer that is not revealed yet has none. The
    commands are an iterator, because a long game has more than should be in memory at once.
    """
    system = history.system
    then = {part: value for part, value in whole(history).items() if value not in ({}, [])}
    concealed = history.concealed()
    return {
        "id": name,
        "title": title,
        "cites": [],
        "source": "A game as it was played",
        "system": system.name,
        "edition": system.edition,
        **_settings(history),
        "given": given(system, history.opening),
        "when": (_given(entry, concealed) for entry in history.forwards()),
        "then": then,
    }


def _given(entry: Entry, concealed: Collection[int]) -> Mapping[str, Any]:
    """The command of an entry, without its id."""
    raw = {key: value for key, value in entry.command.items() if key != "id"}
    return without_number(raw) if entry.number in concealed else raw


def _settings(history: History) -> dict[str, Any]:
    """The house rules of a game, and the definition of its rules if its table wrote one."""
    settings = dict(history.opening.settings)
    if history.system.defined is None:
        return {"settings": settings}
    return {"settings": {}, **settings}


def read(system: System, scenario: Any) -> tuple[GameState, Sequence[Mapping[str, Any]]]:
    """The opening and the commands of a scenario of *system* from any source, once checked.

    Raises SpecificationError.
    """
    if len(scenario["when"]) > MOST_COMMANDS:
        raise SpecificationError(f"“when” has more than {MOST_COMMANDS} commands")
    if not all(isinstance(command, Mapping) for command in scenario["when"]):
        raise SpecificationError("“when” has something that is no command")
    first = opening(system, scenario)
    refuse_malformed(system, first)
    return first, scenario["when"]


def refuse_malformed(system: System, state: GameState) -> None:
    """Refuse an opening that no game of *system* could have; the engine takes it as it is.

    Raises SpecificationError.
    """
    if len(state.seats) > MOST_SEATS:
        raise SpecificationError(f"there are more than {MOST_SEATS} seats")
    if len(state.teams) > MOST_SEATS:
        raise SpecificationError(f"there are more than {MOST_SEATS} teams")
    items = {**state.objects, **state.slot_counters}
    if len(items) > MOST_ITEMS:
        raise SpecificationError(f"there are more than {MOST_ITEMS} objects on the table")
    if len(state.standings) > MOST_STANDINGS:
        raise SpecificationError(f"more than {MOST_STANDINGS} abilities stand on the table")
    sorts = [len(held) for held in state.counters.values()]
    if sum(sorts) > MOST_ITEMS:
        raise SpecificationError(f"there are more than {MOST_ITEMS} counters of different kinds")
    if max(sorts, default=0) > MOST_KINDS:
        raise SpecificationError(f"there are more than {MOST_KINDS} kinds of counters in one place")
    for item_id in (*state.seats, *state.teams, *items):
        _read(system, ID, item_id, f"the id “{item_id}”")
    for item_id, item in items.items():
        _read(system, NAME, getattr(item, "name", ""), f"the name of “{item_id}”")
    holders: dict[str, Any] = {**state.seats, **state.teams, **items}
    for holder_id, holder in {**holders, "the turn": state.turn}.items():
        if holder is None:
            continue
        hints = get_type_hints(type(holder))
        for name in holder.__struct_fields__:
            if not fits(getattr(holder, name), hints[name]):
                raise SpecificationError(f"“{name}” of “{holder_id}” has the wrong type")
    _refuse_unknown_places(system, state)
    least = -MOST if system.counters.below_zero else 1
    for holder, kinds in state.counters.items():
        for kind, amount in kinds.items():
            _read(system, KIND, kind, f"the kind “{kind}” on “{holder}”")
            if type(amount) is not int or not least <= amount <= MOST or not amount:
                raise SpecificationError(f"{amount!r} {kind} on “{holder}” is not a valid amount")


def _refuse_unknown_places(system: System, state: GameState) -> None:
    for obj in state.objects.values():
        if obj.zone not in (*system.zones, CEASED):
            raise SpecificationError(f"{system.title} has no zone “{obj.zone}”")
        if not {obj.owner, obj.controller} <= set(state.seats):
            raise SpecificationError(
                f"“{obj.id}” has an owner or controller who is not at this table"
            )
    if state.turn:
        if state.turn.phase not in system.phases:
            raise SpecificationError(f"{system.title} has no phase “{state.turn.phase}”")
        if not set(state.turn.active) <= set(state.seats):
            raise SpecificationError("the turn belongs to a seat that is not at this table")
        if len(set(state.turn.active)) < len(state.turn.active):
            raise SpecificationError("the turn belongs to a seat twice")


def _read(system: System, reader: Any, value: Any, what: str) -> None:
    try:
        reader.read(value, system)
    except (ValueError, Refused):
        raise SpecificationError(f"{what} is not {reader.text}") from None


def fits(value: Any, annotation: Any) -> bool:
    """True if *value* has the type *annotation*, all the way down."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation is Any:
        return True
    if origin in (Union, types.UnionType):
        return any(fits(value, kind) for kind in inner)
    if origin is tuple:
        if type(value) is not tuple:
            return False
        if len(inner) == 2 and inner[1] is Ellipsis:
            return all(fits(item, inner[0]) for item in value)
        return len(value) == len(inner) and all(map(fits, value, inner))
    if origin is frozenset:
        return isinstance(value, frozenset) and all(fits(item, inner[0]) for item in value)
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(
            fits(key, inner[0]) and fits(each, inner[1]) for key, each in value.items()
        )
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        hints = get_type_hints(annotation)
        return isinstance(value, annotation) and all(
            fits(getattr(value, name), hints[name]) for name in annotation.__struct_fields__
        )
    if annotation in (int, bool, str):
        return type(value) is annotation
    return annotation is type(None) and value is None
