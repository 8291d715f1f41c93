"""Statistics of a log, counted entry by entry for one reader.

After each entry only what it touched is counted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import datetime
from typing import Any

from games.models import Game
from games.rules import secrecy
from games.rules.engine import read, step
from games.rules.entry import TURNS, view_in, views_from_json
from games.rules.snapshot import as_json, from_json
from games.rules.state import GameObject, GameState, Refused, Seat, Team
from games.rules.system import System
from games.screens import view_models
from games.screens.summary.statistics import PAUSE, SLOTS, Key
from games.store import rows
from games.systems import presentation_of

Pair = tuple[str, str]
"""The dealer, and the target."""
KEPT = (
    *("counts", "line", "began", "seen_at", "pauses", "curves", "fired", "acts", "dealt"),
    *("turns", "lost", "came", "shared", "played"),
)
"""What of a replay is kept as it is; the rest follows from that and from the state."""


class Counting:
    """Replays a log and counts, one entry after the other."""

    def __init__(self, game: Game, seat: str | None) -> None:
        self.game, self.seat, self.system = game, seat, game.rules
        self.presentation = presentation_of(game.rules)
        self.counts = secrecy.counts_lines(self.system, rows.state(game), seat)
        self.state = GameState(seats={})
        self.number = self.line = 0
        self.began = self.seen_at = 0.0
        self.pauses: list[tuple[float, float]] = []
        # By key, of each value: entry, line, when, value, whether it was seen, and the change if
        # the reader saw all of it.
        self.curves: dict[Key, list[list[Any]]] = {}
        self.shares: dict[str, dict[Key, int]] = {}
        self.now: Counter[Key] = Counter()
        self.fired: Counter[str] = Counter()
        self.acts: Counter[str] = Counter()
        self.dealt: dict[int, dict[Pair, int]] = {}
        self.turns: list[tuple[list[str], int, float]] = []
        self.lost: dict[str, tuple[int, float]] = {}
        self.came: dict[str, tuple[int, float]] = {}
        self.shared: dict[str, int] = {}
        self.played: dict[str, dict[str, str]] = {}

    def start(self) -> None:
        """Begin with the opening."""
        self.state = rows.opening(self.game)
        if self.state.turn and self.state.turn.active:
            self.turns.append((list(self.state.turn.active), 0, 0.0))
        holders = self._holders()
        self._count(holders, 0)
        self._note_played(holders)

    def _holders(self) -> set[str]:
        state = self.state
        teams = (f"team:{team}" for team in state.teams)
        return {*state.seats, *state.objects, *state.slot_counters, *teams}

    # Keeping

    def kept(self) -> dict[str, Any]:
        """All that was counted so far."""
        return {"state": as_json(self.state), **{name: getattr(self, name) for name in KEPT}}

    def resume(self, number: int, kept: Mapping[str, Any]) -> bool:
        """Go on from what was `kept` at *number*. False if the reader counts otherwise now."""
        if kept["counts"] != self.counts:
            return False
        self.number, self.state = number, from_json(self.system, kept["state"])
        for name in KEPT:
            setattr(self, name, kept[name])
        self.fired, self.acts = Counter(self.fired), Counter(self.acts)
        self.now.update({key: points[-1][3] for key, points in self.curves.items()})
        for holder in self._holders():
            self.shares[holder] = dict(_shares(self.system, self.state, holder))
        return True

    # Counting

    def take(
        self,
        number: int,
        by: str,
        command: Mapping[str, Any],
        at: datetime,
        stored: Mapping[str, Any] | None,
        undone_by: int | None,
    ) -> None:
        """Replay one entry."""
        self.number = number
        if undone_by is not None:
            return
        seen = self._sees_entry(number, stored)
        if seen:
            self._note_time(at.timestamp())
        if command["do"] in TURNS:
            return
        before = self.state
        try:
            self.state, events = step(self.system, before, read(self.system, command, by))
        except Refused:  # the rules of another version took it
            return
        self.acts[by] += 1
        if entries := command.get("entries"):
            source = before.objects.get(str(command.get("from")))
            self._attribute(
                entries, view_models.keeper(source) if source else command.get("to", "")
            )
        touched = {each for event in events for each in event.touches()}
        for gone in before.slot_counters.keys() - self.state.slot_counters.keys():
            self._forget(gone)
        touched |= self.state.slot_counters.keys() - before.slot_counters.keys()
        # Once there is a result, numbers are only put away: the evening is told as it ended.
        over = before.result is not None and self.state.result is not None
        changed = self._count(touched, number, over, self.state.seats.keys() - before.seats.keys())
        if command["do"] in self.presentation.story.deals and not over:
            self.dealt[number] = self._deal(before, command, by, changed)
        self._note_played(touched)
        for event in events:
            self._note(event.kind, event, number, seen and not (over and event.kind == "lost"))
        acted = {event.rule for event in events}
        # Once for each entry: one price is paid in several events.
        self.fired.update(rule for rule in self.system.rulebook.rules if rule in acted)

    def _sees_entry(self, number: int, stored: Mapping[str, Any] | None) -> bool:
        """Count on to entry *number* as the reader does; return whether it heard of that entry."""
        mine = view_in(views_from_json(stored), self.seat) if self.counts else None
        self.line = mine.line if mine else number
        return mine is None or mine.now

    def _note_time(self, at: float) -> None:
        if not self.began:
            self.began = at
        elif at - self.seen_at > PAUSE:
            self.pauses.append((self.seen_at, at))
        self.seen_at = at

    def _note(self, kind: str, event: Any, number: int, seen: bool) -> None:
        if kind == "past-shared":
            self.shared[event.on] = number
        elif kind == "turn-began" and seen:
            self.turns.append((list(event.active), self.line, self.seen_at))
        elif kind == "lost" and seen:
            self.lost[event.seat] = (self.line, self.seen_at)
        elif kind in ("seat-added", "sat-down"):
            self.came[event.seat] = (self.line, self.seen_at)
            self.lost.pop(event.seat, None)
        elif kind == "restored":
            self.lost.pop(event.seat, None)

    def _note_played(self, touched: set[str]) -> None:
        """Note the cards by which players tell what they play; they may leave with their owner."""
        presentation = self.presentation
        for each in touched & self.state.objects.keys():
            obj = self.state.objects[each]
            if presentation.story.played_as(obj) and obj.name not in presentation.new_game.unnamed:
                self.played.setdefault(obj.owner, {})[obj.id] = obj.name

    def _deal(
        self, state: GameState, command: Mapping[str, Any], by: str, changed: Mapping[Key, int]
    ) -> dict[Pair, int]:
        """The hero's losses by dealer: the owner of the named source, or the seat that tapped.

        Tapping down one's own life does not say who took it.
        """
        dealt: dict[Pair, int] = {}
        source = state.objects.get(str(command.get("source") or command.get("from") or ""))
        for (kind, holder), difference in changed.items():
            if kind != self.presentation.story.hero or difference >= 0:
                continue
            team = state.teams.get(holder.removeprefix("team:"))
            own = by == holder or (team is not None and by in team.seats)
            dealer = view_models.keeper(source) if source else "" if own else by
            dealt[dealer, holder] = dealt.get((dealer, holder), 0) - difference
        return dealt

    def _attribute(self, numbers: Sequence[int], to: str) -> None:
        """Note that what these entries took was taken by *to*."""
        for number in numbers:
            amounts: dict[Pair, int] = {}
            for (_dealer, holder), amount in self.dealt.get(number, {}).items():
                amounts[to, holder] = amounts.get((to, holder), 0) + amount
            self.dealt[number] = amounts

    def _count(
        self, touched: set[str], number: int, over: bool = False, late: Set[str] = frozenset()
    ) -> dict[Key, int]:
        """Count the touched holders again; return the change of each number.

        over: the game has its result, and no curve goes on. late: the seats that came just now;
        their numbers begin and change by nothing.
        """
        changed: dict[Key, int] = {}
        state = self.state
        for holder in touched:
            if holder in state.slot_counters:
                self._look(holder, number)
            last, new = self.shares.get(holder, {}), dict(_shares(self.system, state, holder))
            for key in {*last, *new}:
                if difference := new.get(key, 0) - last.get(key, 0):
                    changed[key] = changed.get(key, 0) + difference
            self.shares[holder] = new
        for key, by in changed.items():
            self.now[key] += by
            if over:
                continue
            points = self.curves.setdefault(key, [])
            seen = self.sees(key[1])
            told = number and seen and (not points or points[-1][4])
            announced = None if key[1] in late else by if told else 0
            points.append([number, self.line, self.seen_at, self.now[key], seen, announced])
        return changed

    def _forget(self, holder: str) -> None:
        """Forget a slot counter that is gone: another that gets its id later is not its sequel."""
        self.curves.pop((SLOTS, holder), None)
        self.now.pop((SLOTS, holder), None)
        self.shares.pop(holder, None)
        self.shared.pop(holder, None)

    def _look(self, holder: str, number: int) -> None:
        """Note that a slot counter's number is seen from now on, or no longer."""
        points = self.curves.get((SLOTS, holder))
        if points and points[-1][4] is not (seen := self.sees(holder)):
            points.append([number, self.line, self.seen_at, points[-1][3], seen, 0])

    def sees(self, holder: str) -> bool:
        """True if the reader sees the numbers of a holder now."""
        return secrecy.sees(self.system, self.state, self.seat, holder)


def _shares(system: System, state: GameState, holder: str) -> Iterator[tuple[Key, int]]:
    """One holder's share in the table's numbers."""
    if holder in state.slot_counters:
        yield (SLOTS, holder), getattr(state.slot_counters[holder], "shown", 0)
    elif seat := state.seats.get(holder):
        yield from _own(system, state, seat)
        for kind, amount in state.on(seat.id).items():
            yield (kind, seat.id), amount
    elif obj := state.objects.get(holder):
        if obj.on_field:
            yield from _of_object(system, state, obj)
    elif team := state.teams.get(holder.removeprefix("team:")):
        yield from _own(system, state, team)
        for kind, amount in state.on(f"team:{team.id}").items():
            yield (kind, f"team:{team.id}"), amount


def _of_object(system: System, state: GameState, obj: GameObject) -> Iterator[tuple[Key, int]]:
    yield from _own(system, state, obj)
    keeper = view_models.keeper(obj)
    for kind, amount in state.on(obj.id).items():
        yield (kind, keeper), amount


def _own(
    system: System, state: GameState, holder: Seat | GameObject | Team
) -> Iterator[tuple[Key, int]]:
    """The numbers that the system adds to those of counters."""
    for kind, whose, amount in presentation_of(system).story.curves(system, state, holder):
        yield (kind, whose), amount
