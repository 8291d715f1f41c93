"""The tiles of a card's sheet, and what the form for a new card asks: in every system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from countersite.laws import TILES
from games.rules import ticks
from games.rules.commands import OBJECT, SEAT
from games.rules.engine import read, step
from games.rules.state import GameObject, GameState, Refused
from games.rules.system import System
from games.screens import generated, new_card, sheets, tiles, view_models
from games.screens.tiles import ActionTile
from games.screens.words import words_of
from games.store.demos import demos
from games.systems import SYSTEMS, find, named_by, presentation_of
from games.systems.controls import Stepper

from .test_boards import table

CARD_GAMES = [
    name for name, (newest, *_) in SYSTEMS.items() if presentation_of(newest).board.kind == "cards"
]


@pytest.fixture(params=CARD_GAMES)
def game(request: pytest.FixtureRequest) -> System:
    """Each card game."""
    return by_its_demo(request.param)


def by_its_demo(name: str) -> System:
    """The system, by the rules of its demo if tables write them."""
    return next(named_by(demo)[0] for demo in demos() if demo["system"] == name)


def demo(system: System) -> GameState:
    given = next(demo["given"] for demo in demos() if demo["system"] == system.name)
    return system.opening(system, given, {})


def made(system: System, state: GameState, obj: GameObject) -> list[Stepper | ActionTile]:
    return tiles.tiles(system, state, obj, obj.controller)[0]


def kinds(tiles: list[Stepper | ActionTile]) -> list[str]:
    """The kinds of the numbers among *tiles*."""
    return [each.kind for each in tiles if isinstance(each, Stepper)]


def refused(system: System, state: GameState, raw: dict[str, Any], by: str) -> str | None:
    """The code with which the rules refuse *raw*; None if they accept it."""
    try:
        step(system, state, read(system, raw, by))
    except Refused as refusal:
        return refusal.code
    return None


def test_every_tile_is_a_command_that_the_game_takes(game: System) -> None:
    state = demo(game)
    actions = 0
    for obj in state.objects.values():
        for tile in made(game, state, obj):
            if isinstance(tile, Stepper):
                assert obj.id == tile.holder
                continue
            actions += 1
            raw = {"do": tile.action.do, **dict(tile.parameters)}
            assert refused(game, state, raw, obj.controller) in (None, "wrong-phase"), raw
    assert actions


def test_a_card_in_play_has_one_to_six_tiles(game: System) -> None:
    state = demo(game)
    for obj in state.objects.values():
        if obj.on_field:
            kinds = [tile.kind for tile in made(game, state, obj) if isinstance(tile, Stepper)]
            assert len(set(kinds)) == len(kinds)
            count = len(made(game, state, obj))
            assert count in TILES, f"{obj.name} has {count} tiles: a phone shows one to six"


def test_every_number_on_a_card_is_a_tile_or_stands_below_them(game: System) -> None:
    state = demo(game)
    for obj in state.objects.values():
        first, others = tiles.tiles(game, state, obj, obj.controller)
        shown = [tile.kind for tile in (*first, *others) if isinstance(tile, Stepper)]
        assert set(state.on(obj.id)) <= set(shown), obj.name
        assert len(set(shown)) == len(shown), obj.name


def test_the_tiles_of_an_open_sheet_stay_where_they_are(game: System) -> None:
    """Whatever counters come or go meanwhile; what comes stands below."""
    state = demo(game)
    for obj in state.objects.values():
        if not (before := kinds(made(game, state, obj))):
            continue
        others = {"zeal": 3, **dict.fromkeys(reversed(list(state.on(obj.id))), 1)}
        for now in ({}, {"zeal": 3}, others):
            changed = state.with_counters(obj.id, now)
            first, below = tiles.tiles(game, changed, obj, obj.controller, before)
            assert before == kinds(first), obj.name
            assert set(now) <= {*before, *(each.kind for each in below)}, "a counter is not shown"
            assert all(each.amount == now.get(each.kind, 0) for each in numbers(first, obj))


def numbers(tiles: list[Stepper | ActionTile], obj: GameObject) -> Iterator[Stepper]:
    """The counters among *tiles*."""
    for each in tiles:
        if isinstance(each, Stepper) and not hasattr(obj, each.kind):
            yield each


def test_points_stay_the_main_number_of_any_game_beside_other_counters() -> None:
    history = table("any-game")
    history.give({"do": "place", "on": "ana", "counter": "wood"})
    panel = view_models.panel(history.system, history.state, "ana")

    assert panel.hero
    assert ("points", 0) == (panel.hero.kind, panel.hero.amount)
    assert ["wood"] == [each.kind for each in panel.places if isinstance(each, Stepper)]


def test_an_ally_is_buffed_damaged_or_destroyed_first() -> None:
    wolf = {"name": "Wolf", "types": ["ally"], "base": {"power": 2, "life": 3}}
    history = table("grand-archive", objects={"wolf": wolf})
    history.give({"do": "place", "on": "wolf", "counter": "buff"})
    state = history.state

    found = made(history.system, state, state.objects["wolf"])

    assert [("buff", 1), ("debuff", 0), ("marked", 0)] == [
        (tile.kind, tile.amount) for tile in found if isinstance(tile, Stepper)
    ]
    assert ["move"] == [tile.action.do for tile in found if isinstance(tile, ActionTile)]
    derived = history.system.derived(history.system, state, state.objects["wolf"])
    assert "3/4" == tiles.headline(history.system, ("ally",), derived)


def test_a_sort_asks_only_what_create_takes(game: System) -> None:
    sheet = new_card.of_seat(game, demo(game), "ana")
    known = {field.label for field in (*sheet["stats"], *sheet["numbers"])}

    assert sheet["sorts"]
    for sort in sheet["sorts"]:
        assert set(sort.stats) <= known
        assert not sheet["types"] or sort.id in sheet["types"]


def test_a_sort_of_card_is_offered_only_by_the_editions_that_have_it() -> None:
    def offered(edition: str) -> set[str]:
        system = find("grand-archive", edition)
        sheet = new_card.of_seat(system, demo(system), "ana")
        assert {sort.id for sort in sheet["sorts"]} <= set(sheet["types"])
        return {"siegeable", "attack", "regalia"} & set(sheet["types"])

    assert {"regalia"} == offered("2024")
    assert {"siegeable", "regalia"} == offered("2025-07")
    assert {"siegeable", "attack", "regalia"} == offered("2026-08")


def test_each_sort_can_be_added_as_it_is_proposed(game: System) -> None:
    state = demo(game)
    sheet = new_card.of_seat(game, state, "ana")
    where = {field.label: field.name.split(":")[0] for field in sheet["stats"]}
    for number, sort in enumerate(sheet["sorts"]):
        raw: dict[str, object] = {"do": "create", "as": f"new-{number}", "name": sort.called}
        base: dict[str, int] = {}
        for stat, value in sort.stats.items():
            if value is not None and where[stat].startswith("base."):
                base[stat] = value
            elif value is not None:
                raw[stat] = value
        raw |= {"base": base} if base else {}
        raw |= {"types:list": {"types": [sort.id]}, "type": {"type": sort.id}}.get(
            sheet["sort_by"], {}
        )
        read(game, raw, "ana")


def test_a_card_without_a_name_gets_the_first_free_number_of_its_seat() -> None:
    history = table("grand-archive")

    def add(name: str, seat: str = "ana") -> None:
        key = f"{name.lower().replace(' ', '-')}-{seat}"
        history.give({"do": "create", "as": key, "name": name, "types": ["ally"], "owner": seat})

    assert "Ally 1" == new_card.free_name(history.state, "ana", "Ally")
    for name in ("Ally 1", "Ally 2", "Ally 4"):
        add(name)
    add("Ally 3", "ben")

    assert "Ally 3" == new_card.free_name(history.state, "ana", "Ally")
    assert "Ally 1" == new_card.free_name(history.state, "ben", "Ally")


def test_cards_that_were_never_named_are_no_patterns() -> None:
    wolf = {"name": "Wolf", "types": ["ally"], "base": {"power": 2, "life": 3}}
    history = table("grand-archive", objects={"wolf": wolf, "other": {**wolf, "name": "Ally 1"}})

    offers = new_card.of_seat(history.system, history.state, "ana")["offers"]

    form = "name=Wolf&types%3Alist=ally&base.power%3Anumber=2&base.life%3Anumber=3"
    assert [("Wolf", "2/3", form)] == [(each.name, each.note, each.form) for each in offers]


def test_no_more_sorts_stand_in_the_first_row_than_fit(game: System) -> None:
    first = new_card.of_seat(game, demo(game), "ana")["first_sorts"]

    assert first
    assert sum(len(sort.word) for sort in first) <= new_card.LETTERS


@pytest.mark.parametrize(("name", "types", "first"), [
    ("magic", ("enchantment",), ["lore", "quest", "charge"]),
    ("magic", ("artifact",), ["charge", "+1/+1", "oil"]),
    ("magic", ("land",), ["charge", "+1/+1", "time"]),
    ("grand-archive", ("ally",), ["buff", "debuff"]),
])  # fmt: skip
def test_the_first_tiles_are_those_of_the_type_whatever_counters_come(
    name: str, types: tuple[str, ...], first: list[str]
) -> None:
    system = find(name)
    opened = table(name, objects={"it": {"owner": "ana", "types": list(types)}}).state
    before = [
        each.kind
        for each in made(system, opened, opened.objects["it"])
        if isinstance(each, Stepper)
    ]
    put = {"do": "place", "on": "it", "counter": "age", "amount": 1}
    state, _events = step(system, opened, read(system, put, "ana"))
    after, others = tiles.tiles(system, state, state.objects["it"], "ana")

    assert first == before[: len(first)]
    assert before == kinds(after)
    assert ["age"] == [each.kind for each in others]


def test_one_of_the_creatures_that_are_alike_is_offered_as_the_ring_bearer() -> None:
    system = find("magic")
    cat = {"name": "Cat", "owner": "ana", "types": ["creature"]}
    objects = {f"cat-{n}": cat for n in range(20)} | {"fox": {**cat, "name": "Fox"}}
    state = table("magic", objects=objects).state
    facts = presentation_of(system).sheets.seat_facts(
        system, state, state.seats["ana"], lambda obj: obj.name
    )

    offered = [(card.id, name, n) for card, name, n in facts["creatures"]]
    assert [("cat-0", "Cat", 20), ("fox", "Fox", 1)] == offered


def test_ticking_counters_have_their_own_part_of_every_sheet(game: System) -> None:
    assert not {*ticks.VERBS} & {*generated.verbs_of(game, OBJECT), *generated.verbs_of(game, SEAT)}


def test_each_kind_that_players_name_has_its_own_mark_in_any_game() -> None:
    coins = words_of(find("any-game")).coins()
    marks = [coins.get(kind) for kind in ("wood", "brick", "victory points", "life", "points")]

    assert ["Wo", "Br", "VP", None, None] == [mark and mark.letter for mark in marks]
    assert all(1 <= mark.hue <= 12 for mark in marks if mark)


def test_a_token_is_a_pattern_for_the_next_one() -> None:
    treasure = {"name": "Treasure", "types": ["artifact"], "token": True}
    history = table("magic", objects={"treasure": treasure})

    shown = new_card.of_seat(history.system, history.state, "ana")

    here, *usual = shown["offers"]
    assert ("Treasure", "name=Treasure&types%3Alist=artifact&token%3Aflag=on") == (
        here.name,
        here.form,
    )
    assert {"Treasure", "Clue", "Food"} == {each.name for each in usual}


def test_another_players_card_offers_only_what_can_be_done_now() -> None:
    """One's own says why not; an opponent's retreat is nobody's in one's own turn."""
    mons = {f"{seat}-mon": {"owner": seat, "zone": "active", "hp": 60} for seat in ("ana", "ben")}
    bench = {f"{seat}-2": {"owner": seat, "zone": "bench", "hp": 60} for seat in ("ana", "ben")}
    turn = {"active": ["ana"], "phase": "turn"}
    history = table("pokemon", objects={**mons, **bench}, turn=turn)

    def offered(mon: str, by: str) -> set[str]:
        table = sheets.Table(history.system, history.state, {}, by)
        shown = sheets.of_object(table, history.state.objects[mon])
        acts = {each.action.do for each in shown["tiles"] if isinstance(each, ActionTile)}
        return acts | {each.form.verb for each in shown["acts"] if each.form}

    assert "retreat" in offered("ana-mon", "ana")
    assert "retreat" in offered("ben-mon", "ben")
    assert "retreat" not in offered("ben-mon", "ana")
    assert "retreat" in offered("ana-mon", "ben"), "at one phone for both"
