"""Every tick on every button does something at once, or is offered to the GM: never both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from games.rules.history import History
from games.rules.state import GameState
from games.rules.system import System
from games.screens.slots import actions
from games.screens.words import Words, words_of
from games.store import demos
from games.systems import find
from games.systems.own_game import compiled
from games.tracks.counter import counters_in

SETS: Mapping[str, System] = {
    "stars-and-signs": find("stars-and-signs"),
    **{
        name: compiled({**game, "rules": []})
        for name, game in demos.ready_games("own-game").items()
        if "gm" in game
    },
}
SEATS = ("ana", "ben", "the GM’s")


def opening(system: System, of_each: int) -> GameState:
    """A party, and on the table so many counters of each type that no player has, all begun."""
    own = words_of(system).slots
    given = own.party(SEATS)
    kit = {own.templates[name].counter["type"] for name in own.kit if not own.dice}
    table = {
        f"t-{kind}-{n}": {"name": f"T {kind}", "type": kind, "slots": 6}
        for kind in own.types
        for n in range(of_each)
        if kind not in kit and own.types[kind].counts != "items" and kind != "inventory"
    }
    counters = {
        key: facts if facts["type"] == "inventory" else {**facts, "filled": 1}
        for key, facts in {**given["slot_counters"], **table}.items()
    }
    return system.opening(system, {**given, "slot_counters": counters}, {})


def changed(before: GameState, after: GameState) -> set[str]:
    return {
        key
        for key, counter in counters_in(before).items()
        if not counter.timer and counter.filled != counters_in(after)[key].filled
    }


def offered(
    its: Words, state: GameState, outcome: str, done: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    yield from _moves(actions.of_aftermath(its, state, "gm", "ana", outcome, done))


@pytest.mark.parametrize("of_each", [1, 2])
@pytest.mark.parametrize("name", SETS)
def test_every_tick_of_every_outcome_happens_or_is_offered(name: str, of_each: int) -> None:
    system = SETS[name]
    its = words_of(system)
    for outcome in its.slots.outcomes:
        state = opening(system, of_each)
        history = History(system, state)
        history.give({"do": "action", "outcome": outcome, "by": "ana"})
        prompts = history.state.prompts
        done = (
            prompts[0].facts.get("done", [])
            if prompts
            else [*its.slots.after(outcome).by_itself(state, "ana")]
        )
        left = {
            each["name"]: each
            for each in offered(its, history.state, outcome, actions.without(done))
        }
        ticks = {
            key: move
            for listed in its.slots.after(outcome).moves.values()
            for key, move in listed.items()
            if move.types or move.roles
        }

        assert {*ticks} <= {*done, *left}, outcome
        assert not {*done} & {*left}, outcome
        assert len(done) == len(changed(state, history.state)), outcome
        assert bool(prompts) == bool(left or its.slots.after(outcome).to), outcome
        for key in {*ticks} & {*left}:
            assert left[key]["counters"] or left[key]["others"], key


def test_a_daggerheart_actor_gets_hope_and_the_table_fear() -> None:
    system = SETS["daggerheart"]
    state = opening(system, 1)
    history = History(system, state)
    hope, fear = (
        next(name for name, each in words_of(system).slots.outcomes.items() if each.word == word)
        for word in ("Success with Hope", "Failure with Fear")
    )
    history.give({"do": "action", "outcome": hope, "by": "ana"})
    history.give({"do": "action", "outcome": fear, "by": "ben"})

    moved = changed(state, history.state)
    assert {("ana", "hope"), (None, "fear"), (None, "progress")} == {
        (counters_in(state)[key].owner, counters_in(state)[key].type) for key in moved
    }


def test_a_choice_is_not_offered_again_and_the_last_one_ends_the_sheet() -> None:
    its = words_of(SETS["fabula-ultima"])
    state = opening(SETS["fabula-ultima"], 2)
    first = actions.of_aftermath(its, state, "gm", "ana", "fumble", {})
    after_one = dict(parse_qsl(urlsplit(next(_moves(first))["next"]).query))
    second = actions.of_aftermath(its, state, "gm", "ana", "fumble", after_one)

    assert [2, 1] == [len([*_moves(sheet)]) for sheet in (first, second)]
    assert [False, True] == [first["last"], second["last"]]


def _moves(sheet: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for _key, listed in sheet["lists"]:
        yield from listed
