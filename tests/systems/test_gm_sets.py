"""What GMs' tables count: the cases of the other GM's table hold, sets are read, and secrets stay
secret."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.history import History
from games.rules.scenario import SpecificationError, check, play
from games.store import demos
from games.systems import current, find, presentation_of
from games.systems.own_game import compiled, fault
from games.systems.own_game.language.reading import Fault
from games.systems.own_game.led import from_set
from games.systems.own_game.led.sentences import lines
from games.tracks.sets.fight import shown
from games.tracks.sets.plain import PLAIN
from tests.types import Json

TESTS = Path(__file__).parents[1]
GAMES = {name: game for name, game in demos.ready_games("own-game").items() if "gm" in game}
WRITTEN = from_set.definition(PLAIN)
CURRENT = compiled(WRITTEN)


def others() -> Iterator[Json]:
    """The cases of Stars and Signs as the plain set plays them, with slots worth five points.

    Those of its own verbs, and those of its ten slots at most, are its own.
    """
    for name in (
        "stars-and-signs",
        "stars-and-signs-more",
        "stars-and-signs-giving",
        "stars-and-signs-sessions",
    ):
        path = TESTS / "scenarios" / f"{name}.json"
        for each in json.loads(path.read_text(encoding="utf-8")):
            text = json.dumps(each)
            if '"milestone": ' in text or any(
                f'"do": "{verb}"' in text for verb in ("suffer", "milestone")
            ):
                continue
            yield _played_here(each)


def _played_here(case: Json) -> Json:
    case = {
        **copy.deepcopy(case),
        "system": "own-game",
        "definition": WRITTEN,
        "edition": CURRENT.edition,
    }
    for facts in case["given"].get("slot_counters", {}).values():
        if facts.get("type") != "inventory":
            facts.setdefault("worth", 5)
    for command in chain(*map(_with_steps, case["when"])):
        if command.get("do") == "create" and command.get("type") != "inventory":
            command.setdefault("worth", 5)
    return case


def _with_steps(command: Any) -> Iterator[Json]:
    if isinstance(command, dict):
        yield command
        for each in (*(command.get("steps") or ()), command.get("command")):
            yield from _with_steps(each)


OTHERWISE_HERE = frozenset(
    """create-11-slots-refused temp-cap-ten-total slots-create-defaults slots-timers-stand-still
    slots-correct slots-no-room-for-temporary slots-edit slots-edit-makes-room-for-the-temporary
    slots-create-bounds loops restart-a-counter slots-temporary-beyond-ten
    slots-excess-as-room-allows slots-fields-by-type links-do-five-things
    slots-no-cards-here""".split()
)
"""The cases that say how many slots are too many, which here is a matter of the look, that two
counters cannot race, and that nothing else is counted."""


def test_the_cases_of_the_other_gms_table_hold_here() -> None:
    cases = list(others())
    differing = {case["id"] for case in cases if check(case, CURRENT)}

    assert len(cases) > 200
    assert set() == differing - OTHERWISE_HERE
    assert set() == OTHERWISE_HERE - differing


# Sets


FAULTS = [
    ("types", []),
    ("types", [{"type": "a", "name": "A"}, {"type": "a", "name": "B"}]),
    ("types", [{"type": "a", "name": "A", "look": "pie", "size": 13}]),
    ("types", [{"type": "A b", "name": "A"}]),
    ("types", [{"type": "a", "name": "A", "look": "pie", "parts": 4}]),
    ("types", [{"type": "a", "name": "A", "look": "boxes", "parts": 4, "least": -1}]),
    ("types", [{"type": "a", "name": "A", "look": "boxes", "step": 0}]),
    ("kit", [{"name": "Stress", "type": "nowhere"}]),
    ("outcomes", [{"name": "Hit", "ticks": [{"type": "inventory"}]}]),
    ("colour", "red"),
]


@pytest.mark.parametrize(("field", "value"), FAULTS)
def test_a_set_with_a_fault_is_refused_with_its_place(field: str, value: Any) -> None:
    place = fault({**WRITTEN, "gm": {**WRITTEN["gm"], field: value}})

    assert place is not None
    assert place in ("gm", "gm.") or place.startswith(f"gm.{field}")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda each: (
        st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=8), each, max_size=3)
    ),
    max_leaves=10,
)


@given(JSON)
def test_anything_is_a_set_or_has_a_fault(anything: Any) -> None:
    assert fault(anything) is not None


# Secrets

SEATS: Json = {"gm": {}, "ana": {}, "ben": {}}
OPEN: list[Json] = [
    {"do": "create", "as": "marrow", "type": "hp", "slots": 67, "visibility": "known",
     "initiative": 18},
    {"do": "create", "as": "a", "type": "hp", "slots": 44, "owner": "ana", "initiative": 17},
    {"do": "create", "as": "b", "type": "hp", "slots": 27, "owner": "ben", "initiative": 7},
    {"do": "fight", "to": "begin"},
]  # fmt: skip
"""A fight that everyone may see. `marrow` is known by name."""
HIDDEN: list[Json] = [
    {"do": "create", "as": f"g{n}", "type": "hp", "slots": 22, "visibility": "hidden",
     "initiative": i} for n, i in enumerate((20, 16, 16, 9, 2, 0))]  # fmt: skip
"""Six hidden creatures in it."""


def test_players_keep_the_last_turn_that_they_knew() -> None:
    history = History(CURRENT, CURRENT.opening(CURRENT, {"seats": SEATS}, {}))
    for command in (*HIDDEN, *OPEN):
        history.give(command)
    told = []
    for _each in range(6):
        history.give({"do": "next-turn"})
        told.append((shown(history.state, "gm"), shown(history.state, "ana")))

    assert [gm["turn"] for gm, _ana in told if gm] == ["g0", "marrow", "a", "g1", "g2", "g3"]
    assert [ana["turn"] for _gm, ana in told if ana] == [None, "marrow", "a", "a", "a", "a"]


def test_texts_for_players_are_among_the_texts_of_a_set() -> None:
    said = str(lines(WRITTEN["gm"])["types hp"])
    assert "Hit points: a number out of 10, when it is over: “It is down.”, “down” 0 %" in said


def test_momentum_starts_below_zero_and_a_box_of_progress_takes_four_ticks() -> None:
    system = compiled(GAMES["ironsworn"])
    table = History(system, system.opening(system, {"seats": {"gm": {}, "ana": {}}}, {}))
    by = {"by": "gm"}
    table.give({"do": "create", "as": "m", "name": "Momentum", "type": "momentum", **by})
    table.give({"do": "create", "as": "v", "name": "Vow", "type": "dangerous", **by})

    def reads() -> list[tuple[Any, int, bool]]:
        found: Any = table.state.slot_counters
        return [(found[key].figure, found[key].top, found[key].complete) for key in "mv"]

    assert [("−6", 10, False), ("0", 10, False)] == reads()
    table.give({"do": "fill", "on": "m", "slots": 8, **by})
    table.give({"do": "fill", "on": "v", "slots": 13, **by})
    assert [(2, 10, False), ("3¼", 10, False)] == reads()
    table.give({"do": "clear", "on": "v", "slots": 11, **by})
    table.give({"do": "fill", "on": "m", "slots": 8, **by})
    assert [(10, 10, True), ("½", 10, False)] == reads()


def test_a_tap_marks_as_much_as_the_type_says() -> None:
    taps = presentation_of(compiled(GAMES["ironsworn"])).board.taps

    assert {"slots": 12} == taps["fill-slot-12"].fixed
    assert {"slots": 2} == taps["clear-slot-2"].fixed
    assert "fill-slot-3" not in taps


def test_a_tug_of_war_fills_one_clock_and_empties_the_other() -> None:
    by_name = {each.name: each for each in compiled(GAMES["fabula-ultima"]).set.outcomes}
    ticks = [(each.type, each.slots, each.clears) for each in by_name["By 3"].ticks]

    assert [("clock", 2, False), ("rival", 2, True)] == ticks


@pytest.mark.parametrize("made", [5, {"title": 5}, {"types": [7]}, []])
def test_an_older_file_that_holds_no_set_is_refused_as_any_other(made: Any) -> None:
    written = {"system": "any-rpg", "definition": made or [1], "given": {}, "when": [], "then": {}}

    assert (made or [1]) == current(written)["definition"]
    with pytest.raises((SpecificationError, Fault)):
        play(current(written), find("own-game"))


def test_a_file_whose_system_is_no_word_is_left_as_it_is() -> None:
    assert {"system": []} == current({"system": []})
