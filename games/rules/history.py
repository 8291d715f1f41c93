"""The log of one game and the state it leads to: giving, undoing and redoing commands.

After an undo the game is as if the command had never been given: the commands that still stand are
resolved again in order, from the opening or the nearest checkpoint. Source: docs/COMMANDS.md,
Log 1 to 4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from . import command_ids
from .chapters import chapters, ends_session
from .commands import Command, Redo, Revise, Undo, invalid
from .engine import head, read, step
from .entry import WATCHERS, Entry, lines_after, view_of
from .events import Event, Redone, Revised, Undone
from .log import LATELY, Log, Stored, Unread, is_command, is_turn, turned
from .revising import (
    Numbers,
    acting,
    answered_by,
    as_it_stands,
    asked_in,
    by_round,
    note,
    number_of,
    prompts_in,
    revises,
    with_number,
)
from .state import NONE, GameState, Refused, refuse_too_much
from .system import System

MOST_ENTRIES = 100_000
"""Entries of a log: an evening has hundreds. What a stranger can grow has an end."""
MOST_ITEMS = 2_000
"""Objects and slot counters of a game, and counters of different kinds."""
MOST_STANDINGS = 200
"""The limit of standings on a table: each is checked for every counter that is put."""
MOST_KINDS = 100
"""Kinds of counters on one seat, object or team: all of them are drawn when one changes."""
CHECKPOINT_EVERY = 50
"""After so many entries a state is kept, for undo to start from."""
NOTHING: Mapping[int, int | None] = {}
MOST_CHECKPOINTS = 2 * LATELY // CHECKPOINT_EVERY
"""States that a stored game keeps in memory."""

BEGINNINGS = frozenset({"begin-turn", "begin-phase"})
"""The verbs that take nothing back once another turn has begun: each turn begins by its own."""

Kept = Callable[[int], Iterable[tuple[int, GameState]]]
"""Stored states of before an entry, as they were then, newest first, each with its number."""


class Reversal(Struct, frozen=True):
    """An undo or a redo: its own entry, and those that it undid or redid, oldest first."""

    entry: Entry
    of: tuple[Entry, ...]


class Applied(Struct, frozen=True):
    """The result of an accepted command.

    entry: None if its id was accepted before; nothing changed then.
    touched: the ids of the seats, objects, holders and slot counters that may differ between the
    two states; None if any may.
    undone, redone: the numbers of the entries that were undone or redone. reversals: what it, or
    several commands merged into one, undid or redid. givers: of several, who gave each, by entry.
    """

    entry: Entry | None
    before: GameState
    after: GameState
    touched: frozenset[str] | None = frozenset()
    undone: tuple[int, ...] = ()
    redone: tuple[int, ...] = ()
    reversals: tuple[Reversal, ...] = ()
    givers: Mapping[int, str] = field(default_factory=dict)

    def giver(self, event: Mapping[str, Any]) -> str:
        """The seat whose command led to *event*."""
        return self.givers.get(event["entry"], self.entry.by if self.entry else "")


class History:
    """A game: its opening, its log, and its current state.

    opening: the state before the first entry, or a function that loads it when it is needed.
    state, number, lines: where a stored game stands: its state, the number of its last entry, and
    how many entries each audience has heard of.
    system: the rules by which the game goes on, which its table may change.
    stored, kept, ids: fetch stored entries and states for an undo or redo, and accepted ids, as far
    back as needed, so that a long game takes little time and memory. Without them the log is kept
    here.
    """

    def __init__(
        self,
        system: System,
        opening: GameState | Callable[[], GameState],
        *,
        state: GameState | None = None,
        number: int = 0,
        ids: command_ids.Fetch | None = None,
        stored: Stored | None = None,
        kept: Kept = lambda before: (),
        lines: Mapping[str, int] | None = None,
    ) -> None:
        self._opening = opening
        self.state = self.opening if state is None else state
        self.system = system.of_table(self.state.settings)
        self._resolving = self.state.settings, self.system
        self.number = number
        self.ids = command_ids.AcceptedIds(ids, number)
        self.lines: Mapping[str, int] = lines or {}
        self._unnumbered = 0 if lines else number
        self._kept = kept
        self._log = Log(system, number, stored)
        self._checkpoints: dict[int, GameState] = {}
        self._closed: int | None = None

    def give(self, raw: Mapping[str, Any]) -> Applied:
        """Give a command. Raises Refused; nothing has changed then."""
        if type(raw) is not dict:
            raise invalid("A command is a JSON object.")
        top = head(self.system, self.state, raw)
        if top.id is not None and self.ids.known(top.id, self.number):
            return Applied(None, self.state, self.state)
        if self.number >= MOST_ENTRIES:
            sentence = "The log of this game is full. Start a rematch to continue."
            raise Refused("over-maximum", sentence)
        command = read(self.system, raw, top.by)
        if isinstance(command, Undo):
            applied = self._undo(command, raw, top.id)
        elif isinstance(command, Redo):
            applied = self._redo(command, raw, top.id)
        elif isinstance(command, Revise):
            applied = self._revise(command, raw, top.id)
        else:
            self._refuse_unknown(getattr(command, "entries", ()))
            after, events = step(self.system, self.state, command)
            touched = _touched(events)
            _refuse_overfull(self.state, after, touched)
            entry = self._entry(command, raw, top.id, events, after)
            applied = Applied(entry, self.state, after, touched)
        self._accept(applied)
        return applied

    @property
    def opening(self) -> GameState:
        """The state before the first entry."""
        if callable(self._opening):
            self._opening = self._opening()
        return self._opening

    @property
    def entries(self) -> list[Entry]:
        """The whole log, oldest first."""
        return self._log.since(0)

    def forwards(self) -> Iterator[Entry]:
        """The same one by one, without keeping in memory what is stored."""
        return self._log.forwards()

    def saved(self, number: int) -> None:
        """Note that the entries up to *number* are stored; if all are, the old ones are let go."""
        if number < self.number:
            return
        self.ids.saved()
        self._log.let_go()
        if len(self._checkpoints) > MOST_CHECKPOINTS:
            first = self._log.before
            self._checkpoints = {n: each for n, each in self._checkpoints.items() if n > first}

    def line_for(self, seat: str | None) -> int:
        """The number of entries that *seat* (None: a watcher) was sent."""
        return self.lines.get(seat or WATCHERS, self._unnumbered)

    def _entry(
        self,
        command: Command,
        raw: Mapping[str, Any],
        command_id: str | None,
        events: Sequence[Event],
        after: GameState,
        of: Sequence[Entry] = (),
    ) -> Entry:
        number = self.number + 1
        facts = tuple([{**event.to_json(), "entry": number} for event in events])
        signed = raw if raw.get("by") == command.by else {**raw, "by": command.by}
        entry = Entry(number, command.by, command_id, signed, facts)
        log = self.system.secrets.log if self.system.secrets else None
        if log is None:
            return entry
        views = log.views(self.system, self.state, after, entry, events, of)
        return replace(entry, views=lines_after(self.lines, self._unnumbered, views))

    def _accept(self, applied: Applied) -> None:
        entry = applied.entry
        assert entry is not None
        if applied.after.settings is not self.state.settings:
            self.system = self.system.of_table(applied.after.settings)
        self.state = applied.after
        self.number = entry.number
        if entry.views is not None:
            self.lines = {key: each.line for key, each in entry.views.items()}
        if entry.id is not None:
            self.ids.add(entry.id, entry.number)
        self._log.add(entry)
        for number in applied.undone:
            self._log.mark(number, entry.number)
        for number in applied.redone:
            self._log.mark(number, None)
        if ends_session(entry):
            self._closed = entry.number
        elif applied.reversals:
            self._closed = None
        if entry.number % CHECKPOINT_EVERY == 0:
            self._checkpoints[entry.number] = applied.after

    def _undo(self, command: Undo, raw: Mapping[str, Any], command_id: str | None) -> Applied:
        targets = self._named(command, command.to)
        if targets is None:
            targets = self._newest_standing(command.by)
        if not targets:
            raise Refused("nothing-to-undo", "There is nothing to undo.", "Log 2")
        for target in targets:
            if target.undone_by or not is_command(target):
                raise Refused("nothing-to-undo", "That has been undone already.", "Log 2")
        numbers = tuple(sorted((target.number for target in targets), reverse=True))
        self._refuse_closed(numbers)
        refuse_too_much(len(numbers))
        revised = self._turned_back(targets, numbers, ())
        resolved = self._resolve(numbers, command.by, standing=False, revised=_standing_in(revised))
        after, secret = resolved
        if after == self.state and BEGINNINGS.issuperset(each.command["do"] for each in targets):
            raise Refused("nothing-to-undo", "Another turn has begun since.", "Log 2")
        numbers, targets = (*secret, *numbers), [*targets, *self._log.at(secret)]
        return self._reversal(command, raw, command_id, after, targets, revised, undone=numbers)

    def _redo(self, command: Redo, raw: Mapping[str, Any], command_id: str | None) -> Applied:
        targets = self._named(command)
        if targets is None:
            targets = self._last_undone(command.by)
        if not targets:
            raise Refused("nothing-to-undo", "There is nothing to redo.", "Log 3")
        for target in targets:
            if not target.undone_by:
                raise Refused(
                    "nothing-to-undo", "That was not undone, so it cannot be redone.", "Log 3"
                )
        numbers = tuple(sorted(target.number for target in targets))
        self._refuse_closed(numbers)
        refuse_too_much(len(numbers))
        revised = self._turned_back(targets, (), numbers)
        resolved = self._resolve(numbers, command.by, standing=True, revised=_standing_in(revised))
        after, secret = resolved
        targets = [*targets, *self._log.at(secret)]
        return self._reversal(command, raw, command_id, after, targets, revised, secret, numbers)

    def turned_by(self, raw: Mapping[str, Any]) -> set[str]:
        """The seats whose acts an undo, redo or revision is about. Raises Refused."""
        command = read(self.system, raw, raw["by"])
        if isinstance(command, Revise):
            return {self._answer(command).by}
        if isinstance(command, Redo):
            targets = self._named(command) or self._last_undone(command.by)
        else:
            assert isinstance(command, Undo)
            targets = self._named(command, command.to) or self._newest_standing(command.by)
        return {entry.by for entry in acting(targets)}

    def _revise(self, command: Revise, raw: Mapping[str, Any], command_id: str | None) -> Applied:
        target = self._answer(command)
        raw = {key: each for key, each in raw.items() if key not in ("prompt", "round")}
        raw["entry"] = target.number
        if target.undone_by or is_turn(target):
            raise Refused("nothing-to-undo", "That has been undone already.", "Log 2")
        if not self.system.seating.may_undo(self.state, command.by, target.by):
            sentence = "Only the player who did that, or the GM, can undo it."
            raise Refused("forbidden", sentence, "Log 2")
        self._refuse_closed([target.number])
        own = number_of(target.command)
        if own is None or self._is_held(target):
            raise Refused("wrong-target", "That has no number that can be another.", "Log 2")
        now = self._numbers(target.number).get(target.number, own)
        numbers = {target.number: command.number}
        after = self._resolve((target.number,), command.by, standing=True, revised=numbers)[0]
        events = [
            self._revision(target, now, command.number),
            *self.system.automatic.reversed(self.state, after),
        ]
        entry = self._entry(command, raw, command_id, events, after, (target,))
        return Applied(entry, self.state, after, None)

    def _answer(self, command: Revise) -> Entry:
        """The entry that *command* names, by its number or as the answer to a question of a round.

        Raises Refused if it does not exist.
        """
        if (command.entry is None) is (command.prompt is None):
            raise invalid("Name the entry in one way: “entry”, or “prompt” and “round”.")
        if command.entry is not None:
            self._refuse_unknown([command.entry])
            return self._log.at([command.entry])[0]
        last = self.system.round(self.state) or 0
        for number, entry in by_round(self._standing(), last):
            if number == command.round and entry.command.get("prompt") == command.prompt:
                return entry
            if number < (command.round or 0):
                break
        raise Refused("unknown", "That was not answered in this round.", "Log 2")

    def _revision(self, target: Entry, now: int, to: int | None) -> Revised:
        """The number of *target* is another; of an answer on a score sheet, with its round."""
        seat, last = answered_by(target), self.system.round(self.state)
        if seat is None or last is None:
            return Revised(target.number, now, to)
        rounds = by_round(self._standing(), last)
        number = next((n for n, entry in rounds if entry.number <= target.number), 1)
        return Revised(target.number, now, to, round=number, seat=seat)

    def _is_held(self, entry: Entry) -> bool:
        """True if *entry* answers what is not revealed yet."""
        held = self.system.held(self.state)
        prompt = entry.command.get("prompt")
        if prompt not in held:
            return False
        answers = (each for each in self._standing() if each.command.get("prompt") == prompt)
        return next(answers).number == entry.number

    def concealed(self) -> frozenset[int]:
        """The entries that answer what is not revealed yet: nobody else reads their numbers."""
        asked = {prompt.id for prompt in self.state.prompts if "hidden" in prompt.facts}
        asked |= self.system.held(self.state).keys()
        found = set[int]()
        for entry in self._log.backwards() if asked else ():
            if not asked.isdisjoint(prompts_in(entry.command)):
                found.add(entry.number)
            if not entry.undone_by:
                asked -= asked_in(entry.events)
            if not asked:
                break
        return frozenset(found)

    def _numbers(self, after: int) -> Numbers:
        """The numbers that stand in place of their own, of the entries after number *after*."""
        numbers: Numbers = {}
        if self.system.revises:
            for entry in self._log.turns(after, self.number):
                note(numbers, entry)
        return numbers

    def _turned_back(
        self, targets: Iterable[Entry], gone: Collection[int], back: Collection[int]
    ) -> list[Revised]:
        """What stands of the entries that *targets* revised, once some are *gone* or *back*."""
        events = []
        for of in sorted({each.command["entry"] for each in targets if revises(each)}):
            stands = {
                each.number: each.command["number"]
                for each in self._log.turns(of, self.number)
                if revises(each) and each.command["entry"] == of and each.number not in gone
                if not each.undone_by or each.number in back
            }
            (target,) = self._log.at([of])
            own = number_of(target.command) or 0
            now = self._numbers(of).get(of, own)
            events.append(self._revision(target, now, stands[max(stands)] if stands else None))
        return events

    def _reversal(
        self,
        command: Command,
        raw: Mapping[str, Any],
        command_id: str | None,
        after: GameState,
        targets: Iterable[Entry],
        revised: Iterable[Revised] = (),
        undone: tuple[int, ...] = (),
        redone: tuple[int, ...] = (),
    ) -> Applied:
        facts: list[Event] = [*map(Undone, undone), *map(Redone, redone), *revised]
        events = [*facts, *self.system.automatic.reversed(self.state, after)]
        refuse_too_much(len(events))
        of = tuple(sorted(targets, key=attrgetter("number")))
        entry = self._entry(command, raw, command_id, events, after, of)
        reversal = Reversal(entry, of)
        return Applied(entry, self.state, after, None, undone, redone, (reversal,))

    def _named(self, command: Undo | Redo, to: int | None = None) -> list[Entry] | None:
        """The entries that *command* names; None if it names none.

        Raises Refused if one does not exist, or this seat may not undo it.
        """
        ways = [command.entry is not None, bool(command.entries), to is not None]
        if sum(ways) > 1:
            raise invalid("Name the entries in one way: “entry”, “entries” or “to”.")
        if to is not None:
            self._refuse_unknown([to])
            after = self._log.since(to)
            found = [entry for entry in after if is_command(entry) and not entry.undone_by]
        elif any(ways):
            numbers = command.entries or (command.entry or 0,)
            self._refuse_unknown(numbers)
            found = self._log.at(numbers)
        else:
            return None
        for entry in found:
            if not self.system.seating.may_undo(self.state, command.by, entry.by):
                raise Refused(
                    "forbidden", "Only the player who did that, or the GM, can undo it.", "Log 2"
                )
        return found

    def _refuse_closed(self, numbers: Iterable[int]) -> None:
        """Refuse what belongs to a session that is over (Log 6)."""
        if not (closed := self.closed):
            return
        session = len(chapters(self.state))
        first = min(numbers)
        if first < closed:
            sentence = "Session {session} is over: what was done in it stays as it is."
            raise Refused("conflict", sentence, "Log 6", session=session)
        if first == closed and any(each.number > closed for each in self._standing()):
            sentence = "Session {session} has begun, so the end of the one before stays."
            raise Refused("conflict", sentence, "Log 6", session=session + 1)

    @property
    def closed(self) -> int:
        """The number of the entry that ended the last session; 0 if none has."""
        if not chapters(self.state):
            return 0
        if self._closed is None:
            self._closed = next(each.number for each in self._standing() if ends_session(each))
        return self._closed

    def _standing(self) -> Iterator[Entry]:
        """The commands that stand, newest first."""
        return (each for each in self._log.backwards() if is_command(each) and not each.undone_by)

    def _refuse_unknown(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if number > self.number:
                raise Refused("unknown", "There is no entry {n} in the log.", None, n=number)

    def _newest_standing(self, by: str) -> list[Entry]:
        for entry in self._standing():
            if self.system.seating.may_undo(self.state, by, entry.by):
                return [entry]
        return []

    def _last_undone(self, by: str) -> list[Entry]:
        """The entries of the most recent undo that this seat may redo."""
        for undo in self._log.backwards():
            if numbers := sorted(turned(undo)):
                found = [
                    entry
                    for entry in self._log.at(numbers)
                    if entry.undone_by == undo.number
                    and self.system.seating.may_undo(self.state, by, entry.by)
                ]
                if found:
                    return found
        return []

    def _resolve(
        self,
        numbers: tuple[int, ...],
        by: str,
        *,
        standing: bool,
        revised: Mapping[int, int | None] = NOTHING,
    ) -> tuple[GameState, tuple[int, ...]]:
        """The state with the entries *numbers* standing, or not standing; and the entries that
        cannot stand then and go too, newest first, since *by* never heard of them: a refusal would
        tell that they exist.

        revised: the numbers of entries that are others now; None if its own stands again.
        Raises Refused "conflict" if that makes other later commands impossible.
        """
        first, turning = min((*numbers, *revised)), frozenset(numbers)
        start, state = self._nearest(first)
        instead = {**self._numbers(start), **revised}
        kept = {n: each for n, each in self._checkpoints.items() if n < first}
        clashing: list[tuple[int, str, Refused]] = []
        for number, giver, undone_by, command in self._log.given(start):
            stands = standing if number in turning else not undone_by
            if stands and command is not None:
                if isinstance(command, Unread) and (other := instead.get(number)) is not None:
                    command = Unread(with_number(command.raw, other))
                try:
                    state = self._again(state, giver, command)
                except Refused as refused:
                    if revised.get(number) is not None and number in turning:
                        raise
                    clashing.append((number, giver, refused))
            if number % CHECKPOINT_EVERY == 0 and number > self._log.before:
                kept[number] = state
        if clashing and any(revised.get(number) is not None for number in numbers):
            n, why = clashing[0][0], clashing[0][2].message
            sentence = "That would rule out line {n} of the log. {why}"
            raise Refused("conflict", sentence, "Log 2", n=n, why=why)
        unheard = {n for n, _giver, _why in clashing if not self._heard(n, by)}
        if heard := [each for each in clashing if each[0] not in unheard]:
            raise self._conflict(numbers, by, heard, standing=standing)
        self._checkpoints = kept
        return state, tuple(sorted(unheard, reverse=True))

    def _heard(self, number: int, seat: str) -> bool:
        """True if *seat* was told anything of an entry, or secrets do not give way to its undo."""
        secrets = self.system.secrets
        if not (secrets and secrets.log and secrets.log.gives_way):
            return True
        (entry,) = self._log.at([number])
        view = view_of(entry, seat)
        return view is None or view.now

    def _again(self, state: GameState, by: str, given: Command | Refused | Unread) -> GameState:
        """The state after a command that is resolved again. Raises Refused."""
        if isinstance(given, Refused):
            raise given
        if state.settings is not self._resolving[0]:  # its table has changed the rules
            self._resolving = state.settings, self.system.of_table(state.settings)
        system = self._resolving[1]
        command = read(system, given.raw, by) if isinstance(given, Unread) else given
        return step(system, state, command)[0]

    def _nearest(self, first: int) -> tuple[int, GameState]:
        """The newest kept state of before entry *first*, if all of it still stands."""
        known = [number for number in self._checkpoints if number < first]
        if known:
            return max(known), self._checkpoints[max(known)]
        earliest, upto = first, self.number
        for number, state in self._kept(first):
            earliest = min([earliest, *self._log.turned(number, upto)])
            if earliest > number:
                return number, state
            upto = number
        return 0, self.opening

    def _conflict(
        self,
        numbers: tuple[int, ...],
        by: str,
        clashing: Sequence[tuple[int, str, Refused]],
        *,
        standing: bool,
    ) -> Refused:
        """The refusal of an undo, or redo, of *numbers* because of the *clashing* entries.

        These are given by number, seat and the reason that its command cannot stand.

        If *by* may undo them all, the fact `lines` of a refused undo holds the numbers of all
        entries that can only go together, with spaces between them. Otherwise it says nothing about
        them, since they may be about something this seat cannot see.
        """
        may_undo = self.system.seating.may_undo
        if not all(may_undo(self.state, by, giver) for _n, giver, _why in clashing):
            sentence = "This can’t be undone: someone’s later action depends on it."
            return Refused("conflict", sentence, "Log 2")
        first, _giver, refused = clashing[0]
        facts: dict[str, Any]
        if standing:
            facts = {"n": first, "why": refused.message}
            sentence = "That cannot be redone now. {why}"
            if first not in numbers:
                sentence = "That cannot be redone: it would rule out line {n} of the log. {why}"
            return Refused("conflict", sentence, "Log 3", **facts)
        lines = sorted({*numbers, *(number for number, _giver, _why in clashing)})
        facts = {"n": first, "count": len(clashing), "lines": " ".join(map(str, lines))}
        sentence = "{count} later lines of the log depend on that. Take them all back, or none."
        if len(clashing) == 1:
            sentence = "Line {n} of the log depends on that. Take both back, or neither."
        return Refused("conflict", sentence, "Log 2", **facts)


def _standing_in(revised: Iterable[Revised]) -> dict[int, int | None]:
    return {each.of: each.to for each in revised}


def replayed(
    system: System, state: GameState, entry: Entry, numbers: Numbers | None = None
) -> GameState:
    """The state after giving the command of *entry* again, with the number that stands.

    Raises Refused.
    """
    system, raw = system.of_table(state.settings), as_it_stands(entry, numbers or {})
    return step(system, state, read(system, raw, entry.by))[0]


def fold(system: System, opening: GameState, entries: Iterable[Entry]) -> GameState:
    """The state that a log leads to: its standing commands, resolved from the opening."""
    state, numbers, log = opening, Numbers(), [*entries]
    for entry in log:
        note(numbers, entry)
    for entry in log:
        if not is_turn(entry) and not entry.undone_by:
            state = replayed(system, state, entry, numbers)
    return state


def _refuse_overfull(before: GameState, after: GameState, touched: Iterable[str]) -> None:
    """Refuse what would bring more to the table, or to one holder on it, than it holds."""
    more_kinds = False
    for holder in touched:
        kinds = len(after.counters.get(holder, NONE))
        if len(before.counters.get(holder, NONE)) < kinds:
            more_kinds = True
            if kinds > MOST_KINDS:
                sentence = "There can be at most {most} kinds of counters in one place."
                raise Refused("over-maximum", sentence, None, most=MOST_KINDS)
    if (
        before.objects is after.objects
        and before.slot_counters is after.slot_counters
        and before.standings is after.standings
        and not more_kinds
    ):
        return
    for count in (_items, _kinds):
        if count(before) < count(after) > MOST_ITEMS:
            sentence = "The table is full: it holds {most} cards and counters. Remove some first."
            raise Refused("over-maximum", sentence, None, most=MOST_ITEMS)
    if len(before.standings) < len(after.standings) > MOST_STANDINGS:
        sentence = "At most {most} abilities can stand at once. Take one off first."
        raise Refused("over-maximum", sentence, None, most=MOST_STANDINGS)


def _items(state: GameState) -> int:
    return len(state.objects) + len(state.slot_counters)


def _kinds(state: GameState) -> int:
    return sum(map(len, state.counters.values()))


def _touched(events: Sequence[Event]) -> frozenset[str]:
    if len(events) == 1:
        return frozenset(events[0].touches())
    return frozenset([touched for event in events for touched in event.touches()])
