"""A game in numbers: how each seat's life and counters changed, and how long its turns took.

Undone entries do not count. The log is replayed once, and after each entry only what it
touched is counted again, so a long evening costs little more than its log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from games.models import Game
from games.rules.engine import read, step
from games.rules.state import GameObject, GameState, Seat, Team
from games.rules.system import System
from games.screens import view_models
from games.store import rows
from games.systems import presentation_of

Key = tuple[str, str]
"""What is counted ("life", "rad") and for whom: a seat, "team:" and its id, or a slot counter."""

MOST_CURVES = 8
"""Curves in one chart: those that moved most."""
MOST_CHARTS = 6
SLOTS = "slots"


@dataclass(frozen=True, slots=True)
class Curve:
    """One number over the game.

    place: its seat's, from 1; 0 if it belongs to no seat. points: pairs of an entry's number and
    the value from then on.
    """

    holder: str
    name: str
    place: int
    points: tuple[tuple[int, int], ...]

    @property
    def last(self) -> int:
        """Its value at the end."""
        return self.points[-1][1]

    @property
    def moved(self) -> int:
        """The sum of all its changes, up and down."""
        values = [value for _number, value in self.points]
        return sum(abs(b - a) for a, b in pairwise(values))

    def at(self, number: int) -> int:
        """Its value after entry *number*."""
        return [value for when, value in self.points if when <= number][-1]


@dataclass(frozen=True, slots=True)
class Swing:
    """The largest change of one number in one entry."""

    kind: str
    name: str
    number: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: whose it was, the entry that began it, and how long it took."""

    seats: tuple[str, ...]
    name: str
    number: int
    took: timedelta


@dataclass(slots=True)
class GameStatistics:
    """All statistics of a game.

    charts: curves by kind, life first. rules: number, text, and how often each acted. dealt: how
    much life a seat took from a seat (or team), by that pair; "" if no one was named.
    """

    charts: dict[str, list[Curve]] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)
    swing: Swing | None = None
    rules: list[tuple[str, str, int]] = field(default_factory=list)
    acts: dict[str, int] = field(default_factory=dict)
    dealt: dict[tuple[str, str], int] = field(default_factory=dict)
    lost: list[tuple[str, int]] = field(default_factory=list)
    result: str | None = None
    winners: list[str] = field(default_factory=list)
    began: datetime | None = None
    ended: datetime | None = None
    last: int = 0

    @property
    def took(self) -> timedelta:
        return self.ended - self.began if self.began and self.ended else timedelta()

    @property
    def by_seat(self) -> dict[str, timedelta]:
        """The total time of each seat's turns."""
        took: dict[str, timedelta] = {}
        for turn in self.turns:
            for seat in turn.seats:
                took[seat] = took.get(seat, timedelta()) + turn.took
        return took


def statistics_of(game: Game, seat: str | None) -> GameStatistics:
    """The statistics of *game* as far as *seat* may know them; None for anyone."""
    return _Replay(game, seat).run()


class _Replay:
    """Replays the log and counts."""

    def __init__(self, game: Game, seat: str | None) -> None:
        self.game, self.seat, self.system = game, seat, game.rules
        self.names = game.names
        self.presentation = presentation_of(game.rules)
        self.statistics = GameStatistics()
        self.curves: dict[Key, list[tuple[int, int]]] = {}
        self.shares: dict[str, dict[Key, int]] = {}
        self.now: Counter[Key] = Counter()
        self.fired: Counter[str] = Counter()
        self.dealt: dict[int, dict[tuple[str, str], int]] = {}
        self.swings: list[tuple[int, Key, int, int, int]] = []
        self.begun: list[tuple[tuple[str, ...], int, datetime]] = []

    def run(self) -> GameStatistics:
        """Replay the whole log; return its statistics."""
        state = rows.opening(self.game)
        holders = (*state.seats, *state.objects, *state.slot_counters)
        self._count(state, {*holders, *(f"team:{team}" for team in state.teams)}, 0)
        state = self._played(state)
        self.statistics.result = state.result
        if state.result == "won":
            self.statistics.winners = [
                self.names.get(each.id, each.id) for each in state.standing()
            ]
        self._choose_charts(state)
        return self.statistics

    def _played(self, state: GameState) -> GameState:
        statistics = self.statistics
        stored = self.game.entries.filter(undone_by=None).order_by("number")
        for number, by, command, at in stored.values_list("number", "seat", "command", "at"):
            statistics.began, statistics.ended, statistics.last = statistics.began or at, at, number
            if command["do"] in ("undo", "redo"):
                continue
            before = state
            state, events = step(self.system, state, read(self.system, command, by))
            statistics.acts[by] = statistics.acts.get(by, 0) + 1
            if command["do"] == "attribute":
                self._attribute(command["entries"], command["to"])
            touched = {each for event in events for each in event.touches()}
            changed = self._count(state, touched, number)
            if command["do"] in self.presentation.deals:
                self.dealt[number] = self._deal(before, command, by, changed)
            for event in events:
                self._note(event.to_json(), number, at)
        self._end_turns()
        return state

    def _note(self, event: Mapping[str, Any], number: int, at: datetime) -> None:
        if event["kind"] == "turn-began":
            self.begun.append((tuple(event["active"]), number, at))
        elif event["kind"] == "lost":
            self.statistics.lost.append((self.names.get(event["seat"], event["seat"]), number))
        if event.get("rule") in self.system.rules:
            self.fired[event["rule"]] += 1

    def _deal(
        self, state: GameState, command: Mapping[str, Any], by: str, changed: Mapping[Key, int]
    ) -> dict[tuple[str, str], int]:
        """Note who took life from whom: the owner of the named source, or whoever tapped.

        Tapping down one's own life does not say who took it.
        """
        dealt: dict[tuple[str, str], int] = {}
        source = state.objects.get(str(command.get("source") or command.get("from") or ""))
        for (kind, holder), difference in changed.items():
            if kind != self.presentation.hero or difference >= 0:
                continue
            team = state.teams.get(holder.removeprefix("team:"))
            own = by == holder or (team is not None and by in team.seats)
            dealer = view_models.keeper(source) if source else "" if own else by
            dealt[dealer, holder] = dealt.get((dealer, holder), 0) - difference
        self._add(dealt)
        return dealt

    def _attribute(self, numbers: Sequence[int], to: str) -> None:
        """Note that what these entries took was taken by *to*."""
        for number in numbers:
            dealt = self.dealt.pop(number, {})
            self._add({pair: -amount for pair, amount in dealt.items()})
            self.dealt[number] = {(to, holder): n for (_dealer, holder), n in dealt.items()}
            self._add(self.dealt[number])

    def _add(self, dealt: Mapping[tuple[str, str], int]) -> None:
        for pair, amount in dealt.items():
            total = self.statistics.dealt.pop(pair, 0) + amount
            if total:
                self.statistics.dealt[pair] = total

    def _end_turns(self) -> None:
        ends = [at for _seats, _number, at in self.begun[1:]]
        if self.statistics.ended:
            ends.append(self.statistics.ended)
        for (seats, number, at), end in zip(self.begun, ends, strict=False):
            name = ", ".join(self.names.get(each, each) for each in seats)
            self.statistics.turns.append(Turn(seats, name, number, end - at))

    def _count(self, state: GameState, touched: set[str], number: int) -> dict[Key, int]:
        """Count the touched holders again; return the change of each number."""
        changed: dict[Key, int] = {}
        for holder in touched:
            last, new = self.shares.get(holder, {}), dict(_shares(self.system, state, holder))
            for key in {*last, *new}:
                if difference := new.get(key, 0) - last.get(key, 0):
                    changed[key] = changed.get(key, 0) + difference
            self.shares[holder] = new
        for key, by in changed.items():
            before = self.now[key]
            self.now[key] += by
            self.curves.setdefault(key, []).append((number, self.now[key]))
            if number and by:
                self.swings.append((abs(by), key, number, before, self.now[key]))
        return changed

    def _choose_charts(self, state: GameState) -> None:
        shown = {key: points for key, points in self.curves.items() if self._may_show(state, key)}
        charts: dict[str, list[Curve]] = {}
        for (kind, holder), points in shown.items():
            name, place = self._name_and_place(state, holder)
            whole = points if points[0][0] == 0 else [(0, 0), *points]
            charts.setdefault(kind, []).append(Curve(holder, name, place, tuple(whole)))
        hero = self.presentation.hero
        order = sorted(charts, key=lambda kind: (kind != hero, -sum(c.moved for c in charts[kind])))
        for kind in order[:MOST_CHARTS]:
            moving = sorted(charts[kind], key=lambda curve: -curve.moved)[:MOST_CURVES]
            if any(curve.moved for curve in moving):
                moving.sort(key=lambda curve: (curve.place, curve.name))
                self.statistics.charts[kind] = moving
        secret = self.system.view is not None
        self.statistics.rules = [] if secret else [
            (number, self.system.rules[number].text, times)
            for number, times in self.fired.most_common(6)
        ]  # fmt: skip
        if secret:
            self.statistics.acts = {}
        first = hero if hero in self.statistics.charts else None
        swings = [each for each in self.swings if self._may_show(state, each[1])]
        swings = [each for each in swings if first is None or each[1][0] == first]
        if swings:
            _by, (kind, holder), number, before, after = max(swings, key=lambda each: each[0])
            name, _place = self._name_and_place(state, holder)
            self.statistics.swing = Swing(kind, name, number, before, after)

    def _may_show(self, state: GameState, key: Key) -> bool:
        """Whether the seat may see this number: if it is hidden now, its past is too."""
        if self.system.view is None:
            return True
        kind, holder = key
        seen = self._view(state).get(holder, {})
        return kind == SLOTS and "filled" in seen

    def _view(self, state: GameState) -> Mapping[str, Mapping[str, Any]]:
        assert self.system.view is not None
        if not hasattr(self, "_viewed"):
            self._viewed = self.system.view(self.system, state, self.seat or "", [])
        return self._viewed["slot_counters"]  # type: ignore[no-any-return]

    def _name_and_place(self, state: GameState, holder: str) -> tuple[str, int]:
        """The name of a holder and the place of its seat."""
        order = list(state.seats)
        if holder in state.slot_counters:
            counter: Any = state.slot_counters[holder]
            place = order.index(counter.owner) + 1 if counter.owner in order else 0
            whose = f"{self.names.get(counter.owner, counter.owner)}: " if place else ""
            return f"{whose}{counter.name}", place
        if holder.startswith("team:"):
            team = state.teams[holder.removeprefix("team:")]
            name = " + ".join(self.names.get(each, each) for each in team.seats)
            return name, order.index(team.seats[0]) + 1 if team.seats else 0
        return self.names.get(holder, holder), order.index(holder) + 1


def _shares(system: System, state: GameState, holder: str) -> Iterator[tuple[Key, int]]:
    """What one holder contributes to the table's numbers."""
    if holder in state.slot_counters:
        yield (SLOTS, holder), getattr(state.slot_counters[holder], "filled", 0)
    elif seat := state.seats.get(holder):
        yield from _of_seat(system, state, seat)
    elif obj := state.objects.get(holder):
        if obj.on_field:
            yield from _of_object(system, state, obj)
    elif team := state.teams.get(holder.removeprefix("team:")):
        yield from _of_team(system, state, team)


def _of_seat(system: System, state: GameState, seat: Seat) -> Iterator[tuple[Key, int]]:
    yield from _own(system, state, seat)
    for kind, amount in state.on(seat.id).items():
        yield (kind, seat.id), amount


def _of_object(system: System, state: GameState, obj: GameObject) -> Iterator[tuple[Key, int]]:
    yield from _own(system, state, obj)
    keeper = view_models.keeper(obj)
    for kind, amount in state.on(obj.id).items():
        yield (kind, keeper), amount


def _of_team(system: System, state: GameState, team: Team) -> Iterator[tuple[Key, int]]:
    yield from _own(system, state, team)
    holder = f"team:{team.id}"
    for kind, amount in state.on(holder).items():
        yield (kind, holder), amount


def _own(
    system: System, state: GameState, holder: Seat | GameObject | Team
) -> Iterator[tuple[Key, int]]:
    """The numbers that the system adds to those of counters."""
    for kind, whose, amount in presentation_of(system).curves(system, state, holder):
        yield (kind, whose), amount
