"""Follow-ups of an Action: each waits for the GM, and is done once for all screens.

A follow-up is a prompt that `Acted` brings along and no player learns of. A Reaction, and an Action
whose outcome does not matter, call for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec.structs import replace

from games.rules.commands import PROMPT, Command, Parameter
from games.rules.events import Answered, Event, Prompted
from games.rules.state import GameState, Prompt
from games.rules.system import System, cites

from .counter import GM, refuse_players

FOLLOW_UP = "follow-up"
"""The kind of its prompt."""
MOST_WAITING = 20
"""A GM who never sees to them is not asked about more than the newest."""


@cites("R33")
def follow_up(state: GameState, seat: str, outcome: str) -> Prompt:
    """The follow-ups of an Action of *seat*."""
    facts = {"by": seat, "about": [], "outcome": outcome}
    prompt = Prompt(f"{FOLLOW_UP}:{seat}:{outcome}", FOLLOW_UP, GM, None, facts)
    return Prompted.of(state, prompt).waiting


def waits_too(state: GameState, prompt: Prompt) -> GameState:
    """The state in which *prompt* waits with the others, the oldest gone if they are too many."""
    waiting = [each.id for each in state.prompts if each.kind == FOLLOW_UP]
    if len(waiting) >= MOST_WAITING:
        state = state.without_prompt(waiting[0])
    return replace(state, prompts=(*state.prompts, prompt))


class Dismiss(Command, frozen=True, kw_only=True):
    """Say that what an Action called for is done, or that nothing follows. GM only.

    One that no longer waits is nothing to refuse: another screen of the GM's was quicker.
    """

    verb: ClassVar[str] = "dismiss"
    prompt: Annotated[str, Parameter(PROMPT)]


class Dismissed(Answered, frozen=True):
    """The GM has seen to what an Action of *seat* called for."""

    kind: ClassVar[str] = "dismissed"
    seat: str
    outcome: str
    secret: bool = True


@cites("R33")
def may_dismiss(system: System, state: GameState, command: Dismiss) -> None:
    refuse_players(state, command.by)


@cites("R33")
def dismiss(system: System, state: GameState, command: Dismiss) -> Iterator[Event]:
    prompt = state.prompt(command.prompt)
    if prompt and prompt.kind == FOLLOW_UP:
        yield Dismissed(prompt.id, prompt.facts["by"], prompt.facts["outcome"])
