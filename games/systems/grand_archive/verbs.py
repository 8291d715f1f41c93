"""The commands of Grand Archive that other card games do not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from games.rules import cards, counting
from games.rules.cards import arrives, change_zone, refuse_off_field, refuse_taken
from games.rules.commands import (
    AMOUNT,
    FLAG,
    ID,
    NAME,
    OBJECT,
    PROMPT,
    SEAT,
    WAITING,
    Command,
    each,
    either,
    invalid,
    one_of,
    parameter,
    table,
    whole,
)
from games.rules.counting import Correct, refuse_not_enough
from games.rules.events import Answered, Created, Event, Prompted, Removed, Spent
from games.rules.state import GameObject, GameState, Prompt, Refused
from games.rules.system import System, Verb, cites

from .card import FIELD, STATS, TYPES, Card, card_of, due
from .damage import Damage, Recover, Wield, damage, recover, wield
from .facts import (
    Changed,
    Defeated,
    Drew,
    Leveled,
    MarkedCorrected,
    Reserved,
    Transformed,
    TurnEnded,
)

PRINTED_TYPES = each(one_of(*TYPES))
PRINTED_STATS = table(one_of(*STATS), AMOUNT)
SHIFT = table(one_of("power", "life"), whole(-9999, 9999))
TIMES = table(one_of("power", "life"), whole(0, 99))


@cites("Counters 1", "Counters 5.1")
def can_hold_counters(system: System, state: GameState, holder: object) -> None:
    """Refuse counters on players, and on masteries unless the edition allows them."""
    if not isinstance(holder, GameObject):
        raise Refused(
            "wrong-target", "Players cannot have counters; put them on a card.", "Counters 1"
        )
    if holder.zone == "mastery" and "Counters 5.1" not in system.rules:
        raise Refused(
            "wrong-target", "In this edition masteries cannot have counters.", "Counters 1"
        )


# Objects


@dataclass(frozen=True, slots=True, kw_only=True)
class Create(cards.Create):
    """Bring a new card or token into the game; on the field it has its printed durability."""

    types: tuple[str, ...] = parameter(PRINTED_TYPES, ())
    base: Mapping[str, int] | None = parameter(PRINTED_STATS, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy(Command):
    """Make a token copy of an object: with its printed values, without its counters."""

    verb: ClassVar[str] = "copy"
    object: str = parameter(ID, names=OBJECT)
    as_: str = parameter(ID)
    controller: str | None = parameter(ID, None, names=SEAT)


@cites("Counters 5", "Durability 1")
def copy(system: System, state: GameState, command: Copy) -> Iterator[Event]:
    original = card_of(state, command.object)
    refuse_off_field(original)
    refuse_taken(state, command.as_)
    controller = command.controller or original.controller
    token = Card(
        id=command.as_,
        name=original.name,
        zone=FIELD,
        owner=controller,
        controller=controller,
        token=True,
        types=original.types,
        base=original.base,
    )
    yield from arrives(system, Created.of(token), token, {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform(Command):
    """Replace the printed values of an object; its counters stay."""

    verb: ClassVar[str] = "transform"
    object: str = parameter(ID, names=OBJECT)
    base: Mapping[str, int] = parameter(PRINTED_STATS)
    types: tuple[str, ...] | None = parameter(PRINTED_TYPES, None)
    name: str | None = parameter(NAME, None)


@cites("Game Terms, Transform 2")
def transform(system: System, state: GameState, command: Transform) -> Iterator[Event]:
    card = card_of(state, command.object)
    refuse_off_field(card)
    types = card.types if command.types is None else command.types
    players = (card.controller, card.owner)
    yield Transformed(card.id, command.name or card.name, types, command.base, players)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelUp(Command):
    """Give a champion its next printed level, with the printed life and new name."""

    verb: ClassVar[str] = "level-up"
    object: str = parameter(ID, names=OBJECT)
    level: int = parameter(whole(0, 99))
    life: int = parameter(whole(0, 9999))
    name: str | None = parameter(NAME, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delevel(LevelUp):
    """Give a champion a lower printed level, with the printed life and the name below."""

    verb: ClassVar[str] = "delevel"


@cites("Champion, Leveling Up 7.2.1", "Champion, Deleveling 1")
def change_level(system: System, state: GameState, command: LevelUp) -> Iterator[Event]:
    """The champion does not change zones: damage and all other counters stay."""
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
    yield Leveled(card.id, command.level, command.life, name, lineage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alter(Command):
    """Change power or life by an effect, until the turn ends or, if `lasting`, for good."""

    verb: ClassVar[str] = "change"
    object: str = parameter(ID, names=OBJECT)
    add: Mapping[str, int] | None = parameter(SHIFT, None)
    multiply: Mapping[str, int] | None = parameter(TIMES, None)
    set: Mapping[str, int] | None = parameter(SHIFT, None)
    swap: bool = parameter(FLAG, False)
    lasting: bool = parameter(FLAG, False)

    def check(self, system: System) -> None:
        ways = (self.add, self.multiply, self.set, self.swap or None)
        if sum(way is not None for way in ways) != 1:
            raise invalid("Give one of “add”, “multiply”, “set” and “swap”.")


def alter(system: System, state: GameState, command: Alter) -> Iterator[Event]:
    refuse_off_field(card_of(state, command.object))
    yield Changed(
        command.object,
        add=command.add,
        multiply=command.multiply,
        set=command.set,
        swap=command.swap or None,
        lasting=command.lasting,
    )


# Abilities and prompts


@dataclass(frozen=True, slots=True, kw_only=True)
class Activate(Command):
    """Pay for the ability that counters give an object; it waits until answered."""

    verb: ClassVar[str] = "activate"
    object: str = parameter(ID, names=OBJECT)
    ability: str = parameter(one_of("enlighten"))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Command):
    """Resolve a waiting ability; for wither, name the objects that were paid for."""

    verb: ClassVar[str] = "answer"
    prompt: str = parameter(PROMPT, names=WAITING)
    paid: tuple[str, ...] | Mapping[str, int] | None = parameter(
        either(each(ID), table(ID, AMOUNT)), None, names=OBJECT, even_gone=True
    )


def answer(system: System, state: GameState, command: Answer) -> Iterator[Event]:
    prompt = state.prompt(command.prompt)
    assert prompt is not None
    if prompt.kind == "enlighten":
        if command.paid is not None:
            raise Refused(
                "wrong-facts", "Drawing does not cost reserve; leave out “paid”.", "Enlighten 1"
            )
        yield Answered(prompt.id)
        yield Drew(prompt.to, 1, rule="Enlighten 1")
        return
    if command.paid is None:
        raise Refused(
            "wrong-facts", "Say which objects you paid for, even if there are none.", "Wither 1"
        )
    yield Answered(prompt.id)
    yield from _wither(state, prompt.to, due(system, state, prompt.to), command.paid)


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


@cites("End Phase 3")
def begin_turn(system: System, state: GameState, command: cards.BeginTurn) -> Iterator[Event]:
    """The old turn ends first, and with it marked damage and changes that do not last."""
    began = list(cards.begin_turn(system, state, command))
    ending = tuple(
        sorted(
            card.id
            for card in state.objects.values()
            if isinstance(card, Card)
            and (card.marked or any(not change.lasting for change in card.changes))
        )
    )
    if ending:
        yield TurnEnded(ending, rule="End Phase 3")
    yield from began


MARKED = "marked"
"""What `correct` calls the damage on an ally; no card uses the word for a kind of counter."""


def correct(system: System, state: GameState, command: Correct) -> Iterator[Event]:
    """Set a number of counters; "marked" sets the damage on an ally."""
    card = state.objects.get(command.on)
    if command.counter == MARKED and isinstance(card, Card) and card.on_field:
        if "ally" in card.types:
            yield MarkedCorrected(card.id, MARKED, card.marked, command.to)
            return
    yield from counting.correct(system, state, command)


VERBS: Mapping[str, Verb] = {
    **cards.VERBS,
    "create": Verb(Create, cards.create),
    "copy": Verb(Copy, copy),
    "transform": Verb(Transform, transform),
    "level-up": Verb(LevelUp, change_level),
    "delevel": Verb(Delevel, change_level),
    "change": Verb(Alter, alter),
    "damage": Verb(Damage, damage),
    "correct": Verb(Correct, correct),
    "recover": Verb(Recover, recover),
    "wield": Verb(Wield, wield),
    "activate": Verb(Activate, activate, may_activate),
    "answer": Verb(Answer, answer, cards.may_answer),
    "begin-turn": Verb(cards.BeginTurn, begin_turn),
}
