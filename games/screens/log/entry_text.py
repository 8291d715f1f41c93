"""An entry of the log as sentences, each with the rule that caused it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later
from msgspec import Struct
from msgspec.structs import replace

from games.rules import secrecy
from games.rules.entry import Entry
from games.rules.state import GameState, Phrase
from games.rules.system import System
from games.screens import view_models
from games.screens.log.event_text import COUNTED, event_part, starting, subject
from games.screens.log.parts import TIMES, Part, counters, namer, signed
from games.screens.secrets import Eyes
from games.screens.ticking import giver
from games.screens.words import Words, words_of
from games.systems.log_words import Consequence, Reason

Event = Mapping[str, Any]
Wanted = Callable[[Event], bool]


def parts(system: System, before: GameState, after: GameState, entry: Entry) -> Iterator[Part]:
    """The parts of *entry*, one for each event that has a sentence; none if it did nothing."""
    yield from undo_sentences(entry.events)
    for _event, part in worded_events(system, before, after, entry):
        yield part


def worded_events(
    system: System,
    before: GameState,
    after: GameState,
    entry: Entry,
    wanted: Wanted | None = None,
) -> Iterator[tuple[Mapping[str, Any], Part]]:
    """The events of *entry* that have a sentence, without those of undo and redo.

    What happened to several objects of one name in the same way is told once, of all of them.
    wanted: only these events are told; their numbers before and after are not to be shown then.
    """
    found: dict[Any, tuple[Mapping[str, Any], Part]] = {}
    about: dict[Any, set[str]] = {}
    for number, (event, part) in enumerate(
        _folded(CardTeller(system, before, after, entry).told(wanted))
    ):
        key: Any = number
        if TIMES in part.words:
            key = (part.words, part.n, part.before, part.after, part.rule, part.number)
            key += (part.note, part.because)
        found.setdefault(key, (event, part))
        about.setdefault(key, set()).add(subject(event))
    for key, (event, part) in found.items():
        yield event, replace(part, times=len(about[key]))


def _folded(
    parts: Iterable[tuple[Mapping[str, Any], Part]],
) -> Iterator[tuple[Mapping[str, Any], Part]]:
    """*parts*, of which one that says how much also says what the next one counts.

    "3 damage to Lorraine" and "3 damage on Lorraine, 0 → 3" are one thing to a reader.
    """
    kept: tuple[Mapping[str, Any], Part] | None = None
    for event, part in parts:
        if kept and part.before is not None and _same_amount(kept, event):
            first, said = kept
            kept = None
            why = () if said.rule else ("rule", "why")
            names = ("holder", "number", "on", "before", "after", *why)
            yield first, replace(said, **{name: getattr(part, name) for name in names})
            continue
        if kept:
            yield kept
        kept = event, part
    if kept:
        yield kept


def _same_amount(kept: tuple[Mapping[str, Any], Part], event: Mapping[str, Any]) -> bool:
    """True if *event* counts what the one before it says, and puts no counters of another kind."""
    first, part = kept
    if event["kind"] == "placed" and not str(first["kind"]).startswith(event["counter"]):
        return False
    named = part.n is not None and part.after is None and "on" in first
    holder = event.get("on", event.get("seat"))
    return named and (first["on"], part.n) == (holder, event.get("amount"))


class Teller(ABC):
    """Tells the *events* of one entry to a reader: what happened, by which rule, and why.

    What the reader may name, and how many there were before, is for each kind of board to know.
    Events are named by their place.
    """

    def __init__(self, system: System, events: Sequence[Event]) -> None:
        self.system, self.events = system, events
        self.its = words_of(system)
        self.own = self.its.own

    @abstractmethod
    def part(self, place: int) -> Part | None:
        """The sentence of an event; None if it is not told."""

    @abstractmethod
    def because(self, place: int) -> str:
        """Why it happened, if it happened by itself; "" if its sentence has the reason."""

    def rule(self, place: int) -> str:
        """The number of the rule that made it happen; "" if none did."""
        number: str = self.events[place].get("rule", "")
        return number

    def cause(self, place: int, before: GameState, after: GameState) -> str:
        """Why a rule of the game did it, between two states."""
        event, earlier = self.events[place], self.events[:place]
        why = self.own.story.causes.get(event.get("rule") or "")
        if callable(why):
            states = {"before": before, "after": after}
            why = why(Consequence(system=self.system, event=event, earlier=earlier, **states))
        return self.its.phrase(why) if why else ""

    def told(self, wanted: Wanted | None = None) -> Iterator[tuple[Event, Part]]:
        """The events with a sentence, without those of undo and redo. wanted: only these."""
        for place, event in enumerate(self.events):
            if event["kind"] in ("undone", "redone") or (wanted and not wanted(event)):
                continue
            if part := self.explained(place):
                yield event, part

    def explained(self, place: int) -> Part | None:
        """The sentence of an event, with the rule that caused it, and why."""
        event, part = self.events[place], self.part(place)
        if part is None:
            return None
        rule = self.system.rulebook.rules.get(number := self.rule(place))
        text = rule and (rule.why(event) if "compared" in event else rule.text)
        why = self.its.phrase(text) if text else ""
        return replace(part, rule=number, why=why, because=self.because(place))


class CardTeller(Teller):
    """Tells an entry of a table with cards. before, after: the states as the reader sees them."""

    def __init__(self, system: System, before: GameState, after: GameState, entry: Entry) -> None:
        super().__init__(system, entry.events)
        self.before, self.after, self.entry = before, after, entry
        self.described = any(event["kind"] == "described" for event in entry.events[1:])
        self.counts: dict[tuple[str, str], int] = {}
        self.alike: dict[Any, Part] = {}

    def held(self, holder: str, kind: str) -> int:
        return self.counts.setdefault((holder, kind), self.before.count(holder, kind))

    def rule(self, place: int) -> str:
        won_by = self._won_by() if self.events[place]["kind"] == "ended" else None
        return won_by.rule if won_by else super().rule(place)

    def explained(self, place: int) -> Part | None:
        """The sentence; a row of a hundred tokens is a hundred events with one."""
        event = self.events[place]
        like = self._like(event)
        if like in self.alike:
            self.counts[event["on"], event["counter"]] = self.alike[like].after or 0
        elif (part := super().explained(place)) is None or like is None:
            return part
        else:
            self.alike[like] = part
        return self.alike[like]

    def _like(self, event: Event) -> Any:
        """The key that events of one sentence share; None for an event that has its own."""
        obj = self.after.objects.get(event["on"]) if event["kind"] in COUNTED else None
        return obj and (
            *{**event, "on": obj.name, "entry": view_models.keeper(obj), "compared": ()}.items(),
            *(self.held(event["on"], event["counter"]), self._is_source(event["on"])),
            *event.get("compared", ()),
        )

    def _is_source(self, card: str) -> bool:
        return bool(self.entry.command.get("source") == card)

    def part(self, place: int) -> Part | None:
        event, later = self.events[place], self.events[place + 1 :]
        if later and self.own.story.said_later(self.entry.command["do"], event, later):
            return None
        then = _called_before(self.before, self.after, later) if self.described else self.after
        by = {"by": self.entry.by, **event}
        part = event_part(self.its, self.before, then, by, self.held, self.counts)
        if (
            event["kind"] == "turn-began"
            and place
            and self.events[place - 1]["kind"] == "seat-drawn"
        ):
            first = event["active"]
            part = Part(starting(namer(self.its, self.before, self.after)(list(first)), len(first)))
        source = self.entry.command.get("source")
        dealt = source and "on" in event and "amount" in event and not self.rule(place)
        if part and dealt and not self._is_source(event["on"]):
            name = namer(self.its, self.before, self.after)(source)
            part = replace(part, words=_("%(what)s, by %(by)s") % {"what": part.words, "by": name})
        return part

    def because(self, place: int) -> str:
        """Why it happened, with seats' ids in braces."""
        reason = self._reason(place) or self.cause(place, self.before, self.after)
        return reason or self._act(place) or self._by_itself(place)

    def _by_itself(self, place: int) -> str:
        """The card that puts counters on another, or "by itself"; "" if somebody did."""
        if not _ticked(self.events, place):
            return ""
        return giver(self.after, self.events[place]) or _("by itself")

    def _reason(self, place: int) -> str:
        """Why somebody won or lost."""
        event, reason = self.events[place], None
        if event["kind"] == "ended":
            reason = self._won_by()
        elif event["kind"] == "lost":
            reason = self.own.story.out_because(self.system, self.after, event["seat"])
        if reason is None or isinstance(reason.text, Phrase):
            return self.its.phrase(reason.text) if reason else ""
        facts = {name: _fact(self.its, self.after, fact) for name, fact in reason.facts.items()}
        return _(reason.text) % facts

    def _won_by(self) -> Reason | None:
        """Why the winners have won."""
        won = self.after.winners
        return self.own.story.won_because(self.system, self.after, won[0]) if won else None

    def _act(self, place: int) -> str:
        """Why a command did it that no rule made happen."""
        reason = self.own.story.reasons.get(self.entry.command["do"])
        return self.its.phrase(reason) if reason and not self.rule(place) else ""


def _called_before(
    before: GameState, after: GameState, later: Sequence[Mapping[str, Any]]
) -> GameState:
    """*after*, with the names that cards had until they are described *later* in the command."""
    old = {}
    for event in later:
        if event["kind"] == "described" and "name" in event["fields"]:
            was, now = before.objects.get(event["object"]), after.objects.get(event["object"])
            if was and now:
                old[now.id] = replace(now, name=was.name)
    return replace(after, objects={**after.objects, **old}) if old else after


def _ticked(events: Sequence[Event], place: int) -> bool:
    """True if a number changed by itself, or its card left with the last of that number."""
    event = events[place]
    if event["kind"] == "moved" and place:
        last = events[place - 1]
        left = (last.get("on"), last["entry"]) == (event["object"], event["entry"])
        return bool(last.get("tick")) and left
    return bool(event.get("tick")) and "amount" in event


def _fact(its: Words, state: GameState, fact: Any) -> str:
    """A fact of a reason: a number, or the name of what it is the id of."""
    return namer(its, state, state)(fact) if isinstance(fact, str) else f"{fact}".replace("-", "−")


def attribution(
    its: Words, event: Mapping[str, Any], done: Iterable[Part], name: Any
) -> Part | None:
    """An "attributed" event with what its entries did (*done*): "−3 life on Ana came from Ben"."""
    by: dict[tuple[str, str], int] = {}
    for part in done:
        if part.holder and part.before is not None and part.after is not None:
            key = (part.holder, part.number)
            by[key] = by.get(key, 0) + part.after - part.before
    changes = [
        _("%(by_how_much)s on %(whose)s")
        % {"by_how_much": counters(its, signed(n), number), "whose": name(holder)}
        for (holder, number), n in by.items()
        if n
    ]
    if not changes:
        return None
    facts = {"what": ", ".join(changes), "to": name(event["to"])}
    return Part(_("%(what)s came from %(to)s") % facts)


def undo_sentences(events: Iterable[Mapping[str, Any]]) -> Iterator[Part]:
    """The lines that *events* undid or redid, as one sentence."""
    numbers: dict[str, list[int]] = {}
    for event in events:
        if event["kind"] in ("undone", "redone"):
            numbers.setdefault(event["kind"], []).append(event["of"])
    for kind, verb in (("undone", "undo"), ("redone", "redo")):
        if of := numbers.get(kind):
            yield Part(undo_sentence(verb, of), acts=True)


def undo_sentence(verb: str, of: Collection[int]) -> str:
    """The lines *of* that were undone or redone: "took back lines 30 to 36"."""
    one, several = {
        "undo": (later("took back line %(of)s"), later("took back lines %(of)s")),
        "redo": (later("brought back line %(of)s"), later("brought back lines %(of)s")),
    }[verb]
    return _(one if len(of) == 1 else several) % {"of": _listed(sorted(of))}


def _listed(numbers: Sequence[int]) -> str:
    """Line numbers as people say them: "3", "4, 5", "7 to 12"."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return _("%(first)s to %(last)s") % {"first": numbers[0], "last": numbers[-1]}
    return ", ".join(map(str, numbers))


class Then(Struct, frozen=True):
    """An entry and its moment: the whole states before and after it, and who reads of it.

    names: of the seats, by id. line_of: the number of an earlier entry as the seat counts; None if
    it did not hear of that one. earlier: what an earlier entry said to the seat. now: the state in
    which the seat reads it.
    """

    system: System
    entry: Entry
    before: GameState
    after: GameState
    seat: str | None
    names: Mapping[str, str]
    line_of: Callable[[int], int | None]
    earlier: Callable[[int], Sequence[Part]]
    now: GameState


def parts_seen(
    eyes: Eyes,
    states: tuple[GameState, GameState],
    entry: Entry,
    seat: str | None,
    earlier: Callable[[int], Sequence[Part]],
) -> tuple[Part, ...]:
    """An entry as *seat* saw it then: a card it could not see keeps its secret here.

    states: before and after it. earlier: what an earlier entry said to the seat.
    """
    its = words_of(eyes.system)
    before, after = (eyes.state(each, seat) for each in states)
    system = eyes.system.of_table(after.settings)  # the table may have changed its rules since
    shown = secrecy.entry_seen(system, after, entry, seat)
    if not shown:
        return ()
    if entry.command["do"] == "attribute":
        done = [part for number in entry.command["entries"] for part in earlier(number)]
        if part := attribution(its, entry.events[0], done, namer(its, before, after)):
            return (part,)
    return tuple(parts(system, before, after, shown))
