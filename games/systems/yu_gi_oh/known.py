"""Suggestions while typing: known cards, and the question about new kinds of counters.

For the screens: nothing here decides a rule. Unknown cards can be created too; `permit`, `register`
and `watch` then say what their text says about counters. The known ones: `card_table.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from games.systems import lookup

from .card_table import CARDS
from .zones import FIELD, MONSTER, PENDULUM, SPELL_TRAP


class KnownCard(Struct, frozen=True):
    """A card of the table.

    printed: its fields for the command `create`, as JSON: base, permits, on_spell, thresholds,
    per_counter, per_field, in_battle.
    places: the kinds it places on other cards. zone: where it is played.
    """

    name: str
    printed: dict[str, dict[str, Any]] = field(default_factory=dict)
    places: tuple[str, ...] = ()
    zone: str = MONSTER

    @property
    def listing(self) -> dict[str, str]:
        """Its entry in the list of cards: the kinds it holds ("spell 3"), and those it places."""
        permits = self.printed.get("permits", {}).items()
        held = (f"{kind} {permit.get('maximum', '')}".strip() for kind, permit in permits)
        places = ", ".join(self.places)
        return {"note": ", ".join(held) or places, "places": places}


def _card(name: str, facts: Mapping[str, Any]) -> KnownCard:
    """The card as it is created: its permits and gains with the zones in which they count (R14)."""
    printed = {key: facts[key] for key in facts if key not in ("zone", "places")}
    # Zones of a text that names none: a monster's, a Spell's.
    usual = [MONSTER] if facts["zone"] in (MONSTER, PENDULUM) else [SPELL_TRAP, FIELD]
    if "permits" in facts:
        permits = {kind: {"zones": usual, **each} for kind, each in facts["permits"].items()}
        printed["permits"] = permits
    if "on_spell" in facts:
        gains = facts["on_spell"].items()
        zones = {kind: printed["permits"][kind]["zones"] for kind, _ in gains}
        printed["on_spell"] = {kind: {"zones": zones[kind], **each} for kind, each in gains}
    return KnownCard(name, printed, tuple(facts.get("places", ())), facts["zone"])


KNOWN = lookup.Known(_card(name, facts) for name, facts in CARDS.items())
