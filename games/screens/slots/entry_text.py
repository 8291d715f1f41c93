"""Entries of a table with slot counters in words, as far as one seat may read them (R14, R31)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.text import Truncator, get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later
from msgspec import Struct
from msgspec.structs import replace

from games.rules.entry import Entry
from games.rules.state import GameState
from games.rules.system import System
from games.screens import dice
from games.screens.log.entry_text import Teller, undo_sentences
from games.screens.log.event_text import EVENT_PARTS, SENTENCES, own_sentence, subject
from games.screens.log.lines import LogLine, line_by
from games.screens.log.parts import Part
from games.screens.slots import names, words
from games.screens.slots.names import outcome_word
from games.screens.slots.view_models import CounterView, verbs_of
from games.screens.view_models import plain_name
from games.screens.words import Words, words_of
from games.systems.log_words import Sentence
from games.systems.slot_counters import VERBS, Verbs
from games.tracks.counter import GM, Counter, counter_in, game_master
from games.tracks.entry_views import MOVED
from games.tracks.notes import is_handout
from games.tracks.table import may_undo
from games.tracks.views import SeenEntry, sees

MOVES: Mapping[str, tuple[str, int]] = {
    "filled": ("", 1),
    "cleared": ("", -1),
    "temporary-lost": (later("%(slots)s temporary filled and lost on %(on)s"), 0),
    "temporary-added": (later("%(slots)s temporary added to %(on)s"), 0),
}
"""Events that change slots: the sentence, or "" for that of the counter's `Verbs`, and by how much
one slot moves what is filled."""
SPENDS: Mapping[str, tuple[str, int]] = {
    "filled": ("", -1),
    "cleared": ("", 1),
    "temporary-lost": (later("%(slots)s temporary spent from %(on)s"), -1),
    "temporary-added": (later("%(slots)s temporary added to %(on)s"), 1),
}
"""The same of a resource, and what is left of it."""
NEVER_UNDONE = frozenset({"undo", "redo", "roll"})
"""Commands that are never undone, because they change nothing themselves."""
QUESTIONS = frozenset({"prompted", "answered", "voided"})
"""Events of the questions that rules ask, and of what is proposed to the GM."""
CONDITIONS = frozenset({"afflicted", "waned", "relieved"})
"""Events that name a condition."""
SCENES = ("scene-began", "scene")
"""The kind of event that begins a part of the session, and its field with that part's name."""


class Shown(Struct, frozen=True):
    """The readable part of a counter: its name, and the slots filled, or left of a resource. Of a
    number of a seat, a thing or the table: its kind, and how much it is.

    verbs: what its change is called. temporary: whether the number has the temporary slots in it.
    links: the counters it acts on.
    """

    name: str
    number: int
    resource: bool = False
    verbs: Verbs = VERBS["fill"]
    temporary: bool = False
    links: tuple[str, ...] = ()


Slots = Mapping[str, Shown]
"""The readable part of each counter at one moment, and of numbers (`_key`)."""


def _key(event: Mapping[str, Any]) -> str:
    return f"{event['on']}.{event['counter']}"


def slots_of(its: Words, state: GameState, entry: Entry | None = None) -> Slots:
    """Those of all counters, and of the numbers that *entry* changed."""
    numbers = {
        _key(each): Shown(each["counter"], state.count(each["on"], each["counter"]))
        for each in (entry.events if entry else ())
        if {"on", "counter"} <= each.keys()
    }
    return numbers | {
        each: Shown(
            names.name_of(its, counter),
            counter.shown,
            counter.resource,
            verbs_of(its, counter.type),
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
    """Puts entries into words for one seat: what it may name, and how it counts.

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
        self.its = words_of(system)
        self.now = slots_of(self.its, state)
        self.names_readers = game_master(state, seat)
        self.last: dict[str, str] = {}
        """The name under which a counter was last read, where it is gone."""

    def line(self, entry: SeenEntry, at: datetime, *, undone: bool) -> LogLine | None:
        """The line for *entry*; None if the seat may read none of it."""
        parts = tuple(self.parts(entry))
        if not parts:
            return None
        command = entry.command or {}
        return line_by(
            entry.by,
            entry.number,
            at,
            self.names,
            parts=parts,
            undone=undone,
            correction=command.get("do") == "correct",
            undoes=command.get("do") in NEVER_UNDONE,
            note=command.get("note", ""),
            tap=_tap(entry),
            verb=command.get("do") or next((each["kind"] for each in entry.events), ""),
            which=str(command.get("rule", "")),
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
        for _event, part in SlotTeller(self, events, before, after).told():
            yield part

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

    def name(self, counter: str) -> str:
        """A counter's name with its owner; that of a seat or a thing."""
        if counter in self.names:
            return self.seat_name(counter)
        name = self.bare_name(counter)
        if owner := self._owner(counter):
            name = _("%(owner)s’s %(counter)s") % {"owner": owner, "counter": name}
        return name.replace("{", "(").replace("}", ")")

    def bearer(self, counter: str) -> str:
        """The owner of a turn or condition: a counter's owner, or what the counter stands for."""
        return (self._owner(counter) or self.bare_name(counter)).replace("{", "(").replace("}", ")")

    def bare_name(self, counter: str) -> str:
        """A counter's current name; if it is gone, its last one."""
        if counter in self.now:
            return names.translated(self.its, self.now[counter].name)
        if thing := self.state.objects.get(counter):
            return plain_name(self.its, thing, self.seat_name(thing.controller))
        return names.translated(self.its, self.last.get(counter, counter))

    def meaning(self, counter: str) -> str:
        """What completing a counter means; "" if it is gone."""
        found = self.state.slot_counters.get(counter)
        return CounterView(self.its, found).meaning if isinstance(found, Counter) else ""

    def seat_name(self, seat: str) -> str:
        return self.names.get(seat, seat)

    def _owner(self, counter: str) -> str:
        """The name of a holder's owner, if the seat sees more than a counter's name."""
        if thing := self.state.objects.get(counter):
            owner: str | None = thing.controller
        elif counter in self.now and sees(self.state, self.seat, counter):
            owner = counter_in(self.state, counter).owner
        else:
            return ""
        return "" if owner in (None, GM) else self.seat_name(owner)


class SlotTeller(Teller):
    """Tells events of one entry to *reader*. before, after: the counters around the entry."""

    def __init__(
        self, reader: Reader, events: Sequence[Mapping[str, Any]], before: Slots, after: Slots
    ) -> None:
        super().__init__(reader.system, events)
        self.reader, self.before, self.after = reader, before, after
        self._shown = {**_made(before, after, events), **before}
        """The numbers before the event that is told, which moves them on."""
        self._new = {event.get("on") for event in events if event["kind"] == "created"}

    def because(self, place: int) -> str:
        event = self.events[place]
        if event.get("unexplained"):
            return _("the GM’s rules did it")
        if event.get("rule") == "R16":
            return self._linked(event, self.events[:place])
        if event.get("rule") == "R8":
            return self._acted()
        return self.cause(place, self.reader.state, self.reader.state)

    def _linked(self, event: Mapping[str, Any], earlier: Iterable[Mapping[str, Any]]) -> str:
        """The counters that moved *earlier* and are linked to that of *event*; "" if none is.

        The event keeps its rule only for a seat that knows the reason.
        """
        on, around = event["on"], (self.before, self.after)
        moved = dict.fromkeys(each["on"] for each in earlier if each["kind"] in MOVED)
        linked = [
            self.reader.name(each)
            for each in moved
            if each != on and any(each in slots and on in slots[each].links for slots in around)
        ]
        if not linked:
            return ""
        return _("it is linked to %(counters)s") % {"counters": get_text_list(linked, _("and"))}

    def _acted(self) -> str:
        """Whose Action advanced a timer; "" if none did, or the reader did not hear of it."""
        acted = next((each["seat"] for each in self.events if each["kind"] == "acted"), None)
        return _("%(seat)s acts") % {"seat": self.reader.seat_name(acted)} if acted else ""

    def part(self, place: int) -> Part | None:
        event = self.events[place]
        kind, on = event["kind"], event.get("on", "")
        if kind in MOVES and on in self._shown:
            return self._moved(event)
        if kind == "corrected" and "counter" not in event:
            was = self._shown[on].number
            by = event["from"] - event["to"]
            to = was + by if self._shown[on].resource else event["to"]
            return self._numbered(event, later("%(on)s corrected"), None, to)
        if kind == "restarted":
            self._shown[on] = replace(self._shown[on], number=self.after[on].number)
        if kind == "edited":
            if on in self._new or not event["fields"]:
                return None  # with what else it was made
            return Part(self._sentence(later("%(on)s changed: %(fields)s"), event))
        if kind in QUESTIONS and event["prompt"].startswith("rule-"):
            return self._question(event)
        if kind in dice.KINDS:
            return Part(
                dice.sentence_without_actor(self.its, event, self.reader.seat_name), acts=True
            )
        return self._in_sentence(event)

    def _question(self, event: Mapping[str, Any]) -> Part | None:
        """A question of a rule was asked, answered or dropped; dice have said their answer."""
        if event.get("rolled"):
            return None
        asked = {"by": event["prompt"].partition(":")[2], **event}
        state = self.reader.state
        part: Part | None = EVENT_PARTS[event["kind"]](self.its, state, state, asked, self._named)
        return part

    def _named(self, holder: Any) -> str:
        return self.reader.name(holder) if isinstance(holder, str) else _plain(holder)

    def _moved(self, event: Mapping[str, Any]) -> Part | None:
        """Slots were filled or cleared; None if nothing happened."""
        kind, shown, slots = event["kind"], self._shown[event["on"]], event["slots"]
        if kind == "temporary-added" and not slots:
            return None
        said, sign = (SPENDS if shown.resource else MOVES)[kind]
        if not said:
            said = shown.verbs.gained if sign > 0 else shown.verbs.lost
        if kind.startswith("temporary") and not shown.temporary:
            sign = 0
        part = self._numbered(event, said, slots, shown.number + sign * slots)
        if over := event.get("over"):
            more = _("no room for %(n)s more") % {"n": over}
            part = replace(part, words=f"{part.words}; {more}")
        return part if sign else Part(part.words, slots)

    def _numbered(self, event: Mapping[str, Any], said: str, n: int | None, to: int) -> Part:
        """*event* in the sentence *said*, and from which number it led *to* which."""
        on, text = event["on"], self._sentence(said, event)
        was = self._shown[on].number
        self._shown[on] = replace(self._shown[on], number=to)
        return Part(text, n, was, to, number=self.reader.bare_name(on))

    def _in_sentence(self, event: Mapping[str, Any]) -> Part | None:
        """*event* in the game's sentence, or else by its kind and counter."""
        kind = event["kind"]
        found = own_sentence(self.own, event) or SENTENCES.get(kind)
        told = event.get("secret") and event.get("to")
        if told and self.reader.names_readers and not is_handout(event):
            found = Sentence(later("told %(to)s: %(text)s"))
        if found is None:
            return Part(f"{kind.replace('-', ' ')} {self.reader.name(subject(event))}".strip())
        if not found.text:
            return None
        words, acts = self._sentence(found.text, event), found.text[:1].islower()
        if not found.number:
            return Part(words, acts=acts, aside=found.aside)
        was = self._shown[_key(event)].number
        to = event["to"] if not found.sign else was + found.sign * event["amount"]
        self._shown[_key(event)] = replace(self._shown[_key(event)], number=to)
        return Part(
            words, None, was, to,
            holder=event["on"], number=found.number, on=self.reader.name(event["on"]), its=self.its,
        )  # fmt: skip

    def _sentence(self, sentence: str, event: Mapping[str, Any]) -> str:
        facts = {key: _plain(value) for key, value in event.items()}
        if is_handout(event):
            text = Truncator(event.get("text", "")).chars(60)
            facts["title"] = event.get("title") or text or _("a picture")
        if event["kind"] == "told":
            facts["text"] = self.its.own_text(facts["text"])
        for typed in {"text", "title"} & facts.keys():  # their braces are not placeholders
            facts[typed] = str(facts[typed]).replace("{", "(").replace("}", ")")
        on = subject(event)
        name, bearer = self.reader.name(on), self.reader.bearer(on)
        facts |= {"on": name, "object": name, "bearer": bearer, "slots": "{#}"}
        if "counter" in facts:
            facts["counter_name"] = self.its.kind(event["counter"])
        if event["kind"] in CONDITIONS:
            facts["name"] = self.its.own_text(facts["name"])
        if "rule" in facts:
            facts["rule"] = self.its.own_text(facts["rule"])
        if "type" in facts:
            facts["type"] = self.its.said(self.its.slots.types[event["type"]].word)
        if event.get("secret") and "to" in event:
            facts["to"] = ", ".join(self.reader.seat_name(each) for each in event["to"])
        for seat in ("seat", "by", "with"):
            if event.get(seat):
                facts[seat] = self.reader.seat_name(event[seat])
        if "seats" in event:
            seats = [self.reader.seat_name(each) for each in event["seats"]]
            facts["seats"] = get_text_list(seats, _("and"))
        if event["kind"] in ("overflowed", "gained-while-full"):
            over = event.get("points")
            facts["slots"] = words.slots(event["slots"]) if over is None else words.in_points(over)
        if event["kind"] == "acted":
            facts["outcome"] = outcome_word(self.its, event.get("outcome") or "")
        if event["kind"] == "completed":
            facts["meaning"] = self.reader.meaning(on)
        if event["kind"] == "edited":
            facts["fields"] = ", ".join(_(words.FIELDS.get(each, each)) for each in event["fields"])
        if "threshold" in facts:
            facts["threshold"] = names.translated(self.its, facts["threshold"])
        return _(sentence) % facts


def _plain(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _tap(entry: SeenEntry) -> tuple[Any, ...] | None:
    """The key that the taps of one gesture share; None for what is never grouped."""
    command = entry.command
    if not command or command["do"] not in ("fill", "clear", "spend") or "note" in command:
        return None
    return (entry.by, command["on"], command["do"]) if command.get("slots") == 1 else None
