"""The log of a table with slot counters, as far as one seat may read it.

Which entries and which of their facts a seat may be told of is the rules' affair (`seen_entries`);
here they become words. The log is played once to know each counter's slots before and after; what
is said is said anew for each reader, with the names that the counters have now.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as said

from games.models import Game
from games.rules.history import fold, replayed
from games.rules.state import GameState
from games.rules.system import Entry, System
from games.screens import dice
from games.screens.log.lines import KEPT, TOGETHER, LogLine, turn_back
from games.screens.log.sentences import Part, turned
from games.screens.slots import names, words
from games.store import rows
from games.systems.stars_and_signs.counter import GM, Counter, counter_in
from games.systems.stars_and_signs.seen import SeenEntry, seen_entries, sees
from games.systems.stars_and_signs.table import may_undo

Slots = Mapping[str, tuple[int, str]]
"""By counter: its filled slots and its name."""


@dataclass(slots=True)
class _Played:
    """How far a log has been played: the state then, and the slots around each entry."""

    state: GameState
    entries: list[Entry] = field(default_factory=list)
    around: dict[int, tuple[Slots, Slots]] = field(default_factory=dict)
    at: dict[int, datetime] = field(default_factory=dict)
    undone: set[int] = field(default_factory=set)


_games: OrderedDict[str, _Played] = OrderedDict()
_lock = Lock()


def lines(game: Game, seat: str | None) -> list[LogLine]:
    """The log of *game*, the oldest first, as far as *seat* may read it."""
    system = game.rules
    with _lock:
        played = _games.pop(game.slug, None) or _Played(rows.opening(game))
        _games[game.slug] = played
        if len(_games) > KEPT:
            _games.popitem(last=False)
        _play_on(game, system, played)
        names = game.names
        seen = seen_entries(played.state, seat, played.entries)
        reader = _Reader(system, played, names, seat, {each.number for each in seen})
        return list(_grouped(line for each in seen if (line := reader.line(each))))


def _play_on(game: Game, system: System, played: _Played) -> None:
    for row in game.entries.filter(number__gt=len(played.entries)).order_by("number"):
        entry = Entry(row.number, row.seat, row.command_id, row.command, tuple(row.events))
        before = _slots(played.state)
        _follow(game, system, played, entry)
        played.around[entry.number] = (before, _slots(played.state))
        played.at[entry.number] = row.at


def _slots(state: GameState) -> Slots:
    return {
        each: (counter.filled, counter.name)
        for each, counter in state.slot_counters.items()
        if isinstance(counter, Counter)
    }


def _follow(game: Game, system: System, played: _Played, entry: Entry) -> None:
    """Bring the state to where it was after *entry*."""
    played.entries.append(entry)
    if not turn_back(entry, played.undone):
        played.state = replayed(system, played.state, entry)
        return
    standing = [each for each in played.entries if each.number not in played.undone]
    played.state = fold(system, rows.opening(game), standing)


class _Reader:
    """Says entries in words. seen: the numbers of those that the seat may read of at all."""

    def __init__(
        self,
        system: System,
        played: _Played,
        names: Mapping[str, str],
        seat: str | None,
        seen: set[int],
    ) -> None:
        self.system, self.played, self.names, self.seat = system, played, names, seat
        self.seen = seen
        self.now = _slots(played.state)

    def line(self, entry: SeenEntry) -> LogLine | None:
        """What the seat may read of *entry*; None if nothing."""
        parts = tuple(self._parts(entry))
        if not parts:
            return None
        command = entry.command or {}
        return LogLine(
            entries=(entry.number,),
            by=entry.by,
            name=self.names.get(entry.by, entry.by),
            place=list(self.names).index(entry.by) + 1 if entry.by in self.names else 0,
            at=self.played.at[entry.number],
            parts=parts,
            undone=entry.number in self.played.undone,
            correction=command.get("do") == "correct",
            undoes=command.get("do") in NOT_TAKEN_BACK,
            note=command.get("note", ""),
            tap=_tap(entry),
            fixed=not may_undo(self.played.state, self.seat or "", entry.by),
        )

    def _parts(self, entry: SeenEntry) -> Iterator[Part]:
        if entry.command:
            yield from self._rolled(entry.command)
        yield from turned(each for each in entry.events if each.get("of") in self.seen)
        before, after = self.played.around[entry.number]
        filled = {each: slots for each, (slots, _name) in before.items()}
        for event in entry.events:
            if event["kind"] in ("undone", "redone"):
                continue
            part = self._part(event, filled, after)
            if part:
                number = event.get("rule", "")
                rule = self.system.rules.get(number)
                yield replace(part, rule=number, why=_(rule.text) if rule else "")

    def _rolled(self, command: Mapping[str, Any]) -> Iterator[Part]:
        for each in (command, *(command.get("steps") or ())):
            if each.get("dice") and each["do"] != "throw":
                yield Part(_("dice: %(dice)s") % {"dice": words.reckoned(each)})
            elif each.get("points") is not None:
                yield Part(_("%(n)s points") % {"n": each["points"]})

    def _part(self, event: Mapping[str, Any], filled: dict[str, int], after: Slots) -> Part | None:
        kind, on = event["kind"], event.get("on", "")
        if kind in MOVES:
            was = filled.get(on, 0)
            filled[on] = was + MOVES[kind][0](event)
            return Part(self._said(MOVES[kind][1], event), event["slots"], was, filled[on])
        if kind == "corrected":
            filled[on] = event["to"]
            return Part(
                self._said(said("%(on)s corrected"), event), None, event["from"], filled[on]
            )
        if kind == "restarted":
            filled[on] = 0
        if kind == "edited":
            return Part(self._said(said("%(on)s changed: %(fields)s"), event))
        if kind in dice.KINDS:
            return Part(dice.said(event, lambda seat: self.names.get(seat, seat)))
        sentence = SENTENCES.get(kind)
        if kind in FORKS:
            sentence = FORKS[kind](event)
        if sentence is None:
            return Part(f"{kind.replace('-', ' ')} {self._name(on)}".strip())
        return Part(self._said(sentence, event)) if sentence else None

    def _said(self, sentence: str, event: Mapping[str, Any]) -> str:
        told = {key: self._plain(value) for key, value in event.items()}
        if "text" in told:  # what somebody wrote holds no place for a number
            told["text"] = str(told["text"]).replace("{", "(").replace("}", ")")
        told |= {"on": self._name(event.get("on", "")), "slots": "{#}"}
        for seat in ("seat", "by"):
            if seat in event:
                told[seat] = self.names.get(event[seat], event[seat])
        if event["kind"] in ("overflowed", "gained-while-full"):
            over = event.get("points")
            told["slots"] = (
                words.slots(event["slots"]) if over is None else _("%(n)s points") % {"n": over}
            )
        if event["kind"] == "acted":
            told["outcome"] = _(words.OUTCOMES[event["outcome"]]) if event.get("outcome") else ""
        if event["kind"] == "edited":
            told["fields"] = ", ".join(_(FIELDS.get(each, each)) for each in event["fields"])
        if "threshold" in told:
            told["threshold"] = names.said(told["threshold"])
        return _(sentence) % told

    def _plain(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value

    def _name(self, counter: str) -> str:
        """What a counter is called now, and whose it is; if it is gone, what it was called last."""
        if counter in self.now:
            name = names.said(self.now[counter][1])
            if owner := self._owner(counter):
                name = f"{owner} · {name}"
        else:
            around = (
                slots[counter][1]
                for number in sorted(self.played.around, reverse=True)
                for slots in self.played.around[number]
                if counter in slots
            )
            name = names.said(next(around, counter))
        return name.replace("{", "(").replace("}", ")")

    def _owner(self, counter: str) -> str:
        """Who owns a counter, for who sees more of it than its name."""
        owner = counter_in(self.played.state, counter).owner
        if owner is None or owner == GM or not sees(self.played.state, self.seat, counter):
            return ""
        return self.names.get(owner, owner)


def _tap(entry: SeenEntry) -> tuple[Any, ...] | None:
    """What makes two entries one gesture; None for what stands alone."""
    command = entry.command
    if not command or command["do"] not in ("fill", "clear", "spend") or "note" in command:
        return None
    return (entry.by, command["on"], command["do"]) if command.get("slots") == 1 else None


def _grouped(all_lines: Iterator[LogLine]) -> Iterator[LogLine]:
    """Quick taps of one seat on one counter as one line, from the first number to the last."""
    last: LogLine | None = None
    for line in all_lines:
        if last and _together(last, line):
            last = replace(
                last,
                entries=(*last.entries, *line.entries),
                at=line.at,
                parts=tuple(
                    replace(b, before=a.before, n=None if b.n is None else (a.n or 0) + b.n)
                    for a, b in zip(last.parts, line.parts, strict=True)
                ),
            )
            continue
        if last:
            yield last
        last = line
    if last:
        yield last


def _together(last: LogLine, line: LogLine) -> bool:
    alike = [(part.words, part.rule) for part in last.parts] == [
        (part.words, part.rule) for part in line.parts
    ]
    soon = line.at - last.at <= TOGETHER
    return (
        line.tap is not None
        and last.tap == line.tap
        and last.undone == line.undone
        and (alike and soon)
    )


MOVES: Mapping[str, tuple[Callable[[Mapping[str, Any]], int], str]] = {
    "filled": (lambda event: event["slots"], said("%(on)s: %(slots)s filled")),
    "cleared": (lambda event: -event["slots"], said("%(on)s: %(slots)s cleared")),
    "temporary-lost": (lambda event: 0, said("%(on)s: %(slots)s temporary filled and lost")),
    "temporary-added": (lambda event: 0, said("%(on)s: %(slots)s temporary added")),
}
"""The facts that move slots: by how many, and how it is said."""
FIELDS: Mapping[str, str] = {
    "visibility": said("who can see it"),
    "seats": said("which seats can see it"),
    "slots": said("how many slots"),
    "worth": said("points per slot"),
    "name": said("its name"),
    "links": said("links"),
    "permissions": said("who may act"),
    "scene": said("scene"),
    "order": said("position"),
    "owner": said("owner"),
    "loop": said("looping"),
    "paused": said("pause"),
    "thresholds": said("labels"),
    "completes": said("what completing it means"),
}
"""What is changed about a counter, in words."""
FORKS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "acted": lambda event: (
        said("%(seat)s reacts")
        if event.get("reaction")
        else said("%(seat)s acts: %(outcome)s")
        if event.get("outcome")
        else said("%(seat)s acts")
    ),
    "answered": lambda event: (
        said("allowed it") if event.get("accepted") else said("declined the request")
    ),
    "resolved": lambda event: (
        said("%(on)s is resolved") if event.get("resolved") else said("%(on)s is open again")
    ),
    "appointed": lambda event: (
        said("%(seat)s is co-GM") if event.get("co_gm") else said("%(seat)s is no longer co-GM")
    ),
    "milestone-reached": lambda event: (
        said("Major Milestone") if event["milestone"] == "major" else said("Minor Milestone")
    ),
}
"""Facts that are said in one of several ways."""
NOT_TAKEN_BACK = frozenset({"undo", "redo", "roll"})
"""Commands that nobody takes back: they have moved nothing themselves."""
SENTENCES: Mapping[str, str] = {
    "rolled": said("rolled %(dice)s for %(on)s"),
    "created": said("%(on)s (new)"),
    "discarded": said("%(on)s removed from the table"),
    "threshold-reached": said("%(on)s: %(threshold)s"),
    "completed": said("%(on)s is complete"),
    "overflowed": said("%(on)s: %(slots)s left over"),
    "gained-while-full": said("%(on)s gained %(slots)s while full"),
    "reopened": said("%(on)s is open again"),
    "retracted": said("%(on)s: no longer complete"),
    "spent": "",
    "wounded": said("%(on)s: a Wound of rank %(rank)s"),
    "restarted": said("%(on)s starts again"),
    "put": said("%(item)s put into %(on)s"),
    "taken-out": said("%(item)s taken out of %(on)s"),
    "released": said("%(on)s released %(items)s"),
    "proposed": said("%(seat)s asked the GM about %(on)s"),
    "prompted": "",
    "voided": "",
    "noted": said("noted: %(text)s"),
    "struck": said("crossed off: %(text)s"),
}
