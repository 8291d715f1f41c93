"""The GM's queue, in order, for all screens: follow-ups of an Action, and whispers or answers of
players.

It is a prompt that `Acted` or `Whispered` brings along and no player learns of. A Reaction, and an
Action whose outcome does not matter, call for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from ..rules.commands import PROMPT, Command, Parameter
from ..rules.events import Answered, Event, Prompted
from ..rules.state import GameState, Prompt
from ..rules.system import System, cites
from .counter import GM

FOLLOW_UP = "follow-up"
WHISPER = "whisper"
FOR_THE_GM = frozenset({FOLLOW_UP, WHISPER})
"""The kinds of their prompts."""
MOST_WAITING = 20
"""A GM who never sees to them is not asked about more than the newest."""


@cites("R33")
def follow_up(
    state: GameState, seat: str, outcome: str, at: int | None, done: Sequence[str] = ()
) -> Prompt:
    """The follow-ups of an Action of *seat*. done: the names of those that have happened."""
    facts = {"by": seat, "about": [], "outcome": outcome, **since(at)}
    facts |= {"done": [*done]} if done else {}
    prompt = Prompt(f"{FOLLOW_UP}:{seat}:{outcome}", FOLLOW_UP, GM, None, facts)
    return Prompted.of(state, prompt).waiting


@cites("R33", "R26")
def whisper(state: GameState, seat: str, note: str, at: int | None) -> Prompt:
    """The wait of what *seat* told the GM, until it was read."""
    facts = {"by": seat, "about": [], "note": note, **since(at)}
    return Prompted.of(state, Prompt(f"{WHISPER}:{seat}", WHISPER, GM, None, facts)).waiting


def since(at: int | None) -> dict[str, Any]:
    """The time of a command among the facts of what waits because of it."""
    return {} if at is None else {"at": at}


def waits_too(state: GameState, prompt: Prompt) -> GameState:
    """The state in which *prompt* waits with the others, the oldest gone if they are too many."""
    waiting = [each.id for each in state.prompts if each.kind in FOR_THE_GM]
    if len(waiting) >= MOST_WAITING:
        state = state.without_prompt(waiting[0])
    return replace(state, prompts=(*state.prompts, prompt))


class Dismiss(Command, frozen=True, kw_only=True):
    """Say that what waited for the GM is done, or read. GM only.

    One that no longer waits is nothing to refuse: another screen of the GM's was quicker.
    """

    verb: ClassVar[str] = "dismiss"
    prompt: Annotated[str, Parameter(PROMPT)]


class Dismissed(Answered, frozen=True):
    """The GM has seen to what an Action of *seat* called for, or read what it whispered."""

    kind: ClassVar[str] = "dismissed"
    seat: str
    outcome: str | None = None
    secret: bool = True


@cites("R33")
def dismiss(system: System, state: GameState, command: Dismiss) -> Iterator[Event]:
    prompt = state.prompt(command.prompt)
    if prompt and prompt.kind in FOR_THE_GM:
        yield Dismissed(prompt.id, prompt.facts["by"], prompt.facts.get("outcome"))


def of_note(state: GameState, note: str) -> Iterator[Event]:
    """The end of the wait of *note*, which was answered or struck off."""
    for prompt in state.prompts:
        if prompt.kind == WHISPER and prompt.facts["note"] == note:
            yield Dismissed(prompt.id, prompt.facts["by"])
