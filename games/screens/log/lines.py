"""Lines of the log: who, what, before and after, and why; and which taps make one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.rules.entry import Entry
from games.rules.revising import asked_in, prompts_in
from games.rules.state import GameState
from games.rules.system import System
from games.screens.chairs import SEATING
from games.screens.log.entry_text import parts, undo_sentence
from games.screens.log.parts import Part, news_of
from games.systems import presentation_of, taps

TOGETHER = timedelta(seconds=3)
"""One seat's taps on one counter within this time become one line."""


class LogLine(Struct, frozen=True):
    """One line: an entry, or several taps that make one gesture.

    entries: their numbers. at: when the first of them was accepted, until: the last. undone: the
    number of the entry that undid it; 0 if it stands. correction: whether a judge made it.
    tap: who tapped which number.
    by_how_much: the change, if it was of one number. of: the lines that it undid or redid.
    turn: whose turn it was then; begins: whether that turn began with it.
    """

    entries: tuple[int, ...]
    by: str
    name: str
    place: int
    at: datetime
    until: datetime
    parts: tuple[Part, ...]
    undone: int = 0
    correction: bool = False
    undoes: bool = False
    note: str = ""
    tap: tuple[Any, ...] | None = None
    by_how_much: int = 0
    verb: str = ""
    """The command's; of one that the reader is not shown, the kind of its first event."""
    which: str = ""
    """The zone, the phase or the mark that its command names."""
    of: tuple[int, ...] = ()
    turn: tuple[str, ...] = ()
    begins: bool = False
    fixed: bool = False
    """True if the reader may not undo it, as a player at a GM's table."""
    closed: bool = False
    """True if it is of a session that is over, so that nobody undoes it any more."""
    secret: bool = False
    """True if its reader knows something of it that not everyone does."""
    asks: frozenset[str] = frozenset()
    """The questions without whose answers its act is not whole."""
    answers: frozenset[str] = frozenset()
    """The questions of an act that it answers."""

    @property
    def number(self) -> int:
        return self.entries[-1]

    @property
    def standing(self) -> bool:
        """True if it can be undone."""
        return not self.undone and not self.undoes

    @property
    def cancels(self) -> bool:
        """True if its taps took each other back."""
        return (
            len(self.entries) > 1
            and not self.by_how_much
            and [0] == [each.n for each in self.parts]
        )

    @property
    def last(self) -> int:
        """The highest of its entries' numbers."""
        return max(self.entries)

    @property
    def turned(self) -> str:
        """Its entries in the order in which undo, or redo, goes through them."""
        order = self.entries if self.undone else reversed(self.entries)
        return " ".join(map(str, order))

    @property
    def shown(self) -> tuple[Part, ...]:
        """Its parts as they follow the name of who acted, which does not come twice."""
        return after_name(self.parts, self.name)

    @property
    def news(self) -> tuple[Part, ...]:
        """What is read of it across the room."""
        return news_of(self.parts)

    @property
    def colon(self) -> str:
        """The separator between the name of who acted and `shown`: none in "Ana lost 1 life"."""
        return colon_after(self.name, self.parts)

    @property
    def sentence(self) -> str:
        """The whole sentence, from number to number: "Ana: 2 debuff on Squire, 0 → 2"."""
        return full_sentence(self.name, self.parts)


class WordedEntry(Struct, frozen=True):
    """An entry in words, with seats' ids in braces, and whose turn it was just after it."""

    entry: Entry
    at: datetime
    parts: tuple[Part, ...]
    turn: tuple[str, ...] = ()
    begins: bool = False


def line_of(
    system: System, worded: WordedEntry, names: Mapping[str, str], *, undone: int
) -> LogLine:
    """The line that one entry makes by itself."""
    entry, command = worded.entry, worded.entry.command
    shown = tuple(part.named(names) for part in worded.parts)
    asks, answers = act_of(system, entry)
    return line_by(
        entry.by,
        entry.number,
        worded.at,
        names,
        parts=shown,
        undone=undone,
        correction=command["do"] == "correct",
        undoes=command["do"] in ("undo", "redo"),
        note=command.get("note", "") if shown else "",
        tap=tap_of(system, entry),
        by_how_much=_by_how_much(shown),
        verb=command["do"],
        which=button_of(command)[1],
        of=tuple(each["of"] for each in entry.events if "of" in each),
        turn=worded.turn,
        begins=worded.begins,
        asks=asks,
        answers=answers,
    )


def line_by(by: str, number: int, at: datetime, names: Mapping[str, str], **more: Any) -> LogLine:
    """A line of that entry alone, with the name and place of who made it."""
    place = [*names].index(by) + 1 if by in names else 0
    return LogLine((number,), by, names.get(by, by), place, at, at, **more)


def act_of(system: System, entry: Entry) -> tuple[frozenset[str], frozenset[str]]:
    """The questions that *entry* asks, and those that it answers, of acts that they finish."""
    kinds = presentation_of(system).board.finishing_questions
    asks, answers = (
        frozenset(each for each in found if each.partition(":")[0] in kinds)
        for found in (asked_in(entry.events) if kinds else (), prompts_in(entry.command))
    )
    return asks, answers


def button_of(command: Mapping[str, Any]) -> tuple[str, str]:
    """The verb of *command*, or of its first step, and what its button names with it.

    That is a zone, a phase, a mark or a rule; "" for anything else. Empty chairs leave before the
    step with which a game begins: no button is named after that.
    """
    steps = command.get("steps", ()) if command["do"] == "together" else ()
    given = next((step for step in steps if step["do"] not in SEATING), next(iter(steps), command))
    named = {"move": "to", "begin-phase": "phase", "mark": "mark", "press": "rule"}
    return given["do"], str(given.get(named.get(given["do"], ""), ""))


def tap_of(system: System, entry: Entry) -> tuple[Any, ...] | None:
    """The key that the taps of one gesture share; None for what is never grouped."""
    command = entry.command
    tap = next((each for each in taps(system).values() if each.do == command["do"]), None)
    if tap is None or not tap.counted:
        return None
    on = command.get(tap.holder)
    if isinstance(on, list) and not tap.listed:
        on = " ".join(on)
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
    undone: Mapping[int, int],
) -> Iterator[LogLine]:
    """Some entries in a row, with their times, as lines; for what belongs together, not to be read.

    state: any that knows the objects. undone: by entry that is undone, the entry that undid it.
    """
    worded = (
        WordedEntry(entry, at, tuple(parts(system, state, state, entry))) for entry, at in entries
    )
    lines = (line_of(system, each, {}, undone=undone.get(each.entry.number, 0)) for each in worded)
    yield from grouped(lines, numbered=False)


def grouped(
    all_lines: Iterable[LogLine], *, numbered: bool = True, in_a_row: bool = False
) -> Iterator[LogLine]:
    """Merge one seat's quick taps on one counter into one line, from the first number to the last;
    and an act with the answers that finish it, as an attack with its blocks.

    Anything that is not a tap ends every gesture. numbered: who else taps that counter in
    between ends it too, so that a line tells all that led from one of its numbers to the other.
    in_a_row: any line in between ends it, and so does a tap in the other direction.
    """
    shown: dict[int, LogLine] = {}
    lately: dict[tuple[Any, ...], int] = {}
    newest: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    asking: dict[str, int] = {}
    last: LogLine | None = None
    for line in all_lines:
        tap = line.tap
        if tap is None:
            lately.clear()
            if last and _undone_together(last, line):
                shown.pop(last.entries[0])
                line = _one_reversal(last, line)
            for question in line.answers:
                act = shown.get(asking.get(question, 0))
                if act and act.undone == line.undone:
                    shown.pop(asking.pop(question))
                    line = _one_act(act, line)
            asking.update(dict.fromkeys(line.asks, line.entries[0]))
        else:
            counter = tap[1:3]
            first = shown.get(lately.get(tap, 0))
            if in_a_row:
                joined = first is last and _alike(first, line)
            else:
                alone = not numbered or (newest.get(counter) == tap and _goes_on(first, line))
                joined = alone and together(first, line)
            if first and joined:
                shown.pop(first.entries[0])
                line = _one_gesture(first, line)
            newest[counter] = tap
            lately[tap] = line.entries[0]
        if line.parts or line.undoes:
            shown[line.entries[0]] = line
        last = line
    yield from shown.values()


def _goes_on(first: LogLine | None, line: LogLine) -> bool:
    """True if every number of *line* begins where *first* left it: a rule may have moved it on."""
    parts = zip(first.parts, line.parts, strict=False) if first else ()
    return all(then.after == now.before for then, now in parts)


def _alike(first: LogLine | None, line: LogLine) -> bool:
    """True if *line* says soon after *first* the same of other numbers."""
    return first is not None and _soon(first, line) and _words(first) == _words(line)


def _soon(first: LogLine, line: LogLine) -> bool:
    return bool(first.undone) == bool(line.undone) and line.at - first.until <= TOGETHER


def together(first: LogLine | None, line: LogLine) -> bool:
    """True if *line* continues the gesture of *first*: soon after it, and of the same kind.

    Up and down on one number is one gesture, because the finger shows one sum.
    """
    if first is None or not _soon(first, line):
        return False
    if [part.n is None for part in first.parts] != [part.n is None for part in line.parts]:
        return False
    if len(first.parts) == len(line.parts) == 1 and first.by_how_much * line.by_how_much <= 0:
        if not first.by_how_much and not line.by_how_much:
            return _words(first) == _words(line)
        return first.parts[0].rule == line.parts[0].rule == ""
    added_up = len(line.parts) == 1 or all(part.n is not None for part in line.parts)
    return added_up and _words(first) == _words(line)


def _words(line: LogLine) -> list[tuple[str, str, int]]:
    return [(part.words, part.rule, part.times) for part in line.parts]


def _one_gesture(first: LogLine, line: LogLine) -> LogLine:
    """Both as one line."""
    by = first.by_how_much + line.by_how_much
    worded = first.parts if by * first.by_how_much > 0 else line.parts
    parts = tuple(
        replace(
            part,
            n=_sum(before.n, after.n, by if line.by_how_much else None),
            before=before.before,
            after=after.after,
        )
        for part, before, after in zip(worded, first.parts, line.parts, strict=True)
    )
    entries = (*first.entries, *line.entries)
    at, secret = first.at, first.secret
    return replace(line, entries=entries, at=at, parts=parts, by_how_much=by, secret=secret)


def _one_act(act: LogLine, answer: LogLine) -> LogLine:
    """Both as one line: what came of it stands in place of who was asked, and answered."""
    parts = tuple(part for part in (*act.parts, *answer.parts) if not part.aside)
    entries = (*act.entries, *answer.entries)
    return replace(act, entries=entries, until=answer.until, parts=parts, asks=answer.asks)


def _one_reversal(last: LogLine, line: LogLine) -> LogLine:
    """Two undos, or two redos, as one line."""
    of = (*last.of, *line.of)
    part = replace(last.parts[0], words=undo_sentence(last.verb, of))
    entries = (*last.entries, *line.entries)
    return replace(last, entries=entries, until=line.until, parts=(part,), of=of)


def _sum(first: int | None, second: int | None, by: int | None) -> int | None:
    if first is None or second is None:
        return None
    return first + second if by is None else abs(by)


def _undone_together(last: LogLine, line: LogLine) -> bool:
    """True if one touch of Undo, or of Redo, made both lines."""
    return (
        line.undoes
        and last.undoes
        and len(line.of) == 1 <= len(last.of)
        and line.verb == last.verb
        and line.by == last.by
        and line.at - last.until <= TOGETHER
        and len(last.parts) == len(line.parts) == 1
    )


def after_name(parts: tuple[Part, ...], name: str) -> tuple[Part, ...]:
    """*parts* as they follow the *name* of who acted, which does not come twice."""
    if not parts or not parts[0].words.startswith((f"{name} ", f"{name}: ")):
        return parts
    first, *rest = parts
    return replace(first, words=first.words[len(name) :].lstrip(": ")), *rest


def colon_after(name: str, parts: Sequence[Part]) -> str:
    """The separator between the *name* of who acted and *parts*: none in "Ana lost 1 life"."""
    goes_on = bool(parts) and (parts[0].acts or parts[0].words.startswith(f"{name} "))
    return "" if goes_on else ":"


def full_sentence(name: str, parts: Sequence[Part]) -> str:
    """Name and parts as one sentence."""
    return f"{name}{colon_after(name, parts)} {sentence_of(after_name(tuple(parts), name))}"


def sentence_of(parts: Iterable[Part]) -> str:
    """*parts* as one sentence."""
    return "; ".join(part.full_text for part in parts)
