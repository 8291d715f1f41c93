"""The search for dear commands (`python -m tests.dearest`) finds some in each system."""

from __future__ import annotations

import pytest

from games.systems import SYSTEMS
from tests.dearest import dear


@pytest.mark.parametrize("name", SYSTEMS)
def test_some_command_costs_something(name: str) -> None:
    found = [dear(SYSTEMS[name][0], seed) for seed in range(3)]

    assert any(each and each.held > 0 for each in found)
