"""The turn: whose it is, its phase, whom the table is waiting for, and the next step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from games.rules.engine import read, step
from games.rules.state import GameState, Refused
from games.rules.ticks import due
from games.screens import chairs
from games.screens.drawing import Drawing, kept
from games.screens.fragments import Audience
from games.screens.parts import Part


@kept("header")
def header(drawing: Drawing, state: GameState, audience: Audience) -> str:
    """The turn, for the header of the page."""
    with drawing.reading(audience):
        return turn(drawing, state).draw()


def turn(drawing: Drawing, state: GameState) -> Part:
    """The turn and its phase, whom the table is waiting for, and the next step."""
    coming = step_from(drawing, state)
    lost = [seat.lost for seat in state.seats.values()]
    number = state.parts.get("round", 0)
    upcoming = drawing.presentation.board.upcoming(drawing.system, state)
    facts = state.turn, state.prompts, state.result, lost, coming, number, upcoming
    return Part("turn", facts, partial(_turn, drawing, state, coming, number, upcoming))


def _turn(
    drawing: Drawing,
    state: GameState,
    coming: str,
    number: int,
    upcoming: Sequence[str] | None,
) -> str:
    whose_turns = drawing.presentation.board.turns
    turn, order = state.turn, list(state.seats)
    if turn and whose_turns == "none" and not (turn.active or turn.began):
        turn = None
    empty = chairs.empty(drawing.system, drawing.seats, state)
    remaining = [seat.id for seat in state.remaining() if seat.id not in empty]
    following = ""
    if turn and remaining:
        held = turn.began or turn.active
        last = max(map(order.index, held), default=-1)
        turned = upcoming or [*order[last + 1 :], *order[: last + 1]]
        following = next((each for each in turned if each in remaining), "")
    active = [each for each in turn.active if each not in empty] if turn else []
    if empty and active and not coming:  # the first turn is the opening's
        following = active[0]
    phases, now = drawing.system.phases, _now(drawing, state)
    again = drawing.system.again.get(turn.phase, ()) if turn else ()
    return drawing.render(
        "board/_turn",
        turn=turn,
        place=order.index(turn.active[0]) + 1 if turn and turn.active else 0,
        active=active,
        whose=drawing.name(turn.active[0]) if turn and turn.active else "",
        following={"id": following, "name": drawing.name(following)} if following else None,
        decided=upcoming is not None,
        order=[drawing.name(each) for each in upcoming or ()],
        together=whose_turns == "all",
        without=[drawing.name(each) for each in empty],
        phases=[
            {
                "name": phase,
                "now": i == now,
                "past": i < now,
                "open": i > now or phase in again,
            }
            for i, phase in enumerate(phases)
        ],
        coming=coming,
        waiting=[*_waiting(drawing, state).items()],
        result=state.result,
        round=number,
    )


def _waiting(drawing: Drawing, state: GameState) -> dict[str, list[str]]:
    """By question: the names of those whom it is put to, and how often if more than once."""
    waiting: dict[str, list[str]] = {}
    for (kind, to), times in Counter((each.kind, each.to) for each in state.prompts).items():
        name = drawing.name(to)
        waiting.setdefault(kind, []).append(name if times == 1 else f"{name} ×{times}")
    return waiting


def _now(drawing: Drawing, state: GameState) -> int:
    """The place of the phase among the system's; -1 in none of them."""
    phases, turn = drawing.system.phases, state.turn
    return phases.index(turn.phase) if turn and turn.phase in phases else -1


def step_from(drawing: Drawing, state: GameState) -> str:
    """The phase that the next step goes to: the first that may begin now, or "" if none may."""
    board, later = drawing.presentation.board, drawing.system.phases[_now(drawing, state) + 1 :]
    ahead = board.next_phases(drawing.system, state)
    ticking = [each for each in later if each not in board.passed_phases and due(state, each)]
    coming = [each for each in later if each in ahead or each in ticking]
    return next((each for each in coming if _begins(drawing, state, each)), "")


def _begins(drawing: Drawing, state: GameState, phase: str) -> bool:
    begin = {"do": "begin-phase", "phase": phase}
    by = next(iter((*(state.turn.active if state.turn else ()), *state.seats)), "")
    try:
        step(drawing.system, state, read(drawing.system, begin, by=by))
    except Refused:
        return False
    return True
