"""Entries of a table with slot counters in words, as far as one seat may read them (R14, R31)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.text import Truncator, get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later
from msgspec import Struct
from msgspec.structs import replace

from games.rules.slots import notes
from games.rules.slots.counter import GM, Counter, counter_in, game_master
from games.rules.slots.entry_views import MOVED
from games.rules.slots.notes import is_handout
from games.rules.slots.table import may_undo
from games.rules.slots.views import SeenEntry, sees, visible_entry
from games.rules.state import GameState
from games.rules.system import System
from games.screens import dice
from games.screens.log.entry_text import Then, undo_sentences
from games.screens.log.lines import LogLine
from games.screens.log.parts import Part
from games.screens.slots import names, words
from games.screens.slots.current_game import its, outcome_word
from games.screens.slots.sentences import FIELDS, FORKS, MOVES, NEVER_UNDONE, SENTENCES, SPENDS
from games.screens.words import speaking, spoken
from games.systems.log_words import Sentence

SCENES = ("scene-began", "scene")
"""The kind of event that begins a part of the session, and its field with that part's name."""


class Shown(Struct, frozen=True):
    """The readable part of a counter: its name, and the slots filled, or left of a resource.

    temporary: whether the number has the temporary slots in it. links: the counters it acts on.
    """

    name: str
    number: int
    resource: bool
    temporary: bool = False
    links: tuple[str, ...] = ()


Slots = Mapping[str, Shown]
"""The readable part of each counter at one moment."""


def slots_of(state: GameState) -> Slots:
    return {
        each: Shown(
            names.name_of(counter),
            counter.shown,
            counter.resource,
            counter.adds_temporary,
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


class Reader:
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
        self.now = slots_of(state)
        self.names_readers = game_master(state, seat)
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
            verb=command.get("do") or next((each["kind"] for each in entry.events), ""),
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
        yield from self._in_words(entry.events, entry.entry)
        for number, event in entry.past:
            if event["kind"] not in ("edited", "past-shared"):
                yield from self._in_words((event,), number)

    def _in_words(self, events: Sequence[Mapping[str, Any]], number: int) -> Iterator[Part]:
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
                rule = self.system.rulebook.rules.get(event.get("rule", ""))
                why = _(rule.text) if rule else ""
                because = self._because(event, moved, (before, after)) if moved else ""
                because = because or self._acted(event, events)
                yield replace(part, rule=event.get("rule", ""), why=why, because=because)
            if event["kind"] in MOVED and event["on"] not in moved:
                moved.append(event["on"])

    def _because(
        self, event: Mapping[str, Any], moved: Sequence[str], around: Sequence[Slots]
    ) -> str:
        """The reason why a linked counter moved, with names; "" if none of *moved* is linked to it.

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

    def _acted(self, event: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> str:
        """Whose Action advanced a timer; "" if none did, or the reader did not hear of it."""
        acted = [one["seat"] for one in events if one["kind"] == "acted"]
        if event.get("rule") != "R8" or not acted:
            return ""
        return _("%(seat)s acts") % {"seat": self.names.get(acted[0], acted[0])}

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
            if kind.startswith("temporary") and not shown[on].temporary:
                sign = 0
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
        own = spoken().story.sentences.get(kind)
        sentence = own.text if isinstance(own, Sentence) else SENTENCES.get(kind)
        if kind in FORKS:
            sentence = FORKS[kind](event)
        told = event.get("secret") and event.get("to")
        if told and self.names_readers and not is_handout(event):
            sentence = later("told %(to)s: %(text)s")
        if sentence is None:
            return Part(f"{kind.replace('-', ' ')} {self._name(on)}".strip())
        if not sentence:
            return None
        return Part(self._sentence(sentence, event), acts=sentence[:1].islower())

    def _sentence(self, sentence: str, event: Mapping[str, Any]) -> str:
        facts = {key: self._plain(value) for key, value in event.items()}
        if is_handout(event):
            text = Truncator(event.get("text", "")).chars(60)
            facts["title"] = event.get("title") or text or _("a picture")
        for typed in {"text", "title"} & facts.keys():  # their braces are not placeholders
            facts[typed] = str(facts[typed]).replace("{", "(").replace("}", ")")
        on = event.get("on", "")
        facts |= {"on": self._name(on), "bearer": self._bearer(on), "slots": "{#}"}
        if "type" in facts:
            facts["type"] = _(its().types[event["type"]].word)
        if event.get("secret") and "to" in event:
            facts["to"] = ", ".join(self.names.get(each, each) for each in event["to"])
        for seat in ("seat", "by"):
            if seat in event:
                facts[seat] = self.names.get(event[seat], event[seat])
        if event["kind"] in ("overflowed", "gained-while-full"):
            over = event.get("points")
            facts["slots"] = words.slots(event["slots"]) if over is None else words.in_points(over)
        if event["kind"] == "acted":
            facts["outcome"] = outcome_word(event.get("outcome") or "")
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

    def _bearer(self, counter: str) -> str:
        """The owner of a turn or condition: a counter's owner, or what the counter stands for."""
        owner = self._owner(counter) if counter in self.now else ""
        return (owner or self._bare_name(counter)).replace("{", "(").replace("}", ")")

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


def parts_then(then: Then) -> Sequence[Part]:
    """One entry as the seat read it when it happened; nothing if it was hidden from the seat.

    Names and owners are those of that moment, and nothing is told that was revealed later.
    """
    visible = visible_entry(then.after, then.seat, then.entry)
    if visible is None:
        return ()
    if then.now is not then.after:
        visible = _still_seen(then.now, then.seat, visible)
    turned = [event["of"] for event in then.entry.events if "of" in event]
    lines = {number: line for number in turned if (line := then.line_of(number)) is not None}
    with speaking(then.system):
        around = {visible.entry: (slots_of(then.before), slots_of(then.after))}
        reader = Reader(then.system, then.after, then.names, then.seat, lines, around.__getitem__)
        return tuple(reader.parts(visible))


def _still_seen(now: GameState, seat: str | None, visible: SeenEntry) -> SeenEntry:
    """*visible* without the counters that *seat* no longer sees, or notes that it cannot read."""
    events = tuple(
        each
        for each in visible.events
        if ("on" not in each or sees(now, seat, each["on"])) and not notes.withheld(now, seat, each)
    )
    return (
        visible
        if len(events) == len(visible.events)
        else replace(visible, events=events, command=None)
    )
