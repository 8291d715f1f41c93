"""Laws of a command about several: equal to one of each, to its preview, to its undo."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules import scenario
from games.rules.commands import parameters
from games.rules.engine import head, read, step
from games.rules.history import History
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.log import entry_text as sentences
from games.screens.previews import previews
from games.screens.stacks import Stacks, for_each
from games.screens.words import IN_BRACES
from games.systems import find, presentation_of
from games.systems.own_game.led.verbs import STEPS as STEPS_OF_A_GM
from tests import laws
from tests.types import Json

from .test_core import opened, pool, random_command, random_opening

Outcome = tuple[str | None, GameState]
GAMES = [each for each in laws.editions() if "move" in each.values[0].verbs]
IN_PLAY = SimpleNamespace(on_field=True, face_down=False)
STACKING = [each for each in GAMES if presentation_of(each.values[0]).board.stacked(IN_PLAY)]
"""Those whose cards in play may share a row."""
AT_ONCE = ("place", "remove", "damage", "heal", "resolve-spell")
"""The verbs that work a list out at once; steps come one after another."""
LISTED = ("mark", "move", "control", "flip", "permit", "revoke", "describe", "change")
"""The verbs that do a list one after another."""
sometimes = settings(
    max_examples=int(os.environ.get("LAWS_EXAMPLES", "10")),
    deadline=None,
    phases=(Phase.explicit, Phase.generate),  # a failure prints the whole case, small or not
    suppress_health_check=list(HealthCheck),
    derandomize="LAWS_EXAMPLES" not in os.environ,
)


def may_be_a_step(system: System, raw: Mapping[str, Any]) -> bool:
    """True if the verb of *raw* may be a step of another command; a GM's table names those."""
    do = str(raw.get("do"))
    verb = system.verbs.get(do)
    led = system.defined is not None and system.secrets is not None
    return verb is not None and not (verb.served or verb.steps) and (not led or do in STEPS_OF_A_GM)


def game(system: System, data: st.DataObject) -> History:
    """A game a few commands old, in which copies of one card may be alike."""
    cases = pool(system)
    case = data.draw(st.sampled_from(cases))
    objects = case["given"].get("objects", {})
    if objects and data.draw(st.booleans()):
        first = data.draw(st.sampled_from(sorted(objects)))
        like = {"name": first, **objects[first]}
        copies = {f"like-{n}": like for n in range(data.draw(st.integers(1, 5)))}
        case = {**case, "given": {**case["given"], "objects": {**objects, first: like, **copies}}}
    try:
        history = opened(system, case)
    except scenario.SpecificationError:  # a second Active Pokémon
        history = random_opening(data, system, cases)[1]
    for _ in range(data.draw(st.integers(0, 8))):
        laws.give(history, random_command(data, cases, history.state))
    return history


def outcome(system: System, state: GameState, raw: Mapping[str, Any]) -> Outcome:
    """The refusal's code, and the state afterwards."""
    try:
        after, _events = step(system, state, read(system, raw, head(system, state, raw).by))
    except Refused as refused:
        return refused.code, state
    return None, after


def card_verb(system: System, data: st.DataObject, state: GameState, verbs: Any) -> Json:
    """A command of one of *verbs*."""
    commands = [each for case in pool(system) for each in case["when"] if each.get("do") in verbs]
    commands = [each for each in commands if each["do"] in system.verbs]
    assert commands, f"no case of {system.name} gives any of {', '.join(verbs)}"
    return {**data.draw(st.sampled_from(commands)), "by": system.seating.default_by(state)}


@pytest.mark.parametrize("system", GAMES)
@sometimes
@given(data=st.data())
def test_a_list_is_each_of_it_in_order(system: System, data: st.DataObject) -> None:
    history = game(system, data)
    system = history.system
    state = history.state
    raw = card_verb(system, data, state, LISTED)
    raw.pop("id", None)
    key = "on" if raw["do"] == "mark" else "object"
    there = [*state.seats, *state.objects]
    assume(len(there) > 1)  # an own game may have one seat and nothing else
    ids = data.draw(st.lists(st.sampled_from(there), min_size=2, max_size=4, unique=True))
    # What enters by the same `move` is not there for what enters with it; in steps it is.
    assume(not state.standings)
    step_of = {name: each for name, each in raw.items() if name not in ("by", "note")}
    steps = [{**step_of, key: each} for each in ids]
    together = {"do": "together", "by": raw["by"], "steps": steps}

    assume(any(p.key == key and p.reader.many for p in parameters(system.verbs[raw["do"]].command)))
    listed = {**raw, key: ids}
    refused, after = outcome(system, state, together)
    refused_too, at_once = outcome(system, state, listed)

    # All ids of a list are looked at before any is refused for another reason.
    assert (refused is None, after) == (refused_too is None, at_once), listed


@pytest.mark.parametrize("system", GAMES)
@sometimes
@given(data=st.data())
def test_one_step_is_the_command_itself(system: System, data: st.DataObject) -> None:
    history = game(system, data)
    system = history.system
    state = history.state
    raw = random_command(data, pool(system), state)
    assume(may_be_a_step(system, raw))
    by = raw.get("by", system.seating.default_by(state))
    alone = {name: each for name, each in raw.items() if name not in ("by", "id", "note")}

    assert outcome(system, state, {**alone, "by": by}) == outcome(
        system, state, {"do": "together", "by": by, "steps": [alone]}
    )


@pytest.mark.parametrize("system", GAMES)
@sometimes
@given(data=st.data())
def test_equal_commands_end_in_equal_states(system: System, data: st.DataObject) -> None:
    """Steps and the same commands one by one differ only where a state-based effect comes."""
    history = game(system, data)
    system = history.system
    state, by = history.state, system.seating.default_by(history.state)
    after, one_by_one, steps = state, [], []
    for _ in range(data.draw(st.integers(3, 8))):
        raw = random_command(data, pool(system), after)
        each = {k: v for k, v in raw.items() if k not in ("by", "id", "note")}
        if may_be_a_step(system, raw):
            try:
                after, events = step(system, after, read(system, each, by))
            except Refused:
                continue
            one_by_one += events
            steps.append(each)
    assume(len(steps) > 1)
    together = {"do": "together", "steps": steps}
    try:
        at_once, at_one_time = step(system, state, read(system, together, by))
    except Refused:
        return  # what settles only after the last step stood in the way
    if one_by_one == at_one_time:
        assert after == at_once


@pytest.mark.parametrize("system", STACKING)
@sometimes
@given(data=st.data())
def test_a_row_is_each_of_its_cards(system: System, data: st.DataObject) -> None:
    history = game(system, data)
    system = history.system
    assume(not (system.defined and system.secrets))  # a GM's board has no rows of cards
    state, by = history.state, system.seating.default_by(history.state)
    rows = {Stacks(system).row(state, each) for each in state.objects}
    long = [row for row in rows if len(row) > 1]
    assume(long)
    row = data.draw(st.sampled_from(sorted(long)))
    raw = random_command(data, pool(system), state)
    assume(may_be_a_step(system, raw))
    verb = system.verbs[raw["do"]]
    raw = {name: each for name, each in raw.items() if name not in ("by", "id", "note")}
    one = next((p for p in parameters(verb.command) if p.key in ("object", "on", "from")), None)
    assume(one is not None)
    assert one is not None
    raw = {**raw, one.key: row[0]}
    copies = {"as": raw["as"]} if "as" in raw else {}
    others = {name: each for name, each in raw.items() if each == row[0]}
    assume(set(others) <= {"object", "on", "from", "source"})
    steps = [
        {
            **raw,
            **dict.fromkeys(others, each),
            **({k: f"{v}-{n}" for k, v in copies.items()} if n else {}),
        }
        for n, each in enumerate(row)
    ]
    said = for_each(system, raw, {row[0]: row})
    assume(said.get("do") != raw["do"] or one.reader.many)
    if raw["do"] not in AT_ONCE:
        assert outcome(system, state, {**said, "by": by}) == outcome(
            system, state, {"do": "together", "by": by, "steps": steps}
        )


@pytest.mark.parametrize("edition", ["2024-06", "2026-08"])
@sometimes
@given(data=st.data())
def test_a_previewed_change_happens(edition: str, data: st.DataObject) -> None:
    """In the usual order, and in each that is offered, if the command is given at a table."""
    system = find("magic", edition)
    cases = [case for case in pool(system) if "standing" in case["given"]]
    _, history = random_opening(data, system, cases)
    for _ in range(data.draw(st.integers(0, 4))):
        laws.give(history, random_command(data, cases, history.state))
    raw = random_command(data, cases, history.state)
    assume(raw.get("do") not in ("undo", "redo", "together"))
    raw = {"by": system.seating.default_by(history.state), **raw}
    ways, shown = (
        previews(system, history.state, raw, {seat: seat for seat in history.state.seats}),
        presentation_of(system).board.previews,
    )
    assert shown is not None
    for way in ways:
        again = History(system, history.state)
        ordered = {**raw, "order": [*way.order]} if way.order else raw
        meant = presentation_of(system).sheets.completed(system, again.state, ordered)
        assert laws.give(again, {**meant}) is None, way
        entry = again.entries[-1]
        kinds = shown.kinds
        facts = tuple(each for each in entry.events if each["kind"] in kinds)
        texts = [
            IN_BRACES.sub(r"\1", part.text)
            for _event, part in sentences.worded_events(
                system, history.state, again.state, replace(entry, events=facts)
            )
        ]
        assert [each.text for each in way.sentences] == texts, ordered
    assert len({tuple(way.sentences) for way in ways}) == len(ways)
