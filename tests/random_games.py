"""Games at random, of the openings and the commands of each system's scenarios."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from games.rules import scenario
from games.rules.history import History
from games.rules.state import GameState
from games.rules.system import System
from tests import laws

CASES = [*laws.all_scenarios()]


def pool(system: System) -> list[laws.Scenario]:
    """The scenarios of *system*; of a table's own rules, those of all tables'."""
    found = _pool(system.name, system.edition)
    assert found, f"{system.name} {system.edition} has no scenario in {laws.SCENARIOS}"
    return found


@cache
def _pool(name: str, edition: str) -> list[laws.Scenario]:
    """Kept: random games ask for it at each command, and there are thousands of cases."""
    return [
        case
        for case, its in CASES
        if its.name == name and (its.edition == edition or its.defined is not None)
    ]


def meant(data: st.DataObject, state: GameState, value: Any, said: set[str]) -> Any:
    """*value* with some ids of another game replaced by ids of this one."""
    if isinstance(value, list):
        return [meant(data, state, each, said) for each in value]
    if isinstance(value, dict):
        return {meant(data, state, key, said): each for key, each in value.items()}
    if not isinstance(value, str) or value not in said:
        return value
    here = [*state.seats, *state.objects, *state.slot_counters]
    here += [prompt.id for prompt in state.prompts]
    return data.draw(st.sampled_from([*here, value]))


def names_in(case: laws.Scenario) -> set[str]:
    """The ids in a scenario, including those of prompts."""
    given = case["given"]
    ids = {*given["seats"], *given.get("objects", {}), *given.get("slot_counters", {})}
    return ids | {c["prompt"] for c in case["when"] if isinstance(c.get("prompt"), str)}


def turning(data: st.DataObject) -> dict[str, Any]:
    """An undo or redo of one entry, of several, or back to a line."""
    numbers = st.lists(st.integers(1, 12), min_size=1, max_size=4, unique=True)
    more = st.one_of(
        st.just({}),
        st.builds(lambda n: {"entry": n}, st.integers(1, 12)),
        st.builds(lambda some: {"entries": some}, numbers),
    )
    do = data.draw(st.sampled_from(["undo", "redo"]))
    if do == "undo" and data.draw(st.booleans()):
        return {"do": do, "to": data.draw(st.integers(0, 12))}
    return {"do": do, **data.draw(more)}


def random_command(
    data: st.DataObject, cases: list[laws.Scenario], state: GameState
) -> dict[str, Any]:
    case = data.draw(st.sampled_from([case for case in cases if case["when"]]))
    said = names_in(case)
    command = data.draw(st.sampled_from(case["when"]))
    if data.draw(st.integers(0, 9)) == 0:
        return turning(data)
    changed = {
        key: value if key in ("do", "id", "as") else meant(data, state, value, said)
        for key, value in command.items()
    }
    if "as" in changed and data.draw(st.booleans()):
        changed["as"] = f"new-{len(state.objects) + len(state.slot_counters)}"
    changed.pop("id", None)
    return changed


def random_opening(
    data: st.DataObject, system: System, cases: list[laws.Scenario]
) -> tuple[laws.Scenario, History]:
    case = data.draw(st.sampled_from(cases))
    return case, opened(system, case)


def opened(system: System, case: laws.Scenario) -> History:
    """A game that begins as *case* does, by the rules that its table has written if it has."""
    its_own = system.of_table(case)
    return History(its_own, scenario.opening(its_own, case))
