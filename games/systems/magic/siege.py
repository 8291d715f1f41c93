"""Sieges: the ability that triggers when the last defense counter is removed.

It waits as a prompt, so that the table can respond to it or counter it. When it resolves, the Siege
is exiled, and its controller may cast it as its other face. Source: docs/COMMANDS.md, Magic 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.rules.cards import change_zone
from games.rules.commands import AMOUNT, NAME, each, one_of, record, table
from games.rules.events import Answered, Described, Event, Prompted, Removed
from games.rules.state import GameState, Prompt
from games.rules.system import System, cites

from .player import BATTLEFIELD, EXILE, PRINTED, SIEGE, TYPES, Card
from .put_counters import arriving

RULE = "310.11b"
DEFENSE, MOVES = "defense", "moves"
FACE = record(
    "what the other face says: name, types, base",
    {"name": NAME, "types": each(one_of(*TYPES)), "base": table(one_of(*PRINTED), AMOUNT)},
)


def is_siege(card: Any) -> bool:
    """True if *card* is a battle with a printed defense: all of them are Sieges."""
    return isinstance(card, Card) and "battle" in card.types and bool(card.base.get(DEFENSE))


@cites("310.11b", "603.3")
def ask(system: System, state: GameState, event: Removed) -> Iterator[Event]:
    """A Siege that has lost its last defense counter asks its controller, if still in the game."""
    card = state.objects.get(event.on)
    if event.counter != DEFENSE or not isinstance(card, Card) or not is_siege(card):
        return
    there = card.on_field and not state.count(card.id, DEFENSE)
    if there and not state.seats[card.controller].lost:
        facts = {MOVES: card.moves}
        prompt = Prompt(f"{SIEGE}:{card.id}", SIEGE, card.controller, card.id, facts)
        yield Prompted.of(state, prompt, rule=RULE)


def waits(state: GameState, card: Card) -> bool:
    """True if the ability of *card* waits to resolve."""
    return any(is_of(prompt, card) for prompt in state.prompts)


@cites("400.7")
def is_of(prompt: Prompt, card: Card) -> bool:
    """True if *prompt* is the ability of *card*, which has not changed zones since."""
    return prompt.source == card.id and prompt.facts.get(MOVES) == card.moves


@cites("310.11b", "712.8a")
def resolve(
    system: System, state: GameState, prompt: Prompt, face: Mapping[str, Any] | None
) -> Iterator[Event]:
    """Exile it; then, if it was cast, it comes back as its other *face*.

    Nothing happens if it has left the battlefield since it triggered.
    """
    assert prompt.source is not None
    card = state.objects[prompt.source]
    assert isinstance(card, Card), card
    yield Answered(prompt.id)
    if not is_of(prompt, card):
        return
    exiled = change_zone(state, card, EXILE, rule=RULE)
    yield exiled
    state = exiled.evolve(state)
    card = state.objects[card.id]
    if face is None or card.zone != EXILE:
        return
    described = Described(card.id, tuple(sorted(face)), face, (prompt.to, card.owner))
    yield described
    state = described.evolve(state)
    moved = change_zone(state, card, BATTLEFIELD, controller=prompt.to)
    arrived = moved.evolve(state).objects[card.id]
    yield from arriving(state, {card.id})(system, state, moved, arrived, {})
