"""Measure the speed of the rules without disk or network: one thread, all state in memory.

    python bench/rules_bench.py [SECONDS]

Prints a Markdown table: for each system, plain +1 commands per second with 10 and 1,000 objects,
and the speed of replaying a log; then a chain of triggered events against a plain tap. Where the
rules leave no room for 1,000 objects there is a "-", and the reason below. Each figure is the best
of several rounds, because that varies least with other load on the machine.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from typing import Any

from games.rules.engine import read, step
from games.rules.history import History, fold
from games.rules.state import GameState
from games.rules.system import System
from games.systems import SYSTEMS

ROUNDS = 7


def best(work: Callable[[], int], seconds: float) -> float:
    """Units of *work* per second, in the best of the rounds that fit into *seconds*."""
    fastest, until = 0.0, time.perf_counter() + seconds
    rounds = 0
    while rounds < ROUNDS or time.perf_counter() < until:
        began = time.perf_counter()
        done = work()
        fastest = max(fastest, done / (time.perf_counter() - began))
        rounds += 1
    return fastest


def board(system: System, objects: int) -> GameState:
    """A table of four seats with *objects* things that hold counters."""
    seats: dict[str, Any] = {f"seat-{n}": {} for n in range(4)}
    if not system.zones:
        slots: dict[str, Any] = {f"o{n}": {} for n in range(objects)}
        return system.opening(system, {"seats": {"gm": {}, **seats}, "slot_counters": slots}, {})
    things = {
        f"o{n}": {"counters": {"charge": 1}, "owner": f"seat-{n % 4}"} for n in range(objects)
    }
    settings = {"open_kinds": ["charge"]} if "open_kinds" in system.rulebook.settings else {}
    return system.opening(system, {"seats": seats, "objects": things}, settings)


def tap(system: System, n: int, objects: int) -> dict[str, Any]:
    """The *n*th plain +1 command."""
    if not system.zones:
        verb = "clear" if n % 2 else "fill"
        return {"do": verb, "on": f"o{n // 2 % objects}", "slots": 1}
    command = {"do": "place", "on": f"o{n % objects}", "counter": "charge", "amount": 1}
    return {**command, "source": command["on"]} if "flip" in system.verbs else command


def settled(system: System, objects: int) -> GameState:
    """A board after its first command."""
    history = History(system, board(system, objects))
    history.give(tap(system, 0, objects))
    return history.state


def steps(system: System, objects: int) -> Callable[[], int]:
    """Only the step, for commands that have been read."""
    state = settled(system, objects)
    seat = system.seating.default_by(state)
    commands = [read(system, tap(system, n, objects), seat) for n in range(1, 1001)]

    def work() -> int:
        now = state
        for command in commands:
            now = step(system, now, command)[0]
        return len(commands)

    return work


def reads(system: System, objects: int) -> Callable[[], int]:
    """Read a command, and take the step."""
    state = settled(system, objects)
    seat = system.seating.default_by(state)
    raws = [tap(system, n, objects) for n in range(1, 1001)]

    def work() -> int:
        now = state
        for raw in raws:
            now = step(system, now, read(system, raw, seat))[0]
        return len(raws)

    return work


def gives(system: System, objects: int) -> Callable[[], int]:
    """The work of a table: check a command, resolve it and write its entry."""
    state = settled(system, objects)
    raws = [tap(system, n, objects) for n in range(1, 1001)]

    def work() -> int:
        history = History(system, state)
        for raw in raws:
            history.give(raw)
        return len(raws)

    return work


def chain() -> tuple[Callable[[], int], Callable[[], int]]:
    """A command that sets off five events, and a plain one, on the same Grand Archive board."""
    system = SYSTEMS["grand-archive"][0]
    allies = {f"a{n}": {"types": ["ally"], "counters": {"debuff": 2}} for n in range(2)}
    things = {**allies, "o0": {"types": ["item"], "counters": {"charge": 1}}}
    state = system.opening(system, {"seats": {"ana": {}, "ben": {}}, "objects": things}, {})
    state, _ = step(system, state, read(system, tap(system, 0, 1), "ana"))
    many = read(system, {"do": "place", "on": ["a0", "a1"], "counter": "buff", "amount": 1}, "ana")
    one = read(system, tap(system, 0, 1), "ana")
    events = len(step(system, state, many)[1])
    assert events >= 5, f"the chain has {events} events"

    def repeat(command: Any) -> Callable[[], int]:
        def work() -> int:
            for _tap in range(1000):
                step(system, state, command)
            return 1000

        return work

    return repeat(one), repeat(many)


def replays(system: System, entries: int = 2000) -> Callable[[], int]:
    """Replay a log of plain taps from its opening."""
    state = board(system, 10)
    history = History(system, state)
    for n in range(entries):
        history.give(tap(system, n, 10))
    log = history.entries

    def work() -> int:
        fold(system, state, log)
        return entries

    return work


def main(arguments: list[str]) -> None:
    seconds = float(arguments[0]) if arguments else 0.5
    gc.collect()
    gc.freeze()
    columns = (
        "step, 10 | step, 1,000 | read and step, 10 | read and step, 1,000 | give, 10 | replay"
    )
    print(f"| system | edition | {columns} |")
    print("|---" * 8 + "|")
    too_large = []
    for editions in SYSTEMS.values():
        system = editions[0]
        small = [steps(system, 10), reads(system, 10), gives(system, 10), replays(system)]
        ten, ten_read, given, replayed = (f"{best(work, seconds):,.0f}" for work in small)
        try:
            large = [steps(system, 1000), reads(system, 1000)]
        except ValueError as reason:
            too_large.append(f"{system.title}: {reason}")
            thousand = thousand_read = "-"
        else:
            thousand, thousand_read = (f"{best(work, seconds):,.0f}" for work in large)
        cells = (ten, thousand, ten_read, thousand_read, given, replayed)
        print(f"| {system.title} | {system.edition} | {' | '.join(cells)} |")
    for reason in too_large:
        print(f"\n1,000 objects do not fit on this table. {reason}.")
    one, many = chain()
    plain, chained = best(one, seconds), best(many, seconds)
    print(
        f"\nA chain of six events: {chained:,.0f} a second, {chained / plain:.2f} of a plain tap."
    )


if __name__ == "__main__":
    main(sys.argv[1:])
