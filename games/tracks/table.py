"""The table as a whole: how it begins, and who gives and undoes commands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from ..rules.commands import ID
from ..rules.events import Event
from ..rules.notes import MOST_NOTES, TEXT
from ..rules.state import GameState, Note, from_facts
from ..rules.system import System, cites
from .counter import (
    GM,
    LONGEST_NAME,
    SCENE_STATES,
    TYPES,
    VISIBILITIES,
    Counter,
    Player,
    counter_in,
    game_master,
)
from .facts import Retracted
from .notes import TITLE

# The opening


def opening(
    system: System,
    given: Mapping[str, Any],
    settings: Mapping[str, Any],
    types: Collection[str] = TYPES,
) -> GameState:
    """The state that the `given` of a scenario describes. types: those that its counters can have.

    Raises TypeError, KeyError or ValueError if it does not describe one.
    """
    seats = {i: from_facts(Player, {"id": i, **facts}) for i, facts in given["seats"].items()}
    counters = {
        i: _counter(system, types, {"id": i, "name": i, **facts})
        for i, facts in given.get("slot_counters", {}).items()
    }
    for counter in counters.values():
        named = {*counter.seats, *([counter.owner] if counter.owner else [])}
        if not named <= set(seats) or not {link.to for link in counter.links} <= set(counters):
            raise ValueError(f"{counter.id} names a seat or counter that does not exist")
    scenes = dict(given.get("scenes", {}))
    for scene, how in scenes.items():
        if how not in SCENE_STATES or not 1 <= len(scene) <= LONGEST_NAME:
            raise ValueError(f"the scene {scene!r} must have a name and be one of {SCENE_STATES}")
    if len(given.get("notes", {})) > MOST_NOTES:
        raise ValueError(f"there are more than {MOST_NOTES} notes")
    return GameState(
        seats=dict(seats),
        slot_counters=dict(counters),
        settings=dict(settings),
        scenes=scenes,
        notes={i: _note(system, i, facts, seats) for i, facts in given.get("notes", {}).items()},
    )


def _note(system: System, note_id: str, facts: Mapping[str, Any], seats: Mapping[str, Any]) -> Note:
    note = from_facts(Note, {"id": ID.read(note_id, system), **facts})
    if note.text or not (note.title or note.picture):
        TEXT.read(note.text, system)
    if note.title is not None:
        TITLE.read(note.title, system)
    if note.picture is not None:
        ID.read(note.picture, system)
    if not {note.by, *note.to} <= set(seats):
        raise ValueError(f"the note {note_id} names a seat that does not exist")
    kinds = type(note.secret), type(note.own)
    if kinds != (bool, bool) or type(note.answers) not in (str, type(None)):
        raise ValueError(f"the note {note_id} is no note")
    return note


def _counter(system: System, types: Collection[str], facts: Mapping[str, Any]) -> Counter:
    counter = from_facts(system.components.slot_counter, facts)
    assert isinstance(counter, Counter), counter
    if counter.type not in types or counter.visibility not in VISIBILITIES:
        raise ValueError(f"{counter.id}: no such type or visibility")
    if counter.inventory:
        places = sum(item.size for item in counter.items)
        counter = replace(counter, worth=1, filled=places, temporary=0)
    fits = 0 <= counter.filled <= counter.slots and counter.temporary >= 0
    if counter.slots < 1 or not fits or counter.slots + counter.temporary > counter.most:
        raise ValueError(f"{counter.id} has at most {counter.most} slots")
    return counter


@cites("R21")
def rematch(first: GameState, last: GameState) -> GameState:
    """Co-GMs stay what they are in a rematch, and keep a seat of their own."""
    return replace(first, seats=dict(last.seats))


# Who acts


def default_by(state: GameState) -> str:
    return GM


@cites("R12")
def may_undo(state: GameState, by: str, given_by: str) -> bool:
    """Players may undo only their own entries, the GM any entry."""
    return by == given_by or game_master(state, by)


@cites("R12")
def retracted(before: GameState, after: GameState) -> Iterator[Event]:
    """The completions that an undo or redo reverses."""
    for counter_id in sorted(before.slot_counters):
        if counter_in(before, counter_id).complete:
            if counter_id not in after.slot_counters or not counter_in(after, counter_id).complete:
                yield Retracted(counter_id, rule="R12")
