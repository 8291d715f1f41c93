"""The part of a command that each audience is sent when it is accepted (R14, R31).

An audience hears of an entry if something changed in what it sees, if it could see an event of it
just then, or if it gave the command itself. This is kept with the entry: what a seat could not see
when it happened stays with the GM, whatever is revealed later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ..rules.entry import WATCHERS, Entry, EntryView, told_to_some, view_of
from ..rules.events import Event
from ..rules.state import GameState
from ..rules.system import System, cites
from .counter import GM, Counter, Sight, counter_in, scene_state, sight
from .views import (
    knows,
    places,
    redacted,
    seen_links,
    seen_notes,
    seen_prompts,
    seen_scenes,
    sees,
    shown_prompt,
    shows,
)

Facts = Mapping[str, Any]
CONCEALING = ("links", "completes", "thresholds", "later")
"""Fields of a counter of which a seat may see less than there is."""
SEEING = frozenset({"visibility", "seats", "owner"})
"""The fields that say who sees a counter."""
MOVED = frozenset({"filled", "temporary-lost", "completed"})
"""The events of a counter that its links follow."""
WORDED = frozenset({"edited", "undone", "redone"})
"""The events of which some hear less than others, or as something else."""
SILENT = frozenset({"rolls-used"})
"""The events that by themselves tell nobody anything."""


Shows = Callable[[GameState, str | None], Any]


Reads = Callable[[GameState, str | None, Event], bool]
"""Whether a seat may read the rule of an event, in the state after it."""


def _nothing_more(state: GameState, seat: str | None) -> None:
    return None


@cites("R14", "R31")
def views(
    system: System,
    before: GameState,
    after: GameState,
    entry: Entry,
    events: Sequence[Event],
    of: Sequence[Entry],
    also: Shows = _nothing_more,
    reads: Reads | None = None,
) -> dict[str, EntryView | None]:
    """By audience: what it hears of *entry*; None if nothing.

    of: the entries that an undo or redo is about. also: what else of a state a seat is shown.
    reads: whether it may read an event's rule.
    """
    states = _states(before, after, events, turned=bool(of))
    changed = _changed(before, after)

    def heard(seat: str | None) -> EntryView | None:
        view = _heard(states, entry, of, seat, changed, also)
        if view is None or reads is None:
            return view
        return _without_secrets(view, states, entry, events, seat, reads)

    watching = heard(None)
    seats = [seat for seat in before.seats if seat != GM]
    if watching and _whole(watching, entry):
        return dict.fromkeys((*seats, WATCHERS), watching)
    return {seat: heard(seat) for seat in seats} | {WATCHERS: watching}


def _whole(watching: EntryView, entry: Entry) -> bool:
    """True if watchers are sent all of *entry*, and so everyone: no seat sees less than they do.

    Not for changed fields and reasons, of which seats hear in different words.
    """
    plain = not any(event["kind"] in WORDED or event.get("rule") == "R16" for event in entry.events)
    secrets = watching.unexplained or watching.nameless
    return plain and not secrets and len(watching.events) == len(entry.events)


def _without_secrets(
    view: EntryView,
    states: Sequence[GameState],
    entry: Entry,
    events: Sequence[Event],
    seat: str | None,
    reads: Reads,
) -> EntryView:
    """*view*, knowing of which events *seat* may not read the rule, the subject or the target."""

    def after(place: int) -> GameState:
        return states[min(place + 1, len(states) - 1)]

    unread = [place for place in view.events if not reads(after(place), seat, events[place])]
    unseen = [
        place
        for place in view.events
        if not all(_names_known(after(place), seat, entry.events[place]))
    ]
    unexplained = tuple(sorted({*view.unexplained, *unread}))
    return replace(view, unexplained=unexplained, nameless=tuple(unseen))


def _names_known(state: GameState, seat: str | None, event: Facts) -> Iterator[bool]:
    """Whether *seat* may know whom an event names besides those that it hears it of."""
    if told_to_some(event) and "on" in event:
        yield sees(state, seat, event["on"])
    if event.get("target") in state.slot_counters:
        yield knows(state, seat, event["target"])


def _states(
    before: GameState, after: GameState, events: Sequence[Event], *, turned: bool
) -> list[GameState]:
    """The states between the events, the first and the last included.

    turned: an undo or redo leads from one state to the other without going through its events.
    """
    if turned:
        return [before, *[after] * max(1, len(events))]
    states = [before]
    for event in events:
        states.append(event.evolve(states[-1]))
    return states


def _heard(
    states: Sequence[GameState],
    entry: Entry,
    of: Sequence[Entry],
    seat: str | None,
    changed: Sequence[str],
    also: Shows,
) -> EntryView | None:
    learned: list[int] = []
    unexplained, revealed = [], []
    turned = {each.number: each for each in of}
    reasons = _Reasons(states[0], states[-1], seat)
    arranged = _arranged(states[0], states[-1], seat, changed)
    for place, event in enumerate(entry.events):
        then, now = states[min(place, len(states) - 2)], states[min(place + 1, len(states) - 1)]
        if event["kind"] in ("undone", "redone"):
            if not _knew(then, now, seat, turned[event["of"]]):
                continue
        elif not _learns(then, now, seat, event, arranged=arranged):
            continue
        elif event.get("rule") == "R16" and event["on"] not in reasons:
            unexplained.append(place)
        reasons.learn(event)
        learned.append(place)
        if event["kind"] == "edited" and SEEING & set(event["fields"]):
            if not sees(then, seat, event["on"]) and sees(now, seat, event["on"]):
                revealed.append(place)
    learns = any(entry.events[place]["kind"] not in SILENT for place in learned)
    if not (learns or entry.by == seat or arranged):
        same = also(states[0], seat) == also(states[-1], seat)
        if same and not differs(states[0], states[-1], seat, changed):
            return None
    return EntryView(0, True, tuple(learned), tuple(unexplained), tuple(revealed))


def _arranged(
    before: GameState, after: GameState, seat: str | None, changed: Sequence[str]
) -> bool:
    """True if *seat* sees the counters in another order."""
    moved = any(_order(before, key) != _order(after, key) for key in changed)
    return moved and places(before, seat) != places(after, seat)


def _learns(
    before: GameState, after: GameState, seat: str | None, event: Facts, *, arranged: bool
) -> bool:
    """True if *seat* may learn of *event*, which led from one state to the other.

    arranged: the whole entry left the counters that it sees in another order.
    """
    if not (shows(before, seat, event) or shows(after, seat, event)):
        return False
    if event["kind"] != "edited":
        return True
    return any(_sayable(before, after, seat, event, arranged=arranged))


def _sayable(
    before: GameState, after: GameState, seat: str | None, event: Facts, *, arranged: bool
) -> Iterator[str]:
    """The changed fields that *seat* may read."""
    on = event["on"]
    then, now = _view(before, seat, on), _view(after, seat, on)
    if not (isinstance(then, Counter) or isinstance(now, Counter)):
        return
    for name in event["fields"]:
        if name == "order":
            if arranged:
                yield name
        elif name not in CONCEALING or getattr(then, name, None) != getattr(now, name, None):
            yield name


def _knew(before: GameState, after: GameState, seat: str | None, entry: Entry) -> bool:
    """True if *seat* knows of *entry*, now undone or redone, and may see what it was about."""
    view = view_of(entry, seat)
    events: Iterable[Facts] = entry.events
    if view is not None:
        events = [entry.events[place] for place in view.events]
    return any(shows(before, seat, each) or shows(after, seat, each) for each in events)


class _Reasons:
    """The counters of which *seat* knows why they moved: it saw one move that is linked to them.

    It knows the links as they are in the state *before* the entry, and in that *after* it.
    """

    def __init__(self, before: GameState, after: GameState, seat: str | None) -> None:
        self._states = (before, after)
        self._seat = seat
        self._moved: set[str] = set()
        self._linked: set[str] = set()

    def __contains__(self, on: str) -> bool:
        return on in self._linked

    def learn(self, event: Facts) -> None:
        """Add what *event* explains, of which the seat has learned."""
        if event["kind"] not in MOVED or event["on"] in self._moved:
            return
        self._moved.add(event["on"])
        for state in self._states:
            counter = state.slot_counters.get(event["on"])
            if isinstance(counter, Counter):
                links = seen_links(state, self._seat, counter)
                self._linked.update(link.to for link in links if link.to != counter.id)


# What a seat sees


def differs(before: GameState, after: GameState, seat: str | None, changed: Sequence[str]) -> bool:
    """True if *seat* sees anything different on the table, except the order of the counters.

    changed: the counters that may.
    """
    if before.seats is not after.seats and before.seats != after.seats:
        return True
    if before.settings is not after.settings and before.settings != after.settings:
        return True
    if before.scenes is not after.scenes and seen_scenes(before, seat) != seen_scenes(after, seat):
        return True
    if before.notes is not after.notes and seen_notes(before, seat) != seen_notes(after, seat):
        return True
    if any(_view(before, seat, key) != _view(after, seat, key) for key in changed):
        return True
    return bool(before.prompts or after.prompts) and (
        _prompts(before, seat) != _prompts(after, seat)
    )


def _prompts(state: GameState, seat: str | None) -> list[Facts]:
    return [shown_prompt(state, seat, each) for each in seen_prompts(state, seat)]


def _changed(before: GameState, after: GameState) -> list[str]:
    """The counters that are not the same in both states, or whose scene is not."""
    then, now = before.slot_counters, after.slot_counters
    both = {**then, **now}
    if before.scenes is after.scenes:
        return [key for key in both if then.get(key) is not now.get(key)]
    return [
        key
        for key in both
        if then.get(key) is not now.get(key) or _scene(before, key) != _scene(after, key)
    ]


def _scene(state: GameState, key: str) -> str:
    """The state of a counter's scene."""
    there = key in state.slot_counters
    return scene_state(state, counter_in(state, key).scene) if there else ""


def _order(state: GameState, key: str) -> int | None:
    return counter_in(state, key).order if key in state.slot_counters else None


def _view(state: GameState, seat: str | None, key: str) -> Counter | tuple[str, Any] | None:
    """A counter as *seat* sees it, wherever it is; what it knows
    with its name, or None, if it sees no more."""
    if key not in state.slot_counters:
        return None
    counter = counter_in(state, key)
    how = sight(state, seat, counter)
    if how is Sight.EVERYTHING:
        return replace(redacted(state, seat, counter), order=0)
    return (counter.name, counter.by_name) if how is Sight.NAME else None
