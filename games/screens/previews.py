"""Preview of a command where cards change numbers on their way in."""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import islice
from typing import Any, NamedTuple

from msgspec import Struct

from games.rules.batch import in_order
from games.rules.commands import Command
from games.rules.engine import head, read, step
from games.rules.entry import Entry
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.log.entry_text import worded_events
from games.systems import presentation_of
from games.systems.attacks import Ends

Json = Mapping[str, Any]
MOST_WAYS = 12
"""So many orders are offered; each is tried out."""


class Told(NamedTuple):
    """A sentence of the log, and the kind of event that it is about.

    because: why. end: in place of the sentence, what it comes to for a player.
    """

    text: str
    kind: str
    because: str = ""
    end: Ends | None = None


class Way(Struct, frozen=True):
    """One order in which cards change the numbers of a command.

    order: what the command says for it; empty for the usual order. says: it, in signs and names.
    sentences: those of the log about the numbers.
    """

    order: tuple[str, ...]
    says: str
    sentences: list[Told]


def previews(system: System, state: GameState, raw: Json, names: Mapping[str, str]) -> list[Way]:
    """The log's sentences about the numbers that *raw* would change if it were given now.

    The usual order first, then each that ends with other numbers, if it can be chosen. Nothing if
    it is refused. Nothing is stored.
    """
    board, sheets = presentation_of(system).board, presentation_of(system).sheets
    if board.previews is None or raw.get("do") not in system.verbs:
        return []
    kinds = board.previews.told.get(raw["do"], board.previews.kinds)
    whole = raw["do"] in board.previews.told
    try:
        given = sheets.completed(system, state, raw)
        usual = _sentences(system, state, kinds, given, names, whole=whole)
    except Refused:
        return []
    ways = board.previews.ways(system, state, _read(system, state, given)) if usual else ()
    orders = {way.order: way.says for way in ways}
    found = [Way((), next(iter(orders.values()), ""), usual)]
    for order, says in islice(orders.items(), MOST_WAYS):
        ordered = sheets.completed(system, state, in_order(system, given, order))
        sentences = _sentences(system, state, kinds, ordered, names, whole=whole)
        if all(sentences != each.sentences for each in found):
            found.append(Way(order, says, sentences))
    return found


def _read(system: System, state: GameState, given: Json) -> Command:
    return read(system, given, head(system, state, given).by)


def _sentences(
    system: System,
    state: GameState,
    kinds: Container[str],
    given: Json,
    names: Mapping[str, str],
    *,
    whole: bool,
) -> list[Told]:
    """The sentences about events of those *kinds*. whole: with the reasons, and of a player's main
    number once, before and after all of it."""
    command = _read(system, state, given)
    after, events = step(system, state, command)
    facts = tuple({**event.to_json(), "entry": 0} for event in events if event.kind in kinds)
    entry = Entry(0, command.by, None, given, facts)
    hero, found = presentation_of(system).story.hero, dict[Any, Told]()
    for number, (event, part) in enumerate(worded_events(system, state, after, entry)):
        part, seat = part.named(names), part.holder
        if not whole:
            found[number] = Told(part.text, event["kind"])
        elif part.number == hero and seat in state.seats and part.after is not None:
            first = found.get(seat, Told("", event["kind"]))
            now = first.end.now if first.end else part.before or 0
            why = ", ".join(filter(None, (first.because, part.because)))
            end = Ends(seat, now, part.after, after.seats[seat].lost)
            found[seat] = Told("", first.kind, why, end)
        else:
            text = f"{part.plain}, {part.change}" if part.change else part.plain
            found[number] = Told(text, event["kind"], part.because)
    return [*found.values()]
