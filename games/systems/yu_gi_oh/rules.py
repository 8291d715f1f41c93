"""The rules by number, in our own words. The numbers are ours: the sources have none."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.commands import KIND, each
from games.rules.system import Rule, Setting

from .card_table import KINDS as LISTED

COMPREHENSIVE = "Yu-Gi-Oh! Comprehensive Rulebook (laaners), section Counters"
OFFICIAL = "Yu-Gi-Oh! Official Rulebook, p. 51"
PERFECT = "OCG Perfect Rulebook, pp. 171-172"
RULINGS = "Konami card database, FAQ"
RESOURCES = "YGOResources, card rulings, Cost Down"
MONSTERS = "Yu-Gi-Oh! Official Rulebook, Monster Cards"
BATTLES = "Yu-Gi-Oh! Official Rulebook, pp. 38, 42, 43 and 50"
TEXTS = "Card texts: Alien Kid and its rulings (edisonrul.ing), Predaplant Flytrap, Nimbusman"
LIFE = "Yu-Gi-Oh! Official Rulebook, How to win a Duel"


def _rules(texts: Mapping[str, tuple[str, str, str]]) -> dict[str, Rule]:
    return {number: Rule(text, page, edition) for number, (page, edition, text) in texts.items()}


# fmt: off
RULES = _rules({
    "R1": (PERFECT, "2017",
        "A counter is a marker on a face-up card on the field. It has no effect of its own."),
    "R2": (OFFICIAL, "2024-08",
        "Counters are placed only by card effects; a bound kind only on a card whose own text "
        "places it there."),
    "R3": (OFFICIAL, "2024-08",
        "Cards may depend on the number of counters, or remove them as a cost or by an effect."),
    "R4": (OFFICIAL, "2024-08",
        "Counters with different names, and unnamed counters of different cards, are different "
        "kinds; one never replaces another."),
    "R5": (COMPREHENSIVE, "2024-08",
        "Face-down cards have no counters. A card turned face-down loses all of them; turning it "
        "face-up again does not bring them back."),
    "R6": (COMPREHENSIVE, "2024-08",
        "A card that changes zones loses its counters, even between different kinds of zones on "
        "the field. Moving within one kind of zone keeps them."),
    "R7": (COMPREHENSIVE, "2024-08",
        "When control changes, the counters stay; “your field” is the new controller's field."),
    "R8": (PERFECT, "2017",
        "A card whose effects are negated loses its bound counters and receives none. Open "
        "counters stay. Nothing comes back when the negation ends."),
    "R9": (RULINGS + " 13177 and 23486", "2022-12-10",
        "Whether a counter is open or bound depends on its kind, not on what placed it."),
    "R10": (RULINGS, "2019-08-16",
        "A card that cannot be used is treated like one whose effects are negated."),
    "R11": (RULINGS, "2024-08",
        "A card that may no longer hold a kind (a gained effect ended, for example) loses those "
        "counters."),
    "R12": (RULINGS + " 19607 and 19109", "2024-08",
        "A card unaffected by other cards' effects receives no counters from them. Counters it "
        "already has stay, and can be removed."),
    "R13": (COMPREHENSIVE, "2024-08",
        "Negating the card that placed counters leaves them where they are."),
    "R14": (RULINGS + " 22526, 22527, 22531", "2024-08",
        "A permission counts only in the zones for which the card's text gives it."),
    "R15": (RULINGS + " 14131", "2024-08",
        "A card that is still being activated or Summoned receives no bound counters; one that is "
        "about to be destroyed receives none at all. Placing as part of an activation is not "
        "an effect."),
    "R16": (RULINGS + " 14213", "2024-08",
        "A card at its maximum receives no more. An exact number that does not fit is not placed "
        "at all; “one for each” fills the card up."),
    "R17": (COMPREHENSIVE, "2024-08",
        "A Spell counts when it resolves; a negated activation gives no counters."),
    "R18": (COMPREHENSIVE, "2024-08",
        "A cost is paid from this card, your field, the opponent's field or anywhere on the "
        "field, and may be split between cards."),
    "R19": (COMPREHENSIVE, "2024-08",
        "Some cards can pay the whole cost for another; some stop a player's placing."),
    "R20": (COMPREHENSIVE, "2024-08",
        "“The same number” is the number when the card left. Counters can move only to a card "
        "that can take them."),
    "R21": (OFFICIAL, "2024-08",
        "Xyz materials, Tokens and turn counts are not counters."),
    "Stats 1": (MONSTERS, "2024-08",
        "A monster has the ATK, DEF and Level printed on it. Of effects that set them the latest "
        "counts, then what counters and effects add, in order."),
    "Stats 2": (MONSTERS, "2024-08",
        "ATK and DEF are never below 0, and a Level is never below 1; what would lower them "
        "further counts when something is added."),
    "Stats 3": (RESOURCES, "2024-08",
        "What changed a face-up monster no longer applies once it is face-down."),
    "Stats 4": (MONSTERS, "2024-08",
        "A change “until the end of this turn”, or of the opponent's next turn, ends with it."),
    "Stats 5": (TEXTS, "2024-08",
        "A monster with a Predator Counter is Level 1 for as long as it has one."),
    "Stats 6": (TEXTS, "2024-08",
        "What a monster gains for each counter on the field, or on one side of it, follows these "
        "as they come and go, as long as its own effects apply."),
    "Life 1": (LIFE, "2024-08",
        "Each player starts with 8000 life points and loses at 0; they never go below it. "
        "Players who reach 0 together draw the Duel."),
    "Life 2": (LIFE, "2024-08",
        "Life points are paid in full or not at all. Half an odd number leaves the larger."),
    "Life 3": (LIFE, "2024-08",
        "A player also loses by having no card to draw, by a card effect or by surrendering."),
    "Battle 1": (BATTLES, "2024-08",
        "A face-up monster in Attack Position attacks a monster of the opponent, or directly an "
        "opponent who controls none."),
    "Battle 2": (BATTLES, "2024-08",
        "ATK against ATK: the lower monster is destroyed, its controller loses the difference. At "
        "a tie both are destroyed."),
    "Battle 3": (BATTLES, "2024-08",
        "ATK against DEF in Defense Position: a higher ATK destroys the monster, without damage; a "
        "lower one costs the attacking player the difference."),
    "Battle 4": (BATTLES, "2024-08",
        "A face-down monster that is attacked turns face-up, into Defense Position."),
    "Battle 5": (BATTLES, "2024-08",
        "A direct attack takes the whole ATK off the opponent's life points."),
    "Battle 6": (BATTLES, "2024-08",
        "A monster with 0 ATK destroys nothing by battle."),
    "Battle 7": (BATTLES, "2024-08",
        "Piercing, if a card says so: what ATK exceeds DEF by is battle damage, too."),
    "Battle 8": (BATTLES, "2024-08",
        "A monster that cannot be destroyed by battle stays; the damage is the same."),
    "Battle 9": (BATTLES, "2024-08",
        "Each monster attacks once in a turn, unless a card lets it attack again."),
    "Battle 10": (TEXTS, "2024-08",
        "What a card changes “during damage calculation only” counts for each face-up card that "
        "says so, and for nothing else."),
})

NOT_TRACKED = {
    "R21": "These are not counters: put materials and Tokens on the table as cards, and keep turn "
           "counts in a note.",
}
# fmt: on
"""Effects of a card's counters (Level 1, cannot attack, destroyed instead) and which effects
place which counters is printed on the cards; the players read it there."""

KINDS = {
    kind.name: f"{kind.title}; "
    + ("on any face-up card." if kind.open else "only on cards whose own text places it.")
    for kind in LISTED.values()
}

SUGGESTED = "spell a ice fog predator venom bushido kaiju cubic resonance e.c. b.e.s.".split()

SETTINGS = {
    "open_kinds": Setting(
        ((),),
        "Which other kinds may be on any card? New cards bring new kinds.",
        each(KIND),
    ),
}
