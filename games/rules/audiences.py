"""Views of a log by audience, where seats keep secrets: its entries, and their numbers.

In a game with a view (`System.view`) a secret act must leave no trace with those who may not know
of it, not even a gap between two numbers. So every audience counts only the entries that it has
learned of: whoever knows no secrets names and reads entries by these *lines*. Those who know the
secrets use the numbers of the log. What an audience heard is stored with each entry when it is
accepted, so that a later reveal does not tell the past.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from .state import GameState, Refused

if TYPE_CHECKING:
    from .history import Applied, History
    from .system import Entry, System

WATCHERS = ""
"""The audience of those without a seat; that of a seat has the seat's id."""
REVERSALS = ("undo", "redo")


class Heard(Struct, frozen=True):
    """The part of an entry that one audience was sent.

    line: how many entries it has heard of by then, this one included.
    now: whether it heard of this one. events: the places of the events it learned of.
    unexplained: those of them whose rule would tell a secret. revealed: those that showed it
    something for the first time.
    """

    line: int
    now: bool = False
    events: tuple[int, ...] = ()
    unexplained: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()


Hearing = Mapping[str, Heard]
"""By audience."""


def as_json(heard: Hearing | None) -> dict[str, Any] | None:
    """*heard* for a column: a number for those who heard nothing, else the fields of `Heard`."""
    if heard is None:
        return None
    return {
        key: [each.line, each.events, each.unexplained, each.revealed] if each.now else each.line
        for key, each in heard.items()
    }


def from_json(stored: Mapping[str, Any] | None) -> Hearing | None:
    """The opposite of `as_json`."""
    if stored is None:
        return None
    return {
        key: Heard(each)
        if type(each) is int
        else Heard(each[0], True, tuple(each[1]), tuple(each[2]), tuple(each[3]))
        for key, each in stored.items()
    }


def counts_lines(system: System, state: GameState, seat: str | None) -> bool:
    """Whether *seat* (None: a watcher) counts lines of its own instead of the log's numbers."""
    if system.hears is None:
        return False
    return seat is None or not system.knows_secrets(state, seat)


def heard_by(entry: Entry, seat: str | None) -> Heard | None:
    """The part of *entry* that *seat* was sent; None for entries from before this was noted."""
    return entry.heard.get(seat or WATCHERS) if entry.heard else None


def line_of(entry: Entry, seat: str | None) -> int:
    """The number of *entry* as *seat* counts."""
    heard = heard_by(entry, seat)
    return entry.number if heard is None else heard.line


def told(applied: Applied, seat: str | None) -> Applied | None:
    """*applied* with only what *seat* heard of it, numbered as it counts; None if it heard nothing.

    The states stay whole: screens show only what the seat may see of them.
    """
    entry = applied.entry
    heard = heard_by(entry, seat) if entry else None
    if entry is None or heard is None:
        return applied
    if not heard.now:
        return None
    events = tuple({**entry.events[place], "entry": heard.line} for place in heard.events)
    return replace(applied, entry=replace(entry, number=heard.line, events=events))


# Commands and refusals


def with_numbers(history: History, raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """*raw* with the log's numbers in place of the lines that its seat names.

    Everything after a line is everything that the seat has heard since. Raises Refused.
    """
    if raw.get("do") not in (*REVERSALS, "attribute") or _repeated(history, raw.get("id")):
        return raw
    seat = raw["by"]
    if not counts_lines(history.system, history.state, seat):
        return raw
    given = {name for name in ("entry", "entries", "to") if raw.get(name) is not None}
    if given == {"entry"} and _natural(raw["entry"]):
        return {**raw, "entry": _numbers(history, seat, [raw["entry"]])[0]}
    if given == {"entries"} and type(raw["entries"]) is list and all(map(_natural, raw["entries"])):
        return {**raw, "entries": _numbers(history, seat, raw["entries"])}
    if given == {"to"} and _natural(raw["to"], least=0):
        since = list(_standing_since(history, seat, raw["to"]))
        if not since:
            raise Refused("nothing-to-undo", "There is nothing to undo.", "Log 2")
        left = {name: value for name, value in raw.items() if name != "to"}
        return {**left, "entries": since}
    return raw


def _repeated(history: History, command_id: Any) -> bool:
    return type(command_id) is str and history.ids.known(command_id, history.number)


def _natural(value: Any, least: int = 1) -> bool:
    return type(value) is int and value >= least


def _numbers(history: History, seat: str, lines: Sequence[int]) -> list[int]:
    """The numbers of the entries that *seat* counts as *lines*. Raises Refused."""
    found: dict[int, int] = {}
    for entry in history.entries:
        found.setdefault(line_of(entry, seat), entry.number)
    for line in lines:
        if line not in found:
            raise Refused("unknown", "There is no entry {n} in the log.", None, n=line)
    return [found[line] for line in lines]


def _standing_since(history: History, seat: str, line: int) -> Iterator[int]:
    if line > history.line_for(seat):
        raise Refused("unknown", "There is no entry {n} in the log.", None, n=line)
    for entry in history.entries:
        heard = heard_by(entry, seat)
        if line_of(entry, seat) > line and (heard is None or heard.now):
            if entry.command["do"] not in REVERSALS and not entry.undone_by:
                yield entry.number


def with_lines(history: History, raw: Mapping[str, Any], refused: Refused) -> Refused:
    """*refused*, an undo or redo, with the lines of its seat in place of the log's numbers."""
    seat, facts = raw.get("by"), dict(refused.facts)
    if raw.get("do") not in REVERSALS or refused.code != "conflict":
        return refused
    if seat is None or not counts_lines(history.system, history.state, seat):
        return refused

    def line(number: int) -> int:
        return line_of(history.entries[number - 1], seat)

    if "n" in facts:
        facts["n"] = line(facts["n"])
    if "lines" in facts:
        facts["lines"] = " ".join(str(line(int(each))) for each in facts["lines"].split())
    sentence = refused.template
    return Refused(refused.code, sentence, refused.rule, **facts)


def lines_after(
    before: Mapping[str, int], unnumbered: int, heard: Mapping[str, Heard | None]
) -> Hearing:
    """What was *heard*, with the lines counted on from *before*.

    unnumbered: how many entries there were before anyone counted lines.
    """
    counted = {}
    for key, each in heard.items():
        line = before.get(key, unnumbered)
        counted[key] = Heard(line) if each is None else replace(each, line=line + 1, now=True)
    return counted
