"""A game watched again: every moment of it as one audience saw it then.

A moment is a line of the log, numbered as its audience counts (`games.rules.audiences`), and the
board just after it. It shows what that seat was allowed to see at that moment, whatever it saw
later: a state is drawn by the same screens as the running table, and an entry is told as it was
heard. What was undone later is still there.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from games.models import Game, Seat
from games.rules import audiences, secrecy
from games.rules.audiences import REVERSALS
from games.rules.replay import Replay
from games.rules.state import GameState
from games.rules.system import Entry
from games.screens import view_models
from games.screens.boards import board_of, screens_for
from games.screens.fragments import audience
from games.screens.languages import active_language
from games.screens.log.sentences import Part
from games.screens.log.then import Then
from games.screens.words import IN_BRACES
from games.store import rows
from games.systems import presentation_of

SWINGS, CONSIDERED = 3, 200
"""How many of the biggest swings are marked, and how many are kept to choose from."""
LEAST_SWING = 3
"""A number that changes by less at once has not swung."""
KEPT_ENTRIES = 400
"""Entries that stay in memory, for the steps beside the last one."""
KEPT = 8
"""How many games stay ready to be watched; the least recently used goes first."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A turn, or what else the evening consists of. line: its first. count: the seat's how-manieth.

    seats: whose it is. name: what it is called, if it is nobody's.
    """

    line: int
    seats: tuple[str, ...] = ()
    count: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to find again. sign: "out", "won", "complete", "up" or "down".

    before, after: the number that swung.
    """

    line: int
    sign: str
    seat: str = ""
    before: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """One line, and the board just after it. at: None before the first one."""

    line: int
    at: datetime | None
    by: str
    parts: tuple[Part, ...]
    chapter: Chapter | None
    header: str
    board: str
    shared: int
    """The line at which a watcher sees the same."""


@dataclass(frozen=True, slots=True)
class _Noted:
    """A chapter or a mark of entry *number*, from its event at *place*, and who heard of that.

    by_how_much: of a swing.
    """

    number: int
    place: int
    heard: audiences.Hearing | None
    what: Any
    by_how_much: int = 0


@dataclass(slots=True)
class _Found:
    """What the log holds for the film. private: the entries of which a seat may not know."""

    times: array[float] = field(default_factory=lambda: array("d"))
    by: list[str] = field(default_factory=list)
    chapters: list[_Noted] = field(default_factory=list)
    marks: list[_Noted] = field(default_factory=list)
    swings: list[_Noted] = field(default_factory=list)
    private: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Lines:
    """The lines of one audience, and the entry that each is."""

    lines: list[int] = field(default_factory=lambda: [0])
    entries: list[int] = field(default_factory=lambda: [0])

    def add(self, line: int, number: int) -> None:
        self.lines.append(line)
        self.entries.append(number)

    def entry(self, line: int) -> int:
        """The entry that is *line*, or the last one before it."""
        return self.entries[bisect_right(self.lines, line) - 1]

    def line(self, number: int) -> int:
        """The line that entry *number* is, or the last one before it."""
        return self.lines[bisect_right(self.entries, number) - 1]


class Evening:
    """One game, ready to be watched again. `play_on` reads its log bit by bit."""

    def __init__(self, game: Game) -> None:
        self.system = game.rules
        self._game = game
        opening = rows.opening(game)
        self._replay = Replay(game.rules, opening, self._load)
        self._board = board_of(game.rules)
        self._presentation = presentation_of(game.rules)
        self._found = _Found()
        self._begun: list[_Noted] = []
        self._heroes: dict[str, int | None] = {}
        self._lines: dict[str, _Lines] = {}
        self._hidden: dict[str | None, tuple[int, list[int]]] = {}
        self._seats: Mapping[str, Seat] = {}
        self._looks: tuple[Any, ...] = ()
        self._screens = screens_for(game.rules)
        self._screens.remembers = True
        self._entries: dict[int, Entry] = {}
        if opening.turn and opening.turn.active:
            self._begin(_Noted(0, 0, None, Chapter(0, opening.turn.active, 1)))

    # Reading the log

    def _load(self, after: int, last: int) -> list[Entry]:
        """The entries after one number up to another; the last few that were asked for are kept."""
        found = [self._entries.get(number) for number in range(after + 1, last + 1)]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            known = rows.entries(self._game, after, last)
            if len(self._entries) > KEPT_ENTRIES:
                self._entries.clear()
            self._entries |= {each.number: each for each in known}
        return known

    @property
    def number(self) -> int:
        """The number of the last entry that was read."""
        return self._replay.number

    def play_on(self, most: int) -> bool:
        """Read up to *most* more entries; return whether there may be others."""
        after = self.number
        entries = rows.entries(self._game, after, after + most)
        found = self._game.entries.filter(number__gt=after, number__lte=after + len(entries))
        at = dict(found.values_list("number", "at"))
        for entry in entries:
            before = self._replay.state
            self._replay.play([entry])
            self._found.times.append(at[entry.number].timestamp())
            self._found.by.append(entry.by)
            self._note(entry, before, self._replay.state)
        return len(entries) == most

    def _note(self, entry: Entry, before: GameState, after: GameState) -> None:
        if self.system.hears is not None:
            self._count(entry)
        if entry.command["do"] in REVERSALS:
            self._heroes.clear()
            self._turn_back(entry)
            return
        if secrecy.is_private(self.system, entry.command):
            self._found.private.append(entry.number)
        for place, event in enumerate(entry.events):
            if event["kind"] == self._board.begins[0]:
                chapter = self._chapter(entry.number, event)
                self._begin(_Noted(entry.number, place, entry.heard, chapter))
            elif sign := self._board.marks.get(event["kind"]):
                self._mark(entry, place, sign, after)
        if self.system.view is None:
            self._swing(entry, before, after)

    def _count(self, entry: Entry) -> None:
        """Note which line of each audience *entry* is; one that did not hear of it counts none."""
        if entry.heard is None:
            for key in (*self._replay.state.seats, audiences.WATCHERS):
                self._lines.setdefault(key, _Lines()).add(entry.number, entry.number)
        for key, heard in (entry.heard or {}).items():
            if heard.now:
                self._lines.setdefault(key, _Lines()).add(heard.line, entry.number)

    def _chapter(self, number: int, event: Mapping[str, Any]) -> Chapter:
        seats = tuple(event.get("active", ()))
        same = sum(each.what.seats == seats for each in self._begun)
        return Chapter(number, seats, same + 1, str(event.get(self._board.begins[1], "")))

    def _begin(self, noted: _Noted) -> None:
        self._found.chapters.append(noted)
        self._begun.append(noted)

    def _turn_back(self, entry: Entry) -> None:
        """After an undo or redo, the turn that stands goes on."""
        if self.system.hears is not None:
            return
        undone = self._replay.undone
        was = self._begun[-1] if self._begun else None
        began = [each for each in self._found.chapters if each.place >= 0]
        self._begun = [each for each in began if each.number not in undone]
        if self._begun and self._begun[-1] is not was:
            chapter = self._begun[-1].what
            self._found.chapters.append(_Noted(entry.number, -1, None, chapter))

    def _mark(self, entry: Entry, place: int, sign: str, after: GameState) -> None:
        seat = str(entry.events[place].get("seat", ""))
        if sign == "won":
            standing = [each.id for each in after.remaining()]
            if after.result != "won" or not standing:
                return
            seat = standing[0]
        mark = Mark(entry.number, sign, seat)
        self._found.marks.append(_Noted(entry.number, place, entry.heard, mark))

    def _swing(self, entry: Entry, before: GameState, after: GameState) -> None:
        """Note by how much the numbers that the strip shows have changed."""
        for seat in self._touched(entry, after):
            then = self._heroes[seat] if seat in self._heroes else self._hero(before, seat)
            now = self._heroes[seat] = self._hero(after, seat)
            if then is None or now is None or abs(by := now - then) < LEAST_SWING:
                continue
            mark = Mark(entry.number, "up" if by > 0 else "down", seat, then, now)
            self._found.swings.append(_Noted(entry.number, 0, None, mark, abs(by)))
        if len(self._found.swings) > 2 * CONSIDERED:
            self._found.swings.sort(key=lambda each: -each.by_how_much)
            del self._found.swings[CONSIDERED:]

    def _hero(self, state: GameState, seat: str) -> int | None:
        if seat not in state.seats:
            return None
        name = self._presentation.hero
        curves = self._presentation.curves(self.system, state, state.seats[seat]) if name else ()
        for kind, whose, amount in curves:
            if (kind, whose) == (name, seat):
                return amount
        hero = view_models.panel(self.system, state, seat).hero
        return hero.amount if hero else None

    def _touched(self, entry: Entry, state: GameState) -> set[str]:
        """The seats whose numbers *entry* may have changed."""
        named = {value for event in entry.events for value in event.values() if type(value) is str}
        if any(each.startswith("team:") for each in named):
            return set(state.seats)
        objects = (state.objects.get(each) for each in named)
        return (named | {view_models.keeper(obj) for obj in objects if obj}) & state.seats.keys()

    # Lines and entries

    def _counted(self, seat: str | None) -> _Lines | None:
        """The lines of *seat*; None if it counts entries."""
        if not audiences.counts_lines(self.system, self._replay.state, seat):
            return None
        return self._lines.get(seat or audiences.WATCHERS) or _Lines()

    def counts(self, seat: str | None) -> bool:
        """Whether *seat* counts lines of its own."""
        return self._counted(seat) is not None

    def last(self, seat: str | None) -> int:
        """The last line of *seat*."""
        counted = self._counted(seat)
        return counted.lines[-1] if counted else self.line(seat, self.number)

    def hidden(self, seat: str | None) -> list[int]:
        """The entries of which *seat* could not even know that anything happened."""
        seen, numbers = self._hidden.get(seat, (0, []))
        for number in self._found.private[seen:]:
            (entry,) = rows.entries(self._game, number - 1, number)
            state = secrecy.seen(self.system, self._replay.at(number), seat)
            if secrecy.entry_seen(self.system, state, entry, seat) is None:
                numbers.append(number)
        self._hidden[seat] = (len(self._found.private), numbers)
        return numbers

    def entry(self, seat: str | None, line: int) -> int:
        """The number of the entry that *seat* counts as *line*, or of the last one before it."""
        if counted := self._counted(seat):
            return counted.entry(line)
        hidden = set(self.hidden(seat))
        while line in hidden:
            line -= 1
        return line

    def line(self, seat: str | None, number: int) -> int:
        """The line that *seat* counts entry *number* as, or the last one before it."""
        counted = self._counted(seat)
        return counted.line(number) if counted else self.entry(seat, number)

    # What is seen

    def seated(self, seats: Mapping[str, Seat]) -> None:
        """Draw these seats, with their names and looks, from now on."""
        looks = seats_as_drawn(seats)
        if looks != self._looks:
            self._looks, self._seats = looks, seats
            self._screens.reseat(seats)

    def moment(self, seat: str | None, line: int) -> Moment:
        """The moment of *line*, from 0 to `last`, in the active language."""
        number = self.entry(seat, line)
        state = self._replay.at(number)
        seated = seat if seat in state.seats else None
        eyes = audience(self.system, seated, active_language())
        chapters = (each for each in reversed(self._found.chapters) if each.number <= number)
        return Moment(
            line=self.line(seat, number),
            at=datetime.fromtimestamp(self._found.times[number - 1], UTC) if number else None,
            by=self._found.by[number - 1] if number else "",
            parts=self._parts(seat, number),
            chapter=next((each.what for each in chapters if self._knows(seat, each)), None),
            header=self._screens.header(state, eyes),
            board=self._screens.board(state, seated, eyes, swap=""),
            shared=self.line(None, number),
        )

    def before(self, seat: str | None, line: int, most: int) -> list[tuple[str, tuple[Part, ...]]]:
        """Up to *most* lines before *line*, the last one first: who did it, and what it told."""
        found: list[tuple[str, tuple[Part, ...]]] = []
        while line > 1 and len(found) < most:
            line -= 1
            number = self.entry(seat, line)
            if self.line(seat, number) == line and (parts := self._parts(seat, number)):
                found.append((self._found.by[number - 1], parts))
        return found

    def _parts(self, seat: str | None, number: int) -> tuple[Part, ...]:
        """What entry *number* told *seat*."""
        if not number:
            return ()
        (entry,) = self._load(number - 1, number)
        before, after = self._replay.at(number - 1), self._replay.at(number)
        names = {key: each.name for key, each in self._seats.items()}
        told = Then(
            self.system,
            entry,
            before,
            after,
            seat if seat in after.seats else None,
            names,
            lambda each: self._read(seat, each),
            lambda each: self._parts(seat, each),
        )
        return tuple(_named(part, names) for part in self._board.then(told))

    def _read(self, seat: str | None, number: int) -> int | None:
        """The line that entry *number* is for *seat*; None if it did not hear of it."""
        line = self.line(seat, number)
        return line if self.entry(seat, line) == number else None

    def film(self, seat: str | None) -> tuple[list[Chapter], list[Mark]]:
        """The chapters and the marks that *seat* knows of, by its lines."""
        undone = self._replay.undone
        swings = [each for each in self._found.swings if each.number not in undone]
        swings.sort(key=lambda each: (-each.by_how_much, each.number))
        marks = [each for each in self._found.marks if each.number not in undone]
        found = [*(each for each in marks if self._knows(seat, each)), *swings[:SWINGS]]
        chapters = (each for each in self._found.chapters if self._knows(seat, each))
        return (
            [replace(each.what, line=self.line(seat, each.number)) for each in chapters],
            [
                replace(each.what, line=self.line(seat, each.number))
                for each in sorted(found, key=lambda each: each.number)
            ],
        )

    def _knows(self, seat: str | None, noted: _Noted) -> bool:
        """Whether *seat* heard of what was noted when it happened."""
        if self._counted(seat) is None or noted.heard is None:
            return True
        heard = noted.heard.get(seat or audiences.WATCHERS)
        return heard is not None and heard.now and noted.place in heard.events


def _named(part: Part, names: Mapping[str, str]) -> Part:
    """*part* with names in place of the seats' ids in braces."""
    return replace(
        part, words=IN_BRACES.sub(lambda found: names.get(found[1], found[0]), part.words)
    )


def seats_as_drawn(seats: Mapping[str, Seat]) -> tuple[Any, ...]:
    """Everything that a board shows of its seats themselves."""
    return tuple(
        (key, seat.given_name, seat.place, seat.colour, seat.emblem, seat.free)
        for key, seat in seats.items()
    )


_evenings: OrderedDict[tuple[int, str], Evening] = OrderedDict()


def evening_of(game: Game) -> Evening:
    """The evening of *game*, as far as it was read already. Only for the one thread that reads."""
    key = game.pk, game.slug
    found = _evenings.pop(key, None) or Evening(game)
    _evenings[key] = found
    if len(_evenings) > KEPT:
        _evenings.popitem(last=False)
    return found


def forget() -> None:
    """Forget all evenings."""
    _evenings.clear()
