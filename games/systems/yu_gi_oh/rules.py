"""The rules by number, in our own words. Their numbers are ours: the sources have none."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.commands import KIND, each
from games.rules.system import Rule, Setting

from .kinds import KINDS as LISTED

COMPREHENSIVE = "Yu-Gi-Oh! Comprehensive Rulebook (laaners), section Counters"
OFFICIAL = "Yu-Gi-Oh! Official Rulebook, p. 51"
PERFECT = "OCG Perfect Rulebook, pp. 171-172"
RULINGS = "Konami card database, FAQ"
LIFE = "Yu-Gi-Oh! Official Rulebook, How to win a Duel"


def _rules(texts: Mapping[str, tuple[str, str, str]]) -> dict[str, Rule]:
    return {number: Rule(text, page, edition) for number, (page, edition, text) in texts.items()}


# fmt: off
RULES = _rules({
    "R1": (PERFECT, "2017",
        "A counter is a marker on a face-up card on the field. It has no effect of its own."),
    "R2": (OFFICIAL, "2024-08",
        "Counters are placed only when a card effect allows it; a bound kind only on a card whose "
        "own text places it there."),
    "R3": (OFFICIAL, "2024-08",
        "Cards may change with the number of counters, or take them off as a cost or an effect."),
    "R4": (OFFICIAL, "2024-08",
        "Counters of different names, or unnamed ones of different cards, are different kinds and "
        "never stand for each other."),
    "R5": (COMPREHENSIVE, "2024-08",
        "No counter is on a face-down card. A card turned face down loses all; turning it up again "
        "brings none back."),
    "R6": (COMPREHENSIVE, "2024-08",
        "A card that changes zones loses its counters, also between the kinds of zones on the "
        "field. Sliding within one kind of zone keeps them."),
    "R7": (COMPREHENSIVE, "2024-08",
        "A change of control keeps the counters; “your field” then means the new controller's."),
    "R8": (PERFECT, "2017",
        "While the effects of the card that holds them are negated, it loses bound counters and "
        "receives none. Open ones stay. Nothing comes back when the negation ends."),
    "R9": (RULINGS + " 13177 and 23486", "2022-12-10",
        "Open or bound is a matter of the kind, not of who placed the counter."),
    "R10": (RULINGS, "2019-08-16",
        "A card that cannot be used is treated like one whose effects are negated."),
    "R11": (RULINGS, "2024-08",
        "A card that loses the permission to hold a kind, for example a gained effect, loses those "
        "counters."),
    "R12": (RULINGS + " 19607 and 19109", "2024-08",
        "A card unaffected by other cards' effects receives no counters from them. What is there "
        "stays, and can be taken off."),
    "R13": (COMPREHENSIVE, "2024-08",
        "Negating the card that placed counters leaves them where they are."),
    "R14": (RULINGS + " 22526, 22527, 22531", "2024-08",
        "A permission counts only in the zones for which the card's text gives it."),
    "R15": (RULINGS + " 14131", "2024-08",
        "A card still being activated or Summoned receives no bound counter, and one whose "
        "destruction is decided none at all. Placing as part of an activation is not an "
        "effect."),
    "R16": (RULINGS + " 14213", "2024-08",
        "At its maximum a card receives no more. Placing an exact number that does not fit places "
        "nothing; “one for each” fills up."),
    "R17": (COMPREHENSIVE, "2024-08",
        "A Spell counts when it resolves; a negated activation gives no counter."),
    "R18": (COMPREHENSIVE, "2024-08",
        "A cost comes from this card, your field, the opponent's, or anywhere on the field, and "
        "may be split over several cards."),
    "R19": (COMPREHENSIVE, "2024-08",
        "Some cards pay for others, all of the cost or none; some stop a player's placing."),
    "R20": (COMPREHENSIVE, "2024-08",
        "“The same number” is the number when the card left. A move needs a card to take it."),
    "R21": (OFFICIAL, "2024-08",
        "Xyz materials, Tokens and turn counts are not counters."),
    "Life 1": (LIFE, "2024-08",
        "Each player begins with 8000 life points and loses at 0; they never fall below it. "
        "Players who come to 0 together draw the Duel."),
    "Life 2": (LIFE, "2024-08",
        "Life points are paid in full or not at all. Half of an odd number leaves the larger."),
    "Life 3": (LIFE, "2024-08",
        "A player also loses by having no card to draw, by a card's text, or by giving up."),
})

NOT_TRACKED = {
    "R21": "Nothing to do: materials, tokens and turn counts lie on the table as they are, and the "
           "game offers no counter for them.",
}
# fmt: on
"""What a card does with its counters (Level 1, no attacks, destroyed instead) and which effect may
place what are printed on the cards; the table reads them there."""

KINDS = {
    kind.name: f"{kind.title}; "
    + ("on any face-up card." if kind.open else "only on cards whose own text places it.")
    for kind in LISTED.values()
}

SUGGESTED = "spell a ice fog predator venom bushido kaiju cubic resonance e.c. b.e.s.".split()

SETTINGS = {
    "open_kinds": Setting(
        ((),),
        "Kinds that can be on any card besides those listed: new cards bring new kinds.",
        each(KIND),
    ),
}
