"""The dearest commands of random tables: `python -m tests.dearest --seconds 300 [SYSTEM …]`.

A table of two scenarios (`tests.meeting`), or of a game that is written at random, is played for a
while; then everything on it is copied many times, and commands are given that name every copy. The
dearest of each system is printed as it is found, in milliseconds of processor: what holds up all
tables, until it is done or left for later, and what a thread does then. A table is its seed:
`--seed 17 --seconds 0` tries that one again. The exit status is 1 if any holds up the others for
more than `LIMIT`.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from games.rules import scenario
from games.rules.at_once import AT_ONCE, Later
from games.rules.history import MOST_ITEMS, History
from games.rules.scenario import SpecificationError
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.systems import SYSTEMS
from tests import laws, meeting
from tests.rules.test_cost import about_all
from tests.systems import own_definitions
from tests.types import Json

LIMIT = 20.0
"""Milliseconds."""
TRIES = 3
"""Times that a dear command is given, of which the quickest counts."""
PLAYED, COPIES = 8, (1, 5, 20, 80, 300)


class Dear(NamedTuple):
    """A command with its milliseconds of processor. later: what is left for a thread."""

    held: float
    later: float
    seed: int
    copies: int
    command: Mapping[str, Any]

    def __str__(self) -> str:
        said = json.dumps(self.command)
        return (
            f"{self.held:6.1f} ms, later {self.later:6.1f} ms, seed {self.seed}, "
            f"{self.copies} copies: {said[:160]}"
        )


def table(system: System, chance: Random) -> tuple[History, Iterator[Json]]:
    """A table, and commands for it."""
    if system.name == "own-game" and chance.random() < 0.7:
        written = own_definitions.definition(chance)
        case = {"given": {"seats": {seat: {} for seat in own_definitions.SEATS}}}
        case["definition"] = written
        system = system.of_table(case)
        history = History(system, scenario.opening(system, case))
        return history, _written(history, chance)
    history = meeting.opening(system, chance)
    return history, _of_scenarios(history, chance)


def _written(history: History, chance: Random) -> Iterator[Json]:
    while True:
        system: Any = history.system
        yield own_definitions.command(chance, system, history.state)


def _of_scenarios(history: History, chance: Random) -> Iterator[Json]:
    while True:
        yield meeting.command(history.system, history.state, chance)


def dear(system: System, seed: int) -> Dear | None:
    """The dearest command of the table of that seed; None if it cannot be made."""
    chance = Random(seed)
    try:
        history, commands = table(system, chance)
    except SpecificationError:
        return None
    for _command in range(PLAYED):
        laws.give(history, next(commands))
    state = history.state
    there = len(state.objects) + len(state.slot_counters)
    copies = chance.choice([each for each in COPIES if each * there <= MOST_ITEMS])
    found: list[Dear] = []
    for _command in range(PLAYED):
        raw = about_all(history.system, state, next(commands), copies)
        found.append(priced(history.system, laws.copied(state, copies), raw, seed, copies))
    return max(found, key=_cost)


def _cost(found: Dear) -> tuple[float, float]:
    return found.held, found.later


def priced(system: System, state: GameState, raw: Json, seed: int, copies: int) -> Dear:
    if raw.get("do") in ("undo", "redo"):  # a thread does it in any case
        return Dear(0, 0, seed, copies, raw)
    held, done = _least(system, state, raw, at_once=True)
    later = 0.0 if done else _least(system, state, raw, at_once=False)[0]
    return Dear(held, later, seed, copies, raw)


def _least(system: System, state: GameState, raw: Json, *, at_once: bool) -> tuple[float, bool]:
    """The fewest milliseconds of several tries; whether it was done and not left for later."""
    took, done = _once(system, state, raw, at_once)
    for _again in range(TRIES if took > LIMIT / 4 else 0):
        took = min(took, _once(system, state, raw, at_once)[0])
    return took, done


def _once(system: System, state: GameState, raw: Json, at_once: bool) -> tuple[float, bool]:
    history, token, done = History(system, state), AT_ONCE.set(at_once), True
    began = time.thread_time()
    try:
        history.give(raw)
    except Refused:
        pass
    except Later:
        done = False
    finally:
        took = time.thread_time() - began
        AT_ONCE.reset(token)
    return took * 1000, done


def search(system: System, seed: int, seconds: float) -> Dear:
    """Print each command that is dearer than all before it; return the last."""
    dearest, until = Dear(0, 0, seed, 1, {}), time.monotonic() + seconds
    while True:
        found = dear(system, seed)
        if found and _cost(found) > _cost(dearest):
            dearest = found
            print(f"{system.name} {system.edition}: {dearest}", flush=True)
        seed += 1
        if time.monotonic() >= until:
            return dearest


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.dearest", description=__doc__)
    parser.add_argument("systems", nargs="*", help="all, if none is named")
    parser.add_argument("--seconds", type=float, default=60, help="for each system")
    parser.add_argument("--seed", type=int, default=0, help="of the first table")
    asked = parser.parse_args()
    meeting.set_up()
    gc.disable()  # it says nothing of the command during which it runs
    named = asked.systems or SYSTEMS
    found = [search(SYSTEMS[name][0], asked.seed, asked.seconds) for name in named]
    return int(any(each.held > LIMIT for each in found))


if __name__ == "__main__":
    sys.exit(main())
