"""Turns a state and an entry into a seat's, where seats keep secrets (`System.secrets`).

The rules know no secrets: they resolve every command with the whole state. What leaves the table
passes through here: the state as a seat sees it (`seen`), its log (`entry_seen`, `redacted`), and
what it is told of its commands (`TableSecrets`). Without secrets, all is passed on unchanged.

In a game with a private log a secret act must leave no trace with those who may not know of it, not
even a gap between two numbers. So every audience counts only the entries that it has learned of:
a seat without secrets names and reads entries by these *lines*. Those who know the secrets use
the numbers of the log. What an audience heard is stored with each entry when it is accepted, so
that a later reveal does not tell the past.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .batch import spelled_out
from .engine import head, names_in, read, step
from .entry import REVERSALS, WATCHERS, Entry, line_of, view_of
from .history import Applied, History
from .state import GameObject, GameState, Refused
from .system import HiddenFaces, PrivateLog, System

# Who may know what


def _log(system: System) -> PrivateLog | None:
    return system.secrets.log if system.secrets else None


def _faces(system: System) -> HiddenFaces | None:
    return system.secrets.faces if system.secrets else None


def private_log(system: System) -> bool:
    """True if seats are sent different commands."""
    return _log(system) is not None


def face_down(system: System) -> bool:
    """True if objects may lie face-down."""
    return _faces(system) is not None


def knows(system: System, state: GameState, seat: str) -> bool:
    """True if *seat* sees what is hidden from others, with the fact that it exists."""
    log = _log(system)
    return log is not None and log.knows(state, seat)


def sees(system: System, state: GameState, seat: str | None, counter: str) -> bool:
    """True if *seat* (None: someone without one) sees all of a slot counter."""
    log = _log(system)
    return log is None or log.sees(state, seat, counter)


# The state


def view(
    system: System, state: GameState, seat: str, entries: Sequence[Entry]
) -> dict[str, Any] | None:
    """The view of *seat* as JSON values; None if that is the whole state."""
    log = _log(system)
    return log.view(system, state, seat, entries) if log else None


def seen(system: System, state: GameState, seat: str | None) -> GameState:
    """*state* as *seat* sees it; the very same if it sees all of it."""
    objects = seen_objects(system, state.objects, seat)
    return state if objects is state.objects else replace(state, objects=objects)


def seen_objects(
    system: System, objects: Mapping[str, GameObject], seat: str | None
) -> Mapping[str, GameObject]:
    """*objects* as *seat* sees them, in their order; the very same if it sees all of them."""
    faces = _faces(system)
    if faces is None:
        return objects
    instead = {
        key: shown for key, obj in objects.items() if (shown := faces.as_seen(obj, seat)) is not obj
    }
    return {**objects, **instead} if instead else objects


# The log


def entry_seen(system: System, after: GameState, entry: Entry, seat: str | None) -> Entry | None:
    """*entry* as *seat* may read it. after: the state just after it, as that seat sees it.

    An event with `known_to` gives its name to those seats only. None if the seat may not even know
    that something happened: someone noted what is printed on a card that it cannot see.
    """
    if not face_down(system):
        return entry
    events = tuple(_nameless(event, seat) for event in entry.events)
    private = _private(system, entry.command)
    if private:
        about = [
            after.objects.get(each)
            for command in private
            for each in _about(system, command, entry.by)
        ]
        if any(obj and obj.unseen for obj in about):
            unseen = {key for key, obj in after.objects.items() if obj.unseen}
            events = tuple(event for event in events if event.get("object") not in unseen)
            if not events:
                return None
    return replace(entry, events=events)


def is_private(system: System, raw: Mapping[str, Any]) -> bool:
    """True if some seats may not even know of the command *raw*: it adds a printed fact."""
    return bool(_private(system, raw))


def unknown(system: System, after: GameState, entry: Entry, seat: str | None) -> bool:
    """True if *seat* may not even know that something happened in *entry*.

    after: the whole state just after it.
    """
    if not is_private(system, entry.command):
        return False
    return entry_seen(system, seen(system, after, seat), entry, seat) is None


def _nameless(event: dict[str, Any], seat: str | None) -> dict[str, Any]:
    if seat in event.get("known_to", (seat,)):
        return event
    return {key: value for key, value in event.items() if key != "name"}


# Lines


def counts_lines(system: System, state: GameState, seat: str | None) -> bool:
    """True if *seat* (None: a watcher) counts lines of its own instead of the log's numbers."""
    log = _log(system)
    return log is not None and (seat is None or not log.knows(state, seat))


def redacted(applied: Applied, seat: str | None) -> Applied | None:
    """*applied* with only what *seat* heard of it, numbered as it counts; None if it heard nothing.

    The states stay whole: screens show only what the seat may see of them.
    """
    if applied.entry is None:
        return applied
    entry = heard(applied.entry, seat)
    return replace(applied, entry=entry) if entry else None


def heard(entry: Entry, seat: str | None) -> Entry | None:
    """*entry* with only what *seat* heard of it, numbered as it counts; None if that is nothing."""
    view = view_of(entry, seat)
    if view is None:
        return entry
    if not view.now:
        return None
    told = [view.told(place, entry.events[place]) for place in view.events]
    events = tuple([{**event, "entry": view.line} for event in told])
    return replace(entry, number=view.line, events=events)


class Count(Struct, frozen=True):
    """The progress of a game's audiences.

    state: all of it. number: of the last entry. lines: how many entries each audience has heard of,
    where they count apart.
    """

    system: System
    state: GameState
    number: int
    lines: Mapping[str, int]

    def apart(self, seat: str | None) -> bool:
        """True if *seat* (None: a watcher) counts lines of its own instead of the log's numbers."""
        return counts_lines(self.system, self.state, seat)

    def of(self, seat: str | None) -> int:
        """The number of the last entry as *seat* counts."""
        if not counts_lines(self.system, self.state, seat):
            return self.number
        return self.lines.get(seat or WATCHERS, self.number)


def counted(before: Count, last: Applied) -> Count:
    """The count after the accepted command *last*."""
    entry = last.entry
    assert entry is not None
    lines = before.lines
    if entry.views is not None:
        lines = {key: each.line for key, each in entry.views.items()}
    return Count(before.system, last.after, entry.number, lines)


Step = tuple[Sequence[Applied], int, int, bool]
"""The commands that a seat is shown, the lines it had before and has now, and whether it changes
between the whole log and its own."""


def step_of(
    before: Count, now: Count, accepted: Sequence[Applied], seat: str | None
) -> Step | None:
    """The part of *accepted* that *seat* is shown; None if all of it is hidden."""
    log = _log(now.system)
    if log is None:
        return accepted, before.number, now.number, False
    was = seat is None or not log.knows(before.state, seat)
    apart = seat is None or not log.knows(now.state, seat)
    if apart:
        accepted = [part for each in accepted if (part := redacted(each, seat))]
        if not accepted:
            return None
    key = seat or WATCHERS
    first = before.lines.get(key, before.number) if was else before.number
    last = now.lines.get(key, now.number) if apart else now.number
    return accepted, first, last, apart is not was


# Commands


class TableSecrets:
    """What a table with secrets does before a seat's command, and tells the seat after it.

    A seat names entries as it counts them. random: makes ids.
    """

    def __init__(self, history: History, random: Callable[[], str]) -> None:
        self.history, self._random = history, random

    def first(self, raw: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
        """The commands that the table gives before *raw*: its refusal would tell a secret."""
        log = _log(self.history.system)
        if log is None or self._repeated(raw):
            return ()
        return log.in_the_way(self.history.state, raw, self._random)

    def before(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """*raw* with the log's numbers in place of the lines that its seat names.

        Everything after a line is everything that the seat has heard since. Raises Refused, also
        where any other answer would tell the seat what it may not know.
        """
        refuse_unseen(self.history.system, self.history.state, raw)
        if raw.get("do") not in (*REVERSALS, "attribute") or self._repeated(raw):
            return raw
        return self._with_numbers(raw) if self._counts_lines(raw["by"]) else raw

    def after(self, seat: str, applied: Applied) -> Applied:
        """*applied*, the outcome of a command of *seat*, as far as the seat heard of it."""
        counts = counts_lines(self.history.system, applied.after, seat)
        return (redacted(applied, seat) if counts else None) or applied

    def refused(self, raw: Mapping[str, Any], refused: Refused) -> Refused:
        """*refused*, the refusal of *raw*, in words that tell its seat nothing it may not know."""
        system, state = self.history.system, self.history.state
        return _refusal_seen(system, state, raw, self._with_lines(raw, refused))

    def _counts_lines(self, seat: str | None) -> bool:
        return counts_lines(self.history.system, self.history.state, seat)

    def _repeated(self, raw: Mapping[str, Any]) -> bool:
        command_id = raw.get("id")
        return type(command_id) is str and self.history.ids.known(command_id, self.history.number)

    def _with_numbers(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        seat = raw["by"]
        given = {name for name in ("entry", "entries", "to") if raw.get(name) is not None}
        if given == {"entry"} and _natural(raw["entry"]):
            return {**raw, "entry": self._numbers(seat, [raw["entry"]])[0]}
        if given == {"entries"} and _all_natural(raw["entries"]):
            return {**raw, "entries": self._numbers(seat, raw["entries"])}
        if given == {"to"} and _natural(raw["to"], least=0):
            since = list(self._standing_since(seat, raw["to"]))
            if not since:
                raise Refused("nothing-to-undo", "There is nothing to undo.", "Log 2")
            left = {name: value for name, value in raw.items() if name != "to"}
            return {**left, "entries": since}
        return raw

    def _numbers(self, seat: str, lines: Sequence[int]) -> list[int]:
        """The numbers of the entries that *seat* counts as *lines*. Raises Refused."""
        found: dict[int, int] = {}
        for entry in self.history.entries:
            found.setdefault(line_of(entry, seat), entry.number)
        for line in lines:
            if line not in found:
                raise Refused("unknown", "There is no entry {n} in the log.", None, n=line)
        return [found[line] for line in lines]

    def _standing_since(self, seat: str, line: int) -> Iterator[int]:
        if line > self.history.line_for(seat):
            raise Refused("unknown", "There is no entry {n} in the log.", None, n=line)
        for entry in self.history.entries:
            view = view_of(entry, seat)
            if line_of(entry, seat) > line and (view is None or view.now):
                if entry.command["do"] not in REVERSALS and not entry.undone_by:
                    yield entry.number

    def _with_lines(self, raw: Mapping[str, Any], refused: Refused) -> Refused:
        """*refused*, an undo or redo, with the lines of its seat in place of the log's numbers."""
        seat, facts = raw.get("by"), dict(refused.facts)
        if raw.get("do") not in REVERSALS or refused.code != "conflict":
            return refused
        if seat is None or not self._counts_lines(seat):
            return refused

        def line(number: int) -> int:
            return line_of(self.history.entries[number - 1], seat)

        if "n" in facts:
            facts["n"] = line(facts["n"])
        if "lines" in facts:
            facts["lines"] = " ".join(str(line(int(each))) for each in facts["lines"].split())
        sentence = refused.template
        return Refused(refused.code, sentence, refused.rule, **facts)


def at_table(history: History, random: Callable[[], str]) -> TableSecrets | None:
    """The secrets of the table that plays *history*; None if its seats see everything."""
    return TableSecrets(history, random) if history.system.secrets else None


def give(history: History, secrets: TableSecrets | None, raw: Mapping[str, Any]) -> Applied:
    """Give *raw*, a seat's command.

    Raises Refused, in words that tell the seat nothing it may not know.
    """
    if secrets is None:
        return history.give(raw)
    try:
        return history.give(secrets.before(raw))
    except Refused as refused:
        raise secrets.refused(raw, refused) from None


def refuse_unseen(system: System, state: GameState, raw: Mapping[str, Any]) -> None:
    """Refuse a private verb from a seat that does not see the object: the answer would tell it.

    Only at the table. The rules by themselves let any seat give any command. The steps of a command
    are looked at one by one.
    """
    private = _private(system, raw)
    if not private:
        return
    mine = seen(system, state, raw["by"])
    if mine is state:
        return
    for command in private:
        for each in _about(system, command, raw["by"]):
            obj = mine.objects.get(each)
            if obj and obj.unseen:
                raise Refused("forbidden", "Only a player who sees this card can say that of it.")


def _private(system: System, raw: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The private commands that *raw* is, or does together with others."""
    faces = _faces(system)
    if faces is None:
        return []
    every = (raw, *spelled_out(system, raw))
    return [
        each
        for each in every
        if isinstance(each.get("do"), str) and each["do"] in faces.private_verbs
    ]


def _refusal_seen(
    system: System, state: GameState, raw: Mapping[str, Any], refused: Refused
) -> Refused:
    """*refused* in words that tell its reader nothing about objects it cannot see."""
    mine = seen(system, state, raw["by"])
    if mine is state:
        return refused
    if raw.get("do") in ("undo", "redo"):
        # Its reason is about another line, which may name anything.
        if "why" not in refused.facts:
            return refused
        sentence = "Line {n} of the log would become impossible."
        return Refused(refused.code, sentence, refused.rule, n=refused.facts["n"])
    try:
        refuse_unseen(system, state, raw)
        step(system, mine, read(system, raw, head(system, mine, raw).by))
    except Refused as same:
        if same.code == refused.code:
            return same
    return Refused(refused.code, "The rules do not allow that now.", refused.rule)


def _about(system: System, raw: Mapping[str, Any], by: str) -> Sequence[str]:
    """The ids that a command names; none if it is malformed."""
    try:
        command = read(system, raw, by)
    except Refused:
        return ()
    return [each for _names, ids in names_in(command) for each in ids]


def _natural(value: Any, least: int = 1) -> bool:
    return type(value) is int and value >= least


def _all_natural(value: Any) -> bool:
    return type(value) is list and all(map(_natural, value))


# The whole game


def hides(history: History, seat: str | None) -> bool:
    """True if the log or the opening names an object whose face *seat* still may not see."""
    system = history.system
    if not face_down(system):
        return False
    now = seen_objects(system, history.state.objects, seat)
    opening = seen_objects(system, history.opening.objects, seat)
    if any(obj.unseen for obj in now.values()):
        return True
    if any(obj.unseen and key not in now for key, obj in opening.items()):
        return True
    return any(
        seat not in event["known_to"] and (entry.undone_by or event["object"] not in now)
        for entry in history.forwards()
        for event in entry.events
        if "known_to" in event
    )
