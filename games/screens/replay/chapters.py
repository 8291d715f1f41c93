"""The parts of an evening, what happened in it that one looks for again, and both as a film strip.

They are found in the events of a log alone, so that a long one need not be replayed for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct

from games.models import Game
from games.rules.entry import Entry, EntryViews, view_in
from games.screens.boards import board_of
from games.screens.looks import letter, looks, seat_at
from games.screens.summary.statistics import SLOTS, GameStatistics
from games.screens.words import Words
from games.store import moments, rows

SWINGS = 3
"""Number of the biggest swings that are marked."""
LEAST_SWING = 3
"""A number that changes by less at once has not swung."""
TURNED = ("undone", "redone")


class Chapter(Struct, frozen=True):
    """A turn, or what else the evening consists of. line: its first. count: the seat's how-manieth.

    seats: whose it is. name: what it is called, if it is nobody's.
    """

    line: int
    seats: tuple[str, ...] = ()
    count: int = 0
    name: str = ""


class Mark(Struct, frozen=True):
    """Something to find again. sign: "out", "won", "complete", "up" or "down".

    before, after: the number that swung.
    """

    line: int
    sign: str
    seat: str = ""
    before: int = 0
    after: int = 0


class Noted(Struct, frozen=True):
    """A chapter or a mark, from the event at *place* of entry *number*, and who heard of that.

    what: its line is the number of the entry.
    """

    number: int
    place: int
    views: EntryViews | None
    what: Any

    def known_to(self, seat: str | None) -> bool:
        """True if *seat* (None: a watcher), which counts lines of its own, was sent it."""
        if self.views is None:
            return True
        view = view_in(self.views, seat)
        return view is not None and view.now and self.place in view.events

    def line(self, seat: str | None) -> int:
        """Its line as *seat* counts."""
        view = view_in(self.views, seat)
        return view.line if view else self.number


class Chapters:
    """The chapters and marks of one game. `read_on` reads what is new in its log."""

    def __init__(self, game: Game) -> None:
        board = board_of(game.rules)
        self._begins, self._name = board.begins
        self._signs = board.marks
        self.number = 0
        """The last entry that was read."""
        self.undone: set[int] = set()
        self.chapters: list[Noted] = []
        self._standing: list[Noted] = []
        self._begun: set[int] = set()
        self._marks: list[Noted] = []
        turn = rows.opening(game).turn
        if turn and turn.active:
            self._begin(Noted(0, 0, None, Chapter(0, turn.active, 1)))

    def read_on(self, game: Game) -> None:
        """Read the log of *game* up to its number."""
        if game.number > self.number:
            words = (self._begins, *self._signs, *TURNED)
            for entry in moments.naming(game, words, self.number):
                self._note(game, entry)
            self.number = game.number

    def marks(self) -> list[Noted]:
        """The marks that were not undone, oldest first."""
        return [each for each in self._marks if each.number not in self.undone]

    def _note(self, game: Game, entry: Entry) -> None:
        if turned := moments.turn(entry, self.undone):
            if entry.views is None and not self._begun.isdisjoint(turned):
                self._turn_back(entry.number)
            return
        for place, event in enumerate(entry.events):
            if event["kind"] == self._begins:
                chapter = self._chapter(entry.number, event)
                self._begin(Noted(entry.number, place, entry.views, chapter))
            elif sign := self._signs.get(event["kind"]):
                if mark := _mark(game, entry, sign, event):
                    self._marks.append(Noted(entry.number, place, entry.views, mark))

    def _turn_back(self, number: int) -> None:
        """After an undo or redo, the turn that stands goes on."""
        last = self._standing[-1:]
        began = [each for each in self.chapters if each.place >= 0]
        self._standing = _without_opening([n for n in began if n.number not in self.undone])
        if self._standing and self._standing[-1:] != last:
            self.chapters.append(Noted(number, -1, None, self._standing[-1].what))

    def _chapter(self, number: int, event: Mapping[str, Any]) -> Chapter:
        seats = tuple(event.get("active", ()))
        before = self._standing if number > 1 else ()
        same = sum(each.what.seats == seats for each in before)
        return Chapter(number, seats, same + 1, str(event.get(self._name, "")))

    def _begin(self, noted: Noted) -> None:
        self.chapters.append(noted)
        self._standing = _without_opening([*self._standing, noted])
        self._begun.add(noted.number)


def _without_opening(standing: list[Noted]) -> list[Noted]:
    """The chapters without that of the opening, if the first line began another."""
    return standing[[each.number for each in standing[:2]] == [0, 1] :]


def _mark(game: Game, entry: Entry, sign: str, event: Mapping[str, Any]) -> Mark | None:
    """The mark of *event*: not of a draw, nor of a life that went to 0 after the end."""
    if sign == "won":
        winners = moments.moment(game, entry.number).after.winners
        return Mark(entry.number, sign, winners[0]) if winners else None
    if sign == "out" and moments.moment(game, entry.number).before.result:
        return None
    return Mark(entry.number, sign, str(event.get("seat", "")))


def swung(statistics: GameStatistics) -> list[Mark]:
    """The biggest changes at once of the number that the game is about, or that moved most."""
    kind = next(iter(statistics.charts), SLOTS)
    found = [
        Mark(now.line, "up" if now.value > was.value else "down", seat, was.value, now.value)
        for curve in statistics.charts.get(kind, ())
        for was, now in pairwise(curve.points)
        for seat in curve.seats[:1]
        if abs(now.value - was.value) >= LEAST_SWING
    ]
    return sorted(found, key=lambda each: (-abs(each.after - each.before), each.line))[:SWINGS]


ROOM, THIN = 4.0, 1.0
"""A band that is narrower, in hundredths of the whole, has no letter; and no gap beside it."""
SIGNS = {
    "won": "M-6 5H6L7-4L3 0L0-6L-3 0L-7-4Z",
    "out": "M-5-5L5 5M5-5L-5 5",
    "complete": "M-6 0L-2 5L6-5",
    "up": "M0-5L6 5H-6Z",
    "down": "M0 5L6-5H-6Z",
}
"""The shapes of the marks, centred on 0, what says most first: crown, cross, tick, arrows."""


def film_strip(
    its: Words, chapters: Sequence[Chapter], marks: Sequence[Mark], last: int
) -> SafeString:
    """The strip from the opening to line *last*."""
    ends = [*(each.line for each in chapters[1:]), last]
    bands = [
        _band(its, chapter, 100 * chapter.line / last, 100 * max(0, end - chapter.line) / last)
        for chapter, end in zip(chapters, ends, strict=False)
        if last
    ]
    signs = [
        (
            looks(seat_at(its, each.seat)),
            each.sign,
            f"{100 * each.line / last:.2f}%",
            SIGNS[each.sign],
        )
        for each in _one_a_line(marks)
        if last
    ]
    return format_html(
        '<svg class="film" aria-hidden="true">{}{}</svg>',
        format_html_join("", "{}", ((band,) for band in bands)),
        format_html_join(
            "",
            '<g {} class="film-mark is-{}"><svg x="{}" y="25"><path d="{}"/></svg></g>',
            signs,
        ),
    )


def _one_a_line(marks: Sequence[Mark]) -> Iterator[Mark]:
    """Of several marks of one line the one that says most."""
    order = list(SIGNS)
    lines: dict[int, Mark] = {}
    for each in marks:
        there = lines.get(each.line)
        if there is None or order.index(each.sign) < order.index(there.sign):
            lines[each.line] = each
    yield from lines.values()


def _band(its: Words, chapter: Chapter, start: float, wide: float) -> SafeString:
    seat = seat_at(its, chapter.seats[0] if chapter.seats else 0)
    written = ""
    if wide > ROOM and chapter.seats:
        written = letter(seat, chapter.seats[0])
    return format_html(
        '<g {}><rect x="{}" y="0" width="{}" height="18"{}/>'
        '<text x="{}" y="13.5" text-anchor="middle">{}</text></g>',
        looks(seat),
        f"{start:.2f}%",
        f"{wide:.2f}%",
        mark_safe(" data-thin") if wide < THIN else "",
        f"{start + wide / 2:.2f}%",
        written,
    )


def _called(its: Words, seat: str) -> str:
    return its.seats[seat].name if seat in its.seats else seat


def chapter_name(its: Words, chapter: Chapter | None) -> str:
    """The name of a chapter: "Ana’s turn 5", or its own name; "" for none."""
    if chapter is None:
        return ""
    if not chapter.seats:
        return chapter.name
    who = " + ".join(_called(its, seat) for seat in chapter.seats)
    return _("%(who)s’s turn %(n)s") % {"who": who, "n": chapter.count}


def mark_name(its: Words, mark: Mark) -> str:
    """The subject of a mark, in words."""
    facts = {"who": _called(its, mark.seat), "before": mark.before, "after": mark.after}
    if mark.sign == "out":
        return _("%(who)s is out") % facts
    if mark.sign == "won":
        return ngettext("%(who)s wins", "%(who)s win", 1) % facts
    if mark.sign == "complete":
        return capfirst(_("a counter is complete"))
    return _("%(who)s: %(before)s → %(after)s") % facts
