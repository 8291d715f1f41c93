"""An entry of the log as sentences, each with the rule that caused it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later
from msgspec import Struct
from msgspec.structs import replace

from games.rules import secrecy
from games.rules.entry import Entry
from games.rules.state import GameState
from games.rules.system import Rule, System
from games.screens import view_models
from games.screens.log.event_text import COUNTED, subject, tell
from games.screens.log.parts import TIMES, Part, counters, namer, signed
from games.screens.secrets import Eyes
from games.screens.words import phrase_text
from games.systems import presentation_of
from games.systems.story import Consequence

Wanted = Callable[[Mapping[str, Any]], bool]


def parts(system: System, before: GameState, after: GameState, entry: Entry) -> Iterator[Part]:
    """What *entry* did, one part for each event that has a sentence; none if it did nothing."""
    yield from undo_sentences(entry.events)
    for _event, part in told(system, before, after, entry):
        yield part


def told(
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
        _folded(_one_by_one(system, before, after, entry, wanted))
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

    "3 damage to Lorraine" and "3 damage on Lorraine, 0 → 3" are one thing to whoever reads.
    """
    kept: tuple[Mapping[str, Any], Part] | None = None
    for event, part in parts:
        if kept and part.before is not None and _same_amount(kept, event):
            first, said = kept
            kept = None
            names = ("holder", "number", "on", "before", "after", "rule", "why")
            yield first, replace(said, **{name: getattr(part, name) for name in names})
            continue
        if kept:
            yield kept
        kept = event, part
    if kept:
        yield kept


def _same_amount(kept: tuple[Mapping[str, Any], Part], event: Mapping[str, Any]) -> bool:
    first, part = kept
    named = part.n is not None and part.after is None and "on" in first
    return named and (first["on"], part.n) == (event.get("on"), event.get("amount"))


def _one_by_one(
    system: System,
    before: GameState,
    after: GameState,
    entry: Entry,
    wanted: Wanted | None = None,
) -> Iterator[tuple[Mapping[str, Any], Part]]:
    counts: dict[tuple[str, str], int] = {}
    earlier: dict[Any, Part] = {}
    own = presentation_of(system)

    def held(holder: str, kind: str) -> int:
        return counts.setdefault((holder, kind), before.count(holder, kind))

    for place, event in enumerate(entry.events):
        if event["kind"] in ("undone", "redone") or (wanted and not wanted(event)):
            continue
        number = event.get("rule", "")
        rule: Rule | None = system.rules.get(number)
        source = entry.command.get("source")
        # A row of a hundred tokens is a hundred events with one sentence.
        obj = after.objects.get(event["on"]) if event["kind"] in COUNTED else None
        like = obj and (
            *{**event, "on": obj.name, "entry": view_models.keeper(obj)}.items(),
            *(held(event["on"], event["counter"]), source == event["on"]),
        )
        if like in earlier:
            counts[event["on"], event["counter"]] = earlier[like].after or 0
            yield event, earlier[like]
            continue
        part = tell(own, before, after, {"by": entry.by, **event}, held, counts)
        placed = event["kind"] == "placed" and not number and source != event["on"]
        if part and source and placed:
            by = namer(before, after)(source)
            part = replace(part, words=_("%(what)s, by %(by)s") % {"what": part.words, "by": by})
        if part:
            because = _because(system, before, after, event, entry.events[:place])
            why = _(rule.text) if rule else ""
            part = replace(part, rule=number, why=why, because=because)
            if like:
                earlier[like] = part
            yield event, part


def _because(
    system: System,
    before: GameState,
    after: GameState,
    event: Mapping[str, Any],
    earlier: Sequence[Mapping[str, Any]],
) -> str:
    """Why a rule made *event* happen, with seats' ids in braces; "" if its sentence says it."""
    own = presentation_of(system)
    if event["kind"] == "lost" and (out := own.story.out_because(system, after, event["seat"])):
        facts = {name: _fact(after, fact) for name, fact in out.facts.items()}
        return _(out.text) % facts
    cause = own.story.causes.get(event.get("rule") or "")
    if callable(cause):
        cause = cause(
            Consequence(system=system, before=before, after=after, event=event, earlier=earlier)
        )
    return phrase_text(cause) if cause else ""


def _fact(state: GameState, fact: Any) -> str:
    """A fact of a reason: a number, or the name of what it is the id of."""
    return namer(state, state)(fact) if isinstance(fact, str) else f"{fact}".replace("-", "−")


def attribution(event: Mapping[str, Any], done: Iterable[Part], name: Any) -> Part | None:
    """An "attributed" event with what its entries did (*done*): "−3 life on Ana came from Ben"."""
    by: dict[tuple[str, str], int] = {}
    for part in done:
        if part.holder and part.before is not None and part.after is not None:
            key = (part.holder, part.number)
            by[key] = by.get(key, 0) + part.after - part.before
    changes = [
        _("%(by_how_much)s on %(whose)s")
        % {"by_how_much": counters(signed(n), number), "whose": name(holder)}
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


def parts_then(told: Then) -> Sequence[Part]:
    """What the entry said to the seat; nothing if the seat may not know that it happened."""
    states = told.before, told.after
    return parts_seen(Eyes(told.system), states, told.entry, told.seat, told.earlier)


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
    before, after = (eyes.state(each, seat) for each in states)
    system = eyes.system.of_table(after.settings)  # the table may have changed its rules since
    shown = secrecy.entry_seen(system, after, entry, seat)
    if not shown:
        return ()
    if entry.command["do"] == "attribute":
        done = [part for number in entry.command["entries"] for part in earlier(number)]
        if part := attribution(entry.events[0], done, namer(before, after)):
            return (part,)
    return tuple(parts(system, before, after, shown))
