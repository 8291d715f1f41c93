"""Updates: drawn once, only what changed, and always the same as the page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from games.live.shown_game import merged
from games.rules import scenario
from games.rules.history import Applied, History
from games.rules.state import GameObject, GameState, Refused
from games.rules.system import System
from games.screens import boards
from games.screens.cards import cards
from games.screens.drawing import Drawing
from games.screens.fragments import OOB, Audience, amount, audience, sequence
from games.screens.slots import fragments as slot_fragments
from games.screens.stacks import Row
from games.screens.turn import header
from games.screens.view_models import CardView
from games.systems import PRESENTATIONS, SYSTEMS, find
from games.systems.board import Board
from games.systems.controls import Act
from games.tracks.counter import Counter
from tests.page import Node, parsed
from tests.random_games import opened, pool

EVERYBODY = Audience()
FIELD = {
    "azure": {"types": ["champion"], "base": {"life": 20, "level": 1}, "owner": "ana"},
    "wolf": {
        "name": "Young Wolf",
        "types": ["ally"],
        "base": {"power": 2, "life": 3},
        "owner": "ana",
        "counters": {"buff": 1, "quest": 2},
    },
    "blade": {"types": ["weapon"], "base": {"power": 1, "durability": 2}, "owner": "ben"},
}


def table(system: str = "grand-archive", **given: Any) -> History:
    rules = find(system)
    described = {"seats": {"ana": {}, "ben": {}, "cleo": {}}, "objects": FIELD, **given}
    return History(rules, scenario.opening(rules, {"given": described, "settings": {}}))


def drawn(history: History, seat: str = "ana") -> str:
    return boards.board(Drawing(history.system), history.state, seat, EVERYBODY)


def changes(history: History, **command: Any) -> str:
    """The fragments of one command, after a first board and a first command."""
    history.give({"do": "place", "on": "azure", "counter": "age"})
    return boards.changes(Drawing(history.system), history.give(command), EVERYBODY)


def test_one_more_generic_counter_is_one_number() -> None:
    shown = changes(table(), do="place", on="wolf", counter="quest", amount=3)

    assert amount("wolf", "quest", 5, ' hx-swap-oob="true"') == shown


def test_a_page_and_an_update_draw_the_same_number() -> None:
    assert amount("wolf", "quest", 2) in drawn(table())


def test_a_kind_that_is_new_draws_its_card_only() -> None:
    shown = parsed(changes(table(), do="place", on="wolf", counter="sheen")).children

    assert ["o-wolf"] == [node.attributes["id"] for node in shown]


def test_a_buff_changes_the_number_and_the_stats() -> None:
    shown = parsed(changes(table(), do="place", on="wolf", counter="buff")).children

    assert ["wolf.buff", "wolf.stats"] == [node.attributes["id"] for node in shown]


def test_a_number_of_the_rules_that_only_itself_shows_is_that_number() -> None:
    """Of a seat, and of a card with what it leaves of the card."""
    shown = changes(table(), do="damage", on="azure", amount=3)
    ids = [node.attributes["id"] for node in parsed(shown).children]
    magic = table("magic", objects={})
    life = boards.changes(
        Drawing(magic.system),
        magic.give({"do": "lose-life", "seat": "ben", "amount": 3}),
        EVERYBODY,
    )

    assert ["azure.damage", "ana.hero.left", "ana.hero.gauge"] == ids
    assert amount("ben", "life", 17, OOB) == life


def test_an_undo_of_many_sends_only_what_differs() -> None:
    history = table()
    for on, counter in (("azure", "age"), ("wolf", "quest"), ("wolf", "sheen")):
        history.give({"do": "place", "on": on, "counter": counter})
    given = history.give({"do": "undo", "to": 1})
    shown = parsed(boards.changes(Drawing(history.system), given, EVERYBODY)).children

    assert given.touched is None
    assert ["o-wolf", "moments"] == [node.attributes["id"] for node in shown]


def test_a_number_that_is_the_same_again_is_not_sent() -> None:
    """Python has large numbers twice."""
    history = table("yu-gi-oh", objects={})
    before = history.state
    again = {seat: replace(each, life=int("8000")) for seat, each in before.seats.items()}
    given = Applied(None, before, replace(before, seats=again), frozenset(again))

    assert "" == boards.changes(Drawing(history.system), given, EVERYBODY)


def test_all_who_see_a_counter_in_full_share_what_is_drawn_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []
    figure = slot_fragments.figure

    def noted(counter: Counter) -> str:
        drawn.append(counter.id)
        return figure(counter)

    monkeypatch.setattr(slot_fragments, "figure", noted)
    alarm = {"name": "Alarm", "type": "danger", "slots": 8, "filled": 3}
    seats = {"gm": {}, "ana": {}, "ben": {}}
    history = table("stars-and-signs", seats=seats, objects={}, slot_counters={"alarm": alarm})
    screens = Drawing(history.system)
    given = history.give({"do": "fill", "on": "alarm", "slots": 1, "by": "gm"})
    audiences = [audience(screens.system, seat) for seat in (None, *seats)]
    frames = {boards.changes(screens, given, each) for each in audiences}

    assert (["alarm"], 1) == (drawn, len(frames))


def test_a_counter_that_was_touched_and_is_as_full_as_before_is_not_sent() -> None:
    """Commands that came together may take back what they did."""
    alarm = {"name": "Alarm", "type": "danger", "slots": 8, "filled": 3}
    seats = {"gm": {}, "ana": {}}
    history = table("stars-and-signs", seats=seats, objects={}, slot_counters={"alarm": alarm})
    fill, clear = ({"do": do, "on": "alarm", "slots": 1, "by": "gm"} for do in ("fill", "clear"))
    both = merged([history.give(fill), history.give(clear)])

    assert both.before is not both.after
    assert "" == boards.changes(Drawing(history.system), both, audience(history.system, "gm"))


def test_hope_that_is_spent_and_an_undo_of_it_draw_one_cell_of_the_party() -> None:
    hope = {"name": "Hope", "type": "resource", "role": "hope", "slots": 10, "filled": 3}
    hopes = {f"hope-{seat}": {**hope, "owner": seat} for seat in ("ana", "ben")}
    seats = {"gm": {}, "ana": {}, "ben": {}}
    history = table("stars-and-signs", seats=seats, objects={}, slot_counters=hopes)
    screens, ben = Drawing(history.system), audience(history.system, "ben")
    spend = {"do": "spend", "on": "hope-ana", "slots": 1, "by": "ana"}
    shown = [boards.changes(screens, history.give(raw), ben) for raw in (spend, {"do": "undo"})]
    ids = [{node.attributes["id"] for node in parsed(each).children} for each in shown]
    changed = {"ana.cell", "k-hope-ana.n", "k-hope-ana.said", "k-hope-ana.7"}

    assert [changed, changed] == ids


def test_a_turn_draws_both_cells_of_the_strip_anew_and_is_told_its_player() -> None:
    history = table()
    history.give({"do": "place", "on": "azure", "counter": "age"})
    given = history.give({"do": "begin-turn", "active": ["ben"]})
    shown = {
        seat: parsed(boards.changes(Drawing(history.system), given, Audience(seat))).children
        for seat in (None, "ben")
    }
    ids = {seat: [node.attributes["id"] for node in nodes] for seat, nodes in shown.items()}
    drawn = ["ana.cell", "ben.cell", "turn"]

    assert {None: drawn, "ben": [*drawn, "moments"]} == ids


def test_a_number_that_changes_in_a_later_phase_draws_the_next_step_anew() -> None:
    tick = {"as": "tick", "on": "wolf", "counter": "quest", "change": "clear", "begins": "end"}
    history = table(turn={"active": ["ana"], "phase": "main"})
    shown = parsed(changes(history, do="tick", **tick))

    assert ["turn"] == [node.attributes["id"] for node in shown.children]
    assert "end" in [node.attributes.get("value") for node in shown.all()]


def test_my_seat_is_first_and_the_others_follow_in_table_order() -> None:
    page = drawn(table(), "ben")

    assert sorted(["ben", "cleo", "ana"], key=lambda seat: page.index(f'id="s-{seat}"')) == [
        "ben",
        "cleo",
        "ana",
    ]


def test_typed_text_is_text_and_nothing_else() -> None:
    history = table()
    history.give({"do": "create", "as": "x", "name": '<img src=x onerror="alert(1)">'})
    page = boards.board(
        Drawing(history.system, {"ana": "<b>Ana</b>"}), history.state, "ana", EVERYBODY
    )

    assert ("<img", "<b>Ana") == tuple(each for each in ("<img", "<b>Ana") if each not in page)


def test_a_board_of_a_hundred_objects_is_below_60_kilobytes() -> None:
    kinds = ({"buff": 2}, {"quest": 3, "wither": 1}, {})
    objects = {
        f"card-{i}": {
            "name": f"Honorable Vanguard {i}",
            "types": ["ally"],
            "base": {"power": 2, "life": 3},
            "owner": ("ana", "ben", "cleo")[i % 3],
            "counters": kinds[i % 3],
        }
        for i in range(100)
    }

    assert len(drawn(table(objects=objects)).encode()) < 60_000


def test_a_card_that_shows_the_same_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    history, screens = table(), Drawing(find("grand-archive"))
    history.give({"do": "place", "on": "azure", "counter": "age"})
    boards.board(screens, history.state, "ana", EVERYBODY)
    rendered: list[str] = []
    draw = cards._whole

    def noted(drawing: Drawing, card: CardView, row: Row) -> str:
        rendered.append(card.id)
        return draw(drawing, card, row)

    monkeypatch.setattr(cards, "_whole", noted)
    given = history.give({"do": "place", "on": "wolf", "counter": "sheen"})
    boards.board(screens, given.after, "ben", EVERYBODY)

    assert ["wolf"] == rendered


def test_a_frame_ends_with_its_number_and_what_it_settles() -> None:
    assert '<data id="seq" data-seq="57" data-acks="a b" hx-swap-oob="true"></data>' == sequence(
        57, ["a", "b"]
    )
    assert ' data-acks="a b" data-by="ana" data-idle="b" ' in sequence(
        57, ["a", "b"], by="ana", idle=["b"]
    )


def test_a_seat_with_secrets_is_an_audience_of_its_own() -> None:
    with_secrets = [editions[0] for editions in SYSTEMS.values() if editions[0].secrets]
    without = [editions[0] for editions in SYSTEMS.values() if not editions[0].secrets]

    assert {"ana"} >= {audience(system, "ana").seat for system in with_secrets}
    assert {None} == {audience(system, "ana").seat for system in without}


# Whatever happens, frames lead to the board that is drawn anew


ANNOUNCED = ("moments", "notices")
"""Elements that only frames fill, once each."""


def board(screens: Drawing, state: GameState, seen_by: Audience) -> Node:
    """The page of a newcomer."""
    seat = seen_by.seat
    page = header(screens, state, seen_by) + boards.board(screens, state, seat, seen_by)
    return parsed(page)


def silent(page: Node) -> str:
    """*page* without what was announced on it."""
    for node in page.all():
        if node.attributes.get("id") in ANNOUNCED:
            node.children = []
            node.attributes = {"id": node.attributes["id"]}
    return str(page)


def follow(history: History, commands: Iterable[Mapping[str, Any]]) -> int:
    """Give *commands*; after each, every audience's frames have led to a newcomer's page.

    Returns how many were accepted.
    """
    accepted = 0
    system, screens = history.system, Drawing(history.system)
    audiences = {audience(system, seat) for seat in (None, *history.state.seats)}
    pages = {each: board(screens, history.state, each) for each in audiences}
    for command in commands:
        try:
            applied = history.give(command)
        except Refused:
            continue
        accepted += 1
        newcomers, seats = Drawing(history.system), [*applied.before.seats]
        changed = history.system is not screens.system
        if changed or seats != [*history.state.seats]:  # the watch sends boards
            screens = newcomers
            pages = {each: board(screens, history.state, each) for each in audiences}
            continue
        for each, page in pages.items():
            page.apply(boards.changes(screens, applied, each))
            fresh = board(newcomers, history.state, each)

            assert silent(fresh) == silent(page), f"{each} after {command}"
    return accepted


def played() -> list[Any]:
    """Every fifth scenario of the newest edition of each system."""
    return [
        pytest.param(editions[0], case, id=case["id"])
        for editions in SYSTEMS.values()
        for case in pool(editions[0])[::5]
    ]


def test_a_seat_that_is_out_shows_no_number_that_is_gone() -> None:
    poisoned = {"do": "place", "on": "ben", "counter": "poison", "amount": 10}

    assert 2 == follow(table("magic"), [poisoned, {"do": "restart"}])


def test_a_seat_that_is_out_has_the_number_that_was_why_in_its_cell() -> None:
    history = table("magic")
    history.give({"do": "lose-life", "seat": "ben", "amount": 30})
    before = history.state
    seats = {**before.seats, "ben": replace(before.seats["ben"], life=-3)}
    given = Applied(None, before, replace(before, seats=seats), frozenset({"ben"}))
    shown = parsed(boards.changes(Drawing(history.system), given, EVERYBODY))

    assert "ben.cell" in [node.attributes["id"] for node in shown.children]


def test_a_number_that_is_turned_after_the_end_is_turned_in_it_too() -> None:
    reached = {"when": {"always": "player"}, "if": [{"number": "points"}, ">=", 3]}
    wins = {"rule": "Three points", **reached, "do": [{"win": "it"}]}
    numbers = [{"kind": kind, "on": "player"} for kind in ("gold", "points")]
    case = {"definition": {"title": "Points", "numbers": numbers, "rules": [wins]}}
    rules = find("own-game").of_table(case)
    given = {"given": {"seats": {"ana": {}, "ben": {}}}, **case}
    history = History(rules, scenario.opening(rules, given))
    place = {"do": "place", "on": "ana", "amount": 3}
    assert 3 == follow(history, [{**place, "counter": kind} for kind in ("points", "gold", "gold")])

    assert (3, ("ana",)) == (history.number, history.state.winners)


def test_a_card_that_changes_what_players_get_goes_from_all_their_panels() -> None:
    card = {"name": "Vorinclex", "types": ["creature"], "owner": "ana"}
    twice = {"name": "Vorinclex", "object": "card", "putter": "you", "times": 2}
    history = table("magic", objects={"card": card}, standing={"twice": twice})
    there = str(board(Drawing(history.system), history.state, EVERYBODY))
    assert 3 <= there.count("×2 Vorinclex")

    assert 1 == follow(history, [{"do": "move", "object": "card", "to": "graveyard"}])
    gone = str(board(Drawing(history.system), history.state, EVERYBODY))
    assert "×2 Vorinclex" not in gone


def test_a_number_of_the_table_that_stands_on_panels_alone_is_the_same_on_all() -> None:
    more = [{"do": "place", "on": "table", "counter": "win", "amount": 1}] * 2
    given = 0
    counting = [case for case in pool(find("own-game")) if '"win"' in json.dumps(case)]
    for case in counting:
        given += 2 == follow(opened(find("own-game"), case), more)

    assert given > 5


def test_at_the_end_who_left_has_left_whatever_comes_later() -> None:
    bens = {f"p{n}": {"owner": "ben", "hp": 60} for n in range(2)}
    given = {
        "objects": {"mew": {"hp": 60, "owner": "ana"}, **bens},
        "seats": {"ana": {}, "ben": {}},
    }
    history = table("pokemon", **given, turn={"active": ["ana"], "phase": "turn"})
    moves = [{"do": "move", "object": each, "to": "hand", "by": "ben"} for each in bens]
    assert 3 == follow(history, [{"do": "leave", "seat": "ben", "by": "ben"}, *moves])

    shown = str(board(Drawing(history.system), history.state, EVERYBODY))
    assert "left the game" in shown
    assert "no Pokémon left in play" not in shown


@pytest.mark.parametrize(("system", "case"), played())
def test_updates_lead_to_the_page_that_a_newcomer_gets(system: System, case: Any) -> None:
    accepted = follow(opened(system, case), case["when"])

    assert len(case["when"]) - len(case["then"].get("refused", ())) == accepted


def test_a_card_that_offers_another_act_in_another_turn_is_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Wielding(Board, frozen=True):
        def acts(self, system: System, state: GameState, obj: GameObject) -> Iterator[Act]:
            if state.turn and obj.controller in state.turn.active:
                yield Act("wield", "use")

    said = replace(PRESENTATIONS["grand-archive"], board=Wielding())
    monkeypatch.setitem(PRESENTATIONS, "grand-archive", said)
    history = table()
    screens = Drawing(history.system)
    boards.board(screens, history.state, "ana", EVERYBODY)
    shown = boards.changes(
        screens, history.give({"do": "begin-turn", "active": ["ben"]}), EVERYBODY
    )

    assert {"o-azure", "o-wolf"} <= {node.attributes["id"] for node in parsed(shown).children}
