"""The cost of a command: proportional to what it names and what is on the table.

Counted in calls of functions, so that the machine's pace does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from games.rules import scenario
from games.rules import state as rules_state
from games.rules.at_once import AT_ONCE, Later
from games.rules.commands import Names, parameters
from games.rules.history import History
from games.rules.state import MOST_EVENTS, MOST_PROMPTS, GameState, Refused
from games.rules.system import System
from games.systems import find
from tests import laws
from tests.laws import copied, work

FEW, MANY = 12, 48
"""Copies of everything on the table."""
OF_A_VERB = 6
"""Commands of a verb that are tried, accepted and refused ones."""


def samples(system: System) -> Iterator[tuple[GameState, Mapping[str, Any]]]:
    """Commands of the scenarios, a few of each verb, with the states in which they are given."""
    tried: dict[tuple[str, bool], int] = {}
    for case in (case for case, its in laws.all_scenarios() if its is system):
        history = History(system, scenario.opening(system, case))
        for command in case["when"]:
            before = history.state
            accepted = laws.give(history, command) is None
            kind = str(command.get("do")), accepted
            if kind[0] in system.verbs and tried.get(kind, 0) < OF_A_VERB:
                tried[kind] = tried.get(kind, 0) + 1
                yield before, command


def about_all(system: System, state: GameState, command: Any, copies: int) -> Any:
    """*command* about every copy too, wherever it may name several."""
    if not isinstance(command, dict) or command.get("do") not in system.verbs:
        return command
    wide = dict(command)
    if isinstance(command.get("steps"), list):
        wide["steps"] = [about_all(system, state, step, copies) for step in command["steps"]]
    for part in parameters(system.verbs[command["do"]].command):
        if isinstance(part.names, Names) and part.reader.many and part.key in command:
            named = command[part.key]
            ids = named if isinstance(named, list) else [named]
            if all(isinstance(each, str) for each in ids):
                wide[part.key] = [*ids, *laws.copies_of(state, ids, copies)]
    return wide


@pytest.mark.parametrize("system", laws.all_systems(), ids=lambda s: f"{s.name}-{s.edition}")
def test_four_times_as_much_on_the_table_is_at_most_six_times_the_work(system: System) -> None:
    dear = []
    for state, command in samples(system):
        few, many = (
            work(system, copied(state, n), about_all(system, state, command, n))
            for n in (FEW, MANY)
        )
        if many > 6 * few:
            dear.append((round(many / few, 1), few, many, command))

    assert [] == sorted(dear, key=str, reverse=True)


# The dearest commands anyone has found, each on a table with so many things


def linked(n: int) -> tuple[System, dict[str, Any], dict[str, Any]]:
    """Counters with ten links each, of which one is filled."""
    counters = {
        f"c{i}": {
            "slots": 10,
            "links": [{"to": f"c{(i + far) % n}", "do": "advance"} for far in range(1, 11)],
        }
        for i in range(n)
    }
    given = {"seats": {"gm": {}, "ana": {}, "ben": {}}, "slot_counters": counters}
    return find("stars-and-signs"), given, {"do": "fill", "on": "c0", "slots": 1, "by": "gm"}


def arranged(n: int) -> tuple[System, dict[str, Any], dict[str, Any]]:
    """Counters that are put in another order."""
    system, given, _fill = linked(n)
    return system, given, {"do": "arrange", "on": [f"c{i}" for i in reversed(range(n))], "by": "gm"}


def doubled(n: int) -> tuple[System, dict[str, Any], dict[str, Any]]:
    """Permanents that get three kinds of counters, of which two abilities put more."""
    objects = {f"o{i}": {"types": ["creature"]} for i in range(n)}
    standing = {f"s{i}": {"times": 2} for i in range(2)}
    given = {"seats": {"ana": {}, "ben": {}}, "objects": objects, "standing": standing}
    put = {"do": "place", "on": [*objects], "counters": {"oil": 1, "age": 1, "charge": 1}}
    return find("magic"), given, put


def standing(n: int) -> tuple[System, dict[str, Any], dict[str, Any]]:
    """Permanents that get counters while as many abilities are about other ones."""
    objects = {f"o{i}": {"types": ["creature"]} for i in range(n)}
    said = {f"s{i}": {"times": 2, "of": "self", "object": f"o{i}"} for i in range(n)}
    given = {"seats": {"ana": {}, "ben": {}}, "objects": objects, "standing": said}
    return find("magic"), given, {"do": "place", "on": [*objects], "counter": "oil"}


def ticking(n: int) -> tuple[System, dict[str, Any], dict[str, Any]]:
    """As many numbers that change by themselves as a turn begins, some for the last time."""
    objects = {f"o{i}": {"types": ["artifact"], "counters": {"time": 1}} for i in range(n)}
    down = {"counter": "time", "begins": "upkeep", "change": -1, "at_zero": "graveyard"}
    up = {"counter": "age", "begins": "turn", "change": 1}
    ticks = {f"t{i}": {"on": f"o{i}", **(up if i % 2 else down)} for i in range(n)}
    given = {"seats": {"ana": {}, "ben": {}}, "objects": objects, "ticks": ticks}
    return find("magic"), given, {"do": "begin-turn", "active": ["ana"], "to_main": True}


def charged(n: int) -> tuple[System, dict[str, Any], dict[str, Any]]:
    """Objects with static counters, all of which ask about each of three that are hit."""
    objects: dict[str, Any] = {f"o{i}": {"counters": {"static": 1}} for i in range(n)}
    hit = {f"t{i}": {"types": ["ally"], "base": {"life": 9}, "owner": "ben"} for i in range(3)}
    hits = {"types": ["ally"], "elements": ["arcane"], "base": {"power": 1, "life": 2}}
    given = {"seats": {"ana": {}, "ben": {}}, "objects": objects | hit | {"mage": hits}}
    strike = {"do": "damage", "on": [*hit], "source": "mage", "combat": True, "amount": 1}
    return find("grand-archive"), given, strike


@pytest.mark.parametrize("dear", [linked, arranged, doubled, standing, charged, ticking])
def test_a_dear_command_is_left_for_later_where_others_wait(dear: Any) -> None:
    system, given, command = dear(200)
    history = History(system, scenario.opening(system, {"given": given}))

    token = AT_ONCE.set(True)
    try:
        with pytest.raises(Later):
            history.give(command)
    finally:
        AT_ONCE.reset(token)

    assert 0 == history.number


@pytest.mark.parametrize("dear", [linked, arranged, doubled, standing, charged, ticking])
@pytest.mark.parametrize("few", [15, 50])
def test_the_dearest_commands_cost_no_more_than_what_they_name(dear: Any, few: int) -> None:
    at_few, at_many = (
        work(system, scenario.opening(system, {"given": given}), command)
        for system, given, command in map(dear, (few, 4 * few))
    )

    assert at_many <= 6 * at_few


@pytest.mark.parametrize(("dear", "things"), [(linked, 2000), (doubled, 1000), (charged, 1000)])
def test_a_command_that_is_too_much_is_refused_before_it_is_done(dear: Any, things: int) -> None:
    system, given, command = dear(things)
    history = History(system, scenario.opening(system, {"given": given}))
    with pytest.raises(Refused) as refused:
        history.give(command)

    assert "over-maximum" == refused.value.code
    done = work(system, history.state, command)
    assert done < 100 * MOST_EVENTS, f"{done} calls"


def test_as_many_questions_wait_as_may_wait() -> None:
    system, given, command = charged(MOST_PROMPTS)
    history = History(system, scenario.opening(system, {"given": given}))
    history.give({**command, "on": ["t0"]})
    assert MOST_PROMPTS == len(history.state.prompts)

    with pytest.raises(Refused, match="At most 200 questions can wait"):
        history.give({**command, "on": ["t1"]})
    history.give({"do": "void", "prompt": history.state.prompts[0].id})


@pytest.mark.parametrize("do", ["undo", "redo"])
def test_an_undo_is_about_so_many_lines_and_no_more(
    monkeypatch: pytest.MonkeyPatch, do: str
) -> None:
    monkeypatch.setattr(rules_state, "MOST_EVENTS", 3)
    system = find("any-game")
    history = History(system, scenario.opening(system, {"given": {"seats": {"ana": {}}}}))
    for _ in range(5):
        history.give({"do": "place", "on": "ana", "counter": "points"})
    if do == "redo":
        history.give({"do": "undo", "entries": [3, 4, 5]})
        history.give({"do": "undo", "entries": [1, 2]})

    with pytest.raises(Refused, match="more than 3 things at once"):
        history.give({"do": do, "entries": [1, 2, 3, 4]})
