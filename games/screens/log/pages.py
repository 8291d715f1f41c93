"""The log in pages, newest first: the latest lines, those before a line or around it, and a search.

Lines stand under headings: whose turn it was, and when; a new one follows a pause as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest

from msgspec import Struct

from games.screens.log.lines import LogLine
from games.screens.log.log import Log
from games.screens.search import Words
from games.store import threads

SHOWN, MOST = 60, 300
"""Lines of a page, and the maximum after more were asked for."""
ABOVE = 8
"""The number of newer lines above the one that was asked for."""
PAUSE = timedelta(minutes=5)
"""After so long without a line a new heading begins."""
BUDGET = 0.06
"""Seconds of work for one answer to a search; the next page goes on from there."""


class Row(Struct, frozen=True):
    """A line, and how many lines "undo to here" would undo.

    after: 0 if that is not offered, None if they have not been counted.
    """

    line: LogLine
    after: int | None = 0


class Section(Struct, frozen=True):
    """The lines of one turn, or between two pauses, newest first.

    who: the names of those whose turn it was. at: when its first line here was said. goes_on: it
    began before that, on an earlier page.
    """

    who: str
    at: datetime
    rows: Sequence[Row]
    goes_on: bool

    @property
    def number(self) -> int:
        """The number of its newest line."""
        return self.rows[0].line.number


class Page(Struct, frozen=True):
    """Some lines, newest first.

    earlier: the page goes on with lines below this number; 0 if these are all. searched: whether a
    search stopped there because it had taken long, not because it had found enough. newest: whether
    it begins with the newest line.
    """

    lines: Sequence[LogLine]
    earlier: int = 0
    searched: bool = False
    newest: bool = True


def latest(log: Log, down: int = 0) -> Page:
    """The newest lines, at least as far as line *down*."""
    return _page(log.backwards(), down=down)


def before(log: Log, number: int) -> Page:
    """The lines with numbers below *number*."""
    return _page(log.backwards(number), newest=False)


def around(log: Log, number: int) -> Page:
    """The page that holds line *number*, a few newer lines above it."""
    k = log.holding(number)
    newer = [line for n in (k, k + 1) if n <= log.last for line in log.piece(n)]
    above = [line.number for line in newer if line.number >= number][: ABOVE + 1]
    if not above or (len(above) <= ABOVE and k + 1 >= log.last):
        return latest(log, number)
    return _page(log.backwards(above[-1] + 1), newest=False)


def found(log: Log, words: Words, start: int | None = None) -> Page:
    """The lines below number *start* that tell of *words*, as far as the search came in time."""
    until = threads.busy() + BUDGET
    lines: list[LogLine] = []
    for line in log.backwards(start):
        if words.within(f"{line.name} {line.sentence} {line.note}"):
            lines.append(line)
        full = len(lines) == SHOWN
        if full or threads.busy() > until:
            return Page(lines, line.number, searched=not full, newest=start is None)
    return Page(lines, newest=start is None)


def _page(lines: Iterator[LogLine], *, down: int = 0, newest: bool = True) -> Page:
    """Enough of *lines*, as far as line *down*, and on to the beginning of a turn if it is near."""
    shown: list[LogLine] = []
    for line in lines:
        enough = len(shown) >= SHOWN and (not down or shown[-1].number <= down)
        if len(shown) == MOST or (enough and (shown[-1].begins or len(shown) >= 2 * SHOWN)):
            return Page(shown, shown[-1].number, newest=newest)
        shown.append(line)
    return Page(shown, newest=newest)


def sections(rows: Iterable[Row], names: dict[str, str]) -> list[Section]:
    """*rows*, newest first, under their headings."""
    out: list[Section] = []
    own: list[Row] = []
    everything = [*rows]
    for row, older in zip_longest(everything, everything[1:]):
        own.append(row)
        if older is None or opens(older.line, row.line):
            who = ", ".join(names.get(seat, seat) for seat in row.line.turn)
            goes_on = older is None and not row.line.begins
            out.append(Section(who, row.line.at, own, goes_on))
            own = []
    return out


def opens(previous: LogLine | None, line: LogLine) -> bool:
    """True if a heading stands between two lines."""
    if previous is None or line.begins or line.turn != previous.turn:
        return True
    return line.at - previous.until >= PAUSE


def with_following(lines: Iterable[LogLine]) -> Iterator[Row]:
    """*lines* from the newest on, each with how many lines "undo to here" would undo.

    0 if the reader may not undo one of them.
    """
    after, barred = 0, False
    for line in lines:
        yield Row(line, 0 if barred else after)
        after += line.standing
        barred = barred or (line.fixed and line.standing)


def only(log: Log, numbers: Collection[int]) -> list[LogLine]:
    """The standing lines that the entries *numbers* are part of, newest first."""
    held = sorted({log.holding(number) for number in numbers}, reverse=True)
    lines = [line for k in held for line in reversed(log.piece(k))]
    return [line for line in lines if line.standing and {*line.entries} & {*numbers}]
