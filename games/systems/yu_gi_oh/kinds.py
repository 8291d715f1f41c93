"""The kinds of counters that Yu-Gi-Oh! cards use.

An open kind may be on any face-up card. A bound kind may be only on a card whose own text places it
on itself, and is lost with the effects of that card. A counter without a name is a kind of its own,
named after its card or family.

The table is made from the data of the EDOPro engine (`tabulate.py`); open and bound agree with
Konami FAQ 13177 and 23486 (10 December 2022). New cards come out every month: the list helps with
typing and is never a whitelist.
"""

from __future__ import annotations

from msgspec import Struct

from . import card_table

MONSTER, SPELL_TRAP, FIELD, PENDULUM = "monster", "spell-trap", "field-zone", "pendulum"
FIELD_ZONES = (MONSTER, SPELL_TRAP, FIELD, PENDULUM)
"""The zones in which a card is on the field."""


class Kind(Struct, frozen=True):
    """A kind of counter. engine_id: its number in EDOPro. title: what players call it."""

    name: str
    engine_id: int
    title: str
    open: bool


KINDS: dict[str, Kind] = {name: Kind(name, *facts) for name, facts in card_table.KINDS.items()}
"""The kinds by name."""
OPEN = frozenset(kind.name for kind in KINDS.values() if kind.open)
"""The kinds that may be on any face-up card."""
