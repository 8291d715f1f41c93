"""Any RPG: a GM's table for any game, by a set that says what the game counts.

Its secrets, scenes, links, proposals and whispers are those of `games.rules.slots`; the looks and
words of a counter, the turn order and conditions those of `games.rules.slots.sets`. Every set is
compiled to a system of its own; the table keeps it among its settings. Source: docs/ANY-RPG.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from games.rules.slots import table, verbs
from games.rules.slots.counter import Player, derived
from games.rules.slots.sets import verbs as sets
from games.rules.slots.sets.definition import DEFINITION, KEPT, Fault, Set, understood
from games.rules.slots.sets.plain import PLAIN
from games.rules.slots.sets.rules import EDITION, NOT_TRACKED, RULES, SETTINGS
from games.rules.slots.sets.set_system import SetSystem
from games.rules.slots.sets.tracker import Tracker
from games.rules.state import Components, GameState
from games.rules.system import Defined, Rulebook, System, Verb

from . import change_rules


class TableSystem(SetSystem, frozen=True, kw_only=True):
    """The system that a set makes. written: as the table keeps it; None is the usual one."""

    set: Set
    written: Mapping[str, Any] | None = None


def opening(system: System, given: Mapping[str, Any], settings: Mapping[str, Any]) -> GameState:
    """The state that the `given` of a scenario describes."""
    assert isinstance(system, TableSystem)
    counters = system.described(given.get("slot_counters", {}))
    types = [each.type for each in system.set.types]
    kept = {**settings, DEFINITION: system.written} if system.written else settings
    return table.opening(system, {**given, "slot_counters": counters}, kept, types)


VERBS = {
    **sets.VERBS,
    "change-rules": Verb(change_rules.ChangeRules, change_rules.change_rules, served=True),
}


def compiled(written: Any) -> TableSystem:
    """The system that a set makes. Raises Fault."""
    return _compiled(understood(written), json.dumps(written, sort_keys=True))


def made_of(made: Set, written: Mapping[str, Any] | None) -> TableSystem:
    """The system of a set that has been read. written: as the table keeps it; None is the usual."""
    return TableSystem(
        name="any-rpg",
        title=made.title,
        sentence="A GM’s table for any game: clocks, hit points, turn order, and secrets.",
        edition=EDITION,
        rulebook=Rulebook(
            document="Rulings of this tracker",
            rules=RULES,
            not_tracked=NOT_TRACKED,
            settings=SETTINGS,
            translated=frozenset({"de", "es"}),
        ),
        components=Components(seat=Player, slot_counter=Tracker),
        set=made,
        written=written,
        opening=opening,
        verbs=VERBS,
        automatic=verbs.AUTOMATIC,
        seating=verbs.SEATING,
        derived=derived,
        secrets=verbs.secrets(sets.view, sets.views),
        defined=Defined(system_of, fault, given, texts),
    )


@lru_cache(KEPT)
def _compiled(made: Set, text: str) -> TableSystem:
    return made_of(made, json.loads(text))


def system_of(settings: Mapping[str, Any]) -> System:
    """The system of a table whose settings hold a set; without one, that of the usual set."""
    return compiled(settings[DEFINITION]) if DEFINITION in settings else CURRENT


def fault(written: Any) -> str | None:
    """The place of the first fault in a set; None if it can be played."""
    try:
        understood(written)
    except Fault as found:
        return found.place
    return None


def texts(written: Any) -> Iterator[str]:
    """The texts that people wrote in a set, and others read."""
    made = understood(written)
    yield from (made.title, made.about)
    for kind in made.types:
        yield from (kind.name, kind.full, *(word.word for word in kind.words))
    yield from (each.name for each in (*made.kit, *made.shared))
    for scale in made.scales:
        yield from (scale.name, *(each.name for each in scale.steps))
    yield from (each.name for each in made.outcomes)
    yield from (each.name for each in made.conditions)


def given(system: System, state: GameState, parts: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing more: counters say all of a table but its turn order, which begins anew."""
    return {}


CURRENT = made_of(understood(PLAIN), None)

EDITIONS = (CURRENT,)
