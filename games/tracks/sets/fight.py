"""The turn order: whose turn it is, in which round, and who may know.

The table keeps the turns that began, each counter's last one only, so that a seat is shown the last
turn of one that it knows. Source: docs/ANY-RPG.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from ...rules.commands import Command, Parameter, each, one_of, whole
from ...rules.dice import MOST_DICE
from ...rules.events import Event
from ...rules.state import GameState, Refused
from ...rules.system import System, cites
from ..counter import (
    GM,
    Sight,
    counter_in,
    game_master,
    runs,
    sight,
)
from ..facts import CounterFact, Edited
from .conditions import wane
from .tracker import MOST_INITIATIVE, Tracker

FIGHT = "fight"
"""The part of the state that has the turns: `began`, the oldest first."""

Turn = Mapping[str, Any]
"""A turn that began. on: whose. round, initiative: when. done: whether its player is done."""


def turns(state: GameState) -> list[Turn] | None:
    """The turns that began; None if there is no turn order now."""
    fight = state.parts.get(FIGHT)
    return None if fight is None else list(fight["began"])


def _with_turns(state: GameState, began: list[Turn] | None) -> GameState:
    return state.with_parts(**{FIGHT: None if began is None else {"began": began}})


@cites("Any 4")
def order(state: GameState) -> list[Tracker]:
    """The counters that take turns, in their order: the highest initiative first."""
    able = [each for each in _able(state) if each.initiative is not None]
    return sorted(able, key=lambda each: (-(each.initiative or 0), each.order))


def rolling(state: GameState) -> list[Tracker]:
    """The counters for which a d20 is rolled as a turn order begins; all see them, as the dice."""
    able = [e for e in _able(state) if e.bonus is not None and e.visibility == "open"]
    return able[:MOST_DICE]


def placed(bonus: int, die: int) -> int:
    """The initiative by that roll."""
    return max(0, min(die + bonus, MOST_INITIATIVE))


def _able(state: GameState) -> list[Tracker]:
    every = [each for each in state.slot_counters.values() if isinstance(each, Tracker)]
    return [each for each in every if runs(state, each) and not each.resolved]


@cites("Any 5")
def shown(state: GameState, seat: str | None) -> dict[str, Any] | None:
    """The turn that *seat* knows of: the last one of a counter that it may know; None without.

    So a hidden creature's turn sends players nothing, neither when it begins nor when it ends.
    """
    began = turns(state)
    if began is None:
        return None
    for last in reversed(began):
        if last["on"] in state.slot_counters:
            if sight(state, seat, counter_in(state, last["on"])) is not Sight.NOTHING:
                return {"round": last["round"], "turn": last["on"], "done": last["done"]}
    return {"round": 1, "turn": None, "done": False}


class Fight(Command, frozen=True, kw_only=True):
    """Begin or end the turn order. GM only. result: a d20 for each counter with a bonus, which the
    server rolls.
    """

    verb: ClassVar[str] = "fight"
    to: Annotated[str, Parameter(one_of("begin", "end"))]
    result: Annotated[
        tuple[int, ...], Parameter(each(whole(1, 20), 0, MOST_DICE, distinct=False))
    ] = ()


class FightBegan(Event, frozen=True):
    """There is a turn order from now on; no turn has begun."""

    kind: ClassVar[str] = "fight-began"

    def evolve(self, state: GameState) -> GameState:
        return _with_turns(state, [])


class FightEnded(Event, frozen=True):
    kind: ClassVar[str] = "fight-ended"

    def evolve(self, state: GameState) -> GameState:
        return _with_turns(state, None)


class TurnPassed(CounterFact, frozen=True):
    """A turn of the counter's began."""

    kind: ClassVar[str] = "turn-passed"
    round: int
    initiative: int

    def evolve(self, state: GameState) -> GameState:
        before = [each for each in turns(state) or () if each["on"] != self.on]
        now = {"on": self.on, "round": self.round, "initiative": self.initiative, "done": False}
        return _with_turns(state, [*before, now])


class TurnDone(CounterFact, frozen=True):
    """The player whose turn it is, is done."""

    kind: ClassVar[str] = "turn-done"

    def evolve(self, state: GameState) -> GameState:
        began = turns(state) or []
        return _with_turns(
            state, [{**each, "done": True} if each["on"] == self.on else each for each in began]
        )


@cites("Any 4")
def fight(system: System, state: GameState, command: Fight) -> Iterator[Event]:
    there = turns(state) is not None
    if command.to == "begin" and not there:
        for one, die in zip(rolling(state), command.result, strict=False):
            at = placed(one.bonus or 0, die)
            yield Edited(one.id, ("initiative",), {"initiative": at})
        yield FightBegan()  # no turn yet: that none is shown would tell of a hidden creature's
    elif command.to == "end" and there:
        yield FightEnded()


class NextTurn(Command, frozen=True, kw_only=True):
    """Begin the next turn. GM only: a pause before a hidden creature's would tell of it."""

    verb: ClassVar[str] = "next-turn"


@cites("Any 4")
def next_turn(system: System, state: GameState, command: NextTurn) -> Iterator[Event]:
    began = turns(state)
    if began is None:
        raise Refused("wrong-phase", "There is no turn order now.", "Any 4")
    yield from _began(state, _next(state, began))


def _next(state: GameState, began: list[Turn]) -> tuple[Tracker, int]:
    """The counter whose turn comes after those that *began*, and its round.

    One of the GM's that is complete takes no more turns. Where the last one is gone, its initiative
    says who comes next.
    """
    there = order(state)
    able = [each for each in there if not (each.complete and each.owner in (None, GM))]
    if not able:
        raise Refused("wrong-target", "Nothing here takes turns.", "Any 4")
    if not began:
        return able[0], 1
    last = began[-1]
    ids = [each.id for each in there]
    if last["on"] in ids:
        later = [each for each in there[ids.index(last["on"]) + 1 :] if each in able]
    else:
        later = [each for each in able if (each.initiative or 0) < last["initiative"]]
    return (later[0], last["round"]) if later else (able[0], last["round"] + 1)


@cites("Any 6")
def _began(state: GameState, following: tuple[Tracker, int]) -> Iterator[Event]:
    """The turn begins, and the conditions of the one whose it is go on by one round."""
    whose, number = following
    yield TurnPassed(whose.id, number, whose.initiative or 0)
    yield from wane(whose)


class Done(Command, frozen=True, kw_only=True):
    """Say that you are done with your turn; the GM goes on to the next."""

    verb: ClassVar[str] = "finish-turn"


@cites("Any 5")
def may_be_done(system: System, state: GameState, command: Done) -> None:
    now = shown(state, command.by)
    turn = now["turn"] if now else None
    if game_master(state, command.by) and turn:
        return
    if not turn or counter_in(state, turn).owner != command.by:
        raise Refused("forbidden", "It isn’t your turn.", "Any 5")


@cites("Any 5")
def be_done(system: System, state: GameState, command: Done) -> Iterator[Event]:
    now = shown(state, command.by)
    assert now is not None
    if not now["done"]:
        yield TurnDone(now["turn"])
