"""Damage of a creature: its power, with the effects of its text and its counters.

For the screens: nothing here decides a rule. The keywords of a card come from its name, if players
know that card for them, and from lifelink and deathtouch counters on it (122.1b).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from games.rules.state import GameState, Phrase, Prompt
from games.rules.state import marked as _
from games.rules.system import System
from games.systems import lookup
from games.systems.attacks import MOST_TARGETS, Asked, Attack, Ends, Target, Trial, gone, tried
from games.systems.sheets import Label

from .combat import ATTACKED, COMBAT, could_block, defender
from .creatures import has, power_and_toughness
from .damage import DAMAGEABLE
from .player import KEYWORDS, Card, life_of, side_of

FLAGS = ("lifelink", "deathtouch", "infect", "wither")
NAMES = {
    "first strike": """
        Alesha, Who Smiles at Death; Baneslayer Angel; Knight Exemplar; Lyra Dawnbringer""",
    "double strike": "Mirran Crusader; Zetalpa, Primal Dawn",
    "trample": """
        Blightsteel Colossus; Carnage Tyrant; Colossal Dreadmaw; Elder Gargaroth;
        Ghalta, Primal Hunger; Gishath, Sun's Avatar; Heedless One; Zetalpa, Primal Dawn""",
    "vigilance": """
        Adeline, Resplendent Cathar; Atraxa, Grand Unifier; Atraxa, Praetors' Voice;
        Aurelia, the Warleader; Elder Gargaroth; Geist-Honored Monk; Gishath, Sun's Avatar;
        Kelsien, the Plague; Questing Beast; Serra Angel; Sun Titan; Zetalpa, Primal Dawn""",
    "menace": "Boggart Brute",
    "infect": """
        Blackcleave Goblin; Blighted Agent; Blightsteel Colossus; Blightwidow; Contagious Nim;
        Core Prowler; Corpse Cur; Cystbearer; Flensermite; Flesh-Eater Imp; Glistener Elf;
        Hand of the Praetors; Ichor Rats; Ichorclaw Myr; Inkmoth Nexus; Necropede;
        Phyrexian Crusader; Phyrexian Hydra; Phyrexian Juggernaut; Phyrexian Vatmother; Plague Myr;
        Plague Stinger; Priests of Norn; Putrefax; Razor Swine; Rot Wolf; Scourge Servant;
        Septic Rats; Skithiryx, the Blight Dragon; Spinebiter; Tangle Angler; Tine Shrike;
        Toxic Nim; Viral Drake; Viridian Corrupter; Whispering Specter""",
    "wither": """
        Boggart Ram-Gang; Hateflayer; Juvenile Gloomwidow; Kulrath Knight; Midnight Banshee;
        Necroskitter; Scuzzback Scrapper; Sickle Ripper; Slinking Giant; Stigma Lasher""",
    "deathtouch": """
        Acidic Slime; Atraxa, Grand Unifier; Atraxa, Praetors' Voice; Baleful Strix;
        Deadly Recluse; Fynn, the Fangbearer; Gifted Aetherborn; Glissa, the Traitor; Grave Titan;
        Hornet Queen; Moss Viper; Narnam Renegade; Nighthawk Scavenger; Questing Beast;
        Sheoldred, the Apocalypse; Thornweald Archer; Typhoid Rats; Vampire Nighthawk;
        Vampire of the Dire Moon; Wurmcoil Engine""",
    "lifelink": """
        Archangel of Thune; Atraxa, Grand Unifier; Atraxa, Praetors' Voice; Baneslayer Angel;
        Brion Stoutarm; Child of Night; Drogskol Reaver; Flensermite; Gifted Aetherborn;
        Griselbrand; Healer's Hawk; Kalitas, Traitor of Ghet; Knight of Meadowgrain;
        Lyra Dawnbringer; Nighthawk Scavenger; Rhox Faithmender; Seraph of Dawn; Serra Ascendant;
        Tymna the Weaver; Vampire Nighthawk; Vampire of the Dire Moon; Wurmcoil Engine""",
}
"""By keyword: names of creatures with it. Each of those with deathtouch, and of those above infect,
was read in its card file of Forge (Card-Forge/forge)."""
TOXIC = {
    1: """
        Annex Sentry; Bilious Skulldweller; Blightbelly Rat; Bloated Contaminator; Crawling Chorus;
        Flensing Raptor; Jawbone Duelist; Karumonix, the Rat King; Pestilent Syphoner;
        Phyrexian Mite; Sinew Dancer; Skrelv, Defector Mite; Stinging Hivemaster;
        Venerated Rotpriest; Vishgraz, the Doomhive""",
    2: "Branchblight Stalker; Ixhel, Scion of Atraxa; Necrogen Rotpriest; Slaughter Singer",
    3: "Tyrranax Atrocity",
    4: "Tyrranax Rex",
    6: "Paladin of Predation",
}


def _listed(names: str) -> frozenset[str]:
    return frozenset(lookup.plain(name.strip()) for name in names.split(";"))


_BY_KEYWORD = {keyword: _listed(names) for keyword, names in NAMES.items()}
_TOXIC = {name: n for n, names in TOXIC.items() for name in _listed(names)}


def keywords(state: GameState, card: Card) -> Mapping[str, int | bool]:
    """Known effects of *card* on the damage it deals: flags, and the amount of `toxic`.

    What players said of it, or of another of its name, counts in place of what its name says.
    """
    name = lookup.plain(card.name)
    namesakes = (each for each in state.objects.values() if each.name == card.name)
    said = (each.keywords for each in (card, *namesakes) if isinstance(each, Card))
    last = next(filter(None, said), None)
    found: dict[str, int | bool] = {
        keyword: (keyword in last if last else name in names) or has(state, card, keyword)
        for keyword, names in _BY_KEYWORD.items()
    }
    return {**found, "toxic": _TOXIC.get(name, 0)}


def attacks(system: System, state: GameState, card: Card, label: Label) -> Iterator[Attack]:
    """The damage that *card* deals, if it is a creature in play: to a player or, folded, to a
    permanent. Opponents come first, and of like permanents the first stands for all."""
    if "creature" not in card.types or not card.on_field:
        return
    power, known = power_and_toughness(state, card).get("power") or 0, keywords(state, card)
    ticks = [(flag, flag, bool(known[flag])) for flag in FLAGS]
    given = {"do": "damage", "source": card.id, "amount": max(0, power), "toxic": known["toxic"]}
    tapped = {**given, **{flag: on for flag, _word, on in ticks if on}, "combat": True}
    trial = Trial(system, state, card.id, label, life_of)

    def targets(those: Iterable[str]) -> list[Target]:
        return [trial.target(each, {**tapped, "on": each}) for each in those]

    own = _own(state, card.controller)
    first: dict[Any, Card] = {}
    for each in state.objects.values():
        if not isinstance(each, Card) or not each.on_field or each.id == card.id:
            continue
        if not DAMAGEABLE.isdisjoint(each.types):
            likeness = replace(each, id=""), label(each), tuple(sorted(state.on(each.id).items()))
            first.setdefault(str(likeness), each)
    permanents = sorted(first.values(), key=lambda each: each.controller in own)
    yield Attack(
        given=given,
        title=_("Deals damage to"),
        targets=targets(
            sorted((seat.id for seat in state.remaining()), key=lambda seat: seat in own)
        ),
        more=(_("a permanent"), targets([each.id for each in permanents][:MOST_TARGETS])),
        asked=(
            Asked("amount", _("How much"), max(0, power)),
            Asked("toxic", "toxic", known["toxic"]),
        ),
        ticks=(*ticks, (COMBAT, COMBAT, True)),
        trial=trial,
    )


def fights(state: GameState, seat: str, label: Label) -> Mapping[str, Any]:
    """The facts for the form in which the creatures of *seat* attack.

    attackers: each with its numbers, why it can't attack, and its keywords: all, with whether it is
    known for them, and those alone. known: what the creatures of others are known for, as (id,
    keyword).
    """
    cards = [each for each in state.objects.values() if isinstance(each, Card) and each.on_field]
    own, attackers, known_of = _own(state, seat), [], []
    for card in cards:
        if "creature" not in card.types:
            continue
        known = keywords(state, card)
        has = [each for each in KEYWORDS if known.get(each)]
        if card.controller == seat:
            facts = {"keywords": [(each, each in has) for each in KEYWORDS], "has": has}
            attackers.append({**_fighter(state, card), **facts, "toxic": known["toxic"]})
        elif card.controller not in own:
            known_of += [(card.id, word) for word in has]
    whom = [Target(each, _name(state, each, label)) for each in _attackable(state, seat)]
    return {"attackers": attackers, "whom": whom, "known": known_of}


def whom(
    system: System, state: GameState, command: Mapping[str, Any], seat: str, label: Label
) -> Iterator[Target]:
    """What *seat* may attack, with what comes of it if nobody blocks: of the creatures that attack
    it by *command* or, if there are none, of all that attack."""
    given = command.get("attacks")
    attacks = given if isinstance(given, dict) else {}
    for on in _attackable(state, seat):
        those = {each: on for each in attacks if attacks[each] == on} or dict.fromkeys(attacks, on)
        after = tried(system, state, {**command, "attacks": those}) if those else state
        falls = on in state.objects and gone(after, on)
        lost = on in state.seats and after.seats[on].lost
        ends = Ends(on, _left(state, on), _left(after, on), lost)
        yield Target(on, _name(state, on, label), falls=falls, ends=[ends])


def _attackable(state: GameState, seat: str) -> list[str]:
    """The opponents of *seat*, in turn order, and what they have to be attacked."""
    own, seats = _own(state, seat), [each.id for each in state.remaining()]
    first = seats.index(seat) if seat in seats else 0
    players = [each for each in seats[first:] + seats[:first] if each not in own]
    theirs = [
        each.id
        for each in state.objects.values()
        if isinstance(each, Card) and each.on_field and each.controller in players
        if not ATTACKED.isdisjoint(each.types)
    ]
    return [*players, *theirs][:MOST_TARGETS]


def _own(state: GameState, seat: str) -> set[str]:
    team = side_of(state, seat)
    return {seat, *(team.seats if team else ())}


def _name(state: GameState, key: str, label: Label) -> str:
    """The name of a permanent; a player's says the page."""
    return label(state.objects[key]) if key in state.objects else ""


def _left(state: GameState, key: str) -> int:
    """What a player, a planeswalker or a battle has left."""
    if key in state.seats:
        return life_of(state, key)
    return state.count(key, "loyalty") or state.count(key, "defense")


def blocks(state: GameState, prompt: Prompt, label: Label) -> Mapping[str, Any]:
    """The facts for a question who blocks: the attackers, each with its numbers, keywords and, if
    that is a permanent, with what it attacks; and the creatures of its player that may block."""
    combat, attackers = prompt.facts[COMBAT], []
    for each, on in combat["attacks"].items():
        card, target = state.objects.get(each), state.objects.get(on)
        if isinstance(card, Card) and card.on_field and defender(state, on) == prompt.to:
            said = combat["keywords"].get(each, ())
            facts = {"keywords": [k for k in KEYWORDS if k in said or has(state, card, k)]}
            attackers.append({**_fighter(state, card), **facts, "on": target and label(target)})
    blockers = [_fighter(state, card) for card in could_block(state, prompt.to)]
    words = _("{name} {size} attacks")
    inputs = [Phrase(words, name=each["name"], size=each["size"]) for each in attackers]
    return {"inputs": inputs, "attackers": attackers, "blockers": blockers}


def _fighter(state: GameState, card: Card) -> dict[str, Any]:
    numbers = power_and_toughness(state, card)
    size = f"{numbers.get('power', 0)}/{numbers.get('toughness', 0)}"
    return {"id": card.id, "name": card.name, "size": size, "tapped": card.tapped}
