"""Numbers of Magic that change by themselves: what is offered, and when it happens by itself."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.history import History
from games.rules.scenario import opening
from games.screens.drawing import Drawing
from games.screens.turn import step_from
from games.systems import find, presentation_of
from games.systems.controls import Act, Stepper
from games.systems.magic import CURRENT, ticking
from games.systems.magic.known import KNOWN
from games.systems.sheets import CardAction
from tests.types import Json

UPKEEP = ("time", "upkeep", -1, "graveyard")
END = ("time", "end", -1, None)


def table(**objects: Json) -> History:
    given = {
        "seats": {"ana": {}, "ben": {}},
        "objects": {key: {"owner": "ana", **each} for key, each in objects.items()},
        "turn": {"active": ["ana"], "phase": "precombat-main"},
    }
    return History(CURRENT, opening(CURRENT, {"given": given}))


def offered(name: str, types: list[str], **more: Any) -> list[tuple[Any, ...]]:
    """What is offered for the time counters of such a card."""
    card = {"name": name, "types": types, "counters": {"time": 4}, **more}
    state = table(card=card).state
    return [
        tuple(fields.get(key) for key in ("counter", "begins", "change", "at_zero"))
        for fields, _known in ticking.usual(CURRENT, state, state.objects["card"])
        if fields["counter"] == "time"
    ]


@pytest.mark.parametrize("name", ticking.OVERLORDS.split("; "))
@pytest.mark.parametrize("types", [["enchantment"], ["enchantment", "creature"]])
def test_impending_is_at_the_end_step_and_sends_nothing_away(name: str, types: list[str]) -> None:
    assert [END] == offered(name, types)
    assert [END] == offered(name.upper().replace(" ", "  "), types)


def test_a_card_without_a_known_name_is_offered_what_its_types_may_have() -> None:
    assert [UPKEEP] == offered("Calciderm", ["creature"])
    assert [UPKEEP] == offered("Somebody", ["creature"])
    assert [UPKEEP, END] == offered("Out of Time", ["enchantment"])
    assert [END, UPKEEP] == offered("Somebody", ["enchantment", "creature"])
    suspended = offered("Overlord of the Mistmoors", ["enchantment"], zone="exile")
    assert [("time", "upkeep", -1, "stack")] == suspended


def test_a_known_name_says_so_before_there_is_a_counter() -> None:
    cards = {"remora": "Mystic Remora", "lord": "Overlord of the Mistmoors", "bear": "Bear"}
    state = table(
        **{key: {"name": name, "types": ["enchantment"]} for key, name in cards.items()}
    ).state
    usual = {
        key: [
            (each.fields, each.known) for each in ticking.usual(CURRENT, state, state.objects[key])
        ]
        for key in cards
    }

    assert [(ticking.AGE, True)] == usual["remora"]
    assert [(ticking.IMPENDING, True)] == usual["lord"]
    assert [(ticking.SAGA, False)] == usual["bear"]


def test_an_overlord_is_found_with_what_is_printed_on_it() -> None:
    (found,) = KNOWN.offer("overlord of the flood")

    assert ("Overlord of the Floodpits", ()) == (found.name, found.standings)
    base, types = {"power": 5, "toughness": 3}, ["enchantment", "creature"]
    subtypes = {"avatar": True, "horror": True, "other": False}
    assert {"types": types, "base": base, "subtypes": subtypes} == found.printed


def test_an_overlord_is_a_creature_again_with_one_tap_once_its_time_has_come() -> None:
    base = KNOWN.called("Overlord of the Mistmoors").base
    overlord = {"name": "Overlord of the Mistmoors", "types": ["enchantment", "creature"]}
    history = table(lord={**overlord, "base": base, "counters": {"time": 1}}, bear={"name": "Bear"})
    board, sheets = presentation_of(CURRENT).board, presentation_of(CURRENT).sheets

    def acts(card: str) -> list[Act]:
        return [*board.acts(CURRENT, history.state, history.state.objects[card])]

    def switches(card: str) -> list[CardAction]:
        tiles = sheets.tiles(CURRENT, history.state, history.state.objects[card])
        found = [each for each in tiles if isinstance(each, CardAction)]
        return [each for each in found if each.do == "describe"]

    tiles = sheets.tiles(CURRENT, history.state, history.state.objects["lord"])
    assert ["marked", "time"] == [each.kind for each in tiles if isinstance(each, Stepper)][:2]

    # Cast for its impending cost, it is no creature.
    (switch,) = switches("lord")
    assert (True, True) == (switch.on, switch.stays)
    history.give({"do": switch.do, switch.holder: "lord", **switch.facts, "by": "ana"})
    assert ("enchantment",) == history.state.objects["lord"].types  # type: ignore[attr-defined]
    assert ([], []) == (acts("lord"), acts("bear"))
    assert [] == switches("bear")

    history.give({"do": "remove", "on": "lord", "counter": "time", "by": "ana"})
    (act,) = acts("lord")
    tap = board.taps[act.tap]
    history.give({"do": tap.do, tap.holder: "lord", **tap.fixed, "by": "ana"})
    lord: Any = history.state.objects["lord"]
    assert ("enchantment", "creature") == lord.types
    assert [] == acts("lord")


# The turn's button


def tick(history: History, **more: Any) -> None:
    fields = {"as": "tick", "on": "lord", "counter": "time", "change": -1, "begins": "end"}
    history.give({"do": "tick", **fields, "by": "ana", **more})


def phases(history: History) -> list[str]:
    return [e["phase"] for e in history.entries[-1].events if e["kind"] == "phase-began"]


LORD: Json = {"types": ["enchantment"], "counters": {"time": 2}}


def test_the_next_turn_begins_through_the_end_step_in_which_a_number_changes() -> None:
    history = table(lord=LORD)
    tick(history)
    turn = {"do": "begin-turn", "by": "ana", "to_main": True}
    history.give({**turn, "active": ["ben"]})

    assert ["end", "precombat-main"] == phases(history)
    assert {"time": 1} == history.state.on("lord")

    # In Ben's turn it rests, and it is one undo.
    history.give({**turn, "active": ["ana"]})
    assert ["precombat-main"] == phases(history)
    history.give({"do": "undo", "by": "ana"})
    history.give({"do": "undo", "by": "ana"})
    assert {"time": 2} == history.state.on("lord")


def test_a_turn_whose_end_step_has_begun_does_not_begin_it_again() -> None:
    history = table(lord=LORD)
    tick(history)
    history.give({"do": "begin-phase", "phase": "end", "by": "ana"})
    history.give({"do": "begin-turn", "by": "ana", "to_main": True, "active": ["ben"]})

    assert ["precombat-main"] == phases(history)
    assert {"time": 1} == history.state.on("lord")


def test_a_turn_that_is_begun_without_that_begins_no_other_phase() -> None:
    history = table(lord=LORD)
    tick(history)
    history.give({"do": "begin-turn", "by": "ana", "active": ["ben"]})

    assert [] == phases(history)
    assert {"time": 2} == history.state.on("lord")


def test_a_creature_that_leaves_at_the_end_step_has_no_change_left_to_end() -> None:
    """A creature that goes as its turn ends has no change left that could end, too."""
    bear = {"types": ["creature"], "base": {"power": 2, "toughness": 2}, "counters": {"time": 1}}
    history = table(lord=bear)
    tick(history, at_zero="graveyard")
    history.give({"do": "change", "object": "lord", "add": {"power": 1}, "by": "ana"})
    history.give({"do": "begin-turn", "by": "ana", "to_main": True, "active": ["ben"]})

    kinds = [event["kind"] for event in history.entries[-1].events]
    assert "graveyard" == history.state.objects["lord"].zone
    assert "turn-ended" not in kinds
    assert {} == history.state.ticks


@pytest.mark.parametrize(
    ("system", "phase", "begins", "step"),
    [
        ("magic", "precombat-main", "combat", "combat"),
        ("magic", "precombat-main", "end", ""),
        ("grand-archive", "main", "end", "end"),
        ("grand-archive", "main", "combat", "combat"),
        ("grand-archive", "main", "main", ""),
    ],
)
def test_the_next_step_goes_to_the_phase_in_which_a_number_changes(
    system: str, phase: str, begins: str, step: str
) -> None:
    rules = find(system)
    given = {
        "seats": {"ana": {}, "ben": {}},
        "objects": {"lord": {"owner": "ana", "types": ["domain" if phase == "main" else "land"]}},
        "turn": {"active": ["ana"], "phase": phase},
    }
    history = History(rules, opening(rules, {"given": given}))
    assert "" == step_from(Drawing(rules), history.state)
    tick(history, begins=begins, change=1)

    assert step == step_from(Drawing(rules), history.state)
