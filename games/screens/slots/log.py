"""The log of a table with slot counters, as far as one seat may read it.

The rules decide which entries and facts a seat may read (`seen_entries`); here they become
sentences. The log is replayed once for each counter's slots before and after an entry. The
sentences are made anew for each reader, with the counters' current names.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import zip_longest
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later
from msgspec import Struct
from msgspec.structs import replace

from games.rules import secrecy
from games.rules.entry import Entry, heard_by
from games.rules.state import GameState
from games.rules.system import System
from games.screens import dice
from games.screens.log.entry_text import undo_sentences
from games.screens.log.lines import TOGETHER, LogLine
from games.screens.log.log import Log
from games.screens.log.parts import Part
from games.screens.slots import names, view_models, words
from games.screens.slots.sentences import FIELDS, FORKS, MOVES, NEVER_UNDONE, SENTENCES, SPENDS
from games.store import rows
from games.store.moments import Moment, entry_of, naming, numbered
from games.systems.stars_and_signs.counter import GM, Counter, counter_in, game_master
from games.systems.stars_and_signs.hearing import MOVED
from games.systems.stars_and_signs.seen import TELLING, SeenEntry, read_entries, sees
from games.systems.stars_and_signs.table import may_undo


class Shown(Struct, frozen=True):
    """What people read of a counter: its name, and how much is filled, or left of a resource.

    links: the counters that it acts on.
    """

    name: str
    number: int
    resource: bool
    links: tuple[str, ...] = ()


Slots = Mapping[str, Shown]
"""What was read of each counter at one moment."""


class _Item(Struct, frozen=True):
    """An entry, and the counters before and after it."""

    entry: Entry
    at: datetime
    before: Slots
    after: Slots


class SlotLog(Log):
    """The log of a table with slot counters as *seat* reads it."""

    breakable = False

    @property
    def reader(self) -> Hashable:
        return None

    @property
    def counted(self) -> int:
        game = self.game
        count = secrecy.Count(self.system, self.current, game.number, rows.lines(game))
        return count.of(self.seat)

    def piece(self, k: int) -> list[LogLine]:
        items = {each.entry.number: each for each in self._items(k)}
        if not items:
            return []
        about = {of for each in items.values() for of in _turned(each.entry)} - {*items}
        known = {**self._telling, **_by_number(numbered(self.game, about))}
        known |= {number: each.entry for number, each in items.items()}
        entries = [known[number] for number in sorted(known)]
        seen = read_entries(self.current, self.seat, entries, self._undone)
        around = {number: (each.before, each.after) for number, each in items.items()}
        reader = _Reader(
            self.system,
            self.current,
            self.names,
            self.seat,
            {each.entry: each.number for each in seen},
            lambda number: around.get(number) or self._around(number),
        )
        told = [each for each in seen if each.entry in items]
        lines = []
        for each, then in zip_longest(told, told[1:]):
            if then and then.entry not in self._undone and _applies(then, each):
                continue  # the line of what was done with the dice has them
            item = items[each.entry]
            line = reader.line(each, item.at, undone=each.entry in self._undone)
            if line and reader.tells:
                line = replace(line, secret=not _known_to_all(item.entry))
            lines.append(line)
        return list(_grouped(line for line in lines if line))

    def fresh(self, entry: Entry) -> bool:
        return False

    def _told(self, moment: Moment) -> _Item:
        return _Item(moment.entry, moment.at, _slots(moment.before), _slots(moment.after))

    def _around(self, number: int) -> tuple[Slots, Slots]:
        """The counters before and after an entry of whichever piece."""
        first, _last = self.span(k := self._piece_of(number))
        item = self._items(k)[number - first]
        return item.before, item.after

    def _entry_of(self, number: int) -> int:
        """The first entry that the seat counts as *number* or higher."""
        if not secrecy.counts_lines(self.system, self.current, self.seat):
            return number
        return entry_of(self.game, self.seat, number, self.number)

    @cached_property
    def current(self) -> GameState:
        return rows.state(self.game)

    @cached_property
    def _undone(self) -> set[int]:
        return self.undone_in(1, self.number)

    @cached_property
    def _telling(self) -> Mapping[int, Entry]:
        """The entries that decide what the seat may read of others; none for the GM, who may all.

        Where a counter's past was told, they are all that name it.
        """
        if game_master(self.current, self.seat):
            return {}
        found = _by_number(naming(self.game, TELLING))
        past = {
            event["on"]
            for entry in found.values()
            for event in entry.events
            if event["kind"] == "past-shared"
        }
        return found | (_by_number(naming(self.game, past)) if past else {})


def _by_number(entries: Iterable[Entry]) -> dict[int, Entry]:
    """*entries* by their numbers."""
    return {each.number: each for each in entries}


def _applies(then: SeenEntry, rolled: SeenEntry) -> bool:
    """Whether *then* applied exactly the dice that *rolled* is about."""
    first, second = rolled.command or {}, then.command or {}
    if first.get("do") != "roll" or not first.get("dice") or first["on"] != second.get("on"):
        return False
    return rolled.by == then.by and list(first["dice"]) == list(second.get("dice", ()))


def _known_to_all(entry: Entry) -> bool:
    """Whether everyone, a watcher too, heard all of *entry* when it happened."""
    heard = heard_by(entry, None)
    return heard is None or (heard.now and len(heard.events) == len(entry.events))


def _turned(entry: Entry) -> Iterator[int]:
    return (each["of"] for each in entry.events if "of" in each)


def _slots(state: GameState) -> Slots:
    return {
        each: Shown(
            names.name_of(counter),
            counter.shown,
            counter.type == "resource",
            tuple(link.to for link in counter.links),
        )
        for each, counter in state.slot_counters.items()
        if isinstance(counter, Counter)
    }


def _made(before: Slots, after: Slots, events: Sequence[Mapping[str, Any]]) -> dict[str, Shown]:
    """The counters that *events* made, as they were before anything moved them."""
    made = {each: shown for each, shown in after.items() if each not in before}
    for event in events:
        if event["kind"] in MOVES and event["on"] in made:
            shown = made[event["on"]]
            _said, sign = (SPENDS if shown.resource else MOVES)[event["kind"]]
            made[event["on"]] = replace(shown, number=shown.number - sign * event["slots"])
    return made


def parts_of(
    system: System,
    entry: SeenEntry,
    before: GameState,
    after: GameState,
    names: Mapping[str, str],
    seat: str | None,
    seen: Mapping[int, int],
) -> tuple[Part, ...]:
    """*entry*, which led from one state to the other, in the words of that moment.

    seen: the earlier entries that it names and the seat read, each as the seat counts.
    """
    around = {entry.entry: (_slots(before), _slots(after))}
    return tuple(_Reader(system, after, names, seat, seen, around.__getitem__).parts(entry))


class _Reader:
    """Puts entries into words.

    seen: the entries that the seat may read, by their number in the log, each as the seat counts.
    slots: the counters before and after an entry.
    """

    def __init__(
        self,
        system: System,
        state: GameState,
        names: Mapping[str, str],
        seat: str | None,
        seen: Mapping[int, int],
        slots: Callable[[int], tuple[Slots, Slots]],
    ) -> None:
        self.system, self.state, self.names, self.seat = system, state, names, seat
        self.seen, self.slots = seen, slots
        self.now = _slots(state)
        self.tells = game_master(state, seat)
        self.last: dict[str, str] = {}
        """The name under which a counter was last read, where it is gone."""

    def line(self, entry: SeenEntry, at: datetime, *, undone: bool) -> LogLine | None:
        """The line for *entry*; None if the seat may read none of it."""
        parts = tuple(self.parts(entry))
        if not parts:
            return None
        command = entry.command or {}
        return LogLine(
            entries=(entry.number,),
            by=entry.by,
            name=self.names.get(entry.by, entry.by),
            place=list(self.names).index(entry.by) + 1 if entry.by in self.names else 0,
            at=at,
            until=at,
            parts=parts,
            undone=undone,
            correction=command.get("do") == "correct",
            undoes=command.get("do") in NEVER_UNDONE,
            note=command.get("note", ""),
            tap=_tap(entry),
            verb=command.get("do", ""),
            fixed=not may_undo(self.state, self.seat or "", entry.by),
        )

    def parts(self, entry: SeenEntry) -> Iterator[Part]:
        if entry.command:
            yield from self._rolled(entry.command)
        yield from undo_sentences(
            {**each, "of": self.seen[each["of"]]}
            for each in entry.events
            if each.get("of") in self.seen
        )
        yield from self._told(entry.events, entry.entry)
        for number, event in entry.past:
            if event["kind"] not in ("edited", "past-shared"):
                yield from self._told((event,), number)

    def _told(self, events: Sequence[Mapping[str, Any]], number: int) -> Iterator[Part]:
        """*events* of entry *number* in words."""
        before, after = self.slots(number)
        self.last |= {each: was.name for slots in (before, after) for each, was in slots.items()}
        shown = {**_made(before, after, events), **before}
        new = {event["on"] for event in events if event["kind"] == "created"}
        moved: list[str] = []
        for event in events:
            if event["kind"] in ("undone", "redone"):
                continue
            if event["kind"] == "edited" and event["on"] in new:
                continue  # with what else it was made
            part = self._part(event, shown, after)
            if part:
                rule = self.system.rules.get(event.get("rule", ""))
                why = _(rule.text) if rule else ""
                because = self._because(event, moved, (before, after)) if moved else ""
                yield replace(part, rule=event.get("rule", ""), why=why, because=because)
            if event["kind"] in MOVED and event["on"] not in moved:
                moved.append(event["on"])

    def _because(
        self, event: Mapping[str, Any], moved: Sequence[str], around: Sequence[Slots]
    ) -> str:
        """Which of the counters that *moved* before a linked one act on it; "" if none is linked.

        The event keeps its rule only for a seat that knows the reason.
        """
        if event.get("rule") != "R16":
            return ""
        linked = [
            self._name(each)
            for each in moved
            if each != event["on"]
            and any(each in slots and event["on"] in slots[each].links for slots in around)
        ]
        if not linked:
            return ""
        return _("it is linked to %(counters)s") % {"counters": get_text_list(linked, _("and"))}

    def _rolled(self, command: Mapping[str, Any]) -> Iterator[Part]:
        for each in (command, *(command.get("steps") or ())):
            if each["do"] == "roll":
                continue  # its event says it
            if each.get("dice") and each["do"] != "throw":
                said = _("rolled %(dice)s") % {"dice": words.reckoned(each)}
                yield Part(said, aside=True, acts=True)
            elif each.get("points") is not None:
                said = _("entered %(points)s") % {"points": words.in_points(each["points"])}
                yield Part(said, aside=True, acts=True)

    def _part(self, event: Mapping[str, Any], shown: dict[str, Shown], after: Slots) -> Part | None:
        """*event* in words. shown: the numbers before it, which it moves on."""
        kind, on = event["kind"], event.get("on", "")
        if kind in MOVES and on in shown:
            said, sign = (SPENDS if shown[on].resource else MOVES)[kind]
            if kind == "temporary-added" and not event["slots"]:
                return None  # nothing happened
            was = shown[on].number
            shown[on] = replace(shown[on], number=was + sign * event["slots"])
            text, number = self._sentence(said, event), self._bare_name(on)
            if over := event.get("over"):
                text += "; " + _("no room for %(n)s more") % {"n": over}
            if not sign:
                return Part(text, event["slots"])
            return Part(text, event["slots"], was, shown[on].number, number=number)
        if kind == "corrected":
            by = event["to"] - event["from"]
            was = shown[on].number
            shown[on] = replace(shown[on], number=was - by if shown[on].resource else event["to"])
            said, number = self._sentence(later("%(on)s corrected"), event), self._bare_name(on)
            return Part(said, None, was, shown[on].number, number=number)
        if kind == "restarted":
            shown[on] = replace(shown[on], number=after[on].number)
        if kind == "edited":
            said = self._sentence(later("%(on)s changed: %(fields)s"), event)
            return Part(said) if event["fields"] else None
        if kind in dice.KINDS:
            said = dice.sentence_without_actor(event, lambda seat: self.names.get(seat, seat))
            return Part(said, acts=True)
        sentence = SENTENCES.get(kind)
        if kind in FORKS:
            sentence = FORKS[kind](event)
        if self.tells and event.get("secret") and event.get("to"):
            sentence = later("told %(to)s: %(text)s")
        if sentence is None:
            return Part(f"{kind.replace('-', ' ')} {self._name(on)}".strip())
        if not sentence:
            return None
        return Part(self._sentence(sentence, event), acts=sentence[:1].islower())

    def _sentence(self, sentence: str, event: Mapping[str, Any]) -> str:
        facts = {key: self._plain(value) for key, value in event.items()}
        if "text" in facts:  # braces that a player wrote are not placeholders
            facts["text"] = str(facts["text"]).replace("{", "(").replace("}", ")")
        facts |= {"on": self._name(event.get("on", "")), "slots": "{#}"}
        if "type" in facts:
            facts["type"] = str(view_models.TYPE_WORDS[event["type"]])
        if event.get("secret") and "to" in event:
            facts["to"] = ", ".join(self.names.get(each, each) for each in event["to"])
        for seat in ("seat", "by"):
            if seat in event:
                facts[seat] = self.names.get(event[seat], event[seat])
        if event["kind"] in ("overflowed", "gained-while-full"):
            over = event.get("points")
            facts["slots"] = words.slots(event["slots"]) if over is None else words.in_points(over)
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
        """A counter's name with its owner."""
        name = self._bare_name(counter)
        if counter in self.now and (owner := self._owner(counter)):
            name = _("%(owner)s’s %(counter)s") % {"owner": owner, "counter": name}
        return name.replace("{", "(").replace("}", ")")

    def _bare_name(self, counter: str) -> str:
        """A counter's current name; if it is gone, its last one."""
        if counter in self.now:
            return names.translated(self.now[counter].name)
        return names.translated(self.last.get(counter, counter))

    def _owner(self, counter: str) -> str:
        """The name of a counter's owner, if the seat sees more than the counter's name."""
        owner = counter_in(self.state, counter).owner
        if owner is None or owner == GM or not sees(self.state, self.seat, counter):
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
                until=line.at,
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
    soon = line.at - last.until <= TOGETHER
    return (
        line.tap is not None
        and last.tap == line.tap
        and last.undone == line.undone
        and (alike and soon)
    )
