"""Presentation of Magic: life first, poison and rad always shown, commanders with their tax."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from games.rules.state import GameObject, GameState, Phrase, Prompt, Seat, Team
from games.rules.state import marked as _
from games.rules.system import System
from games.systems.board import Board, Previews, counted, counters_on
from games.systems.controls import Act, Step, Stepper, Tap
from games.systems.log_words import Curve, Story
from games.systems.new_game import NewGame, Preset
from games.systems.presentation import Presentation
from games.systems.sheets import CardAction, Label, NewCard, Sheets, Tile, steps_of_changes
from games.systems.wording import Wording

from .causes import CAUSES
from .combat import COMBAT
from .creatures import CHANGE, lords, unknown_types
from .dealing import attacks, blocks, fights, whom
from .dungeons import NAMES
from .formats import FORMATS
from .known import KNOWN
from .panel import FIXED, out_because, panel, shown_by_all
from .player import (
    BATTLEFIELD,
    BLOCKS,
    LEAST_LIFE,
    POISON,
    PRINTED,
    RAD,
    SAGA,
    SIEGE,
    UNDERCITY,
    Card,
    Player,
    Side,
    due,
    life_of,
    player,
    sharing_life,
)
from .previews import becomes, completed, gives, ways
from .rad import outcomes
from .replacement_effects import called, number
from .rules import DEATHS, SUGGESTED
from .saying import KEYWORD_WORDS, PERMANENT_TYPES, TYPES, of_card, of_player, phrases
from .sentences import MARKS, SENTENCES
from .shown import CARD_TYPES, COUNTERS, seat_facts, ways_on
from .siege import DEFENSE
from .station import crew
from .ticking import counter_of, impending, usual
from .tokens import TOKENS
from .verbs import ENDING, BeginTurn

WORDS = {
    "command": "command zone",
    "chapters": "chapters",
    "station": "charge for a creature",
    "precombat-main": "main phase",
    "postcombat-main": "second main",
    "as-upkeep": "at the upkeep",
    "as-draw": "at the draw",
    "as-precombat-main": "after the draw",
    "as-combat": "at combat",
    "as-end": "at the end step",
    "if-creature-enters": "as a creature enters",
    "if-attacks": "as a creature attacks",
    "if-attacks-itself": "as it attacks",
    "if-land-enters": "as a land enters",
    "if-artifact-enters": "as an artifact enters",
    "if-enchantment-enters": "as an enchantment enters",
    "if-evolves": "as a greater creature enters",
    "if-evolves-itself": "as a greater creature enters",
    "if-creature-dies": "as a creature dies",
    "if-creature-dies-itself": "as it dies",
    "if-creature-leaves": "as a creature leaves",
    "if-creature-leaves-itself": "as it leaves",
    "if-sacrificed": "as something is sacrificed",
    "if-damaged": "as it is dealt damage",
    "if-damaged-itself": "as it is dealt damage",
    "if-combat-damage": "as a creature damages a player in combat",
    "if-combat-damage-itself": "as it damages a player in combat",
    "if-spell-cast": "as a spell is cast",
    "if-life-gained": "as life is gained",
    "if-life-lost": "as life is lost",
    "if-proliferates": "as a player proliferates",
    "if-put": "as counters are put on something",
    "if-put-on-creature": "as counters are put on a creature",
    "if-put-on-creature-itself": "as counters are put on it",
    "if-puts-on-creature": "as a player puts counters on any creature",
    "card": "card",
    "life loss": "life loss",
    "damage": "damage",
    "on-it": "on that creature",
    "on-creatures": "on each creature",
    "on-other-creatures": "on each other creature",
    "on-any-creatures": "on everyone’s creatures",
    "on-other-any-creatures": "on everyone’s other creatures",
    "on-artifact-creatures": "on each artifact creature",
    "on-you": "on the player",
    "on-players": "on each player",
    "on-opponents": "on each opponent",
    "ask-you": "if its player wants that",
    "ask-opponents": "on an opponent",
    "ask": "if its player wants that",
    "ask-creatures": "on a creature of one’s own",
    "ask-other-creatures": "on another creature of one’s own",
    "ask-any-creatures": "on a creature",
    "ask-other-any-creatures": "on another creature",
    "ask-artifact-creatures": "on an artifact creature",
    "monarch": "the monarch",
    "initiative": "the initiative",
    "citys_blessing": "the city’s blessing",
    "cannot_lose_life": "can’t lose life",
    "gains_from_radiation": "gains life from radiation",
    "cannot_get_counters": "can’t get counters",
    "mills_times": "mills ×",
    "mills_more": "mills +",
    "cannot_lose": "can’t lose the game",
    "base": "printed numbers",
    "shared_turns": "turns",
    "shared_life": "life",
    "shared_poison": "poison",
    "poison_limit": "poison limit, if they share poison",
    "rad": "radiation",
    "spells_cast": "spells this turn",
    "ring_level": "the Ring",
    "limits": "how many counters it can have",
    "ring_bearer": "Ring-bearer",
    "marked": "damage",
    "lethal": "lethal damage",
    "siege": "Siege",
    "saga": "Saga",
    "phased_out": "phased out",
    **KEYWORD_WORDS,
    "planar-die": "the planar die",
    **NAMES,
}

LIFE = ("life",)
SPELLS = ("spells_cast",)
TAPS = {
    "begin-turn": Tap("begin-turn", "active", listed=True, fixed=BeginTurn.usual),
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
    "cast": Tap("cast", "object", fixed={"known": True}),
    "dealt": Tap("commander-damage", "seat", kind="from", counted=True, sign=1, unless="back"),
    "undealt": Tap("commander-damage", "seat", kind="from", counted=True, fixed={"back": True}),
    "crown": Tap("mark", "on", fixed={"mark": "monarch"}),
    "initiative": Tap("mark", "on", fixed={"mark": "initiative"}),
    "blessing": Tap("mark", "on", fixed={"mark": "citys_blessing"}),
    "loyalty": Tap(
        "place", "on", kind="counter", counted=True, own={"cause": "cost"}, sign=1, corrects=True
    ),
    "lore": Tap(
        "place", "on", kind="counter", counted=True, fixed={"cause": "rule"}, sign=1, corrects=True
    ),
    "damage": Tap(
        "damage", "on", counted=True, changes=("marked",), sign=1, unless="source", lowers=True
    ),
    "recall": Tap("move", "object", fixed={"to": "command"}),
    "awake": Tap("describe", "object", fixed={"types": ["enchantment", "creature"]}),
    "tap": Tap("mark", "on", fixed={"mark": "tapped"}, turns=True),
    "untap": Tap("mark", "on", fixed={"mark": "tapped", "value": False}, turns=True),
    "phase-in": Tap("mark", "on", fixed={"mark": "phased_out", "value": False}),
    "day-night": Tap("day-night", "to"),
    "spell": Tap("count-spells", "seat", counted=True, changes=SPELLS, sign=1, unless="back"),
    "unspell": Tap("count-spells", "seat", counted=True, fixed={"back": True}, sign=-1),
    "tempt": Tap("tempt", "seat"),
    "venture": Tap("venture", "seat"),
    "complete-dungeon": Tap("complete-dungeon", "seat"),
}


def _life(seat: str, life: int) -> Stepper:
    return Stepper(seat, "life", life, "lose-life", "gain-life", big=True, least=LEAST_LIFE)


def seat_steppers(system: System, state: GameState, holder: Player | Side) -> Iterator[Stepper]:
    """The life of a player, or that of a team; its buttons act through the first player."""
    if isinstance(holder, Side):
        if holder.shared_life:
            yield _life(holder.seats[0], holder.life)
    elif not sharing_life(state, holder.id):
        yield _life(holder.id, holder.life)


def _marked(card: Card) -> Stepper:
    return Stepper(card.id, "marked", card.marked, decrement="", increment="damage", armed=1)


LOST = frozenset({"defense", "time", "shield"})
"""Kinds of counters on permanents that go rather than come."""


def _increments(card: Card, steppers: Iterable[Stepper]) -> Iterator[Stepper]:
    """*steppers* of *card*, each with its plus.

    A planeswalker's controller puts loyalty on it as a cost (606.4); a Saga gets its lore by a rule
    (714.3c). What an effect puts of these is said on the number's pad.
    """
    for stepper in steppers:
        if stepper.kind in card.limits:
            stepper = replace(stepper, most=card.limits[stepper.kind])
        if stepper.kind == "loyalty" and "planeswalker" in card.types:
            stepper = replace(stepper, increment="loyalty")
        elif stepper.kind in LOST:
            stepper = replace(stepper, armed=-1)
        elif stepper.kind == "lore" and "enchantment" in card.types:
            stepper = replace(stepper, increment="lore")
        yield stepper


def object_steppers(system: System, state: GameState, card: Card) -> Iterator[Stepper]:
    """The damage marked on a creature, then its counters."""
    if "creature" in card.types and card.on_field:
        yield _marked(card)
    yield from _increments(card, counters_on(system, state, card))


def acts(system: System, state: GameState, card: Card) -> Iterator[Act]:
    if card.zone == "command" and card.commander:
        yield Act("cast", _("Cast"))
    elif card.zone in RECALLED_FROM and card.commander:
        yield Act("recall", _("→ command zone"))
    elif card.phased_out:
        yield Act("phase-in", _("Phase in"))
    elif impending(card) and "creature" not in card.types and not state.count(card.id, "time"):
        yield Act("awake", _("→ creature"))
    for sort in unknown_types(state, card):
        yield Act("", f"{sort.title()}?", sheet=f"objects/{card.id}")


def steps(system: System, state: GameState, card: Card, stat: str) -> Iterator[Step]:
    """The counters whose name says how they change power and toughness, then what other cards say
    of it, and the changes."""
    if stat not in ("power", "toughness"):
        return
    for kind, n in state.on(card.id).items():
        if change := CHANGE(kind):
            by = int(change[1 if stat == "power" else 2])
            yield Step(f"{by * n:+d}", kind, "122.1a")
    for each in lords(state, card):
        if added := (each.adds or {}).get(stat, 0) * number(state, each, card):
            yield Step(f"{added:+d}", called(state, each), "613.4c")
    yield from steps_of_changes(card, stat, ("power", "toughness"))


TILES = {
    "planeswalker": ("loyalty", "charge", "+1/+1"),
    "battle": ("defense", "charge", "+1/+1"),
    "creature": ("+1/+1", "-1/-1", "stun"),
    "enchantment": ("lore", "quest", "charge"),
    "artifact": ("charge", "+1/+1", "oil"),
}
"""By type: the kinds of counters that a sheet offers first, whichever are there."""
USUAL_TILES = ("charge", "+1/+1", "time")
RECALLED_FROM = frozenset({"graveyard", "exile"})
"""Where a commander's owner may put it into the command zone from (903.9a)."""
RECALL = CardAction("", "move", {"to": "command"})
DESTROY = CardAction(_("Destroy"), "move", {"to": "graveyard"}, loss=True)
SACRIFICE = CardAction(_("Sacrifice"), "move", {"to": "graveyard", "sacrifice": True}, loss=True)


def tiles(system: System, state: GameState, card: Card) -> Iterator[Tile]:
    """The counters of a permanent's type, and its destruction.

    A commander has one kind less and the command zone, where it mostly goes instead (903.9).
    """
    if card.zone != BATTLEFIELD:
        return
    type_ = next((each for each in TILES if each in card.types), "")
    usual_kinds: tuple[str, ...] = TILES.get(type_, USUAL_TILES)
    if ticks := counter_of(card):
        usual_kinds = tuple(dict.fromkeys((ticks, *usual_kinds)))
    first = usual_kinds[: 2 if card.commander else 3]
    if type_ == "creature":
        yield _marked(card)
    yield from _increments(card, counted(state, card, *first))
    if card.commander:
        yield RECALL
    facts = {"mark": "tapped", "value": not card.tapped}
    yield CardAction(_("Tapped"), "mark", facts, holder="on", on=card.tapped, stays=True)
    if impending(card):
        creature = "creature" in card.types
        types = {"types": ["enchantment"] if creature else ["enchantment", "creature"]}
        yield CardAction(_("Creature"), "describe", types, on=creature, stays=True)
    if any(each["begins"] == "sacrificed" for each in state.ticks.values()):
        yield SACRIFICE
    yield DESTROY


NEW_CARDS = {
    "creature": NewCard(stats={"power": 1, "toughness": 1}),
    "artifact": NewCard(tokens=("Treasure", "Clue", "Food")),
    "planeswalker": NewCard(stats={"loyalty": 3}),
    "enchantment": NewCard(),
    "land": NewCard(),
    "battle": NewCard(stats={"defense": 3}),
    "instant": NewCard(),
    "sorcery": NewCard(),
}


FACES = ("creature", "planeswalker", "artifact", "enchantment", "land", "sorcery")
"""The card types of the other faces of Sieges."""
MOST_CHIPS = 24
"""A mill of more cards is answered with a number, not with chips."""


def prompt_facts(
    system: System, state: GameState, prompt: Prompt, label: Label
) -> Mapping[str, Any]:
    """The present outcomes of the rad ability, by the number of nonland cards; the choices for a
    Siege's other face."""
    if prompt.kind == SAGA:
        card = state.objects[prompt.source or ""]
        last = card.base["chapters"] if isinstance(card, Card) else 0
        return {"inputs": [Phrase(_("{name}: chapter {n}"), name=label(card), n=last)]}
    if prompt.kind == UNDERCITY:
        return {"ways": ways_on(player(state, prompt.to))}
    if prompt.kind == BLOCKS:
        return blocks(state, prompt, label)
    if prompt.kind == SIEGE:
        card = state.objects[prompt.source or ""]
        left, name, there = state.count(card.id, DEFENSE), label(card), KNOWN.called(card.name)
        other = there.other if there else None
        types = tuple(other.types) if other else FACES[:1]
        faces = dict.fromkeys([types, *((each,) for each in FACES)])
        base = other.base if other else {}
        return {
            "inputs": [Phrase(_("{name}: {n} defense → exile it"), name=name, n=left)],
            "other": other,
            "front": card.name,
            "faces": [(each, json.dumps(each), each == types) for each in faces],
            "stats": [(each, base.get(each)) for each in PRINTED[:3]],
        }
    number = due(state, prompt)
    rad = state.count(prompt.to, RAD)
    return {
        "inputs": [Phrase(_("{rad} rad → mill {n} {n|card|cards}"), rad=rad, n=number)],
        "life": life_of(state, prompt.to),
        "rad": rad,
        "times": player(state, prompt.to).mills_times,
        "more": player(state, prompt.to).mills_more,
        "outcomes": list(outcomes(system, state, prompt)) if number <= MOST_CHIPS else [],
    }


def object_facts(system: System, state: GameState, card: Card, label: Label) -> Mapping[str, Any]:
    """Ways to change its numbers, the damage it deals, its maxima and its effects on counters."""
    changing = (("add", _("Add")), ("set", _("Set")))
    there = sorted({*state.on(card.id), *card.limits})
    return {
        "changing": changing,
        "attacks": [*attacks(system, state, card, label)],
        "crew": list(crew(state, card, label)),
        "limited": [(kind, card.limits.get(kind)) for kind in there],
        **of_card(state, card),
    }


OUTCOMES = frozenset(
    "damaged life-lost life-gained commander-damaged replaced placed removed marked moved prompted"
    " lost ended".split()
)
"""What a combat comes to, beside who attacks."""


def player_facts(system: System, state: GameState, seat: Player, label: Label) -> Mapping[str, Any]:
    """Context of the sheets about *seat*, with the effects that change counters for it."""
    facts = {**seat_facts(system, state, seat, label), **of_player(state, seat)}
    return {**facts, **fights(state, seat.id, label)}


def curves(system: System, state: GameState, holder: Seat | GameObject | Team) -> Iterator[Curve]:
    """The life of a player, or of a team that shares it."""
    if isinstance(holder, Player) and not sharing_life(state, holder.id):
        yield "life", holder.id, holder.life
    elif isinstance(holder, Side) and holder.shared_life:
        yield "life", f"team:{holder.id}", holder.life


class MagicWording(Wording, frozen=True, kw_only=True):
    """The words of Magic."""

    card_types = CARD_TYPES


class MagicBoard(Board, frozen=True, kw_only=True):
    """The board of Magic."""

    object_steppers = staticmethod(object_steppers)
    seat_steppers = staticmethod(seat_steppers)
    acts = staticmethod(acts)
    panel = staticmethod(panel)
    shown_by_all = staticmethod(shown_by_all)
    passed_phases = ENDING
    finishing_questions = frozenset({BLOCKS})
    previews = Previews(
        gives=lambda system, state, number: gives(TAPS, state, number),
        becomes=becomes,
        ways=ways,
        kinds=frozenset({"replaced"}),
        told={COMBAT: OUTCOMES, "answer": OUTCOMES},
        whom={COMBAT: whom},
    )

    def next_phases(self, system: System, state: GameState) -> Sequence[str]:
        """The main phase, whatever comes before it."""
        return ("precombat-main",)


class MagicSheets(Sheets, frozen=True, kw_only=True):
    """The sheets of Magic."""

    completed = staticmethod(completed)
    steps = staticmethod(steps)
    seat_facts = staticmethod(player_facts)
    tiles = staticmethod(tiles)
    ticks = staticmethod(usual)
    prompt_facts = staticmethod(prompt_facts)
    object_facts = staticmethod(object_facts)
    known_cards = KNOWN.offer
    known_tokens = TOKENS


class MagicStory(Story, frozen=True, kw_only=True):
    """The story of a game of Magic."""

    phrases = staticmethod(phrases)
    out_because = staticmethod(out_because)
    curves = staticmethod(curves)

    def said_later(self, do: str, event: Mapping[str, Any], later: Sequence[Any]) -> bool:
        """Combat damage to what dies of it needs no word."""
        return (
            event["kind"] == "damaged"
            and do in (COMBAT, "answer")
            and any(each["kind"] == "moved" and each["object"] == event["on"] for each in later)
        )

    def played_as(self, card: Card) -> bool:
        """True for a commander."""
        return card.commander


PRESENTATION = Presentation(
    words=MagicWording(
        as_written=tuple(
            (
                "blank chaos commander commander_damage day dungeon infect kindred life "
                "lifelink name night plane planeswalk tax toxic types wither"
            ).split()
        ),
        names=WORDS,
        questions={
            "rad": _("How many nonland cards does radiation mill?"),
            "siege": _("Is the other face of the Siege cast?"),
            "blocks": _("Who blocks?"),
            "saga": _("Has the last chapter resolved?"),
            "undercity": _("Which room is next?"),
            "puts": _("Who gets it?"),
        },
        numbers={"life": _("life"), "marked": _("damage")},
        counters=COUNTERS,
        pictured=frozenset(
            "+1/+1 -1/-1 marked loyalty defense shield stun lore time charge quest oil level"
            " omen energy experience rad poison".split()
        ),
        into={
            "graveyard": _("to the graveyard"),
            "exile": _("to exile"),
            "hand": _("to hand"),
            "library": _("to the library"),
            "command": _("to the command zone"),
        },
        counted_as=(_("permanent"), _("permanents")),
        sorts={each: _(TYPES[each]) for each in PERMANENT_TYPES},
        several={
            "damage": _("Damage"),
            "change": _("Power and toughness"),
            "lose-life": _("Lose life"),
            "gain-life": _("Gain life"),
            "set-life": _("Life becomes"),
        },
    ),
    board=MagicBoard(
        taps=TAPS,
        plain=frozenset({"life"}),
        player_kinds=(RAD, POISON, "energy", "experience", "ticket"),
        always_shown=FIXED,
    ),
    sheets=MagicSheets(
        object_verbs=("cast", "station", "damage"),
        edit_verbs=("place", "describe", "change", "standing", "mark"),
        seat_verbs=("set-life", "leave", "standing"),
        changes=tuple(
            (f"{by:+d}/{by:+d}".replace("-", "−"), {"power": by, "toughness": by})
            for by in (1, 2, 3, -1, -2, -3)
        ),
        blinks_through="exile",
        suggested=tuple(SUGGESTED),
        deck_headings=tuple(
            "commander commanders companion creature creatures land lands planeswalker"
            " planeswalkers artifact artifacts enchantment enchantments instant instants sorcery"
            " sorceries".split()
        ),
        new_cards=NEW_CARDS,
        asks={RAD: ("milled", "nonland", "library_empty")},
    ),
    story=MagicStory(
        sentences=SENTENCES,
        undo_words={
            "graveyard": DESTROY.label,
            "monarch": _("crown"),
            "initiative": _("initiative"),
            "citys_blessing": _("blessing"),
            "ring_bearer": _("Ring"),
            "ring-tempted": _("Ring"),
            "ventured": _("room"),
            "dungeon-completed": _("dungeon"),
            "standing-began": _("effect"),
            "standing-ended": _("effect"),
            "replaced": _("counters"),
            "commander-cast": _("Cast"),
            "daytime-changed": _("daytime"),
            "spells-cast": _("spells"),
            "spells_cast": _("spells"),
            "attacked": _("attack"),
            "commander-damaged": _("damage"),
            "damaged": _("damage"),
            "speed": _("speed"),
            "sped-up": _("speed"),
            "stationed": _("charge"),
            "turned-over": _("daytime"),
            "exchange-life": _("exchange"),
            "life-lost": _("life"),
            "life-gained": _("life"),
            "drawn": _("card"),
            "milled": _("mill"),
            "restarted": _("restart"),
        },
        causes=CAUSES,
        reasons={"exchange-life": _("life totals exchanged")},
        marks=MARKS,
        moves={"exile": _("%(object)s was exiled from %(from)s")},
        news=frozenset({"standing-began"}),
        announced=frozenset(
            (
                "122.1c 122.1d 122.1h 310.11b 702.179c 704.5f 704.5g 704.5h 704.5i 704.5q 704.5r"
                " 704.5v 714.4 725.2 726.2 722.2 723.2 731.2a 731.2b 728.2a 728.2b"
                " 725.4 726.4 722.4 723.4"
            ).split(),
        ),
        hero="life",
        deals=frozenset({"lose-life", "commander-damage", "combat", "together"}),
        loses_at={"life": 0, POISON: 10},
    ),
    new_game=NewGame(
        icon="sparkles",
        aliases=("mtg", "edh", "cedh", "commander", "magic the gathering"),
        usual_seats=4,
        presets=tuple(
            Preset(
                form.key,
                form.title,
                form.sentence,
                form.given,
                form.seats,
                form.usual,
                {DEATHS: True},
            )
            for form in FORMATS
        ),
        unnamed={"Commander": _("%(seat)s’s commander")},
    ),
)
