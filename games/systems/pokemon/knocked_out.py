"""Knock Outs: batches of them, at three moments, and the questions that follow.

During the set-up, while an attack is under way, and while a coin of Pokémon Checkup is still
awaited, no Pokémon is Knocked Out whatever its damage. As soon as none is the case, all Pokémon
without HP go at once, both players', Active or Benched. Then Prize cards are taken, then the game
may be won, and then new Active Pokémon are chosen, the next player first.

A command may Knock Out a Pokémon that it did not touch (by ending an attack), so these effects look
at all Pokémon in play; there are a dozen at most.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from games.rules.cards import change_zone
from games.rules.commands import ID, OBJECT, Command, Parameter, one_or_more, table
from games.rules.events import Event, Prompted, Voided
from games.rules.marks import refuse_off_field
from games.rules.state import GameState, Prompt
from games.rules.system import System, cites

from .card import (
    ACTIVE,
    ASLEEP,
    ATTACK,
    BURNED,
    CHECKUP,
    CONFUSED,
    DISCARD,
    MOST_PRIZES,
    PRIZES,
    REMAINS,
    SETUP,
    Pokemon,
    active,
    bench,
    counts_as_knocked_out,
    has_no_hp_left,
    in_play,
    next_first,
    opponent,
    phase,
    player,
    pokemon,
    tens,
    their_turn,
    turn_number,
)
from .damage import MOST_AT_ONCE, take_damage
from .facts import Doomed, KnockedOut, Promoted
from .winning import decided, unsure

ALSO = table(ID, tens(10, MOST_AT_ONCE))
"""Damage that comes at the same time: Pokémon to amount."""


@cites("Knocked Out 2", "Knocked Out 3", "Knocked Out 4")
def suspended(state: GameState) -> bool:
    """True if Knock Outs must wait: the set-up, an attack or a Checkup is not over."""
    coins = any(prompt.kind in (BURNED, ASLEEP) for prompt in state.prompts)
    return coins or phase(state) in (SETUP, ATTACK)


def due(state: GameState) -> list[Pokemon]:
    """The Pokémon that are Knocked Out at the next moment for it, by id."""
    found = [each for each in in_play(state) if each.doomed or has_no_hp_left(state, each)]
    return sorted(found, key=lambda each: each.id)


def knock_out(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """All Pokémon without HP are Knocked Out together, unless Knock Outs must wait."""
    if suspended(state):
        return ()
    fallen = due(state)
    return _batch(state, fallen) if fallen else ()


@cites("Knocked Out 1", "Knocked Out 5", "Knocked Out 6", "Knocked Out 8", "Prizes 3")
def _batch(state: GameState, fallen: list[Pokemon]) -> Iterator[Event]:
    for each in fallen:
        rule = "Knocked Out 6" if each.doomed else "Knocked Out 1"
        turn = 0
        counts = counts_as_knocked_out(each.name)
        if counts and phase(state) != CHECKUP and not their_turn(state, each.owner):
            turn = turn_number(state)
        yield KnockedOut(each.id, each.owner, each.prizes, turn, rule=rule)
    for each in fallen:
        yield change_zone(state, each, DISCARD, "knocked-out", rule="Knocked Out 5")
    for seat in state.seats:
        earned = [each for each in fallen if opponent(state, each.owner) == seat]
        yield from _ask_for_prizes(state, seat, earned)


@cites("Prizes 3", "Prizes 4", "Prizes 5")
def _ask_for_prizes(state: GameState, seat: str, earned: list[Pokemon]) -> Iterator[Event]:
    """Ask how many Prize cards *seat* took, and propose a number."""
    proposed = sum(each.prizes for each in earned)
    number = min(proposed, state.count(seat, PRIZES), MOST_PRIZES)
    if number:
        facts = {"due": number, "objects": [each.id for each in earned]}
        prompt = Prompt(f"{PRIZES}:{seat}", PRIZES, seat, None, facts)
        yield Prompted.of(state, prompt, rule="Prizes 3")


class KnockOut(Command, frozen=True, kw_only=True):
    """Knock Pokémon Out by the text of a card, whatever their damage.

    also: damage that the same effect does, so that all Knock Outs are one batch.
    """

    verb: ClassVar[str] = "knock-out"
    object: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=OBJECT)]
    also: Annotated[Mapping[str, int] | None, Parameter(ALSO, names=OBJECT)] = None


@cites("Knocked Out 6")
def by_text(system: System, state: GameState, command: KnockOut) -> Iterator[Event]:
    also = command.also or {}
    for each in (*command.object, *also):
        refuse_off_field(state.objects[each])
    for each, amount in also.items():
        yield from take_damage(state, each, amount, "effect")
    for each in command.object:
        if not pokemon(state, each).doomed:
            yield Doomed(each)


# What is asked afterwards


def waits(state: GameState, kind: str, seat: str | None = None) -> bool:
    """True if a question of that kind waits, for *seat* or for anyone."""
    return any(each.kind == kind and seat in (None, each.to) for each in state.prompts)


@cites("Knocked Out 7", "Prizes 5", "Bench 2")
def ask(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """Ask who has none left about the Bench, or else for room there, then for a new Active Pokémon
    where there is none. Only once all
    Knock Outs are done and all Prize cards taken, and only if nobody has won by then. Knock Outs
    wait for no coin that makes no sense any more.
    """
    if state.result is not None or phase(state) == SETUP or waits(state, PRIZES) or _moot(state):
        return ()
    if (due(state) and not suspended(state)) or decided(state):
        return ()
    if seats := unsure(state):
        return [_remains(state, seat) for seat in seats if not waits(state, REMAINS, seat)]
    if (crowded := [*_too_many(state)]) or waits(state, "bench"):
        return crowded
    for seat in next_first(state):
        if active(state, seat) is None and bench(state, seat):
            return () if waits(state, "promote") else _promotion(state, seat)
    return ()


@cites("Winning 2", "Reading 2")
def _remains(state: GameState, seat: str) -> Event:
    prompt = Prompt(f"{REMAINS}:{seat}", REMAINS, seat, None)
    return Prompted.of(state, prompt, rule="Winning 2")


@cites("Knocked Out 7")
def _promotion(state: GameState, seat: str) -> Iterator[Event]:
    """The player chooses, unless there is only one Benched Pokémon."""
    able = bench(state, seat)
    if len(able) == 1:
        yield Promoted(able[0].id, seat, rule="Knocked Out 7")
    else:
        prompt = Prompt(f"promote:{seat}", "promote", seat, None)
        yield Prompted.of(state, prompt, rule="Knocked Out 7")


@cites("Bench 2")
def _too_many(state: GameState) -> Iterator[Event]:
    for seat in next_first(state):
        if over(state, seat) and not waits(state, "bench", seat):
            yield Prompted.of(state, Prompt(f"bench:{seat}", "bench", seat, None), rule="Bench 2")


def over(state: GameState, seat: str) -> int:
    """The number of Pokémon too many on the Bench."""
    return max(0, len(bench(state, seat)) - player(state, seat).bench_limit)


@cites("Reading 1")
def let_go(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """A question that no longer makes sense is voided."""
    return [Voided(each.id, rule="Reading 1") for each in _moot(state)]


def _moot(state: GameState) -> list[Prompt]:
    return [
        each for each in state.prompts if not state.seats[each.to].lost and _is_moot(state, each)
    ]


def _is_moot(state: GameState, prompt: Prompt) -> bool:
    seat = prompt.to
    if prompt.kind in (BURNED, ASLEEP, CONFUSED):
        mon = pokemon(state, prompt.source or "")
        return mon.zone != ACTIVE or prompt.kind not in mon.conditions
    if prompt.kind == PRIZES:
        return not state.count(seat, PRIZES)
    if prompt.kind == REMAINS:
        return seat not in unsure(state)
    if prompt.kind == "promote":
        return active(state, seat) is not None or not bench(state, seat)
    return not over(state, seat)
