"""The log as people read it: who, what, before and after, and why.

The log is played again from its opening, one entry after another, so that every line shows the
numbers of its own moment, also around an undo. What has been played is kept, and only what is new
is played at the next look.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from games import rows
from games.models import Game
from games.rules.history import fold, replayed
from games.rules.state import GameState
from games.rules.system import Entry, System
from games.sentences import Part, parts

TOGETHER = timedelta(seconds=3)
"""Taps of one seat on one counter within this time are one line."""
KEPT = 32
"""Games whose lines are kept; the least used goes first."""
IN_BRACES = re.compile(r"\{([a-z0-9-]+)\}")
TAPS = frozenset({"place", "remove", "damage", "gain-life", "lose-life"})


@dataclass(frozen=True, slots=True)
class Line:
    """One line: an entry, or several taps that are one gesture.

    entries: their numbers. undone: it was taken back. correction: a judge's.
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
    verb: str = ""
    of: int = 0

    @property
    def number(self) -> int:
        return self.entries[-1]

    @property
    def turned(self) -> str:
        """Its entries in the order in which taking back, or giving back, goes through them."""
        order = self.entries if self.undone else reversed(self.entries)
        return " ".join(map(str, order))


@dataclass(slots=True)
class _Played:
    """How far a log has been played: the state after `number`, and what was undone by then."""

    state: GameState
    number: int = 0
    undone: set[int] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)
    parts: dict[int, tuple[Part, ...]] = field(default_factory=dict)
    at: dict[int, datetime] = field(default_factory=dict)


_games: OrderedDict[int, _Played] = OrderedDict()
_lock = Lock()


def lines(game: Game, seat: str | None) -> list[Line]:
    """The log of *game*, the oldest first, as far as *seat* may see it."""
    system = game.rules
    with _lock:
        played = _games.pop(game.pk, None) or _Played(rows.opening(game))
        _games[game.pk] = played
        if len(_games) > KEPT:
            _games.popitem(last=False)
        _play_on(game, system, played)
        visible = _visible(system, played, seat)
        names = game.names
        return list(_grouped(_line(played, entry, names, visible) for entry in played.entries))


def _play_on(game: Game, system: System, played: _Played) -> None:
    stored = game.entries.filter(number__gt=played.number).order_by("number")
    for row in stored:
        entry = Entry(row.number, row.seat, row.command_id, row.command, tuple(row.events))
        before = played.state
        _follow(game, system, played, entry)
        played.parts[entry.number] = tuple(parts(system, before, played.state, entry))
        played.at[entry.number] = row.at
        played.number = entry.number


def _follow(game: Game, system: System, played: _Played, entry: Entry) -> None:
    """Bring the state to where it was after *entry*."""
    played.entries.append(entry)
    turned = next((each for each in entry.events if each["kind"] in ("undone", "redone")), None)
    if turned is None:
        played.state = replayed(system, played.state, entry)
        return
    of = turned["of"]
    if turned["kind"] == "undone":
        played.undone.add(of)
    else:
        played.undone.discard(of)
    standing = [each for each in played.entries if each.number not in played.undone]
    played.state = fold(system, rows.opening(game), standing)


def _visible(system: System, played: _Played, seat: str | None) -> set[int] | None:
    """The entries of which *seat* may read; None where nobody has secrets."""
    if system.view is None:
        return None
    if seat is None:
        return set()
    seen = system.view(system, played.state, seat, played.entries)
    return {event["entry"] for event in seen.get("log", ())}


def _line(
    played: _Played, entry: Entry, names: Mapping[str, str], visible: set[int] | None
) -> Line:
    hidden = visible is not None and entry.number not in visible
    command = entry.command
    return Line(
        entries=(entry.number,),
        by=entry.by,
        name=names.get(entry.by, entry.by),
        place=list(names).index(entry.by) + 1 if entry.by in names else 0,
        at=played.at[entry.number],
        parts=() if hidden else _named(played.parts[entry.number], names),
        undone=entry.number in played.undone,
        correction=command["do"] == "correct",
        undoes=command["do"] in ("undo", "redo"),
        note="" if hidden else command.get("note", ""),
        tap=_tap(entry),
        verb=command["do"],
        of=next((each["of"] for each in entry.events if "of" in each), 0),
    )


def _named(parts: Sequence[Part], names: Mapping[str, str]) -> tuple[Part, ...]:
    """Seats' ids in braces become their names at the last moment, for names change."""

    def name(found: re.Match[str]) -> str:
        return names.get(found[1], found[0])

    return tuple(replace(part, words=IN_BRACES.sub(name, part.words)) for part in parts)


def _tap(entry: Entry) -> tuple[Any, ...] | None:
    """What makes two entries one gesture; None for what stands alone."""
    command = entry.command
    if command["do"] not in TAPS:
        return None
    on = command.get("on") or command.get("seat")
    if not isinstance(on, str) or "note" in command:
        return None
    return entry.by, on, command.get("counter"), command["do"] == "damage"


def _grouped(all_lines: Iterator[Line]) -> Iterator[Line]:
    """Quick taps of one seat on one counter as one line, from the first number to the last."""
    last: Line | None = None
    for line in all_lines:
        if last and _together(last, line):
            last = replace(
                last,
                entries=(*last.entries, *line.entries),
                at=line.at,
                parts=_joined(last.parts, line.parts),
            )
        elif last and _turned_together(last, line):
            said = replace(last.parts[0], words=f"{last.parts[0].words}, {line.of}")
            last = replace(last, entries=(*last.entries, *line.entries), at=line.at, parts=(said,))
        else:
            if last and (last.parts or last.undoes):
                yield last
            last = line
    if last and (last.parts or last.undoes):
        yield last


def _together(last: Line, line: Line) -> bool:
    return (
        line.tap is not None
        and last.tap == line.tap
        and last.undone == line.undone
        and line.at - last.at <= TOGETHER
        and [(part.words, part.rule) for part in last.parts]
        == [(part.words, part.rule) for part in line.parts]
    )


def _turned_together(last: Line, line: Line) -> bool:
    """Both take back, or both give back, what one touch of Undo or Redo meant."""
    return (
        line.undoes
        and last.undoes
        and line.of != 0 != last.of
        and line.verb == last.verb
        and line.by == last.by
        and line.at - last.at <= TOGETHER
        and len(last.parts) == len(line.parts) == 1
    )


def _joined(first: tuple[Part, ...], second: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(
        replace(later, before=part.before, n=None if later.n is None else (part.n or 0) + later.n)
        for part, later in zip(first, second, strict=True)
    )


def turned_back_next(all_lines: Sequence[Line], seat: str) -> dict[str, Any]:
    """The entries that Undo and Redo of *seat* mean: its own newest line, its own undone last."""
    undo = next((each for each in reversed(all_lines) if each.by == seat and _standing(each)), None)
    redo = next((each for each in reversed(all_lines) if each.by == seat and each.undone), None)
    return {
        "undo": list(reversed(undo.entries)) if undo else [],
        "undo_text": said(undo) if undo else "",
        "redo": list(redo.entries) if redo else [],
        "redo_text": said(redo) if redo else "",
    }


def _standing(line: Line) -> bool:
    return not line.undone and not line.undoes


def said(line: Line) -> str:
    """A line as one sentence."""
    return "; ".join(
        f"{part.text} {part.before} → {part.after}" if part.after is not None else part.text
        for part in line.parts[:2]
    )
