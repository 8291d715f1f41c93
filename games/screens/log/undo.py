"""Short texts for Undo and Redo: "+3 rad on 3 players"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct
from msgspec.structs import replace

from games.rules.entry import Entry
from games.rules.history import Applied
from games.rules.revising import acting
from games.rules.state import GameState
from games.rules.system import System
from games.screens.log.entry_text import worded_events
from games.screens.log.event_text import subject
from games.screens.log.lines import button_of
from games.screens.log.parts import (
    TIMES,
    Part,
    called,
    counters,
    namer,
    players,
    sent,
    signed,
    times,
)
from games.screens.words import IN_BRACES, Words, words_of
from games.systems import presentation_of

MOST_NAMED = 2
"""Acts that are named; the rest are counted."""

Names = Callable[[str], str]
"""The name of a seat."""


class Act(Struct, frozen=True):
    """The act of one seat with one command, or with quick taps on one number.

    event, part: the one that the act is named after. change: by how much it changed the number
    `part.number` of `part.holder`; None if it is not about a number. more: how many other cards
    the same command made. like: the holders or cards to which it did the same, if several.
    verb, which: of its command (`lines.button_of`).
    """

    by: str
    event: Mapping[str, Any]
    part: Part
    change: int | None
    more: int = 0
    like: tuple[str, ...] = ()
    verb: str = ""
    which: str = ""


class TakenBack(Struct, frozen=True):
    """An undo or a redo as it is told on every screen.

    verb: "undo" or "redo". by: the seat that gave it. title: "Took back". text: what, for example
    "−40 life on Cleo: 0 → 40". entries: the numbers that the opposite command takes back.
    """

    verb: str
    by: str
    title: str
    text: str
    entries: tuple[int, ...]

    @property
    def opposite(self) -> str:
        """The command that reverses it."""
        return "redo" if self.verb == "undo" else "undo"

    @property
    def turned(self) -> str:
        """The entries in the order in which that command goes through them."""
        order = self.entries if self.verb == "undo" else reversed(self.entries)
        return " ".join(map(str, order))


def taken_back(system: System, applied: Applied, name: Names) -> Iterator[TakenBack]:
    """The acts that each undo and redo in *applied* took back or brought back."""
    for reversal in applied.reversals:
        undone = reversal.entry.command["do"] == "undo"
        was, now = (applied.before, applied.after) if undone else (applied.after, applied.before)
        done = acts(system, now, was, reversal.of)
        named = [
            _with_doer(_in_numbers(system, applied, each, name), each, reversal.entry.by, name)
            for each in done[:MOST_NAMED]
        ]
        yield TakenBack(
            "undo" if undone else "redo",
            reversal.entry.by,
            _("Took back") if undone else _("Brought back"),
            _listed(named, len(done)),
            tuple(entry.number for entry in reversal.of),
        )


def acts(
    system: System, before: GameState, after: GameState, entries: Iterable[Entry]
) -> list[Act]:
    """The acts of *entries*, each named after the turn it began, or its first event without a rule.

    before, after: two states that know the objects; the numbers of the parts are not to be shown.
    """
    found: dict[Any, Act] = {}
    for entry in acting(entries):
        act = _act(system, before, after, entry)
        if act is None:
            continue
        verb, which = button_of(entry.command)
        act = replace(act, verb=verb, which=which)
        key: Any = entry.number
        if act.change is not None:
            key = (act.by, act.part.holder, act.part.number, act.part.times)
        elif act.part.n is not None:
            key = (act.by, act.part.words)
        found[key] = _together(found[key], act) if key in found else act
    return list(found.values())


def _together(first: Act, act: Act) -> Act:
    """Two acts on one number as one."""
    if act.change is not None:
        return replace(act, change=(first.change or 0) + act.change)
    return replace(act, part=replace(act.part, n=(first.part.n or 0) + (act.part.n or 0)))


def _act(system: System, before: GameState, after: GameState, entry: Entry) -> Act | None:
    events = list(worded_events(system, before, after, entry))
    if not events:
        return None
    said = [each for each in events if not (each[1].rule or each[0]["kind"] == "ended")]
    told = [each for each in said if not each[1].aside] or said or events
    event, part = next((each for each in told if each[0]["kind"] == "turn-began"), told[0])
    if reason := presentation_of(system).story.reasons.get(verb := entry.command["do"]):
        return Act(entry.by, {"kind": verb}, Part(_(reason)), None)
    if TIMES in part.words:
        # Those that have become unlike since are told apart by numbers that are not to be shown.
        alike = (each for _other, each in events if (each.words, each.n) == (part.words, part.n))
        part = replace(part, times=sum(each.times for each in alike))
    change, like = _change_in(part), _like(entry, event)
    if event["kind"] == "created":
        made = sum(each.times for other, each in events if other["kind"] == "created")
        return Act(entry.by, event, part, None, made - part.times)
    if event["kind"] == "answered":
        return Act(entry.by, event, _with_outcome(words_of(system), part, events), None)
    if change is None and "amount" in event and "from" not in event:
        # It may say how much without saying of what; what follows on the same holder says that.
        for _event, each in events:
            if (
                each.holder == event.get("on")
                and abs(by := _change_in(each) or 0) == event["amount"]
            ):
                return Act(entry.by, event, each, by, like=like)
    return Act(entry.by, event, part, change, _other_kinds(entry, event), like)


def _other_kinds(entry: Entry, event: Mapping[str, Any]) -> int:
    """The number of other kinds of counters of which *entry* did the same to the same holder."""
    same = ("kind", "on", "rule")
    found = [each for each in entry.events if all(each.get(k) == event.get(k) for k in same)]
    return len({each.get("counter") for each in found} - {event.get("counter")})


def _like(entry: Entry, event: Mapping[str, Any]) -> tuple[str, ...]:
    """The targets of the same change as in *event*; nothing if there is only that one."""
    same = ("kind", "counter", "amount", "mark", "value", "rule")
    found = {
        subject(each) or each.get("seat", ""): None
        for each in entry.events
        if all(each.get(key) == event.get(key) for key in same)
    }
    found.pop("", None)
    return tuple(found) if len(found) > 1 else ()


def _with_outcome(
    its: Words, answer: Part, events: Iterable[tuple[Mapping[str, Any], Part]]
) -> Part:
    """An answer with the numbers that changed by it: "Answered: radiation, Ana: −2 life"."""
    changes = [
        counters(its, signed(change), each.number)
        for _event, each in events
        if (change := _change_in(each))
    ]
    return replace(answer, words=": ".join(filter(None, (answer.words, ", ".join(changes)))))


def _change_in(part: Part) -> int | None:
    if not part.holder or part.before is None or part.after is None:
        return None
    return part.after - part.before


def in_full(system: System, state: GameState, done: Sequence[Act], name: Names) -> str:
    """*done* in full, each act with the seat that did it: "−3 life, Ben (Ana)"."""
    return _listed([_in_full(system, state, each, name) for each in done[:MOST_NAMED]], len(done))


def _in_full(system: System, state: GameState, act: Act, name: Names) -> str:
    its = words_of(system)
    what = _listed([_named(act.part.text, name)], 1 + act.more)
    if act.like:
        what = _to_several(system, state, act, name)
    elif act.change is not None:
        whose = _holder_name(its, state, act, name)
        facts = {"by_how_much": changed_by(its, act), "whose": whose}
        what = _listed([_("%(by_how_much)s, %(whose)s") % facts], 1 + act.more)
    return _("%(what)s (%(who)s)") % {"what": what, "who": name(act.by)}


def _to_several(system: System, state: GameState, act: Act, name: Names) -> str:
    """An act on several in words: "+3 rad on 3 players", "22 cards to the graveyard"."""
    cards = [state.objects[each] for each in act.like if each in state.objects]
    if act.event["kind"] == "moved" and cards:
        return sent(system, cards, [act.event["to"]])
    whose = next(called(system, cards)) if cards else players(len(act.like))
    if act.change is not None:
        facts = {"by_how_much": changed_by(words_of(system), act), "whose": whose}
        return _("%(by_how_much)s on %(whose)s") % facts
    return f"{_named(act.part.plain, name)} ({whose})"


def _in_numbers(system: System, applied: Applied, act: Act, name: Names) -> str:
    """*act* with its number before and after the undo: "−40 life on Cleo: 0 → 40"."""
    its = words_of(system)
    states = applied.before, applied.after
    state = next((each for each in states if _has(each, act.part.holder)), applied.before)
    if act.like:
        everything = next(
            (each for each in states if all(_has(each, one) for one in act.like)), state
        )
        return _to_several(system, everything, act, name)
    if act.change is None:
        return _listed([_named(act.part.text, name)], 1 + act.more)
    facts = {"by_how_much": changed_by(its, act), "whose": _holder_name(its, state, act, name)}
    what = _("%(by_how_much)s on %(whose)s") % facts
    if not all(_has(each, act.part.holder) for each in states):
        return what
    values = (_value(each, act.part.holder, act.part.number) for each in states)
    before, after = (f"{each}".replace("-", "−") for each in values)
    what = f"{what}: {before} → {after}" if before != after else what
    return _listed([what], 1 + act.more)


def _with_doer(what: str, act: Act, by: str, name: Names) -> str:
    """*what*, with the seat that did it if another seat undid it."""
    return what if act.by == by else _("%(what)s (%(who)s)") % {"what": what, "who": name(act.by)}


def _listed(sentences: Sequence[str], most: int) -> str:
    more = most - len(sentences)
    rest = [ngettext("%(n)s more", "%(n)s more", more) % {"n": more}] if more > 0 else []
    return "; ".join([*sentences, *rest])


def changed_by(its: Words, act: Act) -> str:
    return counters(its, signed(act.change or 0), act.part.number)


def _named(words: str, name: Names) -> str:
    return IN_BRACES.sub(lambda found: name(found[1]), words)


def _holder_name(its: Words, state: GameState, act: Act, name: Names) -> str:
    return _named(namer(its, state, state)(act.part.holder), name) + times(act.part.times)


def _has(state: GameState, holder: str) -> bool:
    team = holder.startswith("team:") and holder.removeprefix("team:") in state.teams
    return team or holder in state.seats or holder in state.objects


def _value(state: GameState, holder: str, number: str) -> int:
    """A number of a seat, object or team: a field of its own, or else its counters of that kind."""
    team = state.teams.get(holder.removeprefix("team:")) if holder.startswith("team:") else None
    has = team or state.seats.get(holder) or state.objects.get(holder)
    value = getattr(has, number, None)
    return value if type(value) is int else state.count(holder, number)
