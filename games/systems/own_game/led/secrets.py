"""What each seat may know of a game with a GM: what rules do is heard as if the GM had done it.

Source: docs/OWN-GAMES.md, GM 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from games.rules.entry import Entry, EntryView, view_of
from games.rules.events import Event
from games.rules.state import GameState, to_facts
from games.rules.system import PrivateLog, cites
from games.tracks import entry_views, notes
from games.tracks import views as seen
from games.tracks.counter import game_master
from games.tracks.sets import fight

from ..derived import numbers_of
from ..holders import OwnSystem, roles_in
from ..language.meaning import TABLE


class Log(PrivateLog, frozen=True):
    """What a player never heard of gives way to their undo: a track whose rules touch only hidden
    ones changes nothing for players."""

    gives_way: ClassVar[bool] = True


@cites("GM 6")
def views(
    system: OwnSystem,
    before: GameState,
    after: GameState,
    entry: Entry,
    events: Sequence[Event],
    of: Sequence[Entry],
) -> dict[str, EntryView | None]:
    """By audience, what it hears of *entry*."""
    unread, numbers = system.definition.unread, _Numbers(system)

    def reads(state: GameState, seat: str | None, event: Event) -> bool:
        if event.subject is None:
            return True
        return event.rule not in unread and seen.sees(state, seat, event.subject)

    def shown(state: GameState, seat: str | None) -> Any:
        return fight.shown(state, seat), numbers.of_all(state), numbers.of_tracks(state, seat)

    return entry_views.views(system, before, after, entry, events, of, shown, reads)


class _Numbers:
    """The numbers that a state shows, worked out once for all audiences."""

    def __init__(self, system: OwnSystem) -> None:
        self.system = system
        self._known: dict[int, tuple[GameState, Any]] = {}

    def of_all(self, state: GameState) -> Any:
        """Those of seats, the table and things, which everyone sees."""
        if id(state) not in self._known:
            self._known[id(state)] = state, self._of_all(state)
        return self._known[id(state)][1]

    def _of_all(self, state: GameState) -> Any:
        holders = (*state.seats, *state.objects, TABLE)
        numbers = {key: numbers_of(self.system, state, key) for key in holders}
        return state.objects, numbers, roles_in(state), state.teams

    def of_tracks(self, state: GameState, seat: str | None) -> Any:
        """Those of the tracks that a seat sees in full."""
        return {
            key: numbers_of(self.system, state, key)
            for key in state.slot_counters
            if seen.sees(state, seat, key)
        }


def view(
    system: OwnSystem, state: GameState, seat: str | None, entries: Sequence[Entry]
) -> dict[str, Any]:
    """Everything that *seat* may see."""
    found = seen.view(system, state, seat, entries)
    counters = found["slot_counters"]
    for key in [key for key in counters if seen.sees(state, seat, key)]:
        counters[key] |= numbers_of(system, state, key)
    return {
        **found,
        "seats": _with_numbers(system, state, state.seats),
        "objects": _with_numbers(system, state, state.objects),
        TABLE: numbers_of(system, state, TABLE),
        "teams": {key: to_facts(each) for key, each in state.teams.items()},
        "fight": fight.shown(state, seat),
        "log": found["log"] if game_master(state, seat) else [*_log(system, state, seat, entries)],
    }


def _with_numbers(system: OwnSystem, state: GameState, those: Mapping[str, Any]) -> dict[str, Any]:
    roles = {key: {"role": role} for key, role in roles_in(state).items()}
    return {
        key: {**to_facts(one), **numbers_of(system, state, key), **roles.get(key, {})}
        for key, one in those.items()
    }


def _log(
    system: OwnSystem, state: GameState, seat: str | None, entries: Sequence[Entry]
) -> Iterator[dict[str, Any]]:
    """The events that a player may learn of now. What a rule does is told with its rule, and a
    question at all, only where the player was told so when it happened.
    """
    whole = {entry.number: entry for entry in entries}
    for part in seen.seen_entries(state, seat, entries):
        entry = whole[part.entry]
        heard = view_of(entry, seat) or EntryView(0)
        places = {id(event): place for place, event in enumerate(entry.events)}
        for event in part.events:
            place = places[id(event)]
            if place in heard.events:
                yield notes.without_other_readers(state, seat, heard.told(place, event))
            elif "prompt" not in event and event["kind"] != "told":
                yield _without_rule(system, event)


def _without_rule(system: OwnSystem, event: dict[str, Any]) -> dict[str, Any]:
    if event.get("rule") not in system.definition.rules:
        return event
    return {key: value for key, value in event.items() if key not in ("rule", "compared")}
