"""Automatic changes of a card's numbers, known by its name, its type and its counters.

For the screens: nothing here decides a rule. It is offered, and counts once a player has said so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from games.rules.state import GameObject, GameState, Kinds, Seat
from games.rules.system import System
from games.systems import lookup
from games.systems.sheets import UsualTick

from .player import BATTLEFIELD, EXILE, GRAVEYARD, Card

Fields = Mapping[str, Any]
"""The parameters of a tick, but its id and its holder."""
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
NAMED: Sequence[tuple[Sequence[Fields], str]] = (
    ([AGE], "Braid of Fire; Glacial Chasm; Illusions of Grandeur; Mystic Remora"),
    ([{"counter": "charge", **UPKEEP}], "Darksteel Reactor; Magistrate's Scepter"),
    ([FADING], "Blastoderm; Parallax Tide; Parallax Wave; Saproling Burst; Tangle Wire"),
    ([{"counter": "filibuster", **UPKEEP}], "Azor's Elocutors"),
    ([IMPENDING], OVERLORDS),
    ([{"counter": "muster", **UPKEEP}], "Assemble the Legion"),
    ([VANISHING], "Calciderm; Chronozoa; Deadwood Treefolk; Keldon Marauders; Lost Auramancers"),
)
"""Ticks of the cards of those names."""


class Triggered(NamedTuple):
    """A card whose triggered abilities put counters: its types, power and toughness, ticks, and
    creature types, if they are known."""

    types: str
    base: tuple[int, ...]
    ticks: Sequence[Fields]
    subtypes: list[str]


_SAID: Sequence[tuple[Sequence[Fields], str, str]] = (
    ([GAINS], "creature", """
        Ajani’s Pridemate 2/2 cat soldier; Bloodbond Vampire 3/3 vampire shaman ally;
        Bloodthirsty Aerialist 2/3; Celestial Unicorn 3/2; Essence Channeler 2/1;
        Trelasarra, Moon Dancer 2/2; Twinblade Paladin 3/3; Voice of the Blessed 2/2;
        Wall of Limbs 0/3"""),
    ([{**GAINS, "change": 2}], "creature", "Gideon’s Company 3/3; Karlov of the Ghost Council 2/2"),
    ([{**GAINS, "to": "creatures"}], "creature", "Archangel of Thune 3/4 angel"),
    ([{**ENTERS, "to": "creatures"}], "enchantment", "Cathars’ Crusade"),
    ([{**ENTERS, "to": "it"}], "creature", "Good-Fortune Unicorn 2/2"),
    ([{**ENTERS, "to": "it"}, ENTERS], "creature", "Juniper Order Ranger 2/4"),
    ([ENTERS], "creature", "Champion of Lambholt 1/1"),
    ([{**CAST, "whose": "each"}], "creature", "Forgotten Ancient 0/3; Managorger Hydra 1/1"),
    ([{**CAST, "whose": "others"}], "creature", "Taurean Mauler 2/2"),
    ([ATTACKS], "creature", "Predator Ooze 1/1"),
    ([{**ATTACKS, "change": "double", "to": "creatures"}], "creature", "Kalonian Hydra 0/0"),
    ([{**PLUS, "begins": "upkeep", "change": "double"}], "creature", "Primordial Hydra 0/0"),
    ([LANDFALL], "creature", """
        Fearless Fledgling 1/1; Territorial Scythecat 2/1; Undergrowth Champion 2/2;
        Vinelasher Kudzu 1/1"""),
    ([{**LANDFALL, **ON_ANY}], "creature", "Bristly Bill, Spine Sower 2/2"),
    ([{**LANDFALL, "change": "double"}], "creature", "Mossborn Hydra 0/0"),
    ([{**LANDFALL, "counter": "quest"}], "enchantment", "Khalni Heart Expedition"),
    ([{**PLUS, "begins": "attacks", "counter": "quest"}], "enchantment", "Beastmaster Ascension"),
    ([{**ATTACKS, "counter": "rad", "to": "players"}], "creature", "The Wise Mothman 3/3"),
    ([{**ATTACKS, "counter": "rad", "change": 2, "to": "players"}], "creature",
        "Screeching Scorchbeast 5/5"),
    ([ATTACKS], "creature", "Herald of War 3/3 angel"),
    ([EVOLVE], "creature", """
        Cloudfin Raptor 0/1; Experiment One 1/1; Gyre Sage 1/2 elf druid;
        Shambleshark 2/1 fish crab"""),
    ([EVOLVE, {**PUT_HERE, **DRAWS, "change": "as-many"}], "creature", "Fathom Mage 1/1"),
    ([EVOLVE, {**PUT_HERE, **MAKES}], "creature", "Scurry Oak 1/2"),
    ([{**PUT_HERE, **MAKES}], "creature", "Basking Broodscale 2/2; Herd Baloth 4/4"),
    ([{**PUT_HERE, **DRAWS, "once": True}], "creature", "Dusk Legion Duelist 2/2"),
    ([GAINS, {**PUT_HERE, **DRAWS, "once": True}], "creature", "Exemplar of Light 3/3"),
    ([{**PUT, **PLUS, "whose": "another"}], "creature", "Enduring Scalelord 4/4"),
    ([{**PUT, "counter": "growth", "change": "as-many"}], "enchantment", "Simic Ascendancy"),
    ([{**SHRINKS, "begins": "put-on-creature", "whose": "each", "counter": "charge", "change": 1}],
        "artifact", "Wickersmith’s Tools"),
    ([{**SHRINKS, "begins": "put-on-creature", "whose": "each", **MAKES, "change": "as-many"}],
        "enchantment", "Flourishing Defenses"),
    ([{**SHRINKS, **MAKES, "change": "as-many"}], "enchantment", "Nest of Scarabs"),
    ([{**SHRINKS, **MAKES}], "creature", "Hapatra, Vizier of Poisons 2/2 human cleric"),
    ([{**SHRINKS, **LOSS}, {**SHRINKS, **LIFE}], "creature", "Obelisk Spider 1/4"),
    ([{**ENTERS, "whose": "another", **ON_ANY}], "creature", "Ivy Lane Denizen 2/3 elf warrior"),
    ([{**ENTERS, "whose": "each", **LIFE}], "creature",
        "Essence Warden 1/1 elf shaman; Soul Warden 1/1 human cleric; Soul’s Attendant 1/1"),
    ([{**ENTERS, **LIFE}], "enchantment", "Ajani’s Welcome"),
    ([{**ENTERS, "whose": "another", **LOSS}], "creature", "Corpse Knight 2/2"),
    ([{**ENTERS, **LOSS, "counter": "damage"}], "enchantment", "Impact Tremors"),
    ([{**ENTERS, "whose": "another", **LOSS, "counter": "damage", "change": 2}],
        "enchantment creature", "Purphoros, God of the Forge 6/5"),
    ([{**DIES, "whose": "each", **LOSS, "to": "players", "asks": True},
      {**DIES, "whose": "each", **LIFE}], "creature",
        "Blood Artist 0/1 vampire; Falkenrath Noble 2/2 vampire noble"),
    ([{**DIES, **LOSS}, {**DIES, **LIFE}], "creature", "Zulaport Cutthroat 1/1 human rogue ally"),
    ([{**DIES, **LOSS}, {**DIES, **LIFE}], "enchantment", "Bastion of Remembrance"),
    ([{**DIES, "whose": "another", **MAKES}], "creature", "Pitiless Plunderer 1/4"),
    ([{**LIFE, "begins": "life-lost", "whose": "others", "change": "as-many"}], "enchantment",
        "Exquisite Blood"),
    ([{**GAINS, **LOSS, "change": "as-many", "asks": True}], "enchantment", "Sanguine Bond"),
    ([{**GAINS, **LOSS, "change": "as-many", "asks": True}], "creature",
        "Vito, Thorn of the Dusk Rose 1/3 vampire cleric"),
    ([{**GAINS, **LOSS}], "creature", "Dina, Soul Steeper 1/3; Epicure of Blood 4/4"),
    ([{**UPKEEP, **DRAWS}, {**UPKEEP, **LOSS, "to": "you"}], "enchantment", "Phyrexian Arena"),
    ([{**UPKEEP, **LOSS, "to": "you"}, {**UPKEEP, **MAKES}], "kindred enchantment",
        "Bitterblossom"),
    ([{**PROLIFERATES, **DRAWS}], "creature",
        "Ezuri, Stalker of Spheres 3/3 phyrexian elf warrior"),
    ([{**PROLIFERATES, **LOSS, "change": 2}, {**PROLIFERATES, **LIFE, "change": 2}], "creature",
        "Scheming Aspirant 1/3 phyrexian advisor"),
    ([{**UPKEEP, **MAKES}], "enchantment", "Awakening Zone"),
    ([{**UPKEEP, "whose": "each", **MAKES}], "creature", "Verdant Force 7/7"),
    ([{**LANDFALL, **MAKES}], "creature", "Emeria Angel 3/3 angel; Rampaging Baloths 6/6"),
    ([{**CAST, "of": "instant or sorcery", **MAKES}], "creature",
        "Talrand, Sky Summoner 2/2 merfolk wizard; Young Pyromancer 2/1"),
    ([{**STRIKES, "whose": "holder", **DRAWS}], "creature", "Toski, Bearer of Secrets 1/1"),
    ([{**STRIKES, "whose": "holder", **DRAWS}], "enchantment", "Coastal Piracy"),
    ([DIES], "creature", "Feral Ghoul 2/2; Rot Shambler 1/1; Unruly Mob 1/1"),
    ([{**DIES, "whose": "each"}], "creature", "Algae Gharial 1/1; Deathbringer Thoctar 3/3"),
    ([{**DIES, "whose": "others"}], "creature", "Yahenni, Undying Partisan 2/2"),
    ([{**DIES, "counter": "experience", "to": "you"}], "creature", "Meren of Clan Nel Toth 3/4"),
    ([{**DIES, "change": "had", **ON_ANY}, {**DEATH, **ON_ANY}], "creature",
        "Reyhan, Last of the Abzan 0/0"),
    ([MODULAR], "artifact creature", """
        Arcbound Bruiser 0/0; Arcbound Javelineer 0/1; Arcbound Ravager 0/0;
        Arcbound Reclaimer 0/0; Arcbound Stinger 0/0; Arcbound Worker 0/0"""),
    ([{**DEATH, **ON_ONE}], "creature", "Servant of the Scale 0/0"),
    ([{**DEATH, "change": "all-had", **ON_ONE}], "artifact creature", "Iron Apprentice 0/0"),
    ([{**DEATH, "change": 1, **ON_ONE}], "artifact creature", "Sparring Construct 1/1"),
    ([{**DEATH, "counter": "-1/-1", "change": 1, **ON_ANY}], "creature",
        "Festering Mummy 1/1 zombie"),
    ([{**ENTERS, "of": "human"}], "creature", """
        Champion of the Parish 1/1 human soldier; Kyler, Sigardian Emissary 2/2;
        Thalia’s Lieutenant 1/1 human soldier"""),
    ([STRIKES, MODULAR], "artifact creature", "Arcbound Slith 0/0"),
    ([{**CAST, "of": "creature"}], "creature", "Animar, Soul of Elements 1/1"),
    ([{**CAST, "of": "noncreature"}], "creature", "Spellgorger Weird 2/2; Sprite Dragon 1/1"),
    ([{**ENTERS, "of": "elf"}], "creature", "Marwyn, the Nurturer 1/1 elf druid"),
    ([{**ENTERS, "of": "elf", "whose": "each"}], "creature", "Elvish Vanguard 1/1 elf warrior"),
    ([{**ENTERS, "of": "merfolk", **ON_ONE}], "creature", "Deeproot Elite 1/1 merfolk warrior"),
    ([{**STRIKES, "of": "vampire", "whose": "holder", "to": "it"}], "creature",
        "Rakish Heir 2/2 vampire"),
    ([{**GAINS, "change": "as-many", "to": "creatures", "once": True}], "enchantment creature",
        "Nykthos Paragon 4/6"),
    ([{**DIES, "counter": "charge", "whose": "each"}], "enchantment", "Black Market"),
    ([{**DIES, "counter": "eyeball", "change": 2}], "artifact", "Jar of Eyeballs"),
    ([SACRIFICE], "creature", "Juri, Master of the Revue 1/1; Korvold, Fae-Cursed King 4/4"),
    ([{**SACRIFICE, "whose": "each", "to": "creatures"}], "creature",
        "Mazirek, Kraul Death Priest 2/2"),
    ([{**PLUS, "begins": "creature-leaves", "change": "all-had"},
      {**PLUS, "begins": "combat", "change": "move", **ON_ANY}], "artifact", "The Ozolith"),
    ([HURT], "creature", "Fungusaur 2/2"),
    ([{**HURT, "change": "as-many"}], "creature", "Hungering Hydra 0/0"),
    ([{**HURT, "whose": "holder", "to": "it"}], "enchantment", "Rite of Passage"),
    ([STRIKES], "creature", """
        Markov Blademaster 1/1 vampire warrior; Skullbriar, the Walking Grave 1/1;
        Slith Firewalker 1/1; Stromkirk Noble 1/1 vampire noble"""),
    ([{**STRIKES, "whose": "holder", "change": "as-many", "to": "it"}], "creature",
        "Necropolis Regent 6/5 vampire"),
    ([{**GAINS, "change": "as-many"}], "creature", "Ageless Entity 4/4"),
    ([{**GAINS, **ON_ONE}], "enchantment creature", "Heliod, Sun-Crowned 5/5"),
    ([{**PLUS, "begins": "combat", **ON_ONE}], "creature", "Luminarch Aspirant 1/1"),
    ([{**PLUS, "begins": "enchantment-enters"}], "creature", "Setessan Champion 1/3"),
    ([{**PLUS, "begins": "enchantment-enters", **ON_ANY}], "creature",
        "Eutropia the Twice-Favored 2/2"),
    ([{**PLUS, "begins": "artifact-enters", "whose": "each"}, MODULAR], "artifact creature",
        "Arcbound Crusher 0/0"),
    ([{**ENTERS, "counter": "energy", "to": "you"}], "artifact", "Decoction Module"),
    ([{"counter": "strife", **UPKEEP, "whose": "each"}], "enchantment", "Crescendo of War"),
    ([SPORE], "creature", "Thallid 1/1 fungus"),
    ([{"counter": "charge", **UPKEEP, "asks": True}], "artifact", "Aether Vial"),
    ([{"counter": "soot", **UPKEEP, "asks": True}], "artifact", "Smokestack"),
    ([{"counter": "hour", **UPKEEP, "whose": "each"}], "artifact", "Midnight Clock"),
    ([{"counter": "time", **UPKEEP}], "enchantment", "As Foretold"),
)  # fmt: skip
"""Ticks, types, and the cards with both, each read in its card file of Forge (Card-Forge/forge).
What its player “may” put is asked where they often would not; else undo takes it off. Left out:
what a card puts as itself enters."""


def _read() -> Iterator[tuple[str, Triggered]]:
    line = re.compile(r"(.+?)(?: (\d+)/(\d+)((?: [a-z]+)*))?$")
    for ticks, types, names in _SAID:
        for name, *base, sorts in (line.findall(one.strip())[0] for one in names.split(";")):
            numbers = tuple(map(int, filter(None, base)))
            yield name, Triggered(types, numbers, ticks, sorts.split())


TRIGGERED = dict(_read())
"""By name: cards whose triggered abilities put counters."""
_OF_NAME = {lookup.plain(name): each for each, names in NAMED for name in names.split(";")} | {
    lookup.plain(name): card.ticks for name, card in TRIGGERED.items()
}


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
