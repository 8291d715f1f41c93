"""Views of a log by audience, where seats keep secrets: its entries, and their numbers.

In a game with a view (`System.view`) a secret act must leave no trace with those who may not know
of it, not even a gap between two numbers. So every audience counts only the entries that it has
learned of: whoever knows no secrets names and reads entries by these *lines*. Those who know the
secrets use the numbers of the log. What an audience heard is stored with each entry when it is
accepted, so that a later reveal does not tell the past.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from .entry import REVERSALS, heard_by, line_of
from .history import Applied, History
from .state import GameState, Refused
from .system import System


def counts_lines(system: System, state: GameState, seat: str | None) -> bool:
    """Whether *seat* (None: a watcher) counts lines of its own instead of the log's numbers."""
    if system.hears is None:
        return False
    return seat is None or not system.knows_secrets(state, seat)


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
