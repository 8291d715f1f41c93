"""The correction that brings a player back who has just lost: a tap too many, and then a plus.

The rules know no clock: who asks says for whom it is soon enough. What is given is a correction
like any other, so that log, undo and redo need not know of it.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from games.rules import counting
from games.rules.state import GameState
from games.rules.system import System
from games.screens import view_models
from games.systems import presentation_of, taps
from games.systems.controls import Stepper


def way_back(system: System, state: GameState, seat: str) -> Stepper | None:
    """The main number of *seat*, if a correction of it may bring that seat back."""
    lost = state.seats[seat].lost
    if not lost or not system.restores or not counting.may_come_back(state, seat):
        return None
    return view_models.panel(system, state, seat).hero


def field_of(system: System, number: Stepper) -> str:
    """The parameter of `correct` for *number*; "" if it is a kind of counter."""
    tap = taps(system).get(number.increment)
    return tap.correction if tap else ""


def correction(system: System, number: Stepper, to: int) -> dict[str, Any]:
    """The command that sets *number* and may bring its player back."""
    field = field_of(system, number)
    what = {field: to} if field else {"counter": number.kind, "to": max(0, to)}
    return {"do": "correct", "on": number.holder, **what, "restore": True}


def instead_of(
    system: System, state: GameState, command: Mapping[str, Any], lately: Container[str]
) -> Mapping[str, Any]:
    """*command*, or a correction in its place: of a tap that gives one of *lately* some back.

    lately: the seats that have lost just now.
    """
    for seat in filter(lately.__contains__, state.seats):
        number = way_back(system, state, seat)
        if number and _is_why(system, state, seat) and _gives_back(system, number, command):
            by = command["amount"] * (-1 if number.armed > 0 else 1)
            given = {key: command[key] for key in ("by", "id") if key in command}
            return {**correction(system, number, number.amount + by), **given}
    return command


def _is_why(system: System, state: GameState, seat: str) -> bool:
    """True if *seat* has lost by its main number."""
    because = presentation_of(system).story.out_because(system, state, seat)
    return because is not None and not because.kind


def _gives_back(system: System, number: Stepper, command: Mapping[str, Any]) -> bool:
    """True if *command* is the tap on *number* that leads away from a loss."""
    tap = taps(system).get(number.decrement if number.armed > 0 else number.increment)
    return (
        tap is not None
        and (command.get("do"), command.get(tap.holder)) == (tap.do, number.holder)
        and (not tap.kind or command.get(tap.kind) == number.kind)
        and type(command.get("amount")) is int
    )
