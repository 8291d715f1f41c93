"""Presentation of Yu-Gi-Oh!: life points in hundreds, counters placed by a named card."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from games.rules.state import GameObject, GameState, Phrase, Seat, Team
from games.rules.state import marked as _
from games.rules.state import marked_for as pgettext
from games.rules.system import System
from games.systems.board import Board
from games.systems.controls import Act, Amounts, Panel, Step, Stepper, Tap
from games.systems.log_words import Curve, Reason, Sentence, SentenceRule, Story
from games.systems.new_game import NewGame
from games.systems.presentation import Presentation
from games.systems.sheets import CardAction, Label, NewCard, Sheets, Tile, steps_of_changes
from games.systems.wording import Wording

from .attacks import attacks, each_end
from .card import ANYWHERE, ATK, DEF, STATS, Card, Duelist, gained, holding
from .card_table import OPEN, WHILE_HELD
from .causes import CAUSES
from .counters import hindrance, room
from .known import KNOWN
from .rules import SUGGESTED
from .zones import MONSTER

WORDS = {
    "monster": "Monster Zone",
    "spell-trap": "Spell & Trap Zone",
    "field-zone": "Field Zone",
    "pendulum": "Pendulum Zone",
    "extra-deck": "Extra Deck",
    "life": "life points",
    "atk": "ATK",
    "def": "DEF",
    "level": "Level",
    "base": "printed numbers",
    "per_counter": "for each counter",
    "per_field": "for each counter on the field",
    "exchange-life": "exchange life points with",
    "face_down": "face-down",
    "unusable": "cannot be used",
    "activating": "being activated",
    "summoning": "being Summoned",
    "doomed": "being destroyed",
    "defense": "Defense Position",
    "battle_proof": "not destroyed by battle",
    "prohibited": "may not place counters",
    "cannot_lose": "can’t lose the Duel",
}


def lost(event: Mapping[str, Any]) -> Sentence:
    words = _("%(seat)s lost %(amount)s {amount|life point|life points}")
    if event.get("cause") == "battle":
        words = _("%(seat)s lost %(amount)s {amount|life point|life points} (battle damage)")
    elif event.get("cause") == "cost":
        words = _("%(seat)s lost %(amount)s {amount|life point|life points} (as a cost)")
    return Sentence(words, "life", -1)


def created(event: Mapping[str, Any]) -> Sentence | None:
    """A card that came face-down; without its name to those who may not know it."""
    if "known_to" not in event:
        return None
    named, nameless = _("set %(name)s in %(zone)s"), _("set a card in %(zone)s")
    return Sentence(named if "name" in event else nameless)


def flipped(event: Mapping[str, Any]) -> Sentence:
    down, up = _("flipped %(object)s face-down"), _("flipped %(object)s face-up")
    return Sentence(down if event["face_down"] else up)


def corrected(event: Mapping[str, Any]) -> Sentence | None:
    if "counter" in event:
        return None
    return Sentence(_("%(on)s: life points corrected"), "life", holder="on")


def watched(event: Mapping[str, Any]) -> Sentence:
    if event.get("at") is None:
        return Sentence(_("%(object)s: no alert for %(counter)s counters"))
    return Sentence(_("%(object)s: alert at %(at)s %(counter)s {at|counter|counters}"))


def kind_opened(event: Mapping[str, Any]) -> Sentence:
    opened, bound = (
        _("%(counter)s counters may go on any card"),
        _("%(counter)s counters only go on cards that say so"),
    )
    return Sentence(opened if event["open"] else bound)


def changed(event: Mapping[str, Any]) -> Sentence | None:
    return Sentence(_("%(object)s: ATK and DEF switched")) if event.get("swap") else None


def attacking(event: Mapping[str, Any]) -> Sentence | None:
    """That an attack begins the Battle Phase, in which position it turns up, and that it has been,
    needs no word."""
    return Sentence("") if event.get("rule") in ("Battle 1", "Battle 4", "Battle 9") else None


SENTENCES: Mapping[str, SentenceRule] = {
    "life-lost": lost,
    "life-gained": Sentence(
        _("%(seat)s gained %(amount)s {amount|life point|life points}"), "life", 1
    ),
    "corrected": corrected,
    "zone-corrected": Sentence(_("corrected the zone of %(object)s: %(from)s → %(to)s")),
    "created": created,
    "flipped": flipped,
    "kind-opened": kind_opened,
    "permitted": Sentence(_("%(object)s may hold %(counter)s counters")),
    "revoked": Sentence(_("%(object)s may no longer hold %(counter)s counters")),
    "registered": Sentence(_("%(object)s: +%(amount)s %(counter_name)s when a Spell resolves")),
    "watched": watched,
    "phase-began": attacking,
    "marked": attacking,
    "attacked": Sentence(_("%(object)s attacks %(on)s")),
    "spell-resolved": Sentence(_("A Spell resolved")),
    "threshold-reached": Sentence(
        _("%(on)s has reached %(threshold)s %(counter)s {threshold|counter|counters}")
    ),
    "changed": changed,
    "turn-ended": Sentence(_("“Until the end of the turn” is over for %(objects)s")),
    "left": Sentence(_("%(seat)s left the game")),
}

LIFE = ("life",)
HUNDREDS = (100, 1000)
"""By how much a tap and a held button change life points."""
TAPS = {
    "own": Tap("place", "on", kind="counter", source="source", counted=True, sign=1, corrects=True),
    "sourced": Tap(
        "place",
        "on",
        kind="counter",
        source="source",
        recalled=True,
        counted=True,
        sign=1,
        corrects=True,
    ),
    "gain-life": Tap(
        "gain-life",
        "seat",
        counted=True,
        changes=LIFE,
        sign=1,
        corrects=True,
        correction="life",
    ),
    "lose-life": Tap("lose-life", "seat", counted=True, changes=LIFE, sign=-1),
    "halve-life": Tap("halve-life", "seat"),
    "resolve-spell": Tap("resolve-spell", "on"),
    "to-defense": Tap("mark", "on", fixed={"mark": "defense"}, turns=True),
    "to-attack": Tap("mark", "on", fixed={"mark": "defense", "value": False}, turns=True),
    "flip-up": Tap("flip", "object", fixed={"face_down": False}),
}


def object_steppers(system: System, state: GameState, card: Card) -> Iterator[Stepper]:
    """The counters on a card, and the kinds that its own text lets it hold in its zone."""
    permits = {}
    if card.on_field and not card.face_down:
        permits = {kind: permit for kind in card.permits if (permit := card.permit(kind))}
    kinds = state.on(card.id)
    for kind in sorted({*kinds, *permits}):
        most = permits[kind].maximum if kind in permits else None
        tap = "own" if kind in permits else "sourced"
        yield Stepper(card.id, kind, kinds.get(kind, 0), increment=tap, most=most)


def tiles(system: System, state: GameState, card: Card) -> Iterator[Tile]:
    """Its counters, or the usual kind; it turns over, its effects are negated, it is destroyed."""
    if not card.on_field:
        return
    there = list(object_steppers(system, state, card))
    usual = () if card.face_down else _first_kind(card)
    yield from there or [Stepper(card.id, kind, 0, increment="sourced") for kind in usual]
    if not card.unseen:
        turn = _("Turn face up") if card.face_down else _("Turn face down")
        yield CardAction(turn, "flip", {"face_down": not card.face_down}, stays=True)
    if card.zone == MONSTER and not card.face_down:
        facts = {"mark": "defense", "value": not card.defense}
        yield CardAction(_("Defense"), "mark", facts, holder="on", on=card.defense, stays=True)
    if not card.face_down:
        word = _("No longer negated") if card.negated else _("Negate")
        facts = {"mark": "negated", "value": not card.negated}
        yield CardAction(word, "mark", facts, holder="on", on=card.negated, stays=True)
    yield CardAction(_("Destroy"), "move", {"to": "graveyard"}, loss=True)


def _first_kind(card: Card) -> Sequence[str]:
    """The kind to offer on a card that can hold none of its own: it may be a card nobody knows."""
    known = KNOWN.called(card.name)
    if known is None:
        return SUGGESTED[:1]
    return [kind for kind in known.places if kind in OPEN][:1]


def usual_kinds(system: System, card: Card) -> list[str]:
    """The kinds that the text of *card* lets it hold, then those that any card can."""
    return [*card.permits, *(kind for kind in SUGGESTED if kind in OPEN)]


def object_facts(system: System, state: GameState, card: Card, label: Label) -> Mapping[str, Any]:
    """The kinds that *card* places on other cards, each with the cards that can take one now.

    changing, numbers_here: the ways to change its numbers, and these. per_counter: by kind that it
    holds or may hold, or that is on the field, what each counter may add to its ATK: a title, the
    parameter, and chips with it as JSON, and whether it does.
    """
    known = None if card.unseen or card.face_down else KNOWN.called(card.name)
    counts = bool(card.base) and card.on_field and not card.face_down
    on_field = _("ATK for each {kind} on the field")
    held = sorted({*state.on(card.id), *card.permits, *card.per_counter}) if counts else ()
    return {
        "placing": [(kind, _takers(state, card, kind, label)) for kind in known.places]
        if known
        else [],
        "changing": (("add", _("Add")), ("set", _("Set"))) if counts else (),
        "attacks": [*attacks(system, state, card, label), *each_end(system, state, card, label)],
        "numbers_here": [stat for stat in STATS if stat in card.base],
        "per_counter": [
            *(
                (Phrase(_("ATK for each {kind}"), kind=kind), "per_counter", _own(card, kind))
                for kind in held
            ),
            *(
                (Phrase(on_field, kind=kind), "per_field", _field(card, kind))
                for kind in (_on_the_field(state, card) if counts else ())
            ),
        ],
    }


PER_COUNTER = (0, 100, 200, 300, 400, 500, 1000, -100, -200, -300, -500)
"""What cards add to ATK for each counter."""


Chips = Sequence[tuple[str, str, bool]]


def _own(card: Card, kind: str) -> Chips:
    return [*_per_counter(card.per_counter, kind, lambda said: said)]


def _field(card: Card, kind: str) -> Chips:
    there = card.per_field.get(ANYWHERE, {})
    return [*_per_counter(there, kind, lambda said: {**card.per_field, ANYWHERE: said})]


def _on_the_field(state: GameState, card: Card) -> list[str]:
    """The kinds on the field, and those of which a card says so."""
    there = {kind for _on, kind in holding(state, None, ANYWHERE, card.controller)}
    return sorted({*there, *card.per_field.get(ANYWHERE, ())})


def _per_counter(
    by_kind: Mapping[str, Mapping[str, int]], kind: str, said: Callable[[Any], Any]
) -> Iterator[tuple[str, str, bool]]:
    now = by_kind.get(kind, {})
    for by in PER_COUNTER:
        amounts = {stat: n for stat, n in {**now, ATK: by}.items() if n}
        kept = {key: each for key, each in {**by_kind, kind: amounts}.items() if each}
        yield f"{by:+d}".replace("-", "−"), json.dumps(said(kept)), now.get(ATK, 0) == by


def steps(system: System, state: GameState, card: Card, stat: str) -> Iterator[Step]:
    """The counters, then the changes, that lead from the printed number to the current one."""
    if not card.on_field or card.face_down:
        return
    for kind, by in WHILE_HELD.items():
        if stat in by and state.count(card.id, kind):
            yield Step(f"= {by[stat]}", kind, "Stats 5")
    for kind, n, rule in gained(state, card, stat):
        if n:
            yield Step(f"{n:+d}", kind, rule)
    yield from steps_of_changes(card, stat, (ATK, DEF))


def _takers(state: GameState, source: Card, kind: str, label: Label) -> list[tuple[str, str]]:
    """The cards that can take one, monsters first: most effects place counters on those."""
    found = [
        each
        for each in state.objects.values()
        if isinstance(each, Card)
        and not hindrance(state, each, kind, source.id)
        and room(state, each, kind) > 0
    ]
    found.sort(key=lambda each: each.zone != MONSTER)
    return [(each.id, label(each)) for each in found]


NEW_CARDS = {
    "monster": NewCard(_("Monster"), stats=dict.fromkeys(STATS)),
    "spell-trap": NewCard(_("Spell or Trap")),
    "field-zone": NewCard(_("Field Spell")),
    "pendulum": NewCard(_("Pendulum")),
    "face_down": NewCard(_("Set card")),
}


def seat_steppers(system: System, state: GameState, seat: Duelist) -> Iterator[Stepper]:
    yield Stepper(seat.id, "life", seat.life, "lose-life", "gain-life", big=True, stride=HUNDREDS)


def panel(system: System, state: GameState, seat: Duelist, numbers: Sequence[Stepper]) -> Panel:
    """Life points big; below them the usual amounts, for the chosen seat."""
    amounts = Amounts("life", (50, 100, 500, 1000), "lose-life", "gain-life", "halve-life")
    return Panel(numbers[0], places=(amounts, *numbers[1:]))


def out_because(system: System, state: GameState, seat: str) -> Reason | None:
    """A duelist with no life points left has lost (Life 1)."""
    duelist = state.seats[seat]
    if isinstance(duelist, Duelist) and duelist.life <= 0:
        return Reason(_("0 life points"), rule="Life 1")
    return None


def acts(system: System, state: GameState, card: Card) -> Iterator[Act]:
    """A seat that sees a face-down card flips it with one tap."""
    if card.on_field and card.face_down and not card.unseen:
        yield Act("flip-up", _("Flip"))


MARKS = {
    "negated": (_("%(on)s is negated"), _("%(on)s is no longer negated")),
    "unusable": (_("%(on)s cannot be used"), _("%(on)s can be used again")),
    "unaffected": (_("%(on)s is unaffected"), _("%(on)s is no longer unaffected")),
    "activating": (_("%(on)s is being activated"), _("%(on)s is no longer being activated")),
    "summoning": (_("%(on)s is being Summoned"), _("%(on)s is no longer being Summoned")),
    "defense": (_("%(on)s is in Defense Position"), _("%(on)s is in Attack Position")),
    "piercing": (_("%(on)s inflicts piercing damage"), _("%(on)s no longer pierces")),
    "battle_proof": (
        _("%(on)s is not destroyed by battle"),
        _("%(on)s can be destroyed by battle again"),
    ),
    "attacked": (_("%(on)s has attacked"), _("%(on)s may attack again")),
    "doomed": (_("%(on)s is being destroyed"), _("%(on)s is no longer being destroyed")),
    "prohibited": (_("%(on)s may not place counters"), _("%(on)s may place counters again")),
    "cannot_lose": (_("%(on)s can’t lose the Duel"), _("%(on)s can lose the Duel again")),
}


def curves(system: System, state: GameState, holder: Seat | GameObject | Team) -> Iterator[Curve]:
    if isinstance(holder, Duelist):
        yield "life", holder.id, holder.life


COUNTERS = frozenset(
    {
        pgettext("counter", "spell"),
        pgettext("counter", "ice"),
        pgettext("counter", "fog"),
        pgettext("counter", "predator"),
        pgettext("counter", "venom"),
        pgettext("counter", "thunder"),
        pgettext("counter", "flower"),
        pgettext("counter", "chaos"),
        pgettext("counter", "black feather"),
        pgettext("counter", "clock"),
        pgettext("counter", "destiny"),
    }
)
"""Kinds that the game printed in another language calls by a word of its own."""
pgettext("before “counters”", "spell")  # its word is an adjective in some languages

LETTERS = {"a": _("A-Counter"), "c": _("C Counter"), "d": _("D Counter"), "t": _("T Counter")}
"""Kinds that are a letter, as the cards print them."""


def _there(state: GameState, holder: str, kinds: Collection[str]) -> object:
    obj = state.objects.get(holder)
    return obj and (obj.controller, [state.count(holder, kind) for kind in sorted(kinds)])


class YuGiOhBoard(Board, frozen=True, kw_only=True):
    """The board of Yu-Gi-Oh!."""

    object_steppers = staticmethod(object_steppers)
    seat_steppers = staticmethod(seat_steppers)
    panel = staticmethod(panel)
    acts = staticmethod(acts)

    def next_phases(self, system: System, state: GameState) -> Sequence[str]:
        """None: nothing is counted by phases."""
        return ()

    def shown_by_all(self, before: GameState, after: GameState, holder: str) -> bool:
        """True if it holds other counters now, or for another player, for which a card gains."""
        cards = (each for each in after.objects.values() if isinstance(each, Card))
        kinds = {kind for card in cards for by in card.per_field.values() for kind in by}
        return bool(kinds) and _there(before, holder, kinds) != _there(after, holder, kinds)

    def stacked(self, card: Card) -> bool:
        """True for cards that lie face up."""
        return not card.face_down


class YuGiOhSheets(Sheets, frozen=True, kw_only=True):
    """The sheets of Yu-Gi-Oh!."""

    steps = staticmethod(steps)
    tiles = staticmethod(tiles)
    object_facts = staticmethod(object_facts)
    usual_kinds = staticmethod(usual_kinds)
    known_cards = KNOWN.offer

    def stride(self, stat: str) -> int:
        """ATK and DEF are counted in hundreds."""
        return HUNDREDS[0] if stat in (ATK, DEF) else 0


class YuGiOhStory(Story, frozen=True, kw_only=True):
    """The story of a game of Yu-Gi-Oh!."""

    out_because = staticmethod(out_because)
    curves = staticmethod(curves)


PRESENTATION = Presentation(
    words=Wording(
        as_written=("attacked", "name"),
        names=WORDS,
        numbers={"life": _("life points"), **LETTERS},
        singular={"life": _("life point")},
        counters=COUNTERS,
        into={
            "graveyard": _("to the graveyard"),
            "banished": _("banished"),
            "hand": _("to hand"),
            "deck": _("to the deck"),
            "extra-deck": _("to the Extra Deck"),
        },
        sorts={"monster": _("monsters"), "spell-trap": _("Spells and Traps")},
        several={
            "flip": _("Flip"),
            "change": _("ATK, DEF and Level"),
            "permit": _("Can hold"),
            "revoke": _("No longer holds"),
            "lose-life": _("Lose life"),
            "gain-life": _("Gain life"),
        },
    ),
    board=YuGiOhBoard(
        taps=TAPS,
        plain=frozenset({"life"}),
    ),
    sheets=YuGiOhSheets(
        object_verbs=(),
        edit_verbs=("place", "describe", "change", "mark"),
        seat_verbs=("leave", "lose-life", "exchange-life"),
        suggested=tuple(SUGGESTED),
        deck_headings=tuple("monster monsters spell spells trap traps".split()),
        new_cards=NEW_CARDS,
    ),
    story=YuGiOhStory(
        sentences=SENTENCES,
        undo_words={
            "graveyard": _("Destroy"),
            "negated": _("Negate"),
            "changed": _("change"),
            "flip": _("Flip"),
            "attack": _("attack"),
            "attacked": _("attack"),
            "open-kind": _("kind"),
            "permit": _("text"),
            "revoke": _("text"),
            "register": _("text"),
            "watch": _("alert"),
            "resolve-spell": _("Spell"),
            "correct-zone": _("correction"),
            "lose-life": _("points"),
            "gain-life": _("points"),
            "halve-life": _("points"),
            "exchange-life": _("exchange"),
        },
        causes=CAUSES,
        reasons={"exchange-life": _("life points exchanged")},
        marks=MARKS,
        moves={
            "banished": _("%(object)s was banished from %(from)s"),
            "material": _("%(object)s became material"),
        },
        announced=frozenset({"Battle 2", "Battle 3", "R5", "R6", "R8", "R10", "R11", "R14"}),
        news=frozenset({"threshold-reached"}),
        hero="life",
        deals=frozenset({"attack", "lose-life", "halve-life", "exchange-life", "together"}),
        loses_at={"life": 0},
    ),
    new_game=NewGame(icon="pyramid", aliases=("ygo", "yugioh", "yu gi oh tcg")),
)
