"""Marks for a turn, the way back, what a card says, a changed mill, a board wipe: all by form."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.rules.state import GameState
from games.store import rows
from tests.types import Make, Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]


def read(client: Client, game: Game, path: str) -> str:
    return client.get(f"/g/{game.slug}/{path}").content.decode()


def give(client: Client, game: Game, **fields: str) -> int:
    named = {key.replace("__", "."): value for key, value in fields.items()}
    return client.post(f"/g/{game.slug}/command", named).status_code


def state(game: Game) -> GameState:
    return rows.state(Game.objects.get(pk=game.pk))


@pytest.mark.parametrize(
    ("system", "mark", "seats", "through"),
    [
        ("grand-archive", "rested", "ana ben", "later"),
        ("grand-archive", "rested", "ana ben cleo", "next"),
        ("yu-gi-oh", "negated", "ana ben", "later"),
        ("pokemon", "immune", "ana ben", "later"),
    ],
)
def test_beside_every_mark_of_a_card_is_how_long_it_lasts(
    make_game: Make, sit: Sit, system: str, mark: str, seats: str, through: str
) -> None:
    chairs: dict[str, dict[str, object]] = {seat: {} for seat in seats.split()}
    game = make_game(system, seats=chairs, objects={"fox": {"owner": "ana"}})
    ana = sit(game, "ana")
    sheet = read(ana, game, "objects/fox")
    marks = type(state(game).objects["fox"]).marks

    assert sheet.count('name="until" value="turn"') == len(marks)
    assert sheet.count(f'name="until" value="{through}" class="until"') == len(marks)
    give(ana, game, do="mark", on="fox", mark=mark, until="turn")
    assert state(game).objects["fox"].until == {mark: False}
    assert "until end of turn" in read(ana, game, "log")


@pytest.mark.parametrize("system", ["grand-archive", "yu-gi-oh", "magic"])
def test_a_seat_offers_that_it_cannot_lose_for_good_or_for_this_turn(
    make_game: Make, sit: Sit, system: str
) -> None:
    game = make_game(system, objects={"card": {"owner": "ben"}})
    ana = sit(game, "ana")

    assert "can’t lose the" in read(ana, game, "seats/ben")
    give(ana, game, do="mark", on="ben", mark="cannot_lose", until="turn")
    says = re.search(r'id="ben\.head".*?</header>', read(ana, game, ""), re.S)
    # First, for a phone has no room for more.
    assert says
    assert 0 < says[0].index("can’t lose the") < says[0].index("1 ")
    assert {"cannot_lose": False} == state(game).seats["ben"].until  # type: ignore[attr-defined]


CHAMPION = {"types": ["champion"], "base": {"life": 9, "level": 0}, "owner": "ana"}
ALL_LIFE = {"do": "lose-life", "seat": "ana", "amount:number": "9000"}
DEATHS: list[tuple[str, dict[str, Any], dict[str, str], dict[str, str]]] = [
    ("magic", {}, {"do": "lose-life", "seat": "ana", "amount:number": "40"}, {"life:number": "3"}),
    (
        "yu-gi-oh",
        {},
        {"do": "lose-life", "seat": "ana", "amount:number": "9000"},
        {"life:number": "3"},
    ),
    (
        "grand-archive",
        {"objects": {"ana-champion": CHAMPION}},
        {"do": "damage", "on": "ana-champion", "amount:number": "20"},
        {"counter": "damage", "to:number": "3"},
    ),
]


@pytest.mark.parametrize(("system", "given", "death", "number"), DEATHS)
def test_the_sheet_of_a_lost_seat_corrects_its_number_and_brings_it_back(
    make_game: Make,
    sit: Sit,
    system: str,
    given: dict[str, Any],
    death: dict[str, str],
    number: dict[str, str],
) -> None:
    game = make_game(system, **given)
    ben = sit(game, "ben")
    assert "bring back" not in read(ben, game, "seats/ana")
    give(ben, game, **death)
    assert state(game).seats["ana"].lost
    sheet = read(ben, game, "seats/ana")

    assert "Correct and bring back" in sheet
    for field in number:
        assert f'name="{field}"' in sheet
    on = "ana-champion" if given else "ana"
    give(ben, game, do="correct", on=on, **number, **{"restore:flag": "on"})
    assert not state(game).seats["ana"].lost
    assert "is back in the game" in read(ben, game, "log")


def test_a_player_who_left_is_not_offered_a_way_back(make_game: Make, sit: Sit) -> None:
    game = make_game("magic")
    ben = sit(game, "ben")
    give(ben, game, do="leave", seat="ana")

    assert "bring back" not in read(ben, game, "seats/ana")


@pytest.mark.parametrize("system", ["grand-archive", "yu-gi-oh", "magic", "any-game", "pokemon"])
def test_a_card_is_renamed_on_its_sheet_wherever_it_lies(
    make_game: Make, sit: Sit, system: str
) -> None:
    zone = find_off_field(system)
    game = make_game(system, objects={"fox": {"owner": "ana", "zone": zone}})
    ana = sit(game, "ana")

    assert read(ana, game, "objects/fox").count('value="describe"') >= 1
    give(ana, game, do="describe", object="fox", name="Vixen")
    assert state(game).objects["fox"].name == "Vixen"


def find_off_field(system: str) -> str:
    return {"any-game": "aside", "pokemon": "discard"}.get(system, "hand")


def test_printed_numbers_types_and_changes_of_a_permanent(make_game: Make, sit: Sit) -> None:
    game = make_game("magic", objects={"fox": {"owner": "ana"}})
    ana = sit(game, "ana")
    named = {"base.power:number": "2", "base.toughness:number": "3", "types:list": "creature"}

    give(ana, game, do="describe", object="fox", **named, **{"commander:flag": "1"})
    give(ana, game, do="change", object="fox", **{"add.power:number": "4"})
    sheet = read(ana, game, "objects/fox")

    assert 'value="change"' in sheet
    assert state(game).objects["fox"].commander  # type: ignore[attr-defined]
    assert "+4" in sheet
    give(ana, game, do="describe", object="fox", **{"commander:no": "1"})
    assert not state(game).objects["fox"].commander  # type: ignore[attr-defined]


def test_a_champion_becomes_arcane_and_keeps_its_other_elements(make_game: Make, sit: Sit) -> None:
    rai = {"owner": "ana", "types": ["champion"], "elements": ["fire"]}
    game = make_game("grand-archive", objects={"rai": rai})
    ana = sit(game, "ana")
    sent = {"elements:member": "", "elements.fire:member": "yes"}
    sheet = read(ana, game, "objects/rai")
    for field in (*sent, "elements.arcane:member"):
        assert f'name="{field}"' in sheet

    give(ana, game, do="describe", object="rai", **sent, **{"elements.arcane:member": "yes"})
    assert state(game).objects["rai"].elements == ("fire", "arcane")  # type: ignore[attr-defined]
    give(ana, game, do="describe", object="rai", **sent)
    assert state(game).objects["rai"].elements == ("fire",)  # type: ignore[attr-defined]


def test_the_rad_question_takes_a_mill_of_more_and_one_that_was_changed(
    make_game: Make, sit: Sit
) -> None:
    game = make_game("magic", seats={"ana": {"counters": {"rad": 1}}, "ben": {}})
    ana = sit(game, "ana")
    give(ana, game, do="begin-phase", phase="precombat-main")
    board = read(ana, game, "")

    assert 'value="mills_more"' in board
    assert "Another effect changed this mill" in board
    give(
        ana, game, do="mark", on="ana", mark="mills_more", **{"value:number": "4", "until": "turn"}
    )
    numbers = {"milled:number": "9", "nonland:number": "2", "changed:flag": "on"}
    give(ana, game, do="answer", prompt="rad:ana", **numbers)
    assert state(game).seats["ana"].life == 18  # type: ignore[attr-defined]


@pytest.mark.parametrize("system", ["grand-archive", "yu-gi-oh", "magic", "any-game"])
def test_a_board_wipe_is_one_form(make_game: Make, sit: Sit, system: str) -> None:
    game = make_game(system, objects={"fox": {"owner": "ana"}, "elk": {"owner": "ben"}})
    ana = sit(game, "ana")
    sheet = read(ana, game, "several?do=move&who=all")
    to = "aside" if system == "any-game" else "graveyard"

    assert 'name="object.elk:member" value="yes"' in " ".join(sheet.split())
    assert f'name="to" value="{to}"' in sheet
    give(
        ana,
        game,
        **{"do": "move", "object.fox:member": "yes", "object.elk:member": "yes", "to": to},
    )
    assert [to, to] == [obj.zone for obj in state(game).objects.values()]
    assert Game.objects.get(pk=game.pk).number == 1


def test_damage_counters_are_moved_in_tens_with_one_tap(make_game: Make, sit: Sit) -> None:
    """Moving, taking off and paying start at one damage counter, which is 10."""
    objects = {
        "drifblim": {"owner": "ana", "hp": 110, "counters": {"damage": 30}},
        "charmander": {"owner": "ben", "hp": 60},
    }
    game = make_game("pokemon", objects=objects)
    ana = sit(game, "ana")
    sheet = re.sub(r"\s+", " ", read(ana, game, "objects/drifblim"))
    moving = sheet[sheet.index("Move damage counters") :]
    moving = moving[: moving.index("</form>")]

    amounts = re.findall(r'name="amount:number" value="(\d+)"', moving)
    assert ["10", "20", "30"] == amounts
    tools = sheet[sheet.index('id="act-tools"') :]
    assert {"10"} == set(re.findall(r'name="amount:number"[^>]*value="(\d+)"', tools))
    fields = {"from": "drifblim", "counter": "damage", "to": "charmander"}
    give(ana, game, do="transfer", **fields, **{"amount:number": "30"})
    assert 30 == state(game).count("charmander", "damage")
    assert "Move damage counters" not in read(ana, game, "objects/drifblim")


@pytest.mark.parametrize("system", ["magic", "grand-archive"])
def test_a_dead_cards_counters_are_put_elsewhere_in_one_tap(
    make_game: Make, sit: Sit, system: str
) -> None:
    had = {"charge": 3, "flying": 1}
    game = make_game(system, objects={"bear": {"counters": had}, "stone": {}})
    ana = sit(game, "ana")
    give(ana, game, do="move", object="bear", to="graveyard")
    sheet = read(ana, game, "objects/stone")
    everything = re.search(r"name=.counters:json. value='([^']+)'", sheet)
    assert everything
    assert 'name="had_by" value="bear"' in sheet

    give(ana, game, do="place", on="stone", **{"counters:json": everything[1]})
    give(ana, game, do="place", on="stone", had_by="bear", counter="charge")
    assert {"charge": 6, "flying": 1} == dict(state(game).on("stone"))


def test_only_what_can_be_dealt_damage_is_offered_some(make_game: Make, sit: Sit) -> None:
    objects = {
        "sphere": {"owner": "ana", "types": ["item"]},
        "fox": {"owner": "ana", "types": ["ally"], "base": {"power": 1, "life": 1}},
        "fort": {"owner": "ana", "types": ["domain", "siegeable"], "base": {"durability": 4}},
    }
    game = make_game("grand-archive", objects=objects)
    ana = sit(game, "ana")

    offered = {each for each in objects if 'id="act-damage"' in read(ana, game, f"objects/{each}")}

    assert {"fox", "fort"} == offered


@pytest.mark.parametrize(
    ("card", "kind"),
    [
        ({"types": ["champion"]}, "preparation"),
        ({"types": ["item"]}, "refinement"),
        ({"types": ["domain"]}, "quest"),
        ({"types": ["mastery"], "zone": "mastery"}, "sheen"),
    ],
)
def test_counters_that_cards_put_on_such_a_card_are_in_sight_without_more_kinds(
    make_game: Make, sit: Sit, card: dict[str, Any], kind: str
) -> None:
    game = make_game("grand-archive", objects={"it": {"owner": "ana", **card}})

    chips = read(sit(game, "ana"), game, "objects/it").partition('id="act-place"')[2]

    assert f'data-kind="{kind}"' in chips.partition("<details>")[0]


def test_a_kind_that_is_a_letter_is_called_as_the_cards_do(make_game: Make, sit: Sit) -> None:
    game = make_game(
        "yu-gi-oh",
        objects={
            "grey": {"name": "Alien Grey", "owner": "ana", "zone": "monster"},
            "trap": {"name": "Torrential", "owner": "ben", "zone": "spell-trap"},
            "elf": {"name": "Elf", "owner": "ben", "zone": "monster"},
        },
    )
    ana = sit(game, "ana")

    sheet = read(ana, game, "objects/grey")
    assert sheet.index(">Elf") < sheet.index(">Torrential")
    give(ana, game, do="place", on="elf", counter="a", source="grey")

    assert "Place A-Counter by its effect" in sheet
    assert "name=sourced value=grey.a" in sheet  # on itself it can hold what any card can
    assert "grey.spell" not in sheet
    assert "A-Counter" in read(ana, game, "log")


@pytest.mark.parametrize(("system", "zone"), [("grand-archive", "banishment"), ("magic", "exile")])
def test_a_card_that_leaves_and_comes_straight_back_is_one_tap_and_new(
    make_game: Make, sit: Sit, system: str, zone: str
) -> None:
    hero = {"owner": "ana", "counters": {"damage": 3}}
    if system == "grand-archive":
        hero |= {"types": ["champion"], "base": {"life": 15, "level": 0}}
    game = make_game(system, objects={"hero": hero, "copy": {"owner": "ana", "token": True}})
    ana = sit(game, "ana")
    before = state(game).seats["ana"]

    sheet = read(ana, game, "objects/hero")
    before_it, found, _rest = sheet.partition(f"To {zone} and straight back")
    assert found
    steps = re.findall(r'name="steps:json" value="([^"]+)"', before_it)[-1]
    assert "straight back" not in read(ana, game, "objects/copy")  # a token would cease to exist

    give(ana, game, do="together", **{"steps:json": unescape(steps)})
    assert (None, False) == (state(game).result, state(game).seats["ana"].lost)
    assert {} == state(game).on("hero")
    assert zone not in {card.zone for card in state(game).objects.values()}
    give(ana, game, do="undo")
    assert {"damage": 3} == state(game).on("hero")
    assert before == state(game).seats["ana"]
