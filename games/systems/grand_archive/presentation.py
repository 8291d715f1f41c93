"""Presentation of Grand Archive: champions first, damage dealt by a source, stats explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.rules.state import GameObject, GameState, Phrase, Prompt, Seat, Team
from games.rules.state import marked as _
from games.rules.state import marked_for as pgettext
from games.rules.system import System
from games.systems.board import Board, counted, counters_on, every_number
from games.systems.controls import Act, Panel, Place, SheetButton, Stat, Step, Stepper, Tap
from games.systems.log_words import Curve, Reason, Sentence, SentenceRule, Story
from games.systems.new_game import EMPTY, NewGame, Opening, Preset
from games.systems.presentation import Presentation
from games.systems.sheets import (
    CardAction,
    Label,
    NewCard,
    Sheets,
    Tile,
    steps_of_changes,
)
from games.systems.wording import Wording

from .attacks import attacks
from .card import (
    ARCANE,
    MAIN,
    Card,
    champion_of,
    charged,
    class_bonus,
    derived,
    due,
    is_unit,
    level,
    omens,
    usual_kinds,
)
from .causes import CAUSES
from .damage import DECLARED, STRIKES_BACK
from .effects import can_be_damaged
from .known import KNOWN, completed, levels_into, usual
from .rules import SUGGESTED
from .verbs import BeginTurn

WORDS = {
    "cannot_lose": "can’t lose the game",
    "base": "printed numbers",
    "omens": "Omens",
    "as-wake-up": "at wake up",
    "as-materialize": "at materialize",
    "as-recollection": "at recollection",
    "as-draw": "at the draw",
    "as-main": "as the main phase begins",
    "as-combat": "at combat",
    "as-end": "at the end of the turn",
    "if-ally-enters": "as an ally enters",
    "if-regalia-enters": "as a regalia enters",
    "if-attacks": "as it attacks",
    "if-hits": "as it hits",
    "if-kills": "as it kills",
    "if-attacks-itself": "as it attacks",
    "if-hits-itself": "as it hits",
    "if-kills-itself": "as it kills",
    "if-ally-dies": "as an ally dies",
    "if-ally-dies-itself": "as it dies",
    "if-leaves": "as something leaves",
    "if-leaves-itself": "as it leaves",
    "if-recovers": "as the champion recovers",
    "if-levels-up": "as the champion levels up",
    "on-it": "on that card",
    "on-champions": "on the champion",
    "on-allies": "on each ally",
    "on-other-allies": "on each other ally",
    "on-any-allies": "on everyone’s allies",
    "on-any-units": "on everyone’s units",
    "on-weapons": "on each weapon",
    "on-items": "on each item",
    "on-objects": "on each object but the champion",
    "on-masteries": "on the mastery",
    "ask": "if its player may",
    "ask-champions": "on the champion, if its player may",
    "ask-allies": "on an ally of one’s own",
    "ask-other-allies": "on another ally of one’s own",
    "ask-any-allies": "on an ally",
    "ask-any-units": "on a unit",
    "ask-weapons": "on a weapon",
    "ask-items": "on an item",
    "ask-objects": "on an object but the champion",
    "ask-masteries": "on the mastery, if its player may",
}

MARKS = {
    "immortal": (_("%(on)s is immortal"), _("%(on)s is no longer immortal")),
    "rested": (_("%(on)s rests"), _("%(on)s wakes up")),
    "distant": (_("%(on)s is distant"), _("%(on)s is no longer distant")),
    "taunt": (_("%(on)s has taunt"), _("%(on)s no longer has taunt")),
    "cannot_lose": (_("%(on)s can’t lose the game"), _("%(on)s can lose the game again")),
}


def changed(event: Mapping[str, Any]) -> Sentence | None:
    if not event.get("swap"):
        return None
    lasting = _("%(object)s: power and life switched")
    turn = _("%(object)s: power and life switched until end of turn")
    return Sentence(lasting if event.get("lasting") else turn)


def marked(event: Mapping[str, Any]) -> Sentence | None:
    """An attack, in place of the rest that is its cost."""
    said = {DECLARED: _("%(on)s attacks"), STRIKES_BACK: _("%(on)s strikes back")}
    return Sentence(said[event["rule"]]) if event.get("rule") in said else None


def removed(event: Mapping[str, Any]) -> Sentence | None:
    """One sentence for recovered damage, with its number."""
    recovers = event.get("rule") == "Damage 4"
    return Sentence(_("%(on)s recovered %(amount)s"), "damage", -1, "on") if recovers else None


def recovered(event: Mapping[str, Any]) -> Sentence:
    return Sentence("" if event["amount"] else _("%(champion)s had nothing to recover"))


SENTENCES: Mapping[str, SentenceRule] = {
    "damaged": Sentence(_("%(amount)s damage to %(on)s")),
    "changed": changed,
    "marked": marked,
    "removed": removed,
    "recovered": recovered,
    "defeated": Sentence(_("%(object)s is defeated")),
    "drew": Sentence(_("%(seat)s drew %(amount)s")),
    "reserved": Sentence(_("%(seat)s paid %(amount)s reserve")),
    "leveled": Sentence(_("%(object)s is now level %(level)s with %(life)s life")),
    "transformed": Sentence(_("%(object)s was transformed")),
    "turn-ended": Sentence(_("Damage wears off and “until end of turn” is over for %(objects)s")),
    "had-champion": Sentence(""),
    "attacked": Sentence(_("%(object)s attacks")),
    "left": Sentence(_("%(seat)s concedes")),
}

TAPS = {
    "damage": Tap(
        "damage",
        "on",
        counted=True,
        changes=("damage", "marked"),
        sign=1,
        unless="source",
        corrects=True,
        lowers=True,
    ),
    "rest": Tap("mark", "on", fixed={"mark": "rested"}, turns=True),
    "wake": Tap("mark", "on", fixed={"mark": "rested", "value": False}, turns=True),
    "wield": Tap("wield", "object"),
    "begin-turn": Tap("begin-turn", "active", listed=True, fixed=BeginTurn.usual),
    "enlighten": Tap("activate", "object", fixed={"ability": "enlighten"}),
}


def stats(
    system: System, state: GameState, card: Card, follows: Mapping[str, Any]
) -> Iterator[Stat]:
    """Power and life, a champion's level and life; durability is shown as its counters."""
    wanted = ("level", "life") if "champion" in card.types else ("power", "life")
    found = {stat.name: stat for stat in every_number(system, state, card, follows)}
    yield from (found[name] for name in wanted if name in found)


def object_steppers(system: System, state: GameState, card: Card) -> Iterator[Stepper]:
    """Damage on champions (counters) and allies (marked until the turn ends), then the rest."""
    champion = "champion" in card.types and card.on_field
    if champion:
        yield _damage(state, card)
    elif "ally" in card.types and card.on_field:
        yield _marked(card)
    for stepper in counters_on(system, state, card):
        if not (champion and stepper.kind == "damage"):
            yield stepper


def _damage(state: GameState, card: Card) -> Stepper:
    dealt = state.count(card.id, "damage")
    return Stepper(card.id, "damage", dealt, increment="damage", big=True, armed=1)


def _marked(card: Card) -> Stepper:
    return Stepper(card.id, "marked", card.marked, decrement="", increment="damage", armed=1)


TILES = {
    "champion": ("level", "enlighten"),
    "ally": ("buff", "debuff"),
    "weapon": ("durability", "buff"),
    "siegeable": ("durability", "wither"),
}
"""By type: the kinds of counters that a sheet offers first."""


def tiles(system: System, state: GameState, card: Card) -> Iterator[Tile]:
    """Damage, what changes the stats, wielding; and the end of all but champions."""
    if not card.on_field:
        yield from counted(state, card, *usual_kinds(system, card))
        return
    type_ = next((each for each in TILES if each in card.types), "")
    if type_ == "champion":
        yield _damage(state, card)
    kinds = [
        each
        for each in TILES.get(type_) or usual_kinds(system, card)
        if each in system.rulebook.kinds
    ]
    yield from counted(state, card, *list(dict.fromkeys(kinds))[:3])
    if type_ == "champion":
        facts = {"seat": card.controller, "amount": 1}
        yield CardAction(_("Recover 1"), "recover", facts, holder="champion", stays=True)
        return
    if type_ == "ally":
        yield _marked(card)
    if type_ == "weapon":
        yield CardAction(_("Wield it"), "wield", kind="durability")
    yield CardAction(_("Destroy"), "move", {"to": "graveyard"}, loss=True)


NEW_CARDS = {
    "ally": NewCard(stats={"power": 1, "life": 1}),
    "weapon": NewCard(stats={"power": 1, "durability": 2}),
    "item": NewCard(),
    "champion": NewCard(stats={"level": 0, "life": 15}),
    "siegeable": NewCard(stats={"durability": 2}, rule="Siegeable 2.1"),
    "domain": NewCard(stats={"durability": None}),
    "phantasia": NewCard(),
    "action": NewCard(),
    "attack": NewCard(stats={"power": 1}, rule="Attack 8"),
}


def acts(system: System, state: GameState, card: Card) -> Iterator[Act]:
    if not card.on_field:
        return
    if "weapon" in card.types:
        yield Act("wield", _("wield"))
    if "champion" not in card.types and state.count(card.id, "enlighten") >= 3:
        yield Act("enlighten", _("3 → draw"))


COUNTED = {
    "power": (("buff", 1, "Buff 1"), ("debuff", -1, "Debuff 1")),
    "life": (("buff", 1, "Buff 1"), ("debuff", -1, "Debuff 1")),
    "level": (("level", 1, "Level 1"),),
    "durability": (("durability", 0, "Durability 2"),),
}
"""By stat: (kind of counter, sign, rule). Sign 0: the counters are the stat."""


def steps(system: System, state: GameState, card: Card, stat: str) -> Iterator[Step]:
    """The counters, then the changes, that lead from the printed stat to the current one."""
    kinds = state.on(card.id)
    for kind, sign, rule in COUNTED.get(stat, ()):
        n = kinds.get(kind, 0)
        if n and kind in system.rulebook.kinds and rule in system.rulebook.rules:
            yield Step(f"{sign * n:+d}" if sign else f"= {n}", kind, rule)
    if stat == "power" and (n := class_bonus(state, card)):
        yield Step(f"{n:+d}", _("class bonus"), "Class Bonus 1")
    yield from steps_of_changes(card, stat, ("power", "life"))


ON_PANEL = ("level", "enlighten", "preparation")
"""The counters of a champion that keep their places on the panel, even at 0."""


def panel(system: System, state: GameState, seat: Seat, numbers: Sequence[Stepper]) -> Panel:
    """The champion's damage big, with what is left of its life; its counters; Omens; draw."""
    champion = champion_of(state, seat.id)
    if champion is None:
        return Panel(None, places=tuple(numbers))
    kinds = state.on(champion.id)
    dealt, life = kinds.get("damage", 0), derived(system, state, champion)["life"]
    hero = _damage(state, champion)
    places: list[Place] = [
        Stepper(champion.id, kind, kinds.get(kind, 0))
        for kind in ON_PANEL
        if kind in system.rulebook.kinds or kind in kinds
    ]
    if kinds.get("enlighten", 0) >= 3:
        places.append(Act("enlighten", _("3 → draw"), champion.id))
    if found := omens(system, state, seat.id):
        places.append(SheetButton(_("Omens"), f"seats/{seat.id}", "omen", len(found)))
    others = sorted(set(kinds) - {"damage", *ON_PANEL})
    places += [Stepper(champion.id, kind, kinds[kind]) for kind in others]
    left = (max(0, life - dealt), life) if type(life) is int and life > 0 else None
    return Panel(hero, left, (*places, *numbers))


def out_because(system: System, state: GameState, seat: str) -> Reason | None:
    """A player whose champion is defeated has lost (Damage 3)."""
    for card in state.objects.values():
        if isinstance(card, Card) and card.owner == seat and card.defeated:
            facts = {"n": state.count(card.id, "damage"), "champion": card.id}
            return Reason(_("%(champion)s is defeated"), facts, "Damage 3")
    return None


def prompt_facts(
    system: System, state: GameState, prompt: Prompt, label: Label
) -> Mapping[str, Any]:
    """The numbers of a question; for a static counter also its possible target."""
    if prompt.kind == "wither":
        sentence = _("{name}: {n} wither → {n} reserve")
        owed = due(system, state, prompt.to).items()
        inputs = [Phrase(sentence, name=label(state.objects[on]), n=n) for on, n in owed]
        return {"inputs": inputs}
    assert prompt.source is not None
    name = label(state.objects[prompt.source])
    if prompt.kind == "enlighten":
        left = state.count(prompt.source, "enlighten")
        sentence = _("{name}: 3 enlighten spent → draw 1 card; {left} left")
        return {"inputs": [Phrase(sentence, name=name, left=left)]}
    hit, left = label(state.objects[prompt.facts["hit"]]), state.count(prompt.source, "static")
    sentence = _("{name}: 1 of {n} static → 1 damage to {hit}")
    return {
        "hit": hit,
        "left": left,
        "inputs": [Phrase(sentence, name=name, n=left, hit=hit)],
    }


def object_facts(system: System, state: GameState, card: Card, label: Label) -> Mapping[str, Any]:
    """The sources that may deal damage to *card*, its own attacks, the ways to change it, and its
    next level."""
    return {
        "attacks": [*attacks(system, state, card, label)],
        "damageable": can_be_damaged(system, card),
        "fights": bool(state.turn and state.turn.phase == "combat"),
        "sources": sources(system, state, card, label),
        "changing": (("add", _("Add")), ("multiply", _("Multiply")), ("set", _("Set"))),
        "next_level": card.base.get("level", 0) + 1,
        "champions_above": list(levels_into(card)),
    }


def sources(system: System, state: GameState, target: Card, label: Label) -> list[dict[str, Any]]:
    """The objects that could deal damage to *target* with their power, the active player's first.

    The first one is marked as likely if the active player controls it and not *target*. An arcane
    champion without power is among them where its damage asks for static counters.
    """
    active = state.turn.active if state.turn else ()
    able: list[dict[str, Any]] = [
        {"id": card.id, "name": label(card), "power": power, "by": card.controller}
        for card in state.objects.values()
        if card.on_field and card.id != target.id and isinstance(card, Card)
        if (power := derived(system, state, card)["power"] or 0) > 0
        or (ARCANE in card.elements and is_unit(card) and charged(system, state, card.controller))
    ]
    able.sort(key=lambda source: (source["by"] not in active, source["power"] <= 0))
    for source in able[:1]:
        source["likely"] = source["by"] in active and target.controller not in active
    return able


def seat_facts(system: System, state: GameState, seat: Seat, label: Label) -> Mapping[str, Any]:
    """The champions of *seat* that can recover: (id, name)."""
    champions = [
        (card.id, label(card))
        for card in state.objects.values()
        if isinstance(card, Card)
        and card.on_field
        and "champion" in card.types
        and card.controller == seat.id
    ]
    return {"champions": champions}


def curves(system: System, state: GameState, holder: Seat | GameObject | Team) -> Iterator[Curve]:
    """The life that a champion has left, as its controller's."""
    if isinstance(holder, Card) and "champion" in holder.types:
        life = derived(system, state, holder)["life"]
        if type(life) is int:
            yield "life", holder.controller, max(0, life - state.count(holder.id, "damage"))


def _champions(seats: Sequence[str]) -> Opening:
    return {
        "seats": {seat: {"had_champion": True} for seat in seats},
        "objects": {
            f"{seat}-champion": {
                "name": "Champion",
                "types": ["champion"],
                "base": {"life": 15, "level": 0},
                "owner": seat,
            }
            for seat in seats
        },
    }


def _bonuses(state: GameState, holder: str) -> object:
    card = state.objects.get(holder)
    if not isinstance(card, Card) or "champion" not in card.types:
        return None
    return card.on_field, card.controller, card.classes, level(state, card)


class GrandArchiveBoard(Board, frozen=True, kw_only=True):
    """The board of Grand Archive."""

    heroes = frozenset({"champion"})
    stats = staticmethod(stats)
    object_steppers = staticmethod(object_steppers)
    acts = staticmethod(acts)
    panel = staticmethod(panel)

    def shown_by_all(self, before: GameState, after: GameState, holder: str) -> bool:
        """True if a champion is of another class or level now, on which class bonuses depend."""
        return _bonuses(before, holder) != _bonuses(after, holder)

    def next_phases(self, system: System, state: GameState) -> Sequence[str]:
        """The main phase, whatever comes before it."""
        return (MAIN,)


class GrandArchiveSheets(Sheets, frozen=True, kw_only=True):
    """The sheets of Grand Archive."""

    steps = staticmethod(steps)
    tiles = staticmethod(tiles)
    object_facts = staticmethod(object_facts)
    prompt_facts = staticmethod(prompt_facts)
    seat_facts = staticmethod(seat_facts)
    usual_kinds = staticmethod(usual_kinds)
    known_cards = KNOWN.offer
    ticks = staticmethod(usual)
    completed = staticmethod(completed)
    ticks_at = "recollection"


class GrandArchiveStory(Story, frozen=True, kw_only=True):
    """The story of a game of Grand Archive."""

    out_because = staticmethod(out_because)
    curves = staticmethod(curves)

    def played_as(self, card: Card) -> bool:
        """True for a champion."""
        return "champion" in card.types


PRESENTATION = Presentation(
    words=Wording(
        as_written=tuple(
            (
                "arcane defeated elements enlighten left name regalia static types unique wither"
            ).split()
        ),
        names=WORDS,
        numbers={"damage": _("damage"), "marked": _("damage"), "life": _("life")},
        counters=frozenset({pgettext("counter", "durability"), pgettext("counter", "level")}),
        into={
            "graveyard": _("to the graveyard"),
            "banishment": _("to banishment"),
            "hand": _("to hand"),
            "deck": _("to the deck"),
            "material": _("to the material deck"),
            "memory": _("to memory"),
        },
        questions={
            "wither": _("What is paid for wither?"),
            "static": _("Is a static counter used?"),
            "enlighten": _("Was the card drawn?"),
            "puts": _("Who gets its counters?"),
        },
        sorts={
            "ally": _("allies"),
            "weapon": _("weapons"),
            "item": _("items"),
            "domain": _("domains"),
            "phantasia": _("phantasias"),
        },
        several={"damage": _("Damage"), "change": _("Change numbers")},
    ),
    board=GrandArchiveBoard(
        plain=frozenset({"damage"}),
        taps=TAPS,
        types=(
            *("champion", "ally", "weapon", "siegeable", "item", "domain", "phantasia", "action"),
            "attack",
        ),
    ),
    sheets=GrandArchiveSheets(
        object_verbs=("activate", "damage", "level-up", "recover"),
        seat_verbs=("leave", "recover"),
        edit_verbs=("describe", "change", "mark", "place", "copy"),
        changes=(
            ("+1 POWER", {"power": 1}),
            ("+2 POWER", {"power": 2}),
            ("+3 POWER", {"power": 3}),
            ("+1 LIFE", {"life": 1}),
        ),
        blinks_through="banishment",
        suggested=tuple(SUGGESTED),
        deck_headings=tuple("material champion champions ally allies".split()),
        new_cards=NEW_CARDS,
    ),
    story=GrandArchiveStory(
        sentences=SENTENCES,
        undo_words={
            "graveyard": _("Destroy"),
            "damaged": _("damage"),
            "leveled": _("level"),
            "transformed": _("card"),
            "rested": _("rest"),
            DECLARED: _("attack"),
            "recovered": _("recovery"),
            "drew": _("draw"),
            "reserved": _("payment"),
            "defeated": _("defeat"),
            "immortal": _("mark"),
        },
        causes=CAUSES,
        marks=MARKS,
        moves={"banishment": _("%(object)s was banished from %(from)s")},
        announced=frozenset(
            {"Buff 4", "Debuff 4", "Bulwark 2", "Damage 3", "Durability 3", "Wither 3"}
        ),
        hero="life",
        deals=frozenset({"damage", "together"}),
        loses_at={"life": 0},
    ),
    new_game=NewGame(
        icon="sword",
        aliases=("ga", "gatcg", "grand archive tcg"),
        presets=(
            Preset(
                "champions",
                _("A champion each"),
                _("Level 0, 15 life; change names and life on the board."),
                _champions,
            ),
            EMPTY,
        ),
        unnamed={"Champion": _("%(seat)s’s champion")},
    ),
)
