"""Several at once: one command from one form, one line of the log, one undo; all or nothing."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Game
from games.screens.boards import log_lines
from games.store import rows
from tests.types import Make, Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]
CHECKED = re.compile(r'name="(?:on|seats?)\.([a-z0-9-]+):member" value="yes" checked')
OFFERED = re.compile(r'name="(?:on|seats?)\.([a-z0-9-]+):member"')
CHIPS = re.compile(r'<button name="counter" value="([^"]+)"')
CARDS = {
    "fox": {"owner": "ana", "counters": {"fuel": 3}},
    "owl": {"owner": "ana"},
    "elk": {"owner": "ben", "counters": {"fuel": 1}},
}


@pytest.fixture
def forest(make_game: Make) -> Game:
    return make_game(objects=CARDS)


def page(client: Client, game: Game, query: str) -> str:
    return client.get(f"/g/{game.slug}/several?{query}").content.decode()


@pytest.mark.parametrize(
    ("query", "checked"),
    [
        ("do=place", set()),
        ("do=place&who=my-cards", {"fox", "owl"}),
        ("do=place&who=their-cards", {"elk"}),
        ("do=place&who=their-seats", {"ben", "cleo"}),
        ("do=place&who=all-seats", {"ana", "ben", "cleo"}),
        ("do=place&who=all", {"ana", "ben", "cleo", "fox", "owl", "elk"}),
        ("do=remove&who=my-cards", {"fox"}),
        ("do=nothing&who=nobody", set()),
    ],
)
def test_a_group_is_chosen_with_one_tap(
    forest: Game, sit: Sit, query: str, checked: set[str]
) -> None:
    assert set(CHECKED.findall(page(sit(forest, "ana"), forest, query))) == checked


def test_only_what_holds_a_counter_is_offered_to_take_off(forest: Game, sit: Sit) -> None:
    assert set(OFFERED.findall(page(sit(forest, "ana"), forest, "do=remove"))) == {"fox", "elk"}


@pytest.mark.parametrize(
    ("verb", "fuel"), [("place", {"fox": 5, "elk": 3}), ("remove", {"fox": 1, "elk": 0})]
)
def test_the_form_is_one_command_one_line_and_one_undo(
    forest: Game, sit: Sit, verb: str, fuel: dict[str, int]
) -> None:
    ana = sit(forest, "ana")
    filled = {"do": verb, "on.fox:member": "yes", "on.elk:member": "yes", "counter": "fuel"}

    ana.post(f"/g/{forest.slug}/command", {**filled, "amount:number": "2"})

    game = Game.objects.get(pk=forest.pk)
    assert game.number == 1
    assert {card: rows.state(game).count(card, "fuel") for card in fuel} == fuel
    lines = log_lines(game, "ana")
    assert len(lines) == 1
    assert [part.n for part in lines[0].parts] == [2, 2 if verb == "place" else 1]

    ana.post(f"/g/{forest.slug}/command", {"do": "undo"})

    state = rows.state(Game.objects.get(pk=forest.pk))
    assert [state.count(card, "fuel") for card in ("fox", "elk")] == [3, 1]


def test_if_one_target_refuses_none_gets_it(forest: Game, sit: Sit) -> None:
    ana = sit(forest, "ana")
    filled = {"do": "place", "counter": "fuel", "on.fox:member": "yes", "on.elk:member": "yes"}

    answer = ana.post(f"/g/{forest.slug}/command", {**filled, "amount:number": "999998"})

    assert answer.status_code == 422
    assert Game.objects.get(pk=forest.pk).number == 0
    assert rows.state(Game.objects.get(pk=forest.pk)).count("elk", "fuel") == 1


@pytest.mark.parametrize(
    ("system", "field", "life"), [("magic", "seats", 20), ("yu-gi-oh", "seat", 8000)]
)
def test_each_opponent_loses_life(
    make_game: Make, sit: Sit, system: str, field: str, life: int
) -> None:
    game = make_game(system)
    ana = sit(game, "ana")
    shown = page(ana, game, "do=lose-life&who=their-seats")
    assert set(CHECKED.findall(shown)) == {"ben", "cleo"}

    filled = {f"{field}.{seat}:member": "yes" for seat in ("ben", "cleo")}
    ana.post(f"/g/{game.slug}/command", {"do": "lose-life", **filled, "amount:number": "3"})

    game = Game.objects.get(pk=game.pk)
    seats = rows.state(game).seats
    assert game.number == 1
    assert {key: getattr(each, "life", None) for key, each in seats.items()} == {
        "ana": life,
        "ben": life - 3,
        "cleo": life - 3,
    }


def test_a_teammate_is_no_opponent(make_game: Make, sit: Sit) -> None:
    seats = {key: {"life": 30} for key in ("ana", "ben", "cleo", "dora")}
    teams = {"a": {"seats": ["ana", "ben"]}, "b": {"seats": ["cleo", "dora"]}}
    game = make_game("magic", seats=seats, teams=teams)

    shown = page(sit(game, "ana"), game, "do=lose-life&who=their-seats")

    assert set(CHECKED.findall(shown)) == {"cleo", "dora"}


def test_damage_is_offered_only_to_what_takes_it(make_game: Make, sit: Sit) -> None:
    cards = {
        "hero": {"owner": "ana", "types": ["champion"], "base": {"life": 20}},
        "wolf": {"owner": "ben", "types": ["ally"], "base": {"power": 2, "life": 2}},
        "book": {"owner": "ben", "types": ["item"]},
    }
    game = make_game("grand-archive", objects=cards)

    shown = page(sit(game, "ana"), game, "do=damage")

    assert set(OFFERED.findall(shown)) == {"hero", "wolf"}


def test_the_damage_of_a_card_to_several_has_its_effects(make_game: Make, sit: Sit) -> None:
    bear = {"types": ["creature"], "base": {"power": 2, "toughness": 2}}
    cards = {
        "mite": {"name": "Flensermite", "owner": "ana", "types": ["creature"]},
        "bear": {"owner": "ben", **bear},
    }
    game = make_game("magic", objects=cards)
    ana = sit(game, "ana")

    shown = page(ana, game, "do=damage&source=mite&amount=3")

    assert 'name="source" value="mite"' in shown
    assert re.search(r'name="amount:number"[^>]+value="3"', shown)
    checked = re.findall(r'name="(\w+):flag" checked', shown)
    assert ["lifelink", "infect"] == checked
    assert "several?do=damage&amp;source=mite&amp;amount=3&amp;who=all" in shown
    assert 'name="source"' not in page(ana, game, "do=damage&source=nobody")
    assert 'name="source"' not in page(ana, game, "do=move&source=mite")


def test_a_card_game_that_asks_what_places_asks_it_here(make_game: Make, sit: Sit) -> None:
    game = make_game("yu-gi-oh", objects={"tower": {"owner": "ana"}})
    ana = sit(game, "ana")

    assert 'name="source"' in page(ana, game, "do=place")
    assert 'name="source"' not in page(ana, game, "do=remove")


def test_where_there_are_slots_rows_are_selected_instead(make_game: Make, sit: Sit) -> None:
    game = make_game("stars-and-signs", seats={"gm": {}, "ana": {}})
    gm = sit(game, "gm")

    assert gm.get(f"/g/{game.slug}/several").status_code == 404
    assert 'href="several"' not in gm.get(f"/g/{game.slug}/").content.decode()


def test_a_watcher_is_offered_nothing(forest: Game, sit: Sit, dan: Client) -> None:
    sit(forest, "ana")
    dan.get(f"/j/{forest.invite_token}")

    shown = page(dan, forest, "do=place")

    assert "data-command" not in shown
    assert "You’re watching" in shown


def test_cards_of_one_name_say_whose_they_are(make_game: Make, sit: Sit) -> None:
    game = make_game(objects={"a": {"name": "Fox"}, "b": {"name": "Fox", "owner": "ben"}})

    shown = page(sit(game, "ana"), game, "do=place")

    labels = re.findall(r'value="yes">([^<]*Fox[^<]*)</label>', shown)
    assert len(set(labels)) == 2
    assert any("Ben" in label for label in labels)


WILDS = {
    "bear": {"owner": "ana", "types": ["creature"], "base": {"power": 2, "toughness": 2}},
    "golem": {"owner": "ana", "types": ["artifact", "creature"]},
    "wolf": {"owner": "ben", "types": ["creature"], "base": {"power": 3, "toughness": 3}},
    "forest": {"owner": "ben", "types": ["land"]},
}
"""A board for a board wipe."""


@pytest.mark.parametrize(
    ("query", "checked"),
    [
        ("do=move&what=creature", {"bear", "golem", "wolf"}),
        ("do=move&who=their-cards&what=creature", {"wolf"}),
        ("do=change&who=my-cards&what=creature", {"bear", "golem"}),
        ("do=move&who=my-cards&what=artifact", {"golem"}),
        ("do=move&on=wolf bear", {"wolf", "bear"}),
    ],
)
def test_all_creatures_or_what_was_chosen_on_the_board(
    make_game: Make, sit: Sit, query: str, checked: set[str]
) -> None:
    game = make_game("magic", objects=WILDS)
    shown = page(sit(game, "ana"), game, query)

    assert checked == {*re.findall(r'name="object\.([a-z]+):member"[^>]*?checked', shown)}
    assert ("forest" in shown) == ("on=" not in query)


def test_several_are_marked_and_changed_until_the_turn_ends(make_game: Make, sit: Sit) -> None:
    game = make_game("magic", objects=WILDS)
    ana = sit(game, "ana")
    assert 'name="mark" value="attacking"' in page(ana, game, "do=mark&on=bear golem")
    assert ">+3/+3</button>" in page(ana, game, "do=change&on=bear golem")
    both = {"object.bear:member": "yes", "object.wolf:member": "yes"}
    ana.post(
        f"/g/{game.slug}/command",
        {"do": "change", **both, "add:json": '{"power": 3, "toughness": 3}'},
    )
    state = rows.state(Game.objects.get(pk=game.pk))

    derived = game.rules.derived
    stats = [derived(game.rules, state, state.objects[key])["power"] for key in ("bear", "wolf")]
    assert [5, 6] == stats
    assert 1 == Game.objects.get(pk=game.pk).entries.count()


def test_the_bar_over_the_board_offers_what_can_be_done_with_cards(
    make_game: Make, sit: Sit, dan: Client
) -> None:
    game = make_game("magic", objects=WILDS)
    bar = sit(game, "ana").get(f"/g/{game.slug}/choosing").content.decode()

    assert ["place", "remove", "move", "mark", "damage", "change"] == re.findall(
        'data-do="([a-z-]+)"', bar
    )
    assert 200 != dan.get(f"/g/{game.slug}/choosing").status_code


def test_the_kinds_that_the_chosen_cards_take_are_one_tap_each(make_game: Make, sit: Sit) -> None:
    game = make_game(
        "grand-archive",
        objects={
            "fox": {"owner": "ana", "types": ["ally"]},
            "hero": {"owner": "ana", "types": ["champion"], "counters": {"damage": 4}},
        },
    )
    ana = sit(game, "ana")

    offered = page(ana, game, "do=place&on=fox")

    assert ["buff", "debuff", "wither"] == CHIPS.findall(offered)[:3]
    assert "value=" not in offered.partition('list="several-kinds"')[2].partition(">")[0]
    assert ["damage", "enlighten"] == CHIPS.findall(page(ana, game, "do=place&on=hero"))[:2]


def test_to_destroy_several_is_called_so_where_a_card_is_destroyed(
    make_game: Make, sit: Sit
) -> None:
    bears = {"bear": {"owner": "ana", "types": ["creature"]}}
    game = make_game(system="magic", objects=bears)
    moves = page(sit(game, "ana"), game, "do=move&who=my-cards")

    assert "Destroy → graveyard" in moves
    assert 1 == moves.count('value="graveyard"')
    assert "→ exile" in moves
