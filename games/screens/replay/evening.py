"""A game watched again: every moment of it as one audience saw it then.

A moment is a line of the log, numbered as its audience counts (`games.rules.secrecy`), and the
board just after it. It shows what that seat was allowed to see at that moment, whatever it saw
later: a state is drawn by the same screens as the running table, and an entry is told as it was
heard. What was undone later is still there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import replace

from games.models import Game, Seat
from games.rules import secrecy
from games.rules.entry import line_of
from games.rules.history import Applied
from games.rules.state import GameState
from games.screens.boards import Drawn, board_of, changes, drawn
from games.screens.drawing import Drawing
from games.screens.fragments import Audience, audience
from games.screens.languages import active_language
from games.screens.log.entry_text import Then
from games.screens.log.parts import Part
from games.screens.replay.chapters import Chapter, Chapters, Mark
from games.store.caches import Cache
from games.store.moments import entry_of, moment, moments, state_at

KEPT = 8
"""Games that are kept ready for a replay; the least recently used is evicted first."""
NEAR = 40
"""So many entries are looked through from the line before, rather than searched for a line."""


class Moment(Struct, frozen=True):
    """One line. at: None before the first one. frames: from the board of the line before to its
    own, and back; none where the seats or the rules are others.
    """

    line: int
    at: datetime | None
    by: str
    parts: tuple[Part, ...]
    chapter: Chapter | None
    shared: int
    """The line at which a watcher sees the same."""
    frames: tuple[str, ...]


class Evening:
    """One game, ready to be watched again."""

    def __init__(self, game: Game) -> None:
        self.system = game.rules
        self._game = game
        self._board = board_of(game.rules)
        self._chapters = Chapters(game)
        self._seats: Mapping[str, Seat] = {}
        self._looks: tuple[Any, ...] = ()
        self._drawing = Drawing(game.rules)
        self._hidden: dict[str | None, tuple[int, list[int]]] = {}
        self._found: dict[str | None, tuple[int, int]] = {}
        """By seat: the line that was looked for last, and its entry."""

    def shows(self, game: Game, seats: Mapping[str, Seat]) -> None:
        """From now on show *game* up to its number, with the names and looks of these seats."""
        self._game = game
        self._chapters.read_on(game)
        looks = seats_as_drawn(seats)
        if looks != self._looks:
            self._looks, self._seats = looks, seats
            self._drawing.reseat(seats)

    # Lines and entries

    def counts(self, seat: str | None) -> bool:
        """True if *seat* counts lines of its own."""
        if not secrecy.private_log(self.system):
            return False
        now = state_at(self._game, self._game.number)
        return secrecy.counts_lines(self.system, now, seat)

    def last(self, seat: str | None) -> int:
        """The last line of *seat*."""
        return self.line(seat, self._game.number)

    def line(self, seat: str | None, number: int) -> int:
        """The line that *seat* counts entry *number* as, or the last one before it."""
        if number and self.counts(seat):
            return line_of(moment(self._game, number).entry, seat)
        return self.entry(seat, number)

    def entry(self, seat: str | None, line: int) -> int:
        """The number of the entry that *seat* counts as *line*, or of the last one before it."""
        if line and self.counts(seat):
            number = self._next_entry(seat, line)
            self._found[seat] = line, number
            return number
        while line and self._hides(seat, line):
            line -= 1
        return line

    def _next_entry(self, seat: str | None, line: int) -> int:
        """The entry of *line*, which is mostly one of those after the line that was looked for."""
        before, number = self._found.get(seat, (0, 0))
        if number and before <= line:
            for then in moments(self._game, number, min(number + NEAR, self._game.number)):
                if line_of(then.entry, seat) >= line:
                    return then.entry.number
        return entry_of(self._game, seat, line, self._game.number)

    def _hides(self, seat: str | None, number: int) -> bool:
        """True if entry *number* is hidden from *seat*, with the fact that it happened."""
        if not secrecy.face_down(self.system):
            return False
        then = moment(self._game, number)
        return secrecy.unknown(self.system, then.after, then.entry, seat)

    def hidden(self, seat: str | None) -> list[int]:
        """The entries of which *seat* could not even know that anything happened."""
        if not secrecy.face_down(self.system) or self.counts(seat):
            return []
        upto, found = self._hidden.get(seat, (0, []))
        commands = self._game.entries.filter(number__gt=upto, number__lte=self._game.number)
        for number, command in commands.order_by("number").values_list("number", "command"):
            if secrecy.is_private(self.system, command) and self._hides(seat, number):
                found.append(number)
        self._hidden[seat] = (self._game.number, found)
        return found

    # What is seen

    def moments(self, seat: str | None, first: int, last: int) -> list[Moment]:
        """The moments of the lines from *first* to *last*, whose entries are read at once."""
        for _then in moments(self._game, self.entry(seat, first) or 1, self.entry(seat, last)):
            pass
        return [self.moment(seat, line) for line in range(first, last + 1)]

    def moment(self, seat: str | None, line: int) -> Moment:
        """The moment of *line*, from 0 to `last`, in the active language."""
        earlier, number = (self.entry(seat, each) for each in (max(0, line - 1), line))
        then = moment(self._game, number) if number else None
        return Moment(
            line=self.line(seat, number),
            at=then.at if then else None,
            by=then.entry.by if then else "",
            parts=self._parts(seat, number),
            chapter=self._chapter(seat, number),
            shared=self.line(None, number),
            # Of entries between that it did not hear of, nothing may be seen.
            frames=self._frames(seat, max(earlier, number - 1), number),
        )

    def drawn(self, seat: str | None, line: int) -> Drawn:
        """The board just after *line*, in the active language."""
        state = state_at(self._game, self.entry(seat, line))
        seated, eyes = self._eyes(seat, state)
        return drawn(self._drawing, state, line, seated, eyes)

    def _eyes(self, seat: str | None, state: GameState) -> tuple[str | None, Audience]:
        """The seat that looks, if *state* has it, and its audience. From now on by the rules of
        that state: the table may have changed them since."""
        system = self.system.of_table(state.settings)
        if system is not self._drawing.system:
            self._drawing = Drawing(system, self._seats)
        seated = seat if seat in state.seats else None
        return seated, audience(system, seated, active_language())

    def _frames(self, seat: str | None, *numbers: int) -> tuple[str, ...]:
        """The frames between the boards just after two entries."""
        before, after = (state_at(self._game, number) for number in numbers)
        _seated, eyes = self._eyes(seat, after)
        same = self.system.of_table(before.settings) is self._drawing.system
        if not same or [*before.seats] != [*after.seats]:
            return ()
        ways = (before, after), (after, before)
        return tuple(changes(self._drawing, Applied(None, *way, None), eyes) for way in ways)

    def _chapter(self, seat: str | None, number: int) -> Chapter | None:
        """The chapter that *seat* was in at entry *number*, as far as it knew."""
        every, counts = self._chapters.chapters, self.counts(seat)
        for noted in reversed(every[: bisect_right(every, number, key=lambda each: each.number)]):
            if not counts or noted.known_to(seat):
                found: Chapter = noted.what
                return found
        return None

    def before(self, seat: str | None, line: int, most: int) -> list[tuple[str, tuple[Part, ...]]]:
        """Up to *most* lines before *line*, the last one first: who did it, and what it told.

        Nothing that was hidden again by then, as in the log.
        """
        found: list[tuple[str, tuple[Part, ...]]] = []
        now = state_at(self._game, self.entry(seat, line))
        while line > 1 and len(found) < most:
            line -= 1
            number = self.entry(seat, line)
            if self.line(seat, number) == line and (parts := self._parts(seat, number, now)):
                found.append((moment(self._game, number).entry.by, parts))
        return found

    def _parts(
        self, seat: str | None, number: int, now: GameState | None = None
    ) -> tuple[Part, ...]:
        """The text of entry *number* for *seat*. now: the state in which it is read, if that is
        later.
        """
        if not number:
            return ()
        then = moment(self._game, number)
        names = {key: each.name for key, each in self._seats.items()}
        context = Then(
            self.system,
            then.entry,
            then.before,
            then.after,
            seat if seat in then.after.seats else None,
            names,
            lambda each: self._read(seat, each),
            lambda each: self._parts(seat, each),
            now or then.after,
        )
        told = tuple(part.named(names) for part in self._board.log.then(context))
        return told if told or then.entry.events else (Part(_("nothing changed")),)

    def _read(self, seat: str | None, number: int) -> int | None:
        """The line that entry *number* is for *seat*; None if it did not hear of it."""
        line = self.line(seat, number)
        return line if self.entry(seat, line) == number else None

    def film(
        self, seat: str | None, swings: Sequence[Mark] = ()
    ) -> tuple[list[Chapter], list[Mark]]:
        """The chapters and the marks that *seat* knows of, by its lines; *swings* among these."""
        chapters, marks = (
            [replace(each.what, line=each.number) for each in noted]
            if not self.counts(seat)
            else [replace(each.what, line=each.line(seat)) for each in noted if each.known_to(seat)]
            for noted in (self._chapters.chapters, self._chapters.marks())
        )
        return chapters, sorted([*marks, *swings], key=lambda each: each.line)


def seats_as_drawn(seats: Mapping[str, Seat]) -> tuple[Any, ...]:
    """Everything that a board shows of its seats themselves."""
    return tuple(
        (key, seat.given_name, seat.place, seat.colour, seat.emblem, seat.free)
        for key, seat in seats.items()
    )


_evenings = Cache[Evening](KEPT)


def evening_of(game: Game) -> Evening:
    """The evening of *game*. For one thread at a time."""
    found = _evenings.take(game.slug) or Evening(game)
    _evenings.keep(game.slug, None, found)
    return found
