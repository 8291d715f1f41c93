"""What rules do to the tracks of a GM's table, and what tracks set off.

A gain or clearing of slots is done whole, with thresholds, completion, loop and links; then its
events set off rules, in their order. Source: docs/OWN-GAMES.md, GM 2, 3 and 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from itertools import count

from msgspec.structs import replace

from games.rules.events import Event
from games.rules.state import GameState
from games.rules.system import cites
from games.tracks import course as slot_course
from games.tracks.counter import counter_in, runs
from games.tracks.facts import Cleared, Completed, CounterCreated, Discarded, Edited, Filled
from games.tracks.scenes import SceneFact
from games.tracks.sets import conditions
from games.tracks.sets.definition import ConditionOf
from games.tracks.sets.tracker import Condition, Tracker

from .chain import Chain, Firing
from .events import Placed, Removed
from .holders import tracks_in_play
from .language.definition import Definition
from .language.meaning import About, Work

IN_AND_OUT = (CounterCreated, Discarded, Edited, SceneFact)
"""The events by which tracks come into play or leave it."""


class Tracks(Chain):
    """A command on its way, with what it does to tracks. Raises Refused."""

    __slots__ = ()

    # Numbers of tracks

    def bring_track(self, firing: Firing, track: Tracker, to: int) -> Work:
        """The number of a track comes as near to *to* as it may."""
        change = to - track.shown
        fills = (change > 0) is not track.resource
        first = self.system.setting(self.state, "temporary_first")
        lost = track.temporary if change and fills and first else 0
        yield from self.change_track(firing, track, abs(change) + lost, fills=fills)

    def change_track(self, firing: Firing, track: Tracker, slots: int, *, fills: bool) -> Work:
        """So many slots are filled or cleared, as far as there are any."""
        course = slot_course.Course(self.system, self.state, rule=firing.rule.name)
        if fills:
            slot_course.gain(course, track.id, slot_course.Gain(min(slots, track.unfilled)))
        else:
            slot_course.clear(course, track.id, slots)
            slot_course.completion(course, track.id, was_complete=track.complete)
        slot_course.follow_links(course)
        yield from self.whole(course.events, firing)

    # What else rules do

    @cites("GM 5")
    def show(self, firing: Firing, holder: str, visibility: str) -> None:
        track = self.state.slot_counters.get(holder)
        if isinstance(track, Tracker) and not track.resolved and track.visibility != visibility:
            self.happen(Edited(holder, ("visibility",), {"visibility": visibility}), firing)

    def afflict(self, firing: Firing, holder: str, condition: ConditionOf) -> None:
        """A thirteenth condition is none."""
        track = self._bearer(holder)
        meant = Condition(condition.name, condition.rounds, condition.good)
        if track is None or meant in track.conditions:
            return
        there = [one.name for one in track.conditions]
        if condition.name in there or len(there) < conditions.MOST_CONDITIONS:
            facts = meant.name, meant.rounds, meant.good
            self.happen(conditions.Afflicted(track.id, *facts), firing)

    def relieve(self, firing: Firing, holder: str, name: str) -> None:
        track = self._bearer(holder)
        if track and name in [one.name for one in track.conditions]:
            self.happen(conditions.Relieved(track.id, name), firing)

    def _bearer(self, holder: str) -> Tracker | None:
        """The track that bears a holder's conditions: itself, or the first of a seat's kit."""
        if holder in self.state.slot_counters:
            return self.track(holder)
        return next(iter(self.kit_of(holder)), None) if holder in self.state.seats else None

    def make_track(
        self,
        firing: Firing,
        kind: str,
        owner: str | None,
        name: str | None,
        slots: int | None,
        seen: str | None,
    ) -> Work:
        """A track of a type comes, in the first by name of the scenes that run."""
        of, usual = self.tracks[kind], self.system.usual(kind)
        visibility = seen or of.visibility
        new = self._free_track_id(kind, secret=visibility != "open")
        running = sorted(scene for scene, how in self.state.scenes.items() if how == "running")
        about = {"name": name or of.name, "owner": owner, "visibility": visibility}
        track = Tracker(id=new, **{**usual, **about, "scene": running[0] if running else None})
        if slots is not None:
            track = replace(track, slots=max(1, min(slots, track.most)))
        yield from self.whole([CounterCreated(new, track)], firing)

    def _free_track_id(self, kind: str, *, secret: bool) -> str:
        """An id; that of a secret track tells nothing, not even how many others there are."""
        if not secret:
            return self.free_id(kind)
        if self.command_id is None:
            return self.free_id("secret")
        hashes = (sha256(f"{self.command_id} {n}".encode()).hexdigest() for n in count())
        return next(new for each in hashes if not self.taken(new := f"c-{each[:6]}"))

    # What tracks set off

    def whole(self, events: Iterable[Event], firing: Firing | None = None) -> Work:
        """Do what slots do, all of it; then what that sets off."""
        happened: list[tuple[Event, GameState, GameState]] = []
        for event in events:
            was = self.state
            made = firing if firing and event.rule in (None, firing.rule.name) else None
            self.happen(event, made)
            if isinstance(event, CounterCreated):
                self._start(event.on, made)
            happened.append((event, was, self.state))
        for one in happened:
            yield self._sets_off(*one)

    def _start(self, track: str, firing: Firing | None) -> None:
        """A new track gets its starts."""
        for kind, start in starts(self.definition, self.sort_of(track)):
            how = Placed if start > 0 else Removed
            self.happen(how(track, kind, abs(start)), firing)

    @cites("GM 3")
    def _sets_off(self, event: Event, was: GameState, now: GameState) -> Work:
        if isinstance(event, Filled | Cleared):
            track = counter_in(now, event.on)
            if runs(now, track) and not track.inventory:
                up = isinstance(event, Filled) is not track.resource
                about = About(event.on, change=event.slots)
                yield from self.set_off("changes", track.type, about, up=up)
        elif isinstance(event, Completed):
            track = counter_in(now, event.on)
            if runs(now, track):
                yield from self.set_off("completes", track.type, About(event.on))
        elif isinstance(event, IN_AND_OUT):
            yield from self._came_and_went(was, now)

    def _came_and_went(self, was: GameState, now: GameState) -> Work:
        before = {track.id: track for track in tracks_in_play(was)}
        after = {track.id: track for track in tracks_in_play(now)}
        for key in sorted(before.keys() - after.keys()):
            if key not in now.slot_counters:
                self.gone[key] = before[key]
            yield from self.set_off("leaves", before[key].type, About(key))
        for key in sorted(after.keys() - before.keys()):
            yield from self.set_off("enters", after[key].type, About(key))

    def acted(self, seat: str, outcome: str | None) -> Work:
        """An Action was taken."""
        for rule in self.definition.rules.values():
            if rule.when.moment == "acts" and {outcome, "any"} & {*rule.when.of}:
                yield self.fire(rule, About(seat))


@cites("Own 1")
def starts(definition: Definition, sort: str) -> list[tuple[str, int]]:
    """Starting numbers of a sort of holder, by kind."""
    return sorted(
        (number.kind, start)
        for number in definition.numbers.values()
        if sort in number.on and (start := number.start_of(sort))
    )
