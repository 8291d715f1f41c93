"""Suggestions while typing: known cards, and the question about new kinds of counters.

For the screens: nothing here decides a rule. Unknown cards can be created too; `permit`, `register`
and `watch` then say what their text says about counters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .kinds import FIELD, FIELD_ZONES, KINDS, MONSTER, PENDULUM, SPELL_TRAP, Host, Kind

QUESTION = "Can it be placed on any card, or only on cards that say so?"
"""What to ask about an unknown kind. "Any card" makes it an open kind."""

# How many Spell Counters these place on themselves when a Spell resolves (card text).
_EACH_SPELL: dict[str, tuple[int, tuple[str, ...]]] = {
    "Royal Magical Library": (1, FIELD_ZONES),
    "Magical Citadel of Endymion": (1, FIELD_ZONES),
    "Tower of Babel": (1, FIELD_ZONES),
    "Skilled Dark Magician": (1, (MONSTER,)),
    "Skilled White Magician": (1, (MONSTER,)),
    "Skilled Red Magician": (1, (MONSTER,)),
    "Skilled Blue Magician": (1, (MONSTER,)),
    "Skilled Brown Magician": (1, (MONSTER,)),
    "Magical Marionette": (1, (MONSTER,)),
    "Magical Exemplar": (2, (MONSTER,)),
    "Blast Magician": (1, (MONSTER,)),
    "Legendary Flame Lord": (1, (MONSTER,)),
    "Mythical Beast Cerberus": (1, (MONSTER,)),
    "Mythical Beast Jackal": (1, (MONSTER,)),
    "Mythical Beast Jackal King": (1, (MONSTER,)),
    "Mythical Beast Garuda": (1, (MONSTER,)),
    "Mythical Beast Medusa": (1, (MONSTER,)),
    "Mythical Beast Bashilisk": (1, (MONSTER,)),
    "Mythical Beast Master Cerberus": (2, (MONSTER,)),
    "Magical Abductor": (1, (MONSTER, PENDULUM)),
    "Servant of Endymion": (1, (PENDULUM,)),
    "Magister of Endymion": (1, (PENDULUM,)),
    "Reflection of Endymion": (1, (PENDULUM,)),
}

# Where cards other than monsters are played; the table may still choose another zone.
_FIELD_SPELLS = frozenset("""
Brain Research Lab|Chaos Zone|Clock Tower Prison|Colosseum - Cage of the Gladiator Beasts
Fire Fortress atop Liang Peak|Gateway to Chaos|Gouki Cage Match|Kyoutou Waterfront
Magical Citadel of Endymion|Morphtronic Map|Realm of Light|Spacegate|Synchro World
Temple of the Six|Ursarctic Big Dipper|Venom Swamp
""".strip().replace("\n", "|").split("|"))  # fmt: skip
_SPELLS_AND_TRAPS = frozenset("""
"A" Cell Breeding Device|Ambush Fangs|Ancient Gear Castle|Arcane Barrier|Battlewasp - Nest
Cauldron of the Old Man|Corruption Cell "A"|Crystal Tree|Cubic Mandala|D - Formation
Double Payback|Full Moon Mirror|Gadget Box|Gateway of the Six|Kaiju Capture Mission
Karakuri Anatomy|Lightsworn Sanctuary|Link Turret|Machine Assembly Line|Magic Reflector
Ninjitsu Art of Mosquito Marching|Pitch-Black Power Stone|Planet Pollutant Virus
Power of the Guardians|Powersink Stone|Predaplanning|Raigeki Bottle|Seed Cannon|Shard of Greed
Shien's Dojo|Six Samurai United|Soul Pendulum|Spell Chronicle|Spellbook Star Hall|Summon Over
Summon Shock|The Kaiju Files|The World Tree|Totem Pole|Tower of Babel|Ursarctic Radiation
Venom Shot|War Rock Ordeal|Wonder Balloons|Yosen Training Grounds
""".strip().replace("\n", "|").split("|"))  # fmt: skip

# The number at which the card's text does something by itself; 0: when the last one comes off.
_THRESHOLDS = {
    "Vennominaga the Deity of Poisonous Snakes": 3,
    "Number 88: Gimmick Puppet of Leo": 3,
    "Number 51: Finisher the Strong Arm": 3,
    "Tower of Babel": 4,
    "Performage Hat Tricker": 3,
    "That's 10!": 10,
    "Clock Tower Prison": 4,
    "Kyoutou Waterfront": 3,
    "The World Legacy": 7,
    "Skilled Dark Magician": 3,
    "Skilled White Magician": 3,
    "Skilled Red Magician": 3,
    "Skilled Blue Magician": 3,
    "Pitch-Black Power Stone": 0,
    "Summer Schoolwork Successful!": 0,
    "Gouki Cage Match": 0,
}


@dataclass(frozen=True, slots=True)
class KnownCard:
    """A card from the table of kinds.

    printed: its fields for the command `create`, as JSON: permits, on_spell, thresholds.
    places: the open kinds it places on other cards. zone: where it usually goes.
    """

    name: str
    printed: dict[str, dict[str, Any]] = field(default_factory=dict)
    places: tuple[str, ...] = ()
    zone: str = MONSTER

    @property
    def note(self) -> str:
        """The kinds that it holds, each with its maximum: "spell 3"."""
        permits = self.printed.get("permits", {}).items()
        return ", ".join(f"{kind} {permit.get('maximum', '')}".strip() for kind, permit in permits)


def offer_cards(typed: str, most: int = 8) -> list[KnownCard]:
    """The known cards whose name contains *typed*, those that start with it first, by name."""
    wanted = _plain(typed)
    if not wanted:
        return []
    found = [(not key.startswith(wanted), key) for key in _CARDS if wanted in key]
    return [_CARDS[key] for _, key in sorted(found)[:most]]


def _plain(typed: str) -> str:
    return re.sub(r"[^a-z0-9]", "", typed.lower())


def _card(name: str, held: list[tuple[Kind, Host]], places: tuple[str, ...]) -> KnownCard:
    permits: dict[str, Any] = {}
    for kind, host in held:
        permits[kind.name] = {} if host.maximum is None else {"maximum": host.maximum}
        if host.zones != FIELD_ZONES:
            permits[kind.name]["zones"] = list(host.zones)
    printed = {"permits": permits} if permits else {}
    if name in _EACH_SPELL:
        amount, zones = _EACH_SPELL[name]
        gain = amount if zones == FIELD_ZONES else {"amount": amount, "zones": list(zones)}
        printed["on_spell"] = {"spell": gain}
    if name in _THRESHOLDS:
        printed["thresholds"] = {held[0][0].name: _THRESHOLDS[name]}
    return KnownCard(name, printed, places, _usual_zone(name, held))


def _usual_zone(name: str, held: list[tuple[Kind, Host]]) -> str:
    """Where the card is played, or else the first zone where its text gives it counters."""
    if name in _FIELD_SPELLS:
        return FIELD
    if name in _SPELLS_AND_TRAPS:
        return SPELL_TRAP
    if name in _EACH_SPELL:
        return _EACH_SPELL[name][1][0]
    return held[0][1].zones[0] if held else MONSTER


def _known_cards() -> dict[str, KnownCard]:
    held: dict[str, list[tuple[Kind, Host]]] = {}
    places: dict[str, tuple[str, ...]] = {}
    for kind in KINDS.values():
        for host in kind.hosts:
            held.setdefault(host.name, []).append((kind, host))
        for name in kind.placers:
            places[name] = (*places.get(name, ()), kind.name)
    names = {*held, *places}
    return {_plain(n): _card(n, held.get(n, []), places.get(n, ())) for n in names}


_CARDS = _known_cards()
