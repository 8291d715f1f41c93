"""The rules by number, in our own words, and how the editions differ.

Document: the Comprehensive Rules. The code names each rule by its number in the newest edition;
`here` is its number in the edition that is played. Nothing that is carried out reads differently:
sections put in before them moved the rad counters from 725 to 728.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.commands import whole
from games.rules.system import Rule, Setting, System

DOCUMENT = "Magic: The Gathering Comprehensive Rules"
NEWEST, OLDER = "2026-08", "2024-06"

_TEXTS = {
    "104.2a": "The player or team left when all opponents are gone has won.",
    "104.3a": "A player may concede at any time: that player leaves the game and loses it.",
    "104.4a": "If all players left lose at the same moment, the game is a draw.",
    "104.5": "A player who loses leaves the game, and counts for nothing from then on.",
    "107.1b": "A number of cards is a whole number from 0.",
    "107.14": "Energy is paid by removing that many energy counters from oneself, or not at all.",
    "111.7": "A token that leaves the battlefield ceases to exist.",
    "113.8": "An ability is controlled by who controls its source; the rad ability has none.",
    "119.8": "A player who cannot lose life loses none, and pays none.",
    "122.1": "Counters are on objects and players; those of one name are alike.",
    "122.1a": "A +X/+Y or -X/-Y counter changes power and toughness by as much.",
    "122.1e": "The loyalty of a planeswalker is the number of loyalty counters on it.",
    "122.1f": "A player with ten poison counters loses.",
    "122.1g": "The defense of a battle is the number of defense counters on it.",
    "122.2": "Counters cease when their object changes zones; they are not removed.",
    "122.3": "N +1/+1 and N -1/-1 counters on one permanent are removed, N being the fewer.",
    "122.5": "Moving a counter is removing and putting it; if either cannot be, nothing happens.",
    "122.6": "Putting counters on an object includes its entering the battlefield with them.",
    "122.8": "Giving another object the counters of one that left is putting as many there.",
    "205.2b": "A card of several types has all of them: a land creature is a land.",
    "306.5b": "A planeswalker enters with loyalty counters equal to its printed loyalty.",
    "310.4b": "A battle enters with defense counters equal to its printed defense.",
    "400.7": "What changes zones is a new object, without the counters of the old one.",
    "500.2": "A phase ends only when nothing waits to resolve.",
    "500.7": "An extra turn is a turn of its own, with all its phases.",
    "500.8": "An effect may add phases, such as another combat phase.",
    "500.11": "A skipped phase is passed over as if it did not exist.",
    "505.1a": "Only the first main phase of a turn is the precombat main phase.",
    "603.2b": "An ability that triggers at the beginning of a phase does so just then.",
    "603.3": "A triggered ability waits on the stack, where it can be countered.",
    "603.4": "A condition stated with the trigger is checked then, and again on resolution.",
    "608.2c": "Instructions are followed in the order written: mill, lose life, remove counters.",
    "608.2h": "A number that an effect needs is read once, as the effect is applied.",
    "609.3": "An effect that cannot be done in full is done as far as possible.",
    "614.1a": "“Instead” replaces an event: a mill may be multiplied, a loss become a gain.",
    "614.17": "What cannot happen is not replaced by something else.",
    "701.17a": "To mill N cards is to put the top N cards of the library into the graveyard.",
    "701.17b": "A player with fewer cards mills those; that alone loses no game.",
    "701.17c": "A card milled but sent to exile instead is still a milled card.",
    "701.34a": "Proliferate gives each chosen player and permanent one more of each kind there.",
    "701.34b": "Of teammates who share poison, only one gets another poison counter.",
    "704.3": "State-based actions are checked all at once, after an effect has finished.",
    "704.5a": "A player with 0 or less life loses.",
    "704.5c": "A player with ten or more poison counters loses.",
    "704.5i": "A planeswalker with loyalty 0 is put into the graveyard.",
    "704.5q": "+1/+1 and -1/-1 counters on one permanent remove each other.",
    "704.5v": "A battle with defense 0 is put into the graveyard.",
    "704.6a": "A team that shares its life loses at 0 or less.",
    "704.6b": "A team that shares its poison loses at fifteen, or at the limit it has.",
    "704.6c": "A player dealt 21 combat damage by one commander loses.",
    "707.10": "A copy of an ability on the stack is one more of it, under the same control.",
    "712.8a": "Outside the battlefield a double-faced card is only its front face.",
    "725.3": "Only one player is the monarch; who becomes it takes that from another.",
    "725.4": "If the monarch leaves the game, the active player becomes the monarch.",
    "726.3": "Only one player has the initiative; who takes it takes it from another.",
    "726.4": "If the player with the initiative leaves the game, the active player takes it.",
    "727.1": "A restarted game begins anew with the players still in it.",
    "728.1": (
        "At the beginning of each player's precombat main phase, if that player has rad counters, "
        "that player mills as many cards, and for each nonland card milled so loses 1 life and "
        "one rad counter. The ability has no source; the active player controls it."
    ),
    "728.1a": "Life lost “from radiation” is life lost by the ability of rad counters.",
    "733.1": "Cards that came out of a library are not put back when an action is reversed.",
    "800.4a": "When a player leaves, the abilities that player controls cease.",
    "800.4d": "An ability that a player who left would control never comes to be.",
    "800.4i": "Counting players, or what they have, leaves out those who left.",
    "800.4k": "A turn of a player who has left does not begin.",
    "805.4": "A team that shares turns takes one turn together.",
    "805.4a": "Each player of the team is an active player in it.",
    "805.4d": "An ability of the active player then triggers once for each it is true of.",
    "808.3": "In Team vs. Team each player has life, turns and counters of their own.",
    "810.5": "Teammates share nothing but life and poison; rad counters are each one's own.",
    "810.8a": "Players who share a life total lose together.",
    "810.9": "What costs one player of a team life costs the life the team shares.",
    "810.10": "Poison counters given to one player of a team are shared by the team.",
    "903.6": "Each commander begins the game in the command zone.",
    "903.8": (
        "A commander cast from the command zone costs {2} more for each time it was cast so before."
    ),
    "903.10a": "Combat damage of each commander to a player is counted over the whole game.",
    "904.13b": "In Archenemy Commander the team shares 60 life; the archenemy has 60 too.",
    "904.13c": "In Archenemy Commander poison is each player's own.",
}
_OLDER_NUMBERS: Mapping[str, str | None] = {
    "701.17a": "701.13a",
    "701.17b": "701.13b",
    "701.17c": "701.13c",
    "701.34a": "701.27a",
    "701.34b": "701.27b",
    "725.3": "722.3",
    "725.4": "722.4",
    "726.3": "723.3",
    "726.4": "723.4",
    "727.1": "724.1",
    "728.1": "725.1",
    "728.1a": "725.1a",
    "733.1": "730.1",
    "904.13b": None,
    "904.13c": None,
}
"""What has another number in June 2024, or none yet."""

RULES = {number: Rule(text, DOCUMENT, NEWEST) for number, text in _TEXTS.items()}
RULES_2024_06 = {
    older: Rule(text, DOCUMENT, OLDER)
    for number, text in _TEXTS.items()
    if (older := _OLDER_NUMBERS.get(number, number)) is not None
}


def here(system: System, number: str) -> str:
    """The number of a rule in the edition played; *number* is that of the newest."""
    return number if number in system.rules else _OLDER_NUMBERS[number] or number


KINDS = {
    "rad": "mill as many in your precombat main phase; each nonland card costs 1 life and one rad",
    "poison": "ten and you lose; a team that shares them loses at fifteen",
    "+1/+1": "+1 power, +1 toughness; cancels with -1/-1",
    "-1/-1": "-1 power, -1 toughness; cancels with +1/+1",
    "loyalty": "a planeswalker's loyalty; with a printed loyalty, 0 puts it into the graveyard",
    "defense": "a battle's defense; with a printed defense, 0 puts it into the graveyard",
    "energy": "pay it for abilities",
    "experience": "counts for your commander; stays with you",
    "ticket": "pay it for stickers",
    "shield": "remove one instead of destruction or damage; you apply it",
    "stun": "remove one instead of untapping; you apply it",
    "finality": "exile it instead of letting it die; you apply it",
    "lore": "one more chapter of a Saga each turn; you apply it",
    "hone": "on Equipment: +1 power for the equipped creature; you apply it",
    "flying": "keyword counter: the creature has flying",
    "first strike": "keyword counter: the creature has first strike",
    "double strike": "keyword counter: the creature has double strike",
    "deathtouch": "keyword counter: the creature has deathtouch",
    "decayed": "keyword counter: the creature has decayed",
    "exalted": "keyword counter: the permanent has exalted",
    "haste": "keyword counter: the creature has haste",
    "hexproof": "keyword counter: the permanent has hexproof",
    "indestructible": "keyword counter: the permanent has indestructible",
    "lifelink": "keyword counter: the creature has lifelink",
    "menace": "keyword counter: the creature has menace",
    "reach": "keyword counter: the creature has reach",
    "shadow": "keyword counter: the creature has shadow",
    "trample": "keyword counter: the creature has trample",
    "vigilance": "keyword counter: the creature has vigilance",
}
"""Every kind that the rules speak of. This system acts on the first six only."""

SUGGESTED = (
    "charge, time, quest, age, level, oil, verse, fade, ice, spore, storage, study, page, brick, "
    "blood, bounty, depletion, divinity, doom, egg, fate, fuse, growth, hatchling, hour, "
    "incubation, ki, luck, mining, muster, omen, pressure, slime, soul, tower, training, void, wish"
).split(", ")
"""Kinds without rules that cards use."""

_ALWAYS = {
    "Libraries": "Only you see your library, so you say what was milled.",
    "Priority": "Who may respond, and in which order triggers resolve, is up to the players.",
    "Other triggers": (
        "The cards say what triggers on milling, dying or counters; apply it yourselves."
    ),
    "704.5b": "Only you can see that you drew from an empty library; leave the game then.",
    "704.5f": "Toughness depends on effects that are not tracked; move what died.",
    "122.1b": "Keyword counters are shown; what the keywords do is up to the players.",
    "122.1c": "Shield counters are shown; take one off when one is used.",
    "122.1d": "Stun counters are shown; untapping is not tracked.",
    "122.1h": "Finality counters are shown; choose exile when such a creature would die.",
    "714.4": "Sagas are read by the players, who sacrifice them after the last chapter.",
    "Objects of players who left": "What becomes of the cards of a player who left is up to you.",
    "Teammates": (
        "“Can't lose life” and “can't get poison” hold for all who share it: mark each of them."
    ),
    "Monarch and initiative": "You say who has them; cards drawn and rooms entered are up to you.",
    "Day and night": "It is the same for all: keep it in the notes, or as a card of its name.",
    "Schemes and stickers": "Put them on the table as objects if you need them.",
}
NOT_TRACKED = {
    **_ALWAYS,
    "122.1j": "Hone counters are shown; which creature is equipped is not tracked.",
    "733.1": "Undo takes back only the numbers; cards already milled are up to the table.",
}
NOT_TRACKED_2024_06 = {
    **_ALWAYS,
    "730.1": "Undo takes back only the numbers; cards already milled are up to the table.",
}
KINDS_2024_06 = {kind: meaning for kind, meaning in KINDS.items() if kind != "hone"}

SETTINGS = {
    "poison_loses": Setting(
        (10, 15, 20),
        "At how many poison counters does a player lose? Some Commander tables play with "
        "15; a team that shares its poison has a limit of its own.",
        whole(1, 999),
    ),
    "commander_damage_loses": Setting(
        (21, 15, 30),
        "At how much combat damage from one commander does a player lose?",
        whole(1, 999),
    ),
}
