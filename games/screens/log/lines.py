"""The log as people read it: who, what, before and after, and why.

The log is replayed from the opening, entry by entry, so that every line shows the numbers of its
own moment, even around an undo. The result is cached; the next reader replays only new entries.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from games.models import Game
from games.rules import secrecy
from games.rules.history import fold, replayed
from games.rules.state import GameState
from games.rules.system import Entry, System
from games.screens.languages import active_language
from games.screens.log.sentences import Part, attribution, namer, parts
from games.screens.secrets import Eyes
from games.screens.words import IN_BRACES
from games.store import rows
from games.systems import taps

TOGETHER = timedelta(seconds=3)
"""One seat's taps on one counter within this time become one line."""
KEPT = 32
"""How many games stay cached, each once per language, and once per seat if cards may be face-down;
the least recently used goes first."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line: an entry, or several taps that make one gesture.

    entries: their numbers. undone: whether it was undone. correction: whether a judge made it.
    tap: who tapped which number. by_how_much: the change, if it was of one number.
    """

    entries: tuple[int, ...]
    by: str
    name: str
    place: int
    at: datetime
    parts: tuple[Part, ...]
    undone: bool = False
    correction: bool = False
    undoes: bool = False
    note: str = ""
    tap: tuple[Any, ...] | None = None
    by_how_much: int = 0
    verb: str = ""
    of: int = 0
    fixed: bool = False
    """Whether the reader may not undo it, as a player at a GM's table."""

    @property
    def number(self) -> int:
        return self.entries[-1]

    @property
    def standing(self) -> bool:
        """Whether it can be undone."""
        return not self.undone and not self.undoes

    @property
    def last(self) -> int:
        """The highest of its entries' numbers."""
        return max(self.entries)

    @property
    def turned(self) -> str:
        """Its entries in the order in which undo, or redo, goes through them."""
        order = self.entries if self.undone else reversed(self.entries)
        return " ".join(map(str, order))


@dataclass(slots=True)
class _Played:
    """A log replayed up to `number`: the state then, and the entries undone by then."""

    state: GameState
    number: int = 0
    undone: set[int] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)
    parts: dict[int, tuple[Part, ...]] = field(default_factory=dict)
    at: dict[int, datetime] = field(default_factory=dict)


_games: OrderedDict[tuple[str, str, str | None], _Played] = OrderedDict()
_lock = Lock()


def lines(game: Game, seat: str | None) -> list[LogLine]:
    """The lines of *game*'s log that *seat* may see, oldest first."""
    system = game.rules
    with _lock:
        reader = seat if system.as_seen else None
        key = (game.slug, active_language(), reader)
        played = _games.pop(key, None) or _Played(rows.opening(game))
        _games[key] = played
        if len(_games) > KEPT:
            _games.popitem(last=False)
        _play_on(game, system, played, reader)
        visible = _visible(system, played, seat)
        names = game.names
        return list(
            _grouped(_line(system, played, entry, names, visible) for entry in played.entries)
        )


def _play_on(game: Game, system: System, played: _Played, seat: str | None) -> None:
    eyes = Eyes(system)
    stored = game.entries.filter(number__gt=played.number).order_by("number")
    for row in stored:
        entry = Entry(row.number, row.seat, row.command_id, row.command, tuple(row.events))
        before = played.state
        _follow(game, system, played, entry)
        played.parts[entry.number] = _parts(system, before, played, entry, eyes, seat)
        played.at[entry.number] = row.at
        played.number = entry.number


def _parts(
    system: System,
    before: GameState,
    played: _Played,
    entry: Entry,
    eyes: Eyes,
    seat: str | None,
) -> tuple[Part, ...]:
    """*entry* in words, as *seat* saw it then: a card it could not see keeps its secret here."""
    then, now = eyes.state(before, seat), eyes.state(played.state, seat)
    shown = secrecy.entry_seen(system, now, entry, seat)
    if not shown:
        return ()
    if entry.command["do"] == "attribute":
        done = [part for n in entry.command["entries"] for part in played.parts.get(n, ())]
        if part := attribution(entry.events[0], done, namer(then, now)):
            return (part,)
    return tuple(parts(system, then, now, shown))


def _follow(game: Game, system: System, played: _Played, entry: Entry) -> None:
    """Advance the state to just after *entry*."""
    played.entries.append(entry)
    if not note_undone(entry, played.undone):
        played.state = replayed(system, played.state, entry)
        return
    standing = [each for each in played.entries if each.number not in played.undone]
    played.state = fold(system, rows.opening(game), standing)


def note_undone(entry: Entry, undone: set[int]) -> bool:
    """Note in *undone* what *entry* undid or redid; return whether it was an undo or redo."""
    turned = [each for each in entry.events if each["kind"] in ("undone", "redone")]
    for each in turned:
        (undone.add if each["kind"] == "undone" else undone.discard)(each["of"])
    return bool(turned)


def _visible(system: System, played: _Played, seat: str | None) -> set[int] | None:
    """The entries that *seat* may read; None in a game without secrets."""
    if system.view is None:
        return None
    if seat is None:
        return set()
    seen = system.view(system, played.state, seat, played.entries)
    return {event["entry"] for event in seen.get("log", ())}


def _line(
    system: System,
    played: _Played,
    entry: Entry,
    names: Mapping[str, str],
    visible: set[int] | None,
) -> LogLine:
    hidden = visible is not None and entry.number not in visible
    command = entry.command
    shown = () if hidden else _named(played.parts[entry.number], names)
    return LogLine(
        entries=(entry.number,),
        by=entry.by,
        name=names.get(entry.by, entry.by),
        place=list(names).index(entry.by) + 1 if entry.by in names else 0,
        at=played.at[entry.number],
        parts=shown,
        undone=entry.number in played.undone,
        correction=command["do"] == "correct",
        undoes=command["do"] in ("undo", "redo"),
        note="" if hidden else command.get("note", ""),
        tap=_tap(system, entry),
        by_how_much=_by_how_much(shown),
        verb=command["do"],
        of=next((each["of"] for each in entry.events if "of" in each), 0),
    )


def _named(parts: Sequence[Part], names: Mapping[str, str]) -> tuple[Part, ...]:
    """Put names in place of the seats' ids in braces. Names change, so this comes last."""

    def name(found: re.Match[str]) -> str:
        return names.get(found[1], found[0])

    return tuple(replace(part, words=IN_BRACES.sub(name, part.words)) for part in parts)


def _tap(system: System, entry: Entry) -> tuple[Any, ...] | None:
    """The key that the taps of one gesture share; None for what is never grouped."""
    command = entry.command
    tap = next((each for each in taps(system).values() if each.do == command["do"]), None)
    if tap is None or not tap.counted:
        return None
    on = command.get(tap.holder)
    if not isinstance(on, str) or "note" in command:
        return None
    return entry.by, on, command.get(tap.kind), tap.changes


def _by_how_much(shown: Sequence[Part]) -> int:
    """The change of a tap's number; 0 if anything else happened too."""
    if len(shown) != 1 or shown[0].before is None or shown[0].after is None:
        return 0
    return shown[0].after - shown[0].before


def gestures(
    system: System,
    state: GameState,
    entries: Iterable[tuple[Entry, datetime]],
    undone: set[int],
) -> Iterator[LogLine]:
    """Some entries in a row, with their times, as lines; for what belongs together, not to be read.

    state: any that knows the objects. undone: the entries that are undone.
    """
    played = _Played(state, undone=undone)
    for entry, at in entries:
        played.entries.append(entry)
        played.parts[entry.number] = tuple(parts(system, state, state, entry))
        played.at[entry.number] = at
    yield from _grouped(_line(system, played, entry, {}, None) for entry in played.entries)


def _grouped(all_lines: Iterator[LogLine]) -> Iterator[LogLine]:
    """Merge one seat's quick taps on one counter into one line, from the first number to the last.

    If others tap the same counter in between, neither line has a first number. Anything that is not
    a tap ends every gesture.
    """
    shown: dict[int, LogLine] = {}
    lately: dict[tuple[Any, ...], int] = {}
    newest: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    last: LogLine | None = None
    for line in all_lines:
        tap = line.tap
        if tap is None:
            lately.clear()
            if last and _undone_together(last, line):
                shown.pop(last.entries[0])
                part = replace(last.parts[0], words=f"{last.parts[0].words}, {line.of}")
                entries = (*last.entries, *line.entries)
                line = replace(last, entries=entries, at=line.at, parts=(part,))
        else:
            counter = tap[1:3]
            first = shown.get(lately.get(tap, 0))
            if first and _together(first, line):
                shown.pop(first.entries[0])
                line = _one_gesture(first, line, alone=newest[counter] == tap)
            newest[counter] = tap
            lately[tap] = line.entries[0]
        if line.parts or line.undoes:
            shown[line.entries[0]] = line
        last = line
    yield from shown.values()


def _together(first: LogLine, line: LogLine) -> bool:
    """Whether *line* continues the gesture of *first*: soon after it, and of the same kind.

    Up and down on one number is one gesture, because the finger shows one sum.
    """
    if first.undone != line.undone or line.at - first.at > TOGETHER:
        return False
    if len(first.parts) == len(line.parts) == 1 and first.by_how_much * line.by_how_much <= 0:
        if not first.by_how_much and not line.by_how_much:
            return _words(first) == _words(line)
        return first.parts[0].rule == line.parts[0].rule == ""
    return _words(first) == _words(line)


def _words(line: LogLine) -> list[tuple[str, str]]:
    return [(part.words, part.rule) for part in line.parts]


def _one_gesture(first: LogLine, line: LogLine, *, alone: bool) -> LogLine:
    """Both as one line. alone: no one else changed that counter in between."""
    by = first.by_how_much + line.by_how_much
    worded = first.parts if by * first.by_how_much > 0 else line.parts
    parts = tuple(
        replace(
            part,
            n=_sum(before.n, after.n, by if line.by_how_much else None),
            before=before.before if alone else None,
            after=after.after,
        )
        for part, before, after in zip(worded, first.parts, line.parts, strict=True)
    )
    entries = (*first.entries, *line.entries)
    return replace(line, entries=entries, parts=parts, by_how_much=by)


def _sum(first: int | None, second: int | None, by: int | None) -> int | None:
    if first is None or second is None:
        return None
    return first + second if by is None else abs(by)


def _undone_together(last: LogLine, line: LogLine) -> bool:
    """Whether one touch of Undo, or of Redo, made both lines."""
    return (
        line.undoes
        and last.undoes
        and line.of != 0 != last.of
        and line.verb == last.verb
        and line.by == last.by
        and line.at - last.at <= TOGETHER
        and len(last.parts) == len(line.parts) == 1
    )


def lines_after(all_lines: Sequence[LogLine]) -> dict[int, int]:
    """By line number: how many standing lines follow, which "undo to here" undoes."""
    after, counted = 0, {}
    for line in reversed(all_lines):
        counted[line.number] = after
        after += line.standing
    return counted


def sentence(line: LogLine) -> str:
    """*line* as one sentence."""
    return "; ".join(
        f"{part.text} {part.before} → {part.after}" if part.after is not None else part.text
        for part in line.parts[:2]
    )
