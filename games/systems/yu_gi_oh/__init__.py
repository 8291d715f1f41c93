"""Yu-Gi-Oh!, from the Comprehensive Rulebook (laaners), section "Counters", of August 2024.

It is based on the Official Rulebook, p. 51, the OCG Perfect Rulebook 2017, pp. 171-172, and rulings
in the Konami card database; `rules.RULES` names the document of each rule. The sources have no
rule numbers: R1 to R21 are ours, and so are those about life points and battle.

Where the rules are unclear, we chose: "even if the effects of that card are negated" means the card
that placed the counters, so only the kind decides what happens when their holder is negated; a
maximum applies only in the zones of its permit; a card that is named to pay may pay with whatever
an opening put on it; a card places nothing on itself for a Spell while it is negated, face-down or
not resolved yet; a judge's correction reaches no threshold.
"""

from __future__ import annotations

from games.rules import cards, seating
from games.rules.state import Components
from games.rules.system import (
    Automatic,
    Counters,
    HiddenFaces,
    Rulebook,
    Secrets,
    System,
    Verb,
)

from . import battle, counters, effects, faces, field, life, rules, taking_off
from .card import Card, Duelist, derived
from .zones import FIELD_ZONES

VERBS = {
    **{verb: resolve for verb, resolve in cards.VERBS.items() if verb != "void"},
    "place": Verb(counters.Place, counters.place),
    "spend": Verb(taking_off.Spend, taking_off.spend),
    "remove": Verb(taking_off.Remove, taking_off.remove),
    "transfer": Verb(counters.Transfer, counters.transfer),
    "correct": Verb(counters.Correct, counters.correct),
    "create": Verb(field.Create, field.create),
    "move": Verb(cards.MoveEmpty, cards.move),
    "correct-zone": Verb(field.CorrectZone, field.correct_zone),
    "flip": Verb(field.Flip, field.flip),
    "describe": Verb(field.Describe, cards.describe),
    "change": Verb(field.Alter, field.alter),
    "begin-turn": Verb(cards.BeginTurn, field.begin_turn),
    "permit": Verb(field.PermitKind, field.permit),
    "revoke": Verb(field.Revoke, field.revoke),
    "open-kind": Verb(field.OpenKind, field.open_kind),
    "register": Verb(field.Register, field.register),
    "watch": Verb(field.Watch, field.watch),
    "resolve-spell": Verb(field.ResolveSpell, field.resolve_spell),
    "gain-life": Verb(life.GainLife, life.gain_life),
    "lose-life": Verb(life.LoseLife, life.lose_life),
    "attack": Verb(battle.Attack, battle.attack),
    "halve-life": Verb(life.HalveLife, life.halve_life),
    "exchange-life": Verb(life.ExchangeLife, life.exchange_life),
    "leave": Verb(seating.Leave, life.leave),
}


class YuGiOhAutomatic(Automatic, frozen=True, kw_only=True):
    """Automatic parts: a card loses what it may not hold at once."""

    effects_at_once = True


class YuGiOhCounters(Counters, frozen=True):
    """Counters of cards that a text lets hold them."""

    can_hold = staticmethod(counters.can_hold_counters)


class SetCards(HiddenFaces, frozen=True):
    """Cards that lie face-down."""

    as_seen = staticmethod(faces.as_seen)
    private_verbs = frozenset(
        {"permit", "revoke", "register", "watch", "resolve-spell", "describe"}
    )


CURRENT = System(
    name="yu-gi-oh",
    title="Yu-Gi-Oh!",
    sentence="Life points, and counters that stay only where a card's text lets them.",
    edition="2024-08",
    rulebook=Rulebook(
        document="Yu-Gi-Oh! Comprehensive Rulebook, Counters, August 2024",
        kinds=rules.KINDS,
        rules=rules.RULES,
        not_tracked=rules.NOT_TRACKED,
        settings=rules.SETTINGS,
        translated=frozenset({"de", "es"}),
    ),
    components=Components(seat=Duelist, object=Card),
    zones=(*FIELD_ZONES, "hand", "deck", "extra-deck", "graveyard", "banished", "material"),
    phases=("draw", "standby", "main-1", "battle", "main-2", "end"),
    opening=faces.opening,
    verbs=VERBS,
    automatic=YuGiOhAutomatic(
        effects=(effects.leave,),
        watched=frozenset(),  # no effect depends on how many there are
        triggers={
            "placed": (effects.announce,),
            "removed": (effects.announce,),
            "spent": (effects.announce,),
        },
        losing=effects.lose,
        outcomes={"turn-ends": "Stats 4"},
        comes_back=effects.comes_back,
    ),
    counters=YuGiOhCounters(),
    derived=derived,
    secrets=Secrets(faces=SetCards()),
)

EDITIONS = (CURRENT,)
