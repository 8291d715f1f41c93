"""Automatic changes of a card's numbers, known by its name, its type and its counters.

For the screens: nothing here decides a rule. It is offered, and counts once a player has said so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.rules.state import GameObject, GameState, Kinds, Seat
from games.rules.system import System
from games.systems import lookup
from games.systems.sheets import UsualTick

from .player import BATTLEFIELD, EXILE, GRAVEYARD, Card

Fields = Mapping[str, Any]
"""The parameters of a tick, but its id and its holder."""
Ticks = Sequence[tuple[Sequence[Fields], str]]
"""Those of cards, and the names of these."""
UPKEEP = {"begins": "upkeep", "change": 1}
SAGA = {"counter": "lore", "begins": "precombat-main", "change": 1}
VANISHING = {"counter": "time", "begins": "upkeep", "change": -1, "at_zero": GRAVEYARD}
IMPENDING = {"counter": "time", "begins": "end", "change": -1}
SUSPEND = {**VANISHING, "at_zero": "stack"}
FADING = {"counter": "fade", "begins": "upkeep", "change": -1, "if_none": GRAVEYARD}
AGE = {"counter": "age", **UPKEEP}
SPORE = {"counter": "spore", **UPKEEP}
PLUS = {"counter": "+1/+1", "change": 1}
GAINS = {**PLUS, "begins": "life-gained"}
ENTERS = {**PLUS, "begins": "creature-enters"}
CAST = {**PLUS, "begins": "spell-cast"}
ATTACKS = {**PLUS, "begins": "attacks", "whose": "itself"}
LANDFALL = {**PLUS, "begins": "land-enters"}
CONSTELLATION = {**PLUS, "begins": "enchantment-enters"}
EVOLVE = {**PLUS, "begins": "evolves", "whose": "itself"}
DIES = {**PLUS, "begins": "creature-dies"}
SACRIFICE = {**PLUS, "begins": "sacrificed"}
HURT = {**PLUS, "begins": "damaged", "whose": "itself"}
STRIKES = {**PLUS, "begins": "combat-damage", "whose": "itself"}
DEATH = {**DIES, "whose": "itself", "change": "had"}
MODULAR = {**DEATH, "to": "artifact-creatures", "asks": True}
PROLIFERATES = {"begins": "proliferates"}
TO_YOU = {"to": "you", "change": 1}
DRAWS = {**TO_YOU, "counter": "card"}
MAKES = {**TO_YOU, "counter": "token"}
LIFE = {**TO_YOU, "counter": "life"}
LOSS = {"to": "opponents", "change": 1, "counter": "life loss"}
PUT = {"begins": "put-on-creature", "of": "+1/+1"}
PUT_HERE = {**PUT, "whose": "itself"}
SHRINKS = {"begins": "puts-on-creature", "of": "-1/-1"}
ON_ONE = {"to": "creatures", "asks": True}
ON_ANY = {"to": "any-creatures", "asks": True}
OVERLORDS = (
    "Overlord of the Balemurk; Overlord of the Boilerbilges; Overlord of the Floodpits;"
    " Overlord of the Hauntwoods; Overlord of the Mistmoors"
)
"""The cards with impending (702.176), enchantment creatures. While one that was cast for it has a
time counter, it is no creature; it stays when the last one is off."""
NAMED: Ticks = (
    ([AGE], "Braid of Fire; Glacial Chasm; Illusions of Grandeur; Mystic Remora"),
    ([{"counter": "charge", **UPKEEP}], "Darksteel Reactor; Magistrate's Scepter"),
    ([FADING], "Blastoderm; Parallax Tide; Parallax Wave; Saproling Burst; Tangle Wire"),
    ([{"counter": "filibuster", **UPKEEP}], "Azor's Elocutors"),
    ([IMPENDING], OVERLORDS),
    ([{"counter": "muster", **UPKEEP}], "Assemble the Legion"),
    ([VANISHING], "Calciderm; Chronozoa; Deadwood Treefolk; Keldon Marauders; Lost Auramancers"),
)
"""They begin as one enters with its counters."""
_SAID: Ticks = (
    ([GAINS], """
        Ajani’s Pridemate; Bloodbond Vampire; Bloodthirsty Aerialist; Celestial Unicorn;
        Trelasarra, Moon Dancer; Twinblade Paladin; Voice of the Blessed; Wall of Limbs"""),
    ([GAINS, {**DEATH, "change": "all-had", **ON_ONE}], "Essence Channeler"),
    ([{**GAINS, "change": 2}], "Gideon’s Company; Karlov of the Ghost Council"),
    ([{**GAINS, "to": "creatures"}], "Archangel of Thune"),
    ([{**ENTERS, "to": "creatures"}], "Cathars’ Crusade"),
    ([{**ENTERS, "to": "it"}], "Good-Fortune Unicorn"),
    ([{**ENTERS, "to": "it"}, ENTERS], "Juniper Order Ranger"),
    ([ENTERS], "Champion of Lambholt"),
    ([{**CAST, "whose": "each"}], "Forgotten Ancient; Managorger Hydra"),
    ([{**CAST, "whose": "others"}], "Taurean Mauler"),
    ([ATTACKS], "Herald of War; Predator Ooze"),
    ([{**ATTACKS, "change": "double", "to": "creatures"}], "Kalonian Hydra"),
    ([{**PLUS, "begins": "upkeep", "change": "double"}], "Primordial Hydra"),
    ([LANDFALL], """
        Fearless Fledgling; Territorial Scythecat; Undergrowth Champion; Vinelasher Kudzu"""),
    ([{**LANDFALL, **ON_ANY}], "Bristly Bill, Spine Sower"),
    ([{**LANDFALL, "change": "double"}], "Mossborn Hydra"),
    ([{**LANDFALL, "counter": "quest"}], "Khalni Heart Expedition"),
    ([{**PLUS, "begins": "attacks", "counter": "quest"}], "Beastmaster Ascension"),
    ([{**ATTACKS, "counter": "rad", "to": "players"}], "The Wise Mothman"),
    ([{**ATTACKS, "counter": "rad", "change": 2, "to": "players"}], "Screeching Scorchbeast"),
    ([EVOLVE], "Cloudfin Raptor; Experiment One; Gyre Sage; Shambleshark"),
    ([EVOLVE, {**PUT_HERE, **DRAWS, "change": "as-many"}], "Fathom Mage"),
    ([EVOLVE, {**PUT_HERE, **MAKES}], "Scurry Oak"),
    ([{**PUT_HERE, **MAKES}], "Basking Broodscale; Herd Baloth"),
    ([{**PUT_HERE, **DRAWS, "once": True}], "Dusk Legion Duelist"),
    ([GAINS, {**PUT_HERE, **DRAWS, "once": True}], "Exemplar of Light"),
    ([{**PUT, **PLUS, "whose": "another"}], "Enduring Scalelord"),
    ([{**PUT, "counter": "growth", "change": "as-many"}], "Simic Ascendancy"),
    ([{**SHRINKS, "begins": "put-on-creature", "whose": "each", "counter": "charge", "change": 1}],
        "Wickersmith’s Tools"),
    ([{**SHRINKS, "begins": "put-on-creature", "whose": "each", **MAKES, "change": "as-many"}],
        "Flourishing Defenses"),
    ([{**SHRINKS, **MAKES, "change": "as-many"}], "Nest of Scarabs"),
    ([{**SHRINKS, **MAKES}], "Hapatra, Vizier of Poisons"),
    ([{**SHRINKS, **LOSS}, {**SHRINKS, **LIFE}], "Obelisk Spider"),
    ([{**ENTERS, "whose": "another", **ON_ANY}], "Ivy Lane Denizen"),
    ([{**ENTERS, "whose": "each", **LIFE}], "Essence Warden; Soul Warden; Soul’s Attendant"),
    ([{**ENTERS, **LIFE}], "Ajani’s Welcome"),
    ([{**ENTERS, "whose": "another", **LOSS}], "Corpse Knight"),
    ([{**ENTERS, **LOSS, "counter": "damage"}], "Impact Tremors"),
    ([{**ENTERS, "whose": "another", **LOSS, "counter": "damage", "change": 2}],
        "Purphoros, God of the Forge"),
    ([{**DIES, "whose": "each", **LOSS, "to": "players", "asks": True},
      {**DIES, "whose": "each", **LIFE}], "Blood Artist; Falkenrath Noble"),
    ([{**DIES, **LOSS}, {**DIES, **LIFE}], "Bastion of Remembrance; Zulaport Cutthroat"),
    ([{**DIES, "whose": "another", **MAKES}], "Pitiless Plunderer"),
    ([{**LIFE, "begins": "life-lost", "whose": "others", "change": "as-many"}], "Exquisite Blood"),
    ([{**GAINS, **LOSS, "change": "as-many", "asks": True}],
        "Sanguine Bond; Vito, Thorn of the Dusk Rose"),
    ([{**GAINS, **LOSS}], "Dina, Soul Steeper; Epicure of Blood"),
    ([{**UPKEEP, **DRAWS}, {**UPKEEP, **LOSS, "to": "you"}], "Phyrexian Arena"),
    ([{**UPKEEP, **LOSS, "to": "you"}, {**UPKEEP, **MAKES}], "Bitterblossom"),
    ([{**PROLIFERATES, **DRAWS}], "Ezuri, Stalker of Spheres"),
    ([{**PROLIFERATES, **LOSS, "change": 2}, {**PROLIFERATES, **LIFE, "change": 2}],
        "Scheming Aspirant"),
    ([{**UPKEEP, **MAKES}], "Awakening Zone"),
    ([{**UPKEEP, "whose": "each", **MAKES}], "Verdant Force"),
    ([{**LANDFALL, **MAKES}], "Emeria Angel; Rampaging Baloths"),
    ([{**CAST, "of": "instant or sorcery", **MAKES}], "Talrand, Sky Summoner; Young Pyromancer"),
    ([{**STRIKES, "whose": "holder", **DRAWS}], "Coastal Piracy; Toski, Bearer of Secrets"),
    ([DIES], "Feral Ghoul; Rot Shambler; Unruly Mob"),
    ([{**DIES, "whose": "each"}], "Algae Gharial; Deathbringer Thoctar"),
    ([{**DIES, "whose": "others"}], "Yahenni, Undying Partisan"),
    ([{**DIES, "counter": "experience", "to": "you"}], "Meren of Clan Nel Toth"),
    ([{**DIES, "change": "had", **ON_ANY}, {**DEATH, **ON_ANY}], "Reyhan, Last of the Abzan"),
    ([MODULAR], """
        Arcbound Bruiser; Arcbound Javelineer; Arcbound Ravager; Arcbound Reclaimer;
        Arcbound Stinger; Arcbound Worker"""),
    ([{**DEATH, **ON_ONE}], "Servant of the Scale"),
    ([{**DEATH, "change": "all-had", **ON_ONE}], "Iron Apprentice"),
    ([{**DEATH, "change": 1, **ON_ONE}], "Sparring Construct"),
    ([{**DEATH, "counter": "-1/-1", "change": 1, **ON_ANY}], "Festering Mummy"),
    ([{**ENTERS, "of": "human"}], """
        Champion of the Parish; Kyler, Sigardian Emissary; Thalia’s Lieutenant"""),
    ([STRIKES, MODULAR], "Arcbound Slith"),
    ([{**CAST, "of": "creature"}], "Animar, Soul of Elements"),
    ([{**CAST, "of": "noncreature"}], "Spellgorger Weird; Sprite Dragon"),
    ([{**ENTERS, "of": "elf"}], "Marwyn, the Nurturer"),
    ([{**ENTERS, "of": "elf", "whose": "each"}], "Elvish Vanguard"),
    ([{**ENTERS, "of": "merfolk", **ON_ONE}], "Deeproot Elite"),
    ([{**STRIKES, "of": "vampire", "whose": "holder", "to": "it"}], "Rakish Heir"),
    ([{**GAINS, "change": "as-many", "to": "creatures", "once": True}], "Nykthos Paragon"),
    ([{**DIES, "counter": "charge", "whose": "each"}], "Black Market"),
    ([{**DIES, "counter": "eyeball", "change": 2}], "Jar of Eyeballs"),
    ([SACRIFICE], "Juri, Master of the Revue"),
    ([SACRIFICE, {**SACRIFICE, **DRAWS}], "Korvold, Fae-Cursed King"),
    ([{**SACRIFICE, "whose": "each", "to": "creatures"}], "Mazirek, Kraul Death Priest"),
    ([{**PLUS, "begins": "creature-leaves", "change": "all-had"},
      {**PLUS, "begins": "combat", "change": "move", **ON_ANY}], "The Ozolith"),
    ([HURT], "Fungusaur"),
    ([{**HURT, "change": "as-many"}], "Hungering Hydra"),
    ([{**HURT, "whose": "holder", "to": "it"}], "Rite of Passage"),
    ([STRIKES], """
        Markov Blademaster; Skullbriar, the Walking Grave; Slith Firewalker; Stromkirk Noble"""),
    ([{**STRIKES, "whose": "holder", "change": "as-many", "to": "it"}], "Necropolis Regent"),
    ([{**GAINS, "change": "as-many"}], "Ageless Entity"),
    ([{**GAINS, **ON_ONE}], "Heliod, Sun-Crowned"),
    ([{**PLUS, "begins": "combat", **ON_ONE}], "Luminarch Aspirant"),
    ([CONSTELLATION, {**CONSTELLATION, **DRAWS}], "Setessan Champion"),
    ([{**CONSTELLATION, **ON_ANY}], "Eutropia the Twice-Favored"),
    ([{**PLUS, "begins": "artifact-enters", "whose": "each"}, MODULAR], "Arcbound Crusher"),
    ([{**ENTERS, "counter": "energy", "to": "you"}], "Decoction Module"),
    ([{"counter": "strife", **UPKEEP, "whose": "each"}], "Crescendo of War"),
    ([SPORE], "Thallid"),
    ([{"counter": "charge", **UPKEEP, "asks": True}], "Aether Vial"),
    ([{"counter": "soot", **UPKEEP, "asks": True}], "Smokestack"),
    ([{"counter": "hour", **UPKEEP, "whose": "each"}], "Midnight Clock"),
    ([{"counter": "time", **UPKEEP}], "As Foretold"),
)  # fmt: skip
"""Ticks of triggered abilities, and the cards of those names, each read in its card file of Forge
(Card-Forge/forge). What its player “may” put is asked where they often would not; else undo takes
it off. Left out: what a card puts as itself enters."""


def _by_name(said: Ticks) -> dict[str, Sequence[Fields]]:
    return {lookup.plain(name): ticks for ticks, names in said for name in names.split(";")}


TRIGGERED = _by_name(_SAID)
"""By plain name."""
_OF_NAME = _by_name(NAMED) | TRIGGERED


def known_ticks(name: str) -> Sequence[Fields]:
    """The ticks of the card of that name; none if it is not known."""
    return _OF_NAME.get(lookup.plain(name), ())


_OF_KIND = {"age": (AGE,), "fade": (FADING,)}
GAINED = ("experience", "energy")


def counter_of(card: Card) -> str:
    """The counter that the card of that name changes by itself; "" if none is known."""
    named = known_ticks(card.name)
    return named[0]["counter"] if named else ""


def impending(card: Card) -> bool:
    """True if *card* is in play and known to have impending."""
    return card.on_field and IMPENDING in known_ticks(card.name)


def usual(system: System, state: GameState, holder: Seat | GameObject) -> Iterator[UsualTick]:
    """The usual ticks of *holder*, the likeliest first."""
    there = state.on(holder.id)
    if not isinstance(holder, Card):
        for kind in sorted(GAINED, key=lambda kind: kind not in there):
            known = kind == "experience" and kind in there
            yield UsualTick({"counter": kind, **UPKEEP}, known=known)
    elif holder.zone == EXILE and "time" in there:
        yield UsualTick(SUSPEND)
    elif holder.zone == BATTLEFIELD:
        named = known_ticks(holder.name)
        yield from (UsualTick(each, known=True) for each in named)
        if "chapters" in holder.base and "lore" not in there:
            yield UsualTick(SAGA, known=True)
        yield from map(UsualTick, _in_play(holder, there, named))


def _in_play(card: Card, there: Kinds, named: Sequence[Fields]) -> Iterator[Fields]:
    """Ticks by the counters and types of *card*; a name known for a kind has all of them."""
    if "lore" in there:
        yield SAGA
    for kind in there:
        if kind not in {each["counter"] for each in named}:
            yield from _of_time(card) if kind == "time" else _OF_KIND.get(kind, ())
    said = named or "lore" in there or "chapters" in card.base
    if "enchantment" in card.types and not said:
        yield SAGA


def _of_time(card: Card) -> Sequence[Fields]:
    """Only enchantments have impending, and all that do are creatures otherwise."""
    if "enchantment" not in card.types:
        return (VANISHING,)
    return (IMPENDING, VANISHING) if "creature" in card.types else (VANISHING, IMPENDING)
