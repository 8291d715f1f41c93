"""The log of a table with slot counters, as far as one seat may read it.

The rules decide which entries and facts a seat may read (`seen_entries`); here they become
sentences. The log is replayed once for each counter's slots before and after an entry. The
sentences are made anew for each reader, with the counters' current names.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later

from games.models import Game
from games.rules.history import fold, replayed
from games.rules.state import GameState
from games.rules.system import Entry, System
from games.screens import dice
from games.screens.log.lines import KEPT, TOGETHER, LogLine, note_undone
from games.screens.log.sentences import Part, undo_sentences
from games.screens.slots import names, words
from games.store import rows
from games.systems.stars_and_signs.counter import GM, Counter, counter_in
from games.systems.stars_and_signs.seen import SeenEntry, seen_entries, sees
from games.systems.stars_and_signs.table import may_undo

Slots = Mapping[str, tuple[int, str]]
"""The filled slots and the name of each counter."""


@dataclass(slots=True)
class _Played:
    """A log replayed so far: the state, and the slots before and after each entry."""

    state: GameState
    entries: list[Entry] = field(default_factory=list)
    slots: dict[int, tuple[Slots, Slots]] = field(default_factory=dict)
    at: dict[int, datetime] = field(default_factory=dict)
    undone: set[int] = field(default_factory=set)


_games: OrderedDict[str, _Played] = OrderedDict()
_lock = Lock()


def lines(game: Game, seat: str | None) -> list[LogLine]:
    """The lines of *game*'s log that *seat* may read, oldest first."""
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
        played.slots[entry.number] = (before, _slots(played.state))
        played.at[entry.number] = row.at


def _slots(state: GameState) -> Slots:
    return {
        each: (counter.filled, counter.name)
        for each, counter in state.slot_counters.items()
        if isinstance(counter, Counter)
    }


def _follow(game: Game, system: System, played: _Played, entry: Entry) -> None:
    """Advance the state to just after *entry*."""
    played.entries.append(entry)
    if not note_undone(entry, played.undone):
        played.state = replayed(system, played.state, entry)
        return
    standing = [each for each in played.entries if each.number not in played.undone]
    played.state = fold(system, rows.opening(game), standing)


class _Reader:
    """Puts entries into words. seen: the numbers of the entries that the seat may read."""

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
        """The line for *entry*; None if the seat may read none of it."""
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
            undoes=command.get("do") in NEVER_UNDONE,
            note=command.get("note", ""),
            tap=_tap(entry),
            fixed=not may_undo(self.played.state, self.seat or "", entry.by),
        )

    def _parts(self, entry: SeenEntry) -> Iterator[Part]:
        if entry.command:
            yield from self._rolled(entry.command)
        yield from undo_sentences(each for each in entry.events if each.get("of") in self.seen)
        before, after = self.played.slots[entry.number]
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
            return Part(self._sentence(MOVES[kind][1], event), event["slots"], was, filled[on])
        if kind == "corrected":
            filled[on] = event["to"]
            return Part(
                self._sentence(later("%(on)s corrected"), event), None, event["from"], filled[on]
            )
        if kind == "restarted":
            filled[on] = 0
        if kind == "edited":
            return Part(self._sentence(later("%(on)s changed: %(fields)s"), event))
        if kind in dice.KINDS:
            return Part(dice.sentence_without_actor(event, lambda seat: self.names.get(seat, seat)))
        sentence = SENTENCES.get(kind)
        if kind in FORKS:
            sentence = FORKS[kind](event)
        if sentence is None:
            return Part(f"{kind.replace('-', ' ')} {self._name(on)}".strip())
        return Part(self._sentence(sentence, event)) if sentence else None

    def _sentence(self, sentence: str, event: Mapping[str, Any]) -> str:
        facts = {key: self._plain(value) for key, value in event.items()}
        if "text" in facts:  # braces that a player wrote are not placeholders
            facts["text"] = str(facts["text"]).replace("{", "(").replace("}", ")")
        facts |= {"on": self._name(event.get("on", "")), "slots": "{#}"}
        for seat in ("seat", "by"):
            if seat in event:
                facts[seat] = self.names.get(event[seat], event[seat])
        if event["kind"] in ("overflowed", "gained-while-full"):
            over = event.get("points")
            facts["slots"] = (
                words.slots(event["slots"]) if over is None else _("%(n)s points") % {"n": over}
            )
        if event["kind"] == "acted":
            facts["outcome"] = _(words.OUTCOMES[event["outcome"]]) if event.get("outcome") else ""
        if event["kind"] == "edited":
            facts["fields"] = ", ".join(_(FIELDS.get(each, each)) for each in event["fields"])
        if "threshold" in facts:
            facts["threshold"] = names.translated(facts["threshold"])
        return _(sentence) % facts

    def _plain(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value

    def _name(self, counter: str) -> str:
        """A counter's current name and its owner; if it is gone, its last name."""
        if counter in self.now:
            name = names.translated(self.now[counter][1])
            if owner := self._owner(counter):
                name = f"{owner} · {name}"
        else:
            known = (
                slots[counter][1]
                for number in sorted(self.played.slots, reverse=True)
                for slots in self.played.slots[number]
                if counter in slots
            )
            name = names.translated(next(known, counter))
        return name.replace("{", "(").replace("}", ")")

    def _owner(self, counter: str) -> str:
        """The name of a counter's owner, if the seat sees more than the counter's name."""
        owner = counter_in(self.played.state, counter).owner
        if owner is None or owner == GM or not sees(self.played.state, self.seat, counter):
            return ""
        return self.names.get(owner, owner)


def _tap(entry: SeenEntry) -> tuple[Any, ...] | None:
    """The key that the taps of one gesture share; None for what is never grouped."""
    command = entry.command
    if not command or command["do"] not in ("fill", "clear", "spend") or "note" in command:
        return None
    return (entry.by, command["on"], command["do"]) if command.get("slots") == 1 else None


def _grouped(all_lines: Iterator[LogLine]) -> Iterator[LogLine]:
    """Merge one seat's quick taps on one counter into one line, from first number to last."""
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
    "filled": (lambda event: event["slots"], later("%(on)s: %(slots)s filled")),
    "cleared": (lambda event: -event["slots"], later("%(on)s: %(slots)s cleared")),
    "temporary-lost": (lambda event: 0, later("%(on)s: %(slots)s temporary filled and lost")),
    "temporary-added": (lambda event: 0, later("%(on)s: %(slots)s temporary added")),
}
"""Events that change slots: by how many, and the sentence."""
FIELDS: Mapping[str, str] = {
    "visibility": later("who can see it"),
    "seats": later("which seats can see it"),
    "slots": later("how many slots"),
    "worth": later("points per slot"),
    "name": later("its name"),
    "links": later("links"),
    "permissions": later("who may act"),
    "scene": later("scene"),
    "order": later("position"),
    "owner": later("owner"),
    "loop": later("looping"),
    "paused": later("pause"),
    "thresholds": later("labels"),
    "completes": later("what completing it means"),
}
"""The fields of a counter that can be changed, in words."""
FORKS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "acted": lambda event: (
        later("%(seat)s reacts")
        if event.get("reaction")
        else later("%(seat)s acts: %(outcome)s")
        if event.get("outcome")
        else later("%(seat)s acts")
    ),
    "answered": lambda event: (
        later("allowed it") if event.get("accepted") else later("declined the request")
    ),
    "resolved": lambda event: (
        later("%(on)s is resolved") if event.get("resolved") else later("%(on)s is open again")
    ),
    "appointed": lambda event: (
        later("%(seat)s is co-GM") if event.get("co_gm") else later("%(seat)s is no longer co-GM")
    ),
    "milestone-reached": lambda event: (
        later("Major Milestone") if event["milestone"] == "major" else later("Minor Milestone")
    ),
}
"""Events with one of several sentences."""
NEVER_UNDONE = frozenset({"undo", "redo", "roll"})
"""Commands that are never undone, because they change nothing themselves."""
SENTENCES: Mapping[str, str] = {
    "rolled": later("rolled %(dice)s for %(on)s"),
    "created": later("%(on)s (new)"),
    "discarded": later("%(on)s removed from the table"),
    "threshold-reached": later("%(on)s: %(threshold)s"),
    "completed": later("%(on)s is complete"),
    "overflowed": later("%(on)s: %(slots)s left over"),
    "gained-while-full": later("%(on)s gained %(slots)s while full"),
    "reopened": later("%(on)s is open again"),
    "retracted": later("%(on)s: no longer complete"),
    "spent": "",
    "wounded": later("%(on)s: a Wound of rank %(rank)s"),
    "restarted": later("%(on)s starts again"),
    "put": later("%(item)s put into %(on)s"),
    "taken-out": later("%(item)s taken out of %(on)s"),
    "released": later("%(on)s released %(items)s"),
    "proposed": later("%(seat)s asked the GM about %(on)s"),
    "prompted": "",
    "voided": "",
    "noted": later("noted: %(text)s"),
    "struck": later("crossed off: %(text)s"),
}
