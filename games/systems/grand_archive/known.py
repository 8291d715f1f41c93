"""Cards by name: what is printed on them, what they put, and the champions to level up into.

`known.json` has only facts. Power and life of allies that decks of 2026 play, attack cards and the
classes of all were read in the card files of the engine of tcg.online (@tcg/grand-archive-types),
and so was what cards put. Levels and lives of champions were read in the list of
Hauooo/Grand-Archive-Companion (Champion.swift, January 2025); more than thirty of them are in the
cards of MichaelGoodCSCI/GrandArchiveSim (CardDatabase.cs) too, and agree. Elements and weapons were
read there.

What asks has a target, or depends on what the table does not know: a graveyard, a cost. What is
put by a class `bonus` asks while nobody has said the class of the champion. Left out: what
abilities that one activates put, action cards, as many as there are of something, and what an
attack card has only against some targets or once prepared.

For the screens: nothing here decides a rule. A form that names a card says `known`; `completed`
then gives, in one `together`, what such a card puts as it enters, and the ticks for what it does
later. A command without `known` does what it says and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from games.rules.state import GameObject, GameState, Seat
from games.rules.system import System
from games.rules.ticks import NOW
from games.systems import lookup
from games.systems.meant import as_one, cards_in, in_play, is_known
from games.systems.sheets import UsualTick

from .card import FIELD, INTENT, Card, level, of_class

Json = Mapping[str, Any]
MOST_LETTERS = 36
"""Characters of a card's id in the ids of its ticks; the rest is for a number."""
AT_LEVEL = "level"
"""What is put as a card enters is put at that level of its champion only; a class begins at 1."""
BONUS = "bonus"
"""Only its class bonus puts it."""


class KnownCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card as it is printed. bonus: as of a `Card`. ticks: what it puts, each as the fields of a
    `tick`, `level` and `bonus`; those of `now` as it enters, or as a champion levels up into it."""

    name: str
    types: list[str]
    base: dict[str, int] = field(default_factory=dict)
    elements: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    bonus: dict[str, int] = field(default_factory=dict)
    ticks: list[dict[str, Any]] = field(default_factory=list)

    @property
    def zone(self) -> str:
        """An attack card goes to the intent."""
        return INTENT if "attack" in self.types else FIELD

    @property
    def printed(self) -> dict[str, Any]:
        """Its fields for the command `create`, as JSON."""
        printed = {"types": self.types, "base": self.base, "elements": self.elements}
        return {**printed, "classes": self.classes, "bonus": self.bonus}

    @property
    def listing(self) -> dict[str, str]:
        """What it puts and its printed numbers, as the list of cards has them."""
        puts = dict.fromkeys(f"+{_many(each)} {each['counter']}" for each in self.ticks)
        numbers = "/".join(map(str, self.base.values()))
        return {"note": ", ".join([*puts, numbers] if numbers else puts)}


def _many(tick: Json) -> object:
    return tick["change"] if isinstance(tick["change"], int) else "n"


KNOWN = lookup.Known(lookup.lines(__package__, "known.json", KnownCard))


def levels_into(card: Card) -> Iterator[Json]:
    """The known champions of the level above the printed one of *card*: name, and steps.

    A lineage keeps its first name; a spirit of level 0 may become any.
    """
    if "champion" not in card.types or not card.on_field:
        return
    first, now = _lineage(card.name), card.base.get("level")
    for known in KNOWN.values():
        name, its = known.name, known.base.get("level")
        if now is not None and its == now + 1 and (not now or _lineage(name) == first):
            step = {"do": "level-up", "object": card.id, **known.base, "name": name, "known": True}
            yield {"name": name, "steps": [{**step, "classes": known.classes}]}


def _lineage(name: str) -> str:
    return name.partition(",")[0]


def usual(system: System, state: GameState, holder: Seat | GameObject) -> Iterator[UsualTick]:
    """What the card *holder* is known to put later."""
    if isinstance(holder, Card) and holder.on_field:
        card = KNOWN.called(holder.name) or KnownCard("", [])
        for each in card.ticks:
            if each["begins"] != NOW and (said := _said(state, holder.controller, card, each)):
                yield UsualTick(said, known=True)


# What goes with a command


def completed(system: System, state: GameState, command: Json) -> Json:
    """*command* with all that its cards are known to put, and what is printed on them.

    `known` in a `create`, a `move` or a `level-up`: they enter, or the champion becomes another.
    """
    by = str(command.get("by", ""))
    return as_one(command, is_known, lambda step: _with_steps(state, step, by))


def _with_steps(state: GameState, step: Any, by: str) -> Iterator[Json]:
    if not is_known(step):
        yield step
        return
    plain: Json = {key: step[key] for key in step if key != "known"}
    card = KNOWN.called(step.get("name", ""))
    blank = not any(getattr(state.objects.get(on), "types", True) for on in cards_in(step))
    if card and (step["do"] == "create" or (step["do"] == "describe" and blank)):
        plain = _as_printed(plain, card)
    yield plain
    if in_play(step, FIELD) or step["do"] == "level-up":
        for on in cards_in(step):
            there = state.objects.get(on)
            found = card or KNOWN.called(there.name if there else "")
            seat = step.get("controller") or step.get("owner") or (there.owner if there else by)
            yield from _ticks(state, seat, on, found) if found else ()


def _as_printed(step: Json, card: KnownCard) -> Json:
    """*step* with what is printed on *card*, unless it says so at least in part.

    A name may be typed and added before the form has learned which card it is.
    """
    types = step.get("types", ())
    said = type(types) is list and any(each in card.types for each in types)
    return step if said else {**step, **card.printed}


def _ticks(state: GameState, seat: str, on: str, card: KnownCard) -> Iterator[Json]:
    high = level_of(state, seat)
    for n, tick in enumerate(card.ticks):
        said = _said(state, seat, card, tick)
        if said and (tick.get(AT_LEVEL, 0) <= high or tick["begins"] != NOW):
            new_id = f"{on[:MOST_LETTERS]}-{n + 1}" if n else on
            yield {"do": "tick", "as": new_id, "on": on, **said}


def _said(state: GameState, seat: str, card: KnownCard, tick: Json) -> Json:
    """*tick* as its command says it; nothing if it needs another class than the champion's."""
    said = {key: tick[key] for key in tick if key not in (AT_LEVEL, BONUS)}
    matches = of_class(state, seat, card.classes) if BONUS in tick else True
    return {} if matches is False else said if matches else {**said, "asks": True}


def level_of(state: GameState, seat: Any) -> int:
    """The level of the highest champion of *seat*; 0 without one."""
    cards = (each for each in state.objects.values() if isinstance(each, Card) and each.on_field)
    return max((level(state, each) or 0 for each in cards if each.controller == seat), default=0)
