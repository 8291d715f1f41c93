"""Chairs at which nobody sits: they do not play, unless somebody names a player for them.

As a game begins, the table takes them away in the entry of the command with which it begins, so
that Undo brings them back. At a table without turns it begins, for them, with the first loss.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Q

from games.models import Seat
from games.rules.engine import names_in, read, step
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.systems import presentation_of

LEAST = 2
"""The players of a table at which each has a phone or a name; one phone alone plays for all."""
BEGINS = frozenset({"begin-turn", "begin-phase", "press"})
"""The verbs with which a game begins; lots begin it too."""
SEATING = frozenset({"sit-out", "sit-down"})
TAKEN_AWAY = Q(command__steps__0__do="sit-out")
"""The entries in which chairs were taken away."""


def absent(state: GameState) -> Collection[str]:
    """The chairs that were taken away as the game began: no screen lists them as players."""
    return state.absent or ()


def empty(system: System, seats: Mapping[str, Seat], state: GameState) -> list[str]:
    """The chairs that are taken away as the game begins; none once it has begun."""
    if state.absent is not None or "sit-out" not in system.verbs:
        return []
    playing = [seat.id for seat in state.remaining()]
    free = (key for key in playing if key in seats and seats[key].free)
    found = [key for key in free if _untouched(system, state, key)]
    return found if len(playing) - len(found) >= LEAST else []


def play_for(seats: Mapping[str, Seat], state: GameState) -> None:
    """Let *seats* without a phone look like players once the game has begun: who was not taken away
    is played for, as on one phone for all."""
    begun = state.absent is not None
    for seat in seats.values():
        seat.played_for = begun


def begun(system: System, seats: Mapping[str, Seat], state: GameState) -> GameState:
    """*state* as the game begins: the empty chairs have gone."""
    for each in _steps("sit-out", empty(system, seats, state)):
        state, _events = step(system, state, read(system, each, next(iter(state.seats))))
    return state


def _untouched(system: System, state: GameState, seat: str) -> bool:
    """True if all that *seat* has is as at the opening: nobody plays for it."""
    unnamed = presentation_of(system).new_game.unnamed
    theirs = (each for each in state.objects.values() if seat in (each.owner, each.controller))
    return (state.seats[seat], state.on(seat)) == system.seating.late_seat(
        system, state, seat
    ) and all(each.name in unnamed and not state.on(each.id) for each in theirs)


def leaving(system: System, seats: Mapping[str, Seat], state: GameState) -> dict[str, Any] | None:
    """What the host gives before what is no step of an entry; None if no chair is empty."""
    away = empty(system, seats, state)
    return {"do": "together", "steps": _steps("sit-out", away)} if away else None


def taken_away(chairs: Sequence[str], drawn: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lots by which the first turn was *drawn*, after the empty *chairs* have gone.

    Dice stand alone: the server rolls them.
    """
    if not (chairs and drawn.get("begin")):
        return [dict(drawn)]
    away = {"do": "together", "steps": _steps("sit-out", chairs), "by": drawn["by"]}
    return [away, dict(drawn)]


def seated(
    system: System, seats: Mapping[str, Seat], state: GameState, command: Mapping[str, Any]
) -> Mapping[str, Any]:
    """*command*, with what it means for empty chairs.

    As the game begins they go, at the latest before the first loss, or before one of them is asked.
    Whatever is done for one that has gone brings it back: somebody plays for it after all.
    """
    verb = system.verbs.get(command["do"]) if type(command.get("do")) is str else None
    if verb is None or verb.served or command["do"] in SEATING or verb.alone:
        return command
    try:
        if back := [*_named(system, state, command)]:
            return _after("sit-down", back, command)
        if (away := empty(system, seats, state)) and _begins(system, state, command, away):
            return _after("sit-out", away, command)
    except Refused:  # as it will be when it is given
        pass
    return command


def _named(system: System, state: GameState, command: Mapping[str, Any]) -> Iterator[str]:
    """The chairs that were taken away, and that *command*, or a card of theirs in it, is about."""
    away = absent(state)
    if not away:
        return
    named = {key for _, ids in names_in(read(system, command, command["by"])) for key in ids}
    theirs = {state.objects[key].controller for key in named if key in state.objects}
    yield from (key for key in away if key in named | theirs)


def _begins(
    system: System, state: GameState, command: Mapping[str, Any], away: Collection[str]
) -> bool:
    """True if the game begins with *command*, or somebody loses or an *away* one is asked."""
    if command["do"] in BEGINS:
        return True
    after, _events = step(system, state, read(system, command, command["by"]))
    if any(prompt.to in away for prompt in after.prompts):
        return True
    lost = {seat.id for seat in after.seats.values() if seat.lost}
    return any(not state.seats[each].lost for each in lost.difference(absent(after)))


def _after(verb: str, chairs: Sequence[str], command: Mapping[str, Any]) -> dict[str, Any]:
    """*command* after *verb* of *chairs*, in one entry."""
    head = {key: command[key] for key in ("by", "id", "note") if key in command}
    step = {key: value for key, value in command.items() if key not in head}
    if command["do"] != "together":
        step = {"do": "together", "steps": [step]}
    return {**step, "steps": [*_steps(verb, chairs), *step["steps"]], **head}


def _steps(verb: str, chairs: Sequence[str]) -> list[dict[str, str]]:
    return [{"do": verb, "seat": each} for each in chairs]
