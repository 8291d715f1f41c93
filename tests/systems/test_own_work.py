"""The work of a command in an own game: what it may be, and what is found only once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from games.rules import scenario
from games.rules.at_once import AT_ONCE, Later
from games.rules.history import History
from games.rules.state import Refused
from games.systems.own_game import compiled
from games.systems.own_game.holders import Holders
from tests import laws

from . import own_definitions
from .own_definitions import SEATS

ANY = {"things": "any"}
MINE = {"things": "any", "of": "holder"}
WHERE_NOBODY_WINS = {"each": ANY, "if": [{"number": "charge", "on": MINE}, "<", -5]}
COUNTED = {"add": {"count": WHERE_NOBODY_WINS}, "of": "points"}
MANY = 260
"""Things of which each looks at all: beyond what a command may look at."""


def opened(written: Any, things: int = 0) -> History:
    given = {
        "seats": {seat: {} for seat in SEATS},
        "objects": {f"card-{n}": {"type": "card", "owner": "ana"} for n in range(things)},
    }
    return History(
        compiled(written),
        scenario.opening(compiled(written), {"given": given, "definition": written}),
    )


def game(*rules: Any) -> Any:
    return {
        "title": "Cards",
        "players": {"most": 4},
        "things": [{"type": "card"}],
        "numbers": [{"kind": "points", "on": "player"}, {"kind": "charge", "on": "card"}],
        "rules": [*rules],
    }


LOOKING = {"rule": "Look", "when": {"pressed": "Look", "on": "player"}, "do": [COUNTED]}
LOOK = {"do": "press", "rule": "Look", "on": "ana", "by": "ana"}
TAP = {"do": "place", "on": "ana", "counter": "points", "amount": 1, "by": "ana"}


def refused(history: History, command: dict[str, Any]) -> Refused:
    with pytest.raises(Refused) as refusal:
        history.give(command)
    return refusal.value


def test_a_game_that_asks_too_much_says_what_to_do() -> None:
    refusal = refused(opened(game(LOOKING), MANY), LOOK)

    assert refusal.code == "loop"
    assert "Take cards away, or undo." in str(refusal.message)


@pytest.fixture
def at_once() -> Iterator[None]:
    token = AT_ONCE.set(True)
    yield
    AT_ONCE.reset(token)


@pytest.mark.usefixtures("at_once")
def test_a_dear_rule_is_left_for_later_and_changes_nothing() -> None:
    history = opened(game(LOOKING), 50)

    with pytest.raises(Later):
        history.give(LOOK)

    assert 0 == history.number
    history.give(TAP)
    assert 1 == history.number


def test_a_value_alike_for_all_subjects_is_found_once_in_a_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """36 rules about the highest of 48 things: if each looked, a tap took a quarter of a second."""
    highest = {"highest": "charge", "on": ANY}
    always = [
        {
            "rule": f"Rule {n}",
            "when": {"always": "card"},
            "if": [{"+": [highest, *[{"lowest": "charge", "on": ANY}] * 5]}, "<", -5],
            "do": [{"add": 1, "of": "charge"}],
        }
        for n in range(36)
    ]
    history = opened(game(*always), 48)
    looked = 0
    look: Callable[..., Any] = Holders.look

    def counted(self: Holders, those: list[str]) -> Any:
        nonlocal looked
        looked += len(those)
        return look(self, those)

    monkeypatch.setattr(Holders, "look", counted)
    history.give(TAP)

    assert looked < 36 * 48 * 1.2


def test_a_value_of_ones_own_things_is_found_for_each() -> None:
    """Of two players with a card each, one has three charges."""
    rich = {"each": "players", "if": [{"number": "charge", "on": MINE}, ">", 2]}
    pressed = {"pressed": "Look", "on": "player", "who": "anyone"}
    written = game(
        {"rule": "Look", "when": pressed, "do": [{"add": {"count": rich}, "of": "points"}]}
    )
    cards = {
        f"card-of-{seat}": {"type": "card", "owner": seat, "counters": {"charge": charges}}
        for seat, charges in (("ana", 2), ("ben", 3))
    }
    given = {"seats": {"ana": {}, "ben": {}}, "objects": cards}
    system = compiled(written)
    history = History(system, scenario.opening(system, {"given": given, "definition": written}))

    history.give(LOOK)

    assert 1 == history.state.count("ana", "points")


@pytest.mark.parametrize("seed", range(40))
def test_a_shared_value_equals_the_value_of_each(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    history = opened(own_definitions.definition(random))
    for _ in range(20):
        laws.give(history, own_definitions.command(random, history.system, history.state))
    monkeypatch.setattr(Holders, "once", lambda self, key, work_out: work_out())
    again, state = Random(seed), history.state
    history = opened(own_definitions.definition(again))
    for _ in range(20):
        laws.give(history, own_definitions.command(again, history.system, history.state))

    assert history.state == state
