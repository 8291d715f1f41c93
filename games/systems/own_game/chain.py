"""The chain of what a command sets off: its events, and the rules that fire at each.

Triggers come right after their event: a generator that makes an event yields the work that the
event sets off, and `run` does that before it goes on. So a chain of rules costs no depth of calls.
Rules may do something at most `MOST_FIRINGS` times for a command, and look at `MOST_LOOKS` holders;
what goes on beyond that is refused as a loop. Source: docs/OWN-GAMES.md, Own 2, 6, 7 and section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from msgspec.structs import replace

from games.rules.events import Event
from games.rules.state import GameState

from .events import WritingEvent
from .holders import Holders, OwnSystem, team_of
from .language.meaning import TABLE, About, Work
from .language.written_rules import Rule

MOST_FIRINGS = 200
COURSE = "course"
"""The part of the state that lasts from one step of a command to the next."""


class Firing:
    """A rule that is doing something for one subject; it counts once it has made an event.

    about: whom its condition was asked about; None if it was not. subject: whom it is about.
    compared: the numbers of the condition's comparisons, read before it does anything.
    """

    __slots__ = ("about", "compared", "counted", "rule", "subject")

    def __init__(self, rule: Rule, about: About | None = None, *, asked: bool = True) -> None:
        self.rule = rule
        self.about = about if asked else None
        self.subject = (about.it or about.gone) if about else None
        self.compared: tuple[int, ...] | None = None
        self.counted = False


class Chain(Holders):
    """A command on its way, with the rules that it sets off. Raises Refused."""

    __slots__ = ("command_id", "compared", "fired", "out", "winners")

    def __init__(
        self, system: OwnSystem, state: GameState, events: list[Event] | None = None
    ) -> None:
        super().__init__(system, state, [] if events is None else events)
        self.command_id: str | None = None
        so_far = state.parts.get(COURSE, {})
        self.fired: int = so_far.get("fired", 0)
        self.looked: int = so_far.get("looked", 0)
        self.out: dict[str, str] = dict(so_far.get("out", {}))
        self.winners: dict[str, str] = dict(so_far.get("winners", {}))
        self.compared: dict[str, tuple[int, ...] | None] = dict(so_far.get("compared", {}))

    def run(self, work: Work) -> Self:
        """Do *work* and everything it sets off."""
        under_way = [work]
        while under_way:
            further = next(under_way[-1], None)
            if further is None:
                under_way.pop()
            else:
                under_way.append(further)
        return self

    def paused(self) -> Self:
        """Keep what a later step of the same command, or its settling, goes on from."""
        so_far = {
            "fired": self.fired,
            "looked": self.looked,
            "out": self.out,
            "winners": self.winners,
            "compared": self.compared,
        }
        if any(so_far.values()):
            self.state = self.state.with_parts(**{COURSE: so_far})
        return self

    def happen(self, event: Event, firing: Firing | None = None) -> None:
        """Apply and record *event*, which *firing* made; what counts a blank number writes it."""
        blanks = self.definition.blanks
        if blanks and isinstance(event, WritingEvent) and event.counter in blanks:
            event = replace(event, writes=not self.is_written(event.on, event.counter))
        if isinstance(event, WritingEvent) and event.counter in self.definition.shared:
            team = team_of(self.state, event.on)
            event = replace(event, seats=team if len(team) > 1 else None)
        if firing is not None:
            event = replace(
                event,
                rule=firing.rule.name,
                compared=self._compared(firing),
                subject=firing.subject,
            )
        super().happen(event)
        self._worked_out.clear()
        if firing is not None:
            self._count(firing)

    def _compared(self, firing: Firing) -> tuple[int, ...] | None:
        about = firing.about
        if firing.compared is None and about is not None:
            firing.compared = tuple(side(self, about) for side in firing.rule.compared)
        return firing.compared or None

    def _count(self, firing: Firing) -> None:
        if firing.counted:
            return
        firing.counted = True
        self.fired += 1
        if self.fired > MOST_FIRINGS:
            raise self.looping(firing.rule)

    # What sets rules off

    def set_off(self, moment: str, about: str, of: About, *, up: bool | None = None) -> Work:
        for rule in self.definition.set_off_by(moment, about):
            if rule.when.up is None or rule.when.up is up:
                yield self.fire(rule, of)

    def each_of(self, moment: str, about: str, seats: bool) -> Work:
        """Set off the rules of a moment of the turn: for each active seat, or for the table."""
        for rule in self.definition.set_off_by(moment, about):
            for subject in self.active() if seats else [TABLE]:
                yield self.fire(rule, About(subject))

    def fire(self, rule: Rule, about: About) -> Work:
        """Do what *rule* says about one subject, if its condition holds."""
        self.looked += 1
        if about.it is None or not self.takes_part(about.it, about):
            return
        if rule.holds is None or rule.holds(self, about):
            yield from self.act(Firing(rule, about), rule.does, about)

    def act(self, firing: Firing, does: Sequence[Any], about: About) -> Work:
        """Do the actions one after another."""
        for action in does:
            yield from action(self, firing, about) or ()
