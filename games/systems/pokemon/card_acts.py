"""What known cards do with damage, Special Conditions and HP, each with the set and number of a
print whose text was read in tcgdex/cards-database.

For the screens: nothing here decides a rule. An act is the steps of one `together`; in them IT is
the Pokémon itself, TARGET the one that is tapped, MINE its player's Active Pokémon, and OTHER the
opponent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from games.rules.state import GameState, Phrase, Words
from games.rules.state import marked as _
from games.systems.attacks import Attack, Target
from games.systems.sheets import Label

from .card import ACTIVE, BENCH, COUNTER, DAMAGE, POISONED, Pokemon, active, in_play, opponent
from .known import known_as

IT, TARGET, FROM, MINE, OTHER = "<it>", "<target>", "<from>", "<mine>", "<other>"
THEIRS, OWN, FOE, BENCHED = "theirs", "own", "foe", "benched"
"""The targets: the opponent's Pokémon, one's own, the opponent's Active, one's own on the Bench."""


class Act(Struct, frozen=True):
    """Something that a card does. n: its number. to: its targets. of: whose damage it moves; "" if
    it moves none. often: more than once in a turn. theirs: in the opponent's turn. source: a print.
    """

    title: Words
    steps: Sequence[Mapping[str, Any]]
    source: str
    n: int = 0
    to: str = THEIRS
    of: str = ""
    often: bool = False
    theirs: bool = False


class Tool(NamedTuple):
    """A Tool or Stadium. n: what it adds to the HP of a Pokémon. source: a print."""

    name: Words
    n: int
    source: str


def _put(
    n: int, source: str, to: str = THEIRS, *, often: bool = False, theirs: bool = False
) -> Act:
    step = {"do": "place", "on": [TARGET], "counter": DAMAGE, "amount": n}
    return Act(_("Put {n} on"), (step,), source, n, to, often=often, theirs=theirs)


def _blast(n: int, source: str) -> Act:
    step = {"do": "knock-out", "object": [IT], "also": {TARGET: n}}
    return Act(_("Put {n} on; this one is Knocked Out"), (step,), source, n, often=True)


def _move(n: int, source: str, of: str, to: str, *, often: bool = False) -> Act:
    step = {"do": "transfer", "from": FROM, "to": TARGET, "counter": DAMAGE, "amount": n}
    return Act(_("Move {n} from {name} to"), (step,), source, n, to, of, often=often)


def _heal(n: int, source: str) -> Act:
    return Act(_("Heal {n} of"), ({"do": "heal", "on": [TARGET], "amount": n},), source, n, OWN)


def _poison(on: str) -> Mapping[str, Any]:
    return {"do": "afflict", "object": on, "condition": POISONED}


_MORE = {"do": "mark", "on": [OTHER], "mark": "poison_more", "value": 20}
ACTS: Mapping[str, Act] = {
    "Brute Bonnet": Act(
        _("Both Active Pokémon are Poisoned"), (_poison(TARGET), _poison(MINE)), "sv4-123", to=FOE
    ),
    "Crobat": _put(30, "xy4-33"),
    "Decidueye-GX": _put(20, "sm1-12"),
    "Dusclops": _blast(50, "sv6pt5-19"),
    "Dusknoir": _blast(130, "sv6pt5-20"),
    "Galarian Zigzagoon": _put(10, "swsh1-117"),
    "Gardevoir ex": _put(20, "sv1-86", OWN, often=True),
    "Gengar": _move(10, "base3-5", THEIRS, THEIRS),
    "Gengar ex": _put(20, "sv5-104", often=True, theirs=True),
    "Golbat": _put(20, "xy4-32"),
    "Hydrapple ex": _heal(30, "sv7-14"),
    "Inteleon": _put(20, "swsh6-43"),
    "Munkidori": _move(30, "sv6-95", OWN, THEIRS),
    "Pecharunt ex": Act(
        _("Switch in, and it is Poisoned"),
        ({"do": "switch", "object": TARGET}, _poison(TARGET)),
        "sv6pt5-39",
        to=BENCHED,
    ),
    "Radiant Alakazam": _move(20, "swsh12-59", THEIRS, THEIRS),
    "Radiant Hisuian Sneasler": Act(
        _("Poisoned does {n} more"), (_MORE,), "swsh11-123", 20, FOE, often=True
    ),
    "Reuniclus": _move(10, "bw1-57", OWN, OWN, often=True),
    "Team Rocket’s Crobat ex": _put(20, "sv10-122", often=True),
    "Team Rocket’s Golbat": _put(20, "sv10-121"),
    "Venusaur ex": _heal(60, "sv3pt5-3"),
}
TOOLS = (
    Tool(_("Ancient Booster Energy Capsule"), 60, "sv5-140"),
    Tool(_("Big Charm"), 30, "swsh1-158"),
    Tool(_("Bravery Charm"), 50, "sv2-173"),
    Tool(_("Cape of Toughness"), 50, "swsh3-160"),
    Tool(_("Cynthia’s Power Weight"), 70, "sv10-162"),
    Tool(_("Fighting Fury Belt"), 40, "xy8-99"),
    Tool(_("Gravity Mountain"), -30, "sv8-177"),
    Tool(_("Hero’s Cape"), 100, "sv5-152"),
    Tool(_("Lively Stadium"), 30, "sv8-180"),
    Tool(_("Luxurious Cape"), 100, "sv4-166"),
)


def hits(state: GameState, mon: Pokemon) -> list[int]:
    """The damage that attacks by *mon* do, as far as the card is known."""
    card = known_as(mon)
    if card is None:
        return []
    counted = card.for_each * state.count(mon.id, DAMAGE) // COUNTER
    return [*((counted,) if counted else ()), *card.hits]


def acts(state: GameState, mon: Pokemon, label: Label) -> Iterator[Attack]:
    """The forms of what *mon* does, a tap for each target; one form for each damage to move."""
    card = known_as(mon)
    act = ACTS.get(card.english) if card else None
    now = state.turn is not None and (mon.owner in state.turn.active) != bool(act and act.theirs)
    other = opponent(state, mon.owner)
    if act is None or not (now and mon.on_field) or (mon.ability_used and not act.often):
        return
    named: dict[str, Any] = {IT: mon.id, OTHER: other}
    if mine := active(state, mon.owner):
        named[MINE] = mine.id
    for source in _hurt(state, mon, act, other) if act.of else (None,):
        facts: dict[str, Any] = {"n": act.n}
        if source:
            there = state.count(source.id, DAMAGE)
            facts = {"n": min(act.n, there), "name": label(source)}
        targets = [
            Target(_steps(act, mon, {**named, TARGET: each.id, FROM: source and source.id},
                          facts["n"]), label(each))
            for each in _targets(state, mon, act.to, other) if each is not source
        ]  # fmt: skip
        if targets:
            given, title = {"do": "together"}, Phrase(act.title, **facts)
            yield Attack(given=given, title=title, targets=targets, target="steps:json")


def _hurt(state: GameState, mon: Pokemon, act: Act, other: str | None) -> Iterator[Pokemon]:
    for each in _targets(state, mon, act.of, other):
        if state.count(each.id, DAMAGE):
            yield each


def _targets(state: GameState, mon: Pokemon, to: str, other: str | None) -> Iterator[Pokemon]:
    zones = {FOE: (ACTIVE,), BENCHED: (BENCH,)}.get(to, (ACTIVE, BENCH))
    owner = mon.owner if to in (OWN, BENCHED) else other
    return (each for each in in_play(state, owner) if owner and each.zone in zones)


def _steps(act: Act, mon: Pokemon, named: Mapping[str, Any], n: int) -> str:
    """The steps as JSON, with the ids for their places."""

    def filled(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {named.get(key, key): filled(each) for key, each in value.items()}
        if isinstance(value, list):
            return [filled(each) for each in value]
        return named.get(value, value) if isinstance(value, str) else value

    steps = [filled(step) for step in act.steps]
    if act.of:
        steps[0]["amount"] = n
    if not act.often:
        steps.append({"do": "mark", "on": [mon.id], "mark": "ability_used", "value": True})
    return json.dumps(steps)
