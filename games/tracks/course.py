"""The course of a command on slot counters: gains, completion and its consequences, in order.

A `Course` collects the events of one command; each is applied before the next is worked out. After
a command's own events, links are followed (R16): the counters that were filled or completed act on
others, those on others again, in order. The links of a counter are followed once for one cause, and
a counter whose links were followed is no longer filled by others, so a circle of links ends where
it began. All of it is one entry and one undo.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from msgspec import Struct

from ..rules.resolution import Resolution
from ..rules.system import cites
from .counter import LOOPS, Counter, Link, counter_in
from .facts import (
    Cleared,
    Completed,
    Edited,
    Filled,
    GainedWhileFull,
    Overflowed,
    Released,
    Reopened,
    Resolved,
    Restarted,
    TemporaryAdded,
    TemporaryLost,
    ThresholdReached,
)


@dataclass(slots=True)
class Course(Resolution):
    """The course of one command on slot counters.

    rule: the rule of the events that follow. moved: the counters whose links are still to be
    followed, each with the number of slots that were filled, or 0 if it was completed.
    """

    rule: str | None = None
    moved: deque[tuple[str, int]] = field(default_factory=deque)

    def counter(self, counter_id: str) -> Counter:
        return counter_in(self.state, counter_id)


class Gain(Struct, frozen=True):
    """Slots that a counter is to gain.

    points: the points they come from; None if slots were given.
    shielded: how many slots a shield took of the same points.
    """

    slots: int
    points: int | None = None
    shielded: int = 0


@cites("R3", "R4", "R5", "Points and Slots", "Temporary Slots")
def gain(course: Course, on: str, gained: Gain) -> Gain:
    """Fill as many slots as there are, with everything that follows. Returns what did not fit.

    Temporary slots are filled first, and are lost; a setting makes them last, but the order of the
    events stays the same. A counter that is already complete only records the gain.
    """
    counter, slots, rule = course.counter(on), gained.slots, course.rule
    if not slots:
        return Gain(0)
    if counter.complete:
        course.happen(GainedWhileFull(on, slots, rule=rule))
        return Gain(0)
    temporary, normal = _shares(course, counter, slots)
    if temporary:
        course.happen(TemporaryLost(on, temporary, rule=rule))
    if normal:
        course.happen(Filled(on, normal, rule=rule))
    reached = range(counter.filled + 1, counter.filled + normal + 1)
    for count, label in counter.marks():
        if count in reached:
            course.happen(ThresholdReached(on, label, rule=rule))
    course.moved.append((on, temporary + normal))
    if course.counter(on).complete:
        course.happen(Completed(on, counter.completes, rule=rule))
    over = _overflow(course, on, gained, temporary + normal)
    if course.counter(on).complete:
        _after_completion(course, on)
    return over


def _shares(course: Course, counter: Counter, slots: int) -> tuple[int, int]:
    """(temporary, normal): how many of each are filled when *slots* are gained (R5)."""
    if course.system.setting(course.state, "temporary_first"):
        temporary = min(slots, counter.temporary)
        return temporary, min(slots - temporary, counter.slots - counter.filled)
    normal = min(slots, counter.slots - counter.filled)
    return min(slots - normal, counter.temporary), normal


def _overflow(course: Course, on: str, gained: Gain, fitted: int) -> Gain:
    """The part of *gained* lost after *fitted* slots were filled; it is recorded."""
    lost, points = gained.slots - fitted, None
    if not lost:
        return Gain(0)
    if gained.points is not None:
        filled = course.counter(on).worth * (fitted + gained.shielded)
        points = max(0, gained.points - filled)
    course.happen(Overflowed(on, lost, points, rule=course.rule))
    if course.system.setting(course.state, "overflow_counts_as_gain"):
        course.happen(GainedWhileFull(on, lost, rule=course.rule))
    return Gain(lost, points)


@cites("R4", "Clearing Despair", "R9")
def clear(course: Course, on: str, slots: int) -> int:
    """Empty filled slots, up to *slots*. Returns how many.

    The caller must call `completion` afterwards, since the counter may no longer be complete.
    """
    cleared = min(slots, course.counter(on).filled)
    if cleared:
        course.happen(Cleared(on, cleared, rule=course.rule))
    return cleared


@cites("Temporary Slots", "Energy Sources")
def add_temporary(course: Course, on: str, slots: int) -> None:
    """Add temporary slots up to ten slots in all, and record how many did not fit."""
    counter = course.counter(on)
    if slots:
        added = min(slots, counter.most - counter.slots - counter.temporary)
        course.happen(TemporaryAdded(on, added, slots - added, rule=course.rule))


@cites("R4", "R6")
def completion(course: Course, on: str, *, was_complete: bool) -> None:
    """Record that a counter has become complete, or is no longer complete."""
    counter = course.counter(on)
    if counter.complete and not was_complete:
        course.happen(Completed(on, counter.completes, rule=course.rule))
        _after_completion(course, on)
    elif was_complete and not counter.complete:
        course.happen(Reopened(on, rule=course.rule))


@cites("Memories and Advancing", "R17")
def _after_completion(course: Course, on: str) -> None:
    """A counter that was just completed releases its items or starts again, if it is set to."""
    counter = course.counter(on)
    course.moved.append((on, 0))
    if counter.on_full == "release":
        course.happen(Released(on, tuple(item.name for item in counter.items), rule=course.rule))
    elif counter.loop is not None:
        slots = min(max(counter.slots + LOOPS[counter.loop], 1), counter.most)
        course.happen(Restarted(on, slots, rule="R17"))
    if not course.counter(on).complete:
        course.happen(Reopened(on, rule=course.rule))


@cites("R16")
def follow_links(course: Course) -> None:
    """Let the counters that were filled or completed act on the counters they are linked to.

    Each counter's links are followed once, in an order of their own, so that it does not matter in
    which order they were written. A counter may be filled by several, also the one that began.
    """
    followed: set[tuple[str, bool]] = set()
    while course.moved:
        source, slots = course.moved.popleft()
        if (source, slots > 0) in followed:
            continue
        followed.add((source, slots > 0))
        for link in sorted(course.counter(source).links, key=_place):
            if (link.do == "advance") == (slots > 0):
                course.rule = "R16"
                _follow(course, link, slots)
    course.rule = None


LINKS = ("advance", "fill", "clear", "reveal", "start", "resolve")
"""Effects of links, in the order in which those of one counter are followed."""


def _place(link: Link) -> tuple[int, str, int]:
    """The place of *link* among the links of its counter."""
    return LINKS.index(link.do), link.to, link.slots or 0


def _follow(course: Course, link: Link, slots: int) -> None:
    """Do what *link* says to the linked counter; a resolved one stays as it is."""
    counter = course.counter(link.to)
    if counter.resolved:
        return
    if link.do == "reveal" and counter.visibility != "open":
        course.happen(Edited(link.to, ("visibility",), {"visibility": "open"}, rule="R16"))
    elif link.do == "start" and counter.paused:
        course.happen(Edited(link.to, ("paused",), {"paused": False}, rule="R16"))
    elif link.do == "resolve":
        course.happen(Resolved(link.to, True, rule="R16"))
    elif counter.inventory:
        return
    elif link.do == "clear":
        clear(course, link.to, counter.slots if link.slots is None else link.slots)
        completion(course, link.to, was_complete=counter.complete)
    elif link.do in ("advance", "fill"):
        gain(course, link.to, Gain(slots if link.do == "advance" else link.slots or 1))
