"""The answers to what the rules ask: a coin, Prize cards, a new Active Pokémon, a full Bench."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from games.rules.cards import change_zone
from games.rules.commands import FLAG, ID, OBJECT, PROMPT, WAITING, Command, Parameter, each, one_of
from games.rules.dice import HEADS, TAILS, Tossed
from games.rules.events import Answered, Event
from games.rules.state import GameState, Prompt, Refused
from games.rules.system import System, cites

from .attacking import while_confused
from .card import BENCH, BURNED, CONFUSED, DISCARD, PRIZES, REMAINS, pokemon
from .facts import Cured, NoneLeft, Promoted
from .knocked_out import over
from .play import WORTH
from .winning import taken

ASKED = {
    "burned": frozenset({"coin", "stays"}),
    "asleep": frozenset({"coin", "stays"}),
    "confused": frozenset({"coin"}),
    "prizes": frozenset({"prizes"}),
    "promote": frozenset({"object"}),
    "bench": frozenset({"objects"}),
    REMAINS: frozenset(),
}
"""The parameters that answer a question of each kind."""


class Answer(Command, frozen=True, kw_only=True):
    """Answer a question.

    coin: how it fell; if several are flipped, heads means that all of them are. stays: the
    condition stays whatever the coin says, because of a card. prizes: how many Prize cards are
    taken; by default, as many as the question proposes. object: the Benched Pokémon that becomes
    Active. objects: the Benched Pokémon that are discarded. Without any: no Pokémon is left.
    """

    verb: ClassVar[str] = "answer"
    prompt: Annotated[str, Parameter(PROMPT, names=WAITING)]
    coin: Annotated[str | None, Parameter(one_of(HEADS, TAILS))] = None
    stays: Annotated[bool, Parameter(FLAG)] = False
    prizes: Annotated[int | None, Parameter(WORTH)] = None
    object: Annotated[str | None, Parameter(ID, names=OBJECT)] = None
    objects: Annotated[tuple[str, ...] | None, Parameter(each(ID, 1), names=OBJECT)] = None


def answer(system: System, state: GameState, command: Answer) -> Iterator[Event]:
    prompt = state.prompt(command.prompt)
    assert prompt is not None
    _refuse_other_facts(prompt, command)
    if prompt.kind == PRIZES:
        yield from _prizes(state, prompt, command)
    elif prompt.kind == "promote":
        yield from _promote(state, prompt, command)
    elif prompt.kind == "bench":
        yield from _discard(state, prompt, command)
    elif prompt.kind == REMAINS:
        yield from _none_left(prompt)
    else:
        yield from _coin(state, prompt, command)


def _refuse_other_facts(prompt: Prompt, command: Answer) -> None:
    """Refuse parameters that do not answer this question."""
    given = {
        "coin": command.coin is not None,
        "stays": command.stays,
        "prizes": command.prizes is not None,
        "object": command.object is not None,
        "objects": command.objects is not None,
    }
    for part in given:
        if given[part] and part not in ASKED[prompt.kind]:
            sentence = "“{part}” does not answer this question."
            raise Refused("wrong-facts", sentence, None, part=part)


@cites("Prizes 4", "Prizes 5")
def _prizes(state: GameState, prompt: Prompt, command: Answer) -> Iterator[Event]:
    number = prompt.facts["due"] if command.prizes is None else command.prizes
    yield Answered(prompt.id)
    yield from taken(state, prompt.to, number, "Prizes 3")


@cites("Knocked Out 7")
def _promote(state: GameState, prompt: Prompt, command: Answer) -> Iterator[Event]:
    if command.object is None:
        raise Refused("wrong-facts", "Which Benched Pokémon becomes Active?", "Knocked Out 7")
    _refuse_not_benched(state, prompt.to, command.object)
    yield Answered(prompt.id)
    yield Promoted(command.object, prompt.to, rule="Knocked Out 7")


@cites("Bench 2", "Prizes 6")
def _discard(state: GameState, prompt: Prompt, command: Answer) -> Iterator[Event]:
    """This is not a Knock Out and is worth no Prize cards."""
    number, named = over(state, prompt.to), command.objects or ()
    if len(named) != number:
        sentence = "Discard exactly as many as you have too many: {n}."
        raise Refused("wrong-facts", sentence, "Bench 2", n=number)
    for one in named:
        _refuse_not_benched(state, prompt.to, one)
    yield Answered(prompt.id)
    for one in named:
        yield change_zone(state, state.objects[one], DISCARD, rule="Bench 2")


@cites("Winning 2", "Reading 2")
def _none_left(prompt: Prompt) -> Iterator[Event]:
    yield Answered(prompt.id)
    yield NoneLeft(prompt.to, rule="Winning 2")


def _refuse_not_benched(state: GameState, seat: str, pokemon_id: str) -> None:
    mon = pokemon(state, pokemon_id)
    if mon.owner != seat or mon.zone != BENCH:
        raise Refused("wrong-target", "{name} is not on your Bench.", "Bench 1", name=mon.name)


@cites("Burned 1", "Burned 3", "Asleep 2", "Asleep 3")
def _coin(state: GameState, prompt: Prompt, command: Answer) -> Iterator[Event]:
    """Heads ends Burned and Asleep; Confused decides about an attack instead."""
    if command.coin is None:
        raise Refused("wrong-facts", "Say how the coin fell.", None)
    mon = pokemon(state, prompt.source or "")
    yield Answered(prompt.id)
    if prompt.kind == CONFUSED:
        yield from while_confused(state, mon, command.coin)
        return
    rule = "Burned 1" if prompt.kind == BURNED else "Asleep 2"
    yield Tossed(prompt.to, command.coin, True, rule=rule)
    if command.coin == HEADS and not command.stays:
        yield Cured(mon.id, prompt.kind, rule=rule)
