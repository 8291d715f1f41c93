"""Sagas: the last chapter ability, after which a Saga is sacrificed.

It waits as a prompt, so that the table can respond to it or counter it; either way the Saga is
sacrificed once it has left the stack. Source: docs/COMMANDS.md, Magic 8.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.cards import change_zone
from games.rules.events import Answered, Event, Placed, Prompted
from games.rules.state import GameState, Prompt
from games.rules.system import System, cites

from .player import GRAVEYARD, SAGA, Card
from .siege import MOVES, is_of

RULE = "714.4"
LORE, CHAPTERS = "lore", "chapters"


@cites("714.2c")
def ask(system: System, state: GameState, event: Placed) -> Iterator[Event]:
    """A Saga that has just reached its last chapter asks its controller, if still in the game."""
    card = state.objects.get(event.on)
    if event.counter != LORE or not isinstance(card, Card) or not card.on_field:
        return
    last, now = card.base.get(CHAPTERS, 0), state.count(card.id, LORE)
    if now - event.amount < last <= now and not state.seats[card.controller].lost:
        facts = {MOVES: card.moves}
        prompt = Prompt(f"{SAGA}:{card.id}", SAGA, card.controller, card.id, facts)
        yield Prompted.of(state, prompt, rule="714.2c")


@cites(RULE)
def is_read(state: GameState, card: Card) -> bool:
    """True if *card* is a Saga with as many lore counters as chapters."""
    return 0 < card.base.get(CHAPTERS, 0) <= state.count(card.id, LORE)


def resolve(state: GameState, prompt: Prompt) -> Iterator[Event]:
    """The last chapter has resolved: the Saga is sacrificed, if it is there with its lore."""
    card = state.objects[prompt.source or ""]
    answered = Answered(prompt.id)
    yield answered
    others = answered.evolve(state).prompts
    if isinstance(card, Card) and card.on_field and is_of(prompt, card) and is_read(state, card):
        if not any(is_of(other, card) for other in others):
            yield change_zone(state, card, GRAVEYARD, "sacrificed", rule=RULE)
