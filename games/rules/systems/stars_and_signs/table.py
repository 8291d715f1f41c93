"""The table as a whole: how it begins, what a seat sees of it, and what an undo retracts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.rules.engine import Entry, System, cites
from games.rules.events import Event
from games.rules.state import GameState, Prompt, from_facts, to_facts

from .counter import (
    GM,
    MOST_SLOTS,
    TYPES,
    VISIBILITIES,
    Counter,
    Player,
    Sight,
    counter_in,
    derived,
    game_master,
    sight,
)
from .facts import Retracted

# The opening


def opening(system: System, given: Mapping[str, Any], settings: Mapping[str, Any]) -> GameState:
    """The state that `given` of a scenario describes, as it stands.

    Raises TypeError, KeyError or ValueError if it describes none.
    """
    seats = {i: from_facts(Player, {"id": i, **facts}) for i, facts in given["seats"].items()}
    counters = {
        i: _counter({"id": i, "name": i, **facts})
        for i, facts in given.get("slot_counters", {}).items()
    }
    for counter in counters.values():
        named = {*counter.seats, *([counter.owner] if counter.owner else [])}
        if not named <= set(seats) or not {link.to for link in counter.links} <= set(counters):
            raise ValueError(f"{counter.id} names what is not there")
    return GameState(seats=dict(seats), slot_counters=dict(counters), settings=dict(settings))


def _counter(facts: Mapping[str, Any]) -> Counter:
    counter = from_facts(Counter, facts)
    if counter.type not in TYPES or counter.visibility not in VISIBILITIES:
        raise ValueError(f"{counter.id}: no such type or visibility")
    if counter.inventory:
        places = sum(item.size for item in counter.items)
        counter = replace(counter, worth=1, filled=places, temporary=0)
    fits = 0 <= counter.filled <= counter.slots and counter.temporary >= 0
    if counter.slots < 1 or not fits or counter.slots + counter.temporary > MOST_SLOTS:
        raise ValueError(f"{counter.id} has at most {MOST_SLOTS} slots")
    return counter


# Who acts


def default_by(state: GameState) -> str:
    return GM


@cites("R12")
def may_undo(state: GameState, by: str, given_by: str) -> bool:
    """A player takes back own entries only, the GM any."""
    return by == given_by or game_master(state, by)


@cites("R12")
def retracted(before: GameState, after: GameState) -> Iterator[Event]:
    """The completions that an undo or redo takes back."""
    for each in sorted(before.slot_counters):
        if counter_in(before, each).complete:
            if each not in after.slot_counters or not counter_in(after, each).complete:
                yield Retracted(each, rule="R12")


# What a seat sees


@cites("R14")
def view(
    system: System, state: GameState, seat: str | None, entries: Sequence[Entry]
) -> dict[str, Any]:
    """Everything that *seat* may see, as JSON values; None is somebody without a seat."""
    return {
        "seat": seat,
        "seats": {i: to_facts(player) for i, player in state.seats.items()},
        "slot_counters": seen_counters(system, state, seat),
        "prompts": [shown_prompt(prompt) for prompt in seen_prompts(state, seat)],
        "log": seen_log(state, seat, entries),
    }


@cites("R14")
def seen_counters(system: System, state: GameState, seat: str | None) -> dict[str, dict[str, Any]]:
    """The counters that *seat* sees, each as far as it does."""
    seen = {}
    for each in state.slot_counters:
        counter = counter_in(state, each)
        how = sight(state, seat, counter)
        if how is Sight.EVERYTHING:
            shown = replace(counter, links=seen_links(state, seat, counter))
            seen[each] = to_facts(shown) | derived(system, state, shown)
        elif how is Sight.NAME:
            seen[each] = {"name": counter.name, "visibility": counter.visibility}
    return seen


def seen_links(state: GameState, seat: str | None, counter: Counter) -> tuple[Any, ...]:
    """The links of *counter* to counters that *seat* knows of."""
    return tuple(link for link in counter.links if knows(state, seat, link.to))


def knows(state: GameState, seat: str | None, counter_id: str) -> bool:
    """Whether *seat* knows that there is such a counter."""
    if counter_id not in state.slot_counters:
        return False
    return sight(state, seat, counter_in(state, counter_id)) is not Sight.NOTHING


def sees(state: GameState, seat: str | None, counter_id: str) -> bool:
    """Whether *seat* sees everything of a counter that is there."""
    if counter_id not in state.slot_counters:
        return False
    return sight(state, seat, counter_in(state, counter_id)) is Sight.EVERYTHING


@cites("R20", "R14")
def seen_prompts(state: GameState, seat: str | None) -> list[Prompt]:
    """The proposals that *seat* sees: the GM all, others those about counters they see or asked."""

    def shown(prompt: Prompt) -> bool:
        if game_master(state, seat):
            return True
        look = knows if prompt.facts["by"] == seat else sees
        return all(look(state, seat, each) for each in prompt.facts["about"])

    return [prompt for prompt in state.prompts if shown(prompt)]


def shown_prompt(prompt: Prompt) -> dict[str, Any]:
    return {**to_facts(prompt, {"facts"}), **prompt.facts}


@cites("R14")
def shows(state: GameState, seat: str | None, event: Mapping[str, Any]) -> bool:
    """Whether *seat* may be told of *event*, which has just happened and led to *state*.

    For events of the past ask `seen_log`: their counter may have been another under the same id.
    """
    return "on" not in event or game_master(state, seat) or sees(state, seat, event["on"])


@cites("R14")
def seen_log(state: GameState, seat: str | None, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """The events that *seat* may be told of now, in order.

    Of a counter only those since it was made: one that was discarded, or whose creation was
    undone, left its id to another.
    """
    if game_master(state, seat):
        return [event for entry in entries for event in entry.events]
    lives = _Lives()
    told = [(event, life) for entry in entries for event, life in lives.tell(entry)]
    return [
        event
        for event, life in told
        if "on" not in event
        or (life is not None and life == lives.now(event["on"]) and sees(state, seat, event["on"]))
    ]


Life = tuple[int, int]
"""Which of the counters that had an id: the place in the log where it was made."""
FROM_THE_OPENING: Life = (0, 0)


class _Lives:
    """Which counter bears which id, while the log is read from its beginning.

    Entries that are undone do not count; redone, they count again at their old place.
    """

    def __init__(self) -> None:
        self._ends: dict[str, list[tuple[int, Life | None]]] = {}
        self._undone: set[int] = set()

    def now(self, counter_id: str) -> Life | None:
        """The counter that bears the id now, as far as the log was read; None if none does."""
        for entry, life in reversed(self._ends.get(counter_id, [])):
            if entry not in self._undone:
                return life
        return FROM_THE_OPENING

    def tell(self, entry: Entry) -> list[tuple[dict[str, Any], Life | None]]:
        """The events of the next *entry*, each with the counter that it is about."""
        told = []
        for place, event in enumerate(entry.events):
            if event["kind"] == "created":
                self._ends.setdefault(event["on"], []).append((entry.number, (entry.number, place)))
            told.append((event, self.now(event["on"]) if "on" in event else None))
            if event["kind"] == "discarded":
                self._ends.setdefault(event["on"], []).append((entry.number, None))
        for event in entry.events:
            if event["kind"] == "undone":
                self._undone.add(event["of"])
            elif event["kind"] == "redone":
                self._undone.discard(event["of"])
        return told
