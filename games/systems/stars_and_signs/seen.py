"""What a seat can see of the table and its log. Everything shown on a screen passes through here.

A seat learns only what it can see of a counter now (R14): hiding a counter removes its history from
every player's log, and revealing it brings the history back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.rules.state import GameState, Prompt, to_facts
from games.rules.system import Entry, System, cites

from . import notes
from .counter import Counter, Link, Sight, counter_in, derived, game_master, sight


@cites("R14")
def view(
    system: System, state: GameState, seat: str | None, entries: Sequence[Entry]
) -> dict[str, Any]:
    """Everything that *seat* may see, as JSON values; None is someone without a seat."""
    return {
        "seat": seat,
        "seats": {i: to_facts(player) for i, player in state.seats.items()},
        "slot_counters": seen_counters(system, state, seat),
        "notes": seen_notes(state, seat),
        "prompts": [shown_prompt(prompt) for prompt in seen_prompts(state, seat)],
        "log": seen_log(state, seat, entries),
    }


@cites("R14")
def seen_counters(system: System, state: GameState, seat: str | None) -> dict[str, dict[str, Any]]:
    """By id: what *seat* can see of each counter that it may know of."""
    seen = {}
    for counter_id in state.slot_counters:
        counter = counter_in(state, counter_id)
        how = sight(state, seat, counter)
        if how is Sight.EVERYTHING:
            shown = replace(counter, links=seen_links(state, seat, counter))
            seen[counter_id] = to_facts(shown) | derived(system, state, shown)
        elif how is Sight.NAME:
            seen[counter_id] = {"name": counter.name, "visibility": counter.visibility}
    return seen


def seen_notes(state: GameState, seat: str | None) -> dict[str, dict[str, Any]]:
    """The notes on the table's list that *seat* may read."""
    return {
        note_id: to_facts(note)
        for note_id, note in state.notes.items()
        if notes.reads(state, seat, note)
    }


def seen_links(state: GameState, seat: str | None, counter: Counter) -> tuple[Link, ...]:
    """The links of *counter* to counters that *seat* may know of."""
    return tuple(link for link in counter.links if knows(state, seat, link.to))


def knows(state: GameState, seat: str | None, counter_id: str) -> bool:
    """Whether *seat* may know that the counter exists."""
    if counter_id not in state.slot_counters:
        return False
    return sight(state, seat, counter_in(state, counter_id)) is not Sight.NOTHING


def sees(state: GameState, seat: str | None, counter_id: str) -> bool:
    """Whether the counter exists and *seat* can see all of it."""
    if counter_id not in state.slot_counters:
        return False
    return sight(state, seat, counter_in(state, counter_id)) is Sight.EVERYTHING


@cites("R20", "R14")
def seen_prompts(state: GameState, seat: str | None) -> list[Prompt]:
    """The proposals that *seat* can see: its own, those about counters it can see; the GM all."""

    def shown(prompt: Prompt) -> bool:
        if game_master(state, seat):
            return True
        look = knows if prompt.facts["by"] == seat else sees
        return all(look(state, seat, counter_id) for counter_id in prompt.facts["about"])

    return [prompt for prompt in state.prompts if shown(prompt)]


def shown_prompt(prompt: Prompt) -> dict[str, Any]:
    return {**to_facts(prompt, {"facts"}), **prompt.facts}


@cites("R14")
def shows(state: GameState, seat: str | None, event: Mapping[str, Any]) -> bool:
    """Whether *seat* may learn of *event*, which has just happened and led to *state*.

    For past events use `seen_log`: another counter may have had the same id then.
    """
    if game_master(state, seat):
        return True
    return not event.get("secret") and ("on" not in event or sees(state, seat, event["on"]))


@cites("R14")
def seen_log(state: GameState, seat: str | None, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """The events that *seat* may learn of now, in order."""
    return [event for seen in seen_entries(state, seat, entries) for event in seen.events]


@dataclass(frozen=True, slots=True)
class SeenEntry:
    """As much of an entry as a seat may read.

    events: those about counters that it can see.
    command: as given, with dice and note; None unless the seat can see every counter that the
    command names or changed.
    """

    number: int
    by: str
    events: tuple[dict[str, Any], ...]
    command: Mapping[str, Any] | None
    undone_by: int | None


@cites("R14")
def seen_entries(state: GameState, seat: str | None, entries: Sequence[Entry]) -> list[SeenEntry]:
    """The log as far as *seat* may read it now, without entries of which it may read nothing.

    It has the history of a counter only since that counter was made: an earlier one, discarded or
    undone, may have had the same id.
    """
    everything = game_master(state, seat)
    lives = _Lives()
    traced = [(entry, lives.trace(entry)) for entry in entries]

    def shown(counter_id: str, life: Life | None) -> bool:
        same = life is not None and life == lives.now(counter_id)
        return everything or (same and sees(state, seat, counter_id))

    def hidden(event: Mapping[str, Any]) -> bool:
        return bool(event.get("secret")) and not everything

    out = []
    readable: dict[int, bool] = {}
    for entry, facts in traced:
        events = tuple(
            event
            for event, life in facts
            if ("on" not in event or shown(event["on"], life)) and not hidden(event)
        )
        about = {(event["on"], life) for event, life in facts if "on" in event}
        about |= {
            (named, lives.now(named))
            for named in named_counters(entry.command)
            if named not in {counter_id for counter_id, _ in about}
        }
        reversed_entries = [event["of"] for event, _ in facts if "of" in event]
        readable[entry.number] = (
            all(shown(counter_id, life) for counter_id, life in about)
            and all(readable[of] for of in reversed_entries)
            and not any(hidden(event) for event, _life in facts)
        )
        if events or readable[entry.number]:
            command = entry.command if readable[entry.number] else None
            out.append(SeenEntry(entry.number, entry.by, events, command, entry.undone_by))
    return out


def named_counters(command: Mapping[str, Any]) -> Iterator[str]:
    """The ids of all counters that a command names."""
    for key in ("as", "on", "shield", "overflow"):
        named = command.get(key)
        yield from named if isinstance(named, list) else [named] if named else []
    yield from (link["to"] for link in command.get("links", ()))
    for step in (*(command.get("steps") or ()), command.get("command")):
        if step is not None:
            yield from named_counters(step)


Life = tuple[int, int]
"""Which counter had an id: (entry, event), the place in the log where it was made."""
FROM_THE_OPENING: Life = (0, 0)


class _Lives:
    """Which counter has which id, as the log is read from its beginning.

    Undone entries do not count; redone entries count again at their old place.
    """

    def __init__(self) -> None:
        self._ends: dict[str, list[tuple[int, Life | None]]] = {}
        self._undone: set[int] = set()

    def now(self, counter_id: str) -> Life | None:
        """The counter that has the id at this point of the log; None if none has."""
        for entry, life in reversed(self._ends.get(counter_id, [])):
            if entry not in self._undone:
                return life
        return FROM_THE_OPENING

    def trace(self, entry: Entry) -> list[tuple[dict[str, Any], Life | None]]:
        """The events of the next *entry*, each with the counter that it is about."""
        traced = []
        for place, event in enumerate(entry.events):
            if event["kind"] == "created":
                self._ends.setdefault(event["on"], []).append((entry.number, (entry.number, place)))
            traced.append((event, self.now(event["on"]) if "on" in event else None))
            if event["kind"] == "discarded":
                self._ends.setdefault(event["on"], []).append((entry.number, None))
        for event in entry.events:
            if event["kind"] == "undone":
                self._undone.add(event["of"])
            elif event["kind"] == "redone":
                self._undone.discard(event["of"])
        return traced
