"""The commands of Grand Archive that other card games do not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from games.rules import cards, counting, modifiers, ticks
from games.rules.cards import arrives, change_zone
from games.rules.commands import (
    AMOUNT,
    FLAG,
    HOLDER,
    ID,
    NAME,
    OBJECT,
    PROMPT,
    SEAT,
    WAITING,
    Command,
    Parameter,
    each,
    either,
    one_of,
    table,
    whole,
)
from games.rules.counting import refuse_not_enough
from games.rules.events import Answered, Created, Event, PhaseBegan, Prompted, Removed, Spent
from games.rules.marks import refuse_off_field
from games.rules.seating import Leave, leave, refuse_taken
from games.rules.state import GameObject, GameState, Prompt, Refused
from games.rules.system import System, Verb, cites

from .card import ASKED_BY, CLASSES, ELEMENTS, FIELD, INTENT, MAIN, STATS, TYPES, Card, card_of, due
from .damage import Damage, Recover, Wield, damage, recover, takes, wield
from .effects import can_be_damaged
from .facts import (
    ChampionRestored,
    Defeated,
    Drew,
    Leveled,
    MarkedCorrected,
    Reserved,
    Transformed,
)

PRINTED_TYPES = each(one_of(*TYPES))
PRINTED_ELEMENTS = each(one_of(*ELEMENTS))
PRINTED_CLASSES = each(one_of(*CLASSES))
CLASS_BONUS = table(one_of("power", "level", "each_level"), AMOUNT)
PRINTED_STATS = table(one_of(*STATS), AMOUNT)
CHANGING = one_of("power", "life", "level")
SHIFT = table(CHANGING, whole(-9999, 9999))
TIMES = table(CHANGING, whole(0, 99))


@cites("Counters 1", "Counters 1.1", "Counters 5.1")
def can_hold_counters(system: System, state: GameState, holder: object) -> None:
    """Refuse counters on players, and on masteries unless the edition allows them."""
    if not isinstance(holder, GameObject):
        raise Refused(
            "wrong-target", "Players cannot have counters; put them on a card.", "Counters 1"
        )
    if holder.zone == "mastery" and "Counters 5.1" not in system.rulebook.rules:
        raise Refused(
            "wrong-target", "In this edition masteries cannot have counters.", "Counters 1"
        )


# Objects


class Create(cards.Create, frozen=True, kw_only=True):
    """Bring a new card or token into the game; on the field it has its printed durability."""

    types: Annotated[tuple[str, ...], Parameter(PRINTED_TYPES)] = ()
    base: Annotated[Mapping[str, int] | None, Parameter(PRINTED_STATS)] = None
    elements: Annotated[tuple[str, ...], Parameter(PRINTED_ELEMENTS)] = ()
    classes: Annotated[tuple[str, ...], Parameter(PRINTED_CLASSES)] = ()
    bonus: Annotated[Mapping[str, int] | None, Parameter(CLASS_BONUS)] = None


@cites("Intent 1")
def create(system: System, state: GameState, command: Create) -> Iterator[Event]:
    """An attack card comes to the intent, unless it is said where."""
    if command.zone is None and "attack" in command.types and INTENT in system.zones:
        command = replace(command, zone=INTENT)
    return cards.create(system, state, command)


class Describe(cards.Describe, frozen=True, kw_only=True):
    """Correct what a card says, in any zone; no counter comes or goes with it."""

    types: Annotated[tuple[str, ...] | None, Parameter(PRINTED_TYPES)] = None
    base: Annotated[Mapping[str, int] | None, Parameter(PRINTED_STATS)] = None
    elements: Annotated[tuple[str, ...] | None, Parameter(PRINTED_ELEMENTS)] = None
    classes: Annotated[tuple[str, ...] | None, Parameter(PRINTED_CLASSES)] = None
    bonus: Annotated[Mapping[str, int] | None, Parameter(CLASS_BONUS)] = None


class Copy(Command, frozen=True, kw_only=True):
    """Make a token copy of an object: with its printed values, without its counters."""

    verb: ClassVar[str] = "copy"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    as_: Annotated[str, Parameter(ID)]
    controller: Annotated[str | None, Parameter(ID, names=SEAT)] = None


@cites("Counters 5", "Durability 1")
def copy(system: System, state: GameState, command: Copy) -> Iterator[Event]:
    original = card_of(state, command.object)
    refuse_off_field(original)
    refuse_taken(state, command.as_)
    controller = command.controller or original.controller
    token = type(original)(
        id=command.as_,
        name=original.name,
        zone=FIELD,
        owner=controller,
        controller=controller,
        token=True,
        types=original.types,
        elements=original.elements,
        classes=original.classes,
        bonus=original.bonus,
        base=original.base,
    )
    yield from arrives(system, state, Created.of(token), token, {})


class Transform(Command, frozen=True, kw_only=True):
    """Replace the printed values of an object; its counters stay."""

    verb: ClassVar[str] = "transform"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    base: Annotated[Mapping[str, int], Parameter(PRINTED_STATS)]
    types: Annotated[tuple[str, ...] | None, Parameter(PRINTED_TYPES)] = None
    name: Annotated[str | None, Parameter(NAME)] = None


@cites("Game Terms, Transform 2")
def transform(system: System, state: GameState, command: Transform) -> Iterator[Event]:
    card = card_of(state, command.object)
    refuse_off_field(card)
    types = card.types if command.types is None else command.types
    players = (card.controller, card.owner)
    yield Transformed(card.id, command.name or card.name, types, command.base, players)


class LevelUp(Command, frozen=True, kw_only=True):
    """Give a champion its next printed level, with the printed life, new name and classes."""

    verb: ClassVar[str] = "level-up"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    level: Annotated[int, Parameter(whole(0, 99))]
    life: Annotated[int, Parameter(whole(0, 9999))]
    name: Annotated[str | None, Parameter(NAME)] = None
    classes: Annotated[tuple[str, ...] | None, Parameter(PRINTED_CLASSES)] = None


class Delevel(LevelUp, frozen=True, kw_only=True):
    """Give a champion a lower printed level, with the printed life and the name below."""

    verb: ClassVar[str] = "delevel"


@cites(
    "Champion, Leveling Up 2",
    "Champion, Leveling Up 4",
    "Champion, Leveling Up 7.2",
    "Champion, Deleveling 1",
)
def change_level(system: System, state: GameState, command: LevelUp) -> Iterator[Event]:
    """The champion does not change zones: its counters stay, and so does being rested."""
    card = card_of(state, command.object)
    refuse_off_field(card)
    if "champion" not in card.types or "level" not in card.base:
        sentence = "{name} is not a champion with a level."
        raise Refused("wrong-target", sentence, None, name=card.name)
    now = card.base["level"]
    if isinstance(command, Delevel):
        if command.level >= now:
            sentence = "Deleveling goes down: the level must be below {now}."
            raise Refused("wrong-level", sentence, None, now=now)
    elif command.level != now + 1:
        sentence = "The level after {now} is {next}."
        raise Refused("wrong-level", sentence, None, now=now, next=now + 1)
    name, lineage = command.name, card.lineage
    if isinstance(command, Delevel):
        below = lineage[-1] if lineage else None
        name, lineage = name or below, lineage[:-1]
    elif name:
        lineage = (*lineage, card.name)
    down = isinstance(command, Delevel)
    classes = command.classes
    yield Leveled(card.id, command.level, command.life, name, lineage, down, classes)


class Alter(modifiers.Alter, frozen=True, kw_only=True):
    """Change power, life or level by an effect, until the turn ends or, if `lasting`, for good."""

    add: Annotated[Mapping[str, int] | None, Parameter(SHIFT)] = None
    multiply: Annotated[Mapping[str, int] | None, Parameter(TIMES)] = None
    set: Annotated[Mapping[str, int] | None, Parameter(SHIFT)] = None


# Abilities and prompts


class Activate(Command, frozen=True, kw_only=True):
    """Pay for the ability that counters give an object; it waits until answered."""

    verb: ClassVar[str] = "activate"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    ability: Annotated[str, Parameter(one_of("enlighten"))]


def may_activate(system: System, state: GameState, command: Activate) -> None:
    card = state.objects[command.object]
    if card.controller != command.by:
        whose = "Only {seat}, who controls {name}, can use its ability."
        raise Refused("forbidden", whose, "Enlighten 1", seat=card.controller, name=card.name)


@cites("Enlighten 1", "Counters 2")
def activate(system: System, state: GameState, command: Activate) -> Iterator[Event]:
    card = state.objects[command.object]
    refuse_off_field(card)
    refuse_not_enough(state, card.id, "enlighten", 3)
    yield Spent(card.id, "enlighten", 3)
    prompt = Prompt(f"enlighten:{card.id}", "enlighten", command.by, card.id)
    yield Prompted.of(state, prompt, rule="Enlighten 1")


class Answer(Command, frozen=True, kw_only=True):
    """Resolve a waiting ability.

    paid: for wither, the objects that were paid for. use: for static, the object asked about, or
    nothing to keep its counter. on: for what a card puts, the one that gets it.
    """

    verb: ClassVar[str] = "answer"
    prompt: Annotated[str, Parameter(PROMPT, names=WAITING)]
    paid: Annotated[
        tuple[str, ...] | Mapping[str, int] | None,
        Parameter(either(each(ID), table(ID, AMOUNT)), names=OBJECT, even_gone=True),
    ] = None
    use: Annotated[tuple[str, ...] | None, Parameter(each(ID), names=OBJECT, even_gone=True)] = None
    on: Annotated[str | None, Parameter(ID, names=HOLDER)] = None


@cites("Triggered Abilities 5.1")
def answer(system: System, state: GameState, command: Answer) -> Iterator[Event]:
    prompt = state.prompt(command.prompt)
    assert prompt is not None
    if command.paid is not None and prompt.kind != "wither":
        raise Refused(
            "wrong-facts", "This does not cost reserve; leave out “paid”.", ASKED_BY[prompt.kind]
        )
    if command.use is not None and prompt.kind != "static":
        raise Refused("wrong-facts", "This uses no static counter; leave out “use”.")
    if command.on is not None and prompt.kind != ticks.PUTS:
        raise Refused("wrong-facts", "This puts no counter; leave out “on”.")
    if prompt.kind == "enlighten":
        yield Answered(prompt.id)
        yield Drew(prompt.to, 1, rule="Enlighten 1")
    elif prompt.kind == "static":
        yield from _static(system, state, prompt, command.use)
    elif prompt.kind == ticks.PUTS:
        yield from ticks.answered(system, state, prompt, command.on)
    else:
        if command.paid is None:
            raise Refused(
                "wrong-facts", "Say which objects you paid for, even if there are none.", "Wither 1"
            )
        yield Answered(prompt.id)
        yield from _wither(state, prompt.to, due(system, state, prompt.to), command.paid)


@cites("Static 1", "Static 1.1")
def _static(
    system: System, state: GameState, prompt: Prompt, use: tuple[str, ...] | None
) -> Iterator[Event]:
    """A counter that is used comes off, and its object deals 1 damage to what was hit."""
    if use is None or not set(use) <= {prompt.source}:
        sentence = "Name the object whose static counter you use, or none."
        raise Refused("wrong-facts", sentence, "Static 1.1")
    for holder in use:
        refuse_not_enough(state, holder, "static", 1)
    yield Answered(prompt.id)
    for holder in use:
        yield Removed(holder, "static", 1, rule="Static 1")
        hit = card_of(state, prompt.facts["hit"])
        if hit.on_field and can_be_damaged(system, hit):
            yield from takes(system, state, hit, 1)


@cites("Wither 1", "Wither 3", "Wither 4")
def _wither(
    state: GameState, seat: str, owed: Mapping[str, int], paid: tuple[str, ...] | Mapping[str, int]
) -> Iterator[Event]:
    """Objects not paid for in full are sacrificed; then the others lose all wither counters.

    A part payment counts as none and costs nothing (our reading). What is owed is counted now.
    """
    kept = {
        on: amount
        for on, amount in owed.items()
        if on in paid and (not isinstance(paid, Mapping) or paid[on] >= amount)
    }
    if kept:
        yield Reserved(seat, sum(kept.values()), rule="Wither 1")
    for on in owed:
        if on not in kept:
            card = card_of(state, on)
            if "champion" in card.types and not card.defeated:
                yield Defeated(on, rule="Damage 3")
                card = replace(card, defeated=True)
            yield change_zone(state, card, "graveyard", "sacrificed", rule="Wither 3")
    for on, amount in kept.items():
        yield Removed(on, "wither", amount, rule="Wither 4")


# The turn


class BeginTurn(cards.BeginTurn, frozen=True, kw_only=True):
    """Begin the turn of a seat, or of several that share a turn, in the first phase.

    to_main: go on to the main phase at once, unless wither is due there, or is put on the way; on
    the way begin the phases in which a number changes by itself.
    """

    usual: ClassVar[Mapping[str, Any]] = {"to_main": True}
    to_main: Annotated[bool, Parameter(FLAG)] = False


@cites("End Phase 3")
def begin_turn(system: System, state: GameState, command: BeginTurn) -> Iterator[Event]:
    """The old turn ends first: marked damage, and the changes and marks that do not last."""
    began = list(cards.begin_turn(system, state, command))
    yield from modifiers.end(state, "End Phase 3")
    yield from began
    if command.to_main:
        for event in began:
            state = event.evolve(state)
        now = yield from ticks.on_the_way(system, state, MAIN)
        withers = {key: one for key, one in state.ticks.items() if one["counter"] == "wither"}
        before_main = system.phases[: system.phases.index(MAIN)]
        soon = any(ticks.due(state.with_ticks(withers), phase) for phase in before_main)
        if not soon and not any(due(system, state, seat) for seat in command.active):
            yield PhaseBegan(MAIN, now)


MARKED = "marked"
"""The word of `correct` for the damage on an ally; no card uses it for a kind of counter."""


def correct(
    system: System, state: GameState, command: counting.CorrectAndRestore
) -> Iterator[Event]:
    """Set a number of counters; "marked" sets the damage on an ally.

    With `restore`, a defeated champion stands again, and its player may come back.
    """
    card = state.objects.get(command.on)
    restore = command.restore or None
    if command.counter == MARKED and isinstance(card, Card) and card.on_field:
        if "ally" in card.types:
            yield MarkedCorrected(
                on=card.id, counter=MARKED, from_=card.marked, to=command.to, restore=restore
            )
            return
    for event in counting.correct(system, state, command):
        if restore and isinstance(card, Card) and "champion" in card.types:
            counter, before = event.counter, event.from_
            yield ChampionRestored(
                on=card.id, counter=counter, from_=before, to=event.to, restore=True
            )
        else:
            yield event


VERBS: Mapping[str, Verb] = {
    **cards.VERBS,
    **ticks.VERBS,
    "create": Verb(Create, create),
    "copy": Verb(Copy, copy),
    "transform": Verb(Transform, transform),
    "level-up": Verb(LevelUp, change_level),
    "delevel": Verb(Delevel, change_level),
    "describe": Verb(Describe, cards.describe),
    "change": Verb(Alter, modifiers.alter),
    "damage": Verb(Damage, damage),
    "correct": Verb(counting.CorrectAndRestore, correct),
    "recover": Verb(Recover, recover),
    "wield": Verb(Wield, wield),
    "activate": Verb(Activate, activate, may_activate),
    "answer": Verb(Answer, answer, cards.may_answer),
    "leave": Verb(Leave, leave),
    "begin-turn": Verb(BeginTurn, begin_turn),
}
