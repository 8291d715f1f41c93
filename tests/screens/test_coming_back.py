"""A tap too many has killed a player; a plus on that number within ten seconds brings them back."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import scenario
from games.rules.history import History
from games.rules.state import Refused
from games.screens.coming_back import instead_of
from games.systems import find

SEATS: dict[str, Any] = {"ana": {}, "ben": {}, "cleo": {}}
CHAMPION = {"name": "Lorraine", "types": ["champion"], "base": {"life": 20}, "owner": "ana"}


def table(system: str, **given: Any) -> History:
    rules = find(system)
    described = {"seats": SEATS, "turn": {"active": ["ana"]}, **given}
    return History(rules, scenario.opening(rules, {"given": described, "settings": {}}))


def give(history: History, **command: Any) -> None:
    """Give a command of Ana’s, soon after she has lost."""
    given = {"by": "ana", **command}
    history.give(instead_of(history.system, history.state, given, {"ana"}))


# fmt: off
DEATHS = [
    # system, the tap too many, the tap back
    ("magic", {"do": "lose-life", "seat": "ana", "amount": 21},
     {"do": "gain-life", "seat": "ana", "amount": 1}),
    ("yu-gi-oh", {"do": "lose-life", "seat": "ana", "amount": 9000},
     {"do": "gain-life", "seat": "ana", "amount": 1000}),
    ("grand-archive", {"do": "damage", "on": "champion", "amount": 21},
     {"do": "remove", "on": "champion", "counter": "damage", "amount": 1}),
]
# fmt: on


@pytest.mark.parametrize(("system", "fatal", "back"), DEATHS, ids=[each[0] for each in DEATHS])
def test_taps_back_bring_a_player_back_as_soon_as_the_number_allows_it(
    system: str, fatal: dict[str, Any], back: dict[str, Any]
) -> None:
    champion = {"champion": CHAMPION} if system == "grand-archive" else {}
    history = table(system, objects=champion)
    give(history, **fatal)
    assert history.state.seats["ana"].lost

    while history.state.seats["ana"].lost:
        give(history, **back)

    give(history, do="undo")
    assert history.state.seats["ana"].lost
    give(history, do="redo")
    assert not history.state.seats["ana"].lost


def test_a_seat_that_died_by_something_else_stays_out() -> None:
    history = table("magic")
    give(history, do="place", on="ana", counter="poison", amount=10)

    with pytest.raises(Refused, match="out of the game"):
        give(history, do="gain-life", seat="ana", amount=1)
