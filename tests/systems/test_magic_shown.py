"""Magic's boards and sheets besides numbers, and their buttons."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.models import Game
from games.rules.history import History
from games.rules.scenario import opening
from games.rules.state import Refused
from games.screens.boards import log_lines
from games.screens.words import words_of
from games.store import rows
from games.systems.controls import SheetButton, Sign
from games.systems.magic import CURRENT
from games.systems.magic.dealing import attacks, fights, whom
from games.systems.magic.dungeons import DUNGEONS, NAMES, exits
from games.systems.magic.panel import panel
from games.systems.magic.player import PRINTED, Card, player
from games.systems.magic.shown import (
    Designation,
    Taken,
    designations,
    drains,
    of_table,
    taken,
)
from tests.types import Json, Make, Sit

COMMANDERS = {
    "kess": {"name": "Kess", "owner": "cleo", "zone": "command", "commander": True},
    "thrasios": {"name": "Thrasios", "owner": "ben", "commander": True},
    "tymna": {"name": "Tymna", "owner": "ben", "zone": "command", "commander": True},
    "mothman": {"name": "The Wise Mothman", "owner": "ana", "commander": True},
    "bear": {"name": "Bear", "owner": "ben"},
}
SEATS: dict[str, Json] = {"ana": {}, "ben": {}, "cleo": {}}


def table(**given: Any) -> History:
    described = {"seats": SEATS, "turn": {"active": ["ana"]}, **given}
    return History(CURRENT, CURRENT.opening(CURRENT, described, {}))


def hit(history: History, seat: str, commander: str, amount: int) -> None:
    history.give({"do": "commander-damage", "seat": seat, "from": commander, "amount": amount})


# Commander damage


def test_each_opponents_commander_is_listed_from_the_start_in_table_order() -> None:
    state = table(objects=COMMANDERS).state

    assert (
        Taken("ben", "thrasios", "Thrasios", 0),
        Taken("ben", "tymna", "Tymna", 0),
        Taken("cleo", "kess", "Kess", 0),
    ) == taken(state, "ana")
    assert ["mothman", "kess"] == [each.commander for each in taken(state, "ben")]


def test_each_partners_damage_is_its_own() -> None:
    history = table(objects=COMMANDERS)
    hit(history, "ana", "tymna", 5)
    hit(history, "ana", "thrasios", 2)

    assert [2, 5, 0] == [each.amount for each in taken(history.state, "ana")]
    assert [0, 0] == [each.amount for each in taken(history.state, "ben")]


def test_damage_counts_afterwards_without_more_life_and_its_undo_leaves_the_life_lost() -> None:
    history = table(objects=COMMANDERS, seats={**SEATS, "ana": {"life": 40}})
    history.give({"do": "lose-life", "seat": "ana", "amount": 20})
    dealt = {"do": "commander-damage", "seat": "ana", "from": "kess", "amount": 20, "entries": [1]}
    history.give(dealt)
    assert [0, 0, 20] == [each.amount for each in taken(history.state, "ana")]

    life = player(history.state, "ana").life
    history.give({"do": "undo", "entry": 2})
    assert [0, 0, 0] == [each.amount for each in taken(history.state, "ana")]
    assert life == player(history.state, "ana").life

    history.give({"do": "redo"})
    hit(history, "ana", "kess", 1)
    assert player(history.state, "ana").lost


def test_damage_that_comes_back_names_no_entries() -> None:
    dealt = {"do": "commander-damage", "seat": "ana", "from": "kess", "amount": 1, "back": True}
    with pytest.raises(Refused):
        table(objects=COMMANDERS).give({**dealt, "entries": [1]})


def test_ones_own_commander_and_a_name_are_listed_once_they_have_dealt_damage() -> None:
    history = table(objects=COMMANDERS)
    hit(history, "ana", "mothman", 3)
    hit(history, "ana", "Krenko", 4)

    assert [("ana", "mothman", 3), ("", "Krenko", 4)] == [
        (each.owner, each.commander, each.amount)
        for each in taken(history.state, "ana")
        if each.amount
    ]
    assert "mothman" == taken(history.state, "ana")[0].commander


def test_a_teammates_and_a_losers_commander_are_listed_only_with_what_they_dealt() -> None:
    teams = {"one": {"seats": ["ana", "ben"]}}
    history = table(objects=COMMANDERS, teams=teams, seats={**SEATS, "dan": {}})

    assert ["kess"] == [each.commander for each in taken(history.state, "ana")]

    hit(history, "ana", "thrasios", 1)
    history.give({"do": "leave", "seat": "cleo"})

    assert ["thrasios"] == [each.commander for each in taken(history.state, "ana")]


# Designations


@pytest.mark.parametrize("language", ["de", "es"])
def test_what_is_printed_on_a_card_is_said_in_other_languages(language: str) -> None:
    with translation.override(language):
        said = {each: words_of(CURRENT).word(each) for each in PRINTED}

    assert not [each for each, word in said.items() if each == word]


def test_a_table_at_rest_shows_nothing() -> None:
    state = table().state

    assert () == of_table(state)
    assert all(designations(state, seat) == () for seat in SEATS)


def test_a_players_marks_and_counters_come_in_fixed_order() -> None:
    facts = {
        "monarch": True, "initiative": True, "citys_blessing": True, "ring_level": 2,
        "dungeon": "undercity", "room": 3, "dungeons_completed": 1, "spells_cast": 4,
    }  # fmt: skip
    state = table(seats={"ana": facts, "ben": {}}).state

    assert (
        Designation("monarch", "crown", "monarch"),
        Designation("initiative", "flag", "initiative"),
        Designation("citys_blessing", "landmark", "citys_blessing"),
        Designation("ring_level", "gem", "ring_level", 2),
        Designation("dungeon", "castle", "undercity", 3),
        Designation("dungeons_completed", "check", "dungeons_completed", 1),
        Designation("spells_cast", "zap", "spells_cast", 4),
    ) == designations(state, "ana")
    assert () == designations(state, "ben")


def test_the_table_says_day_or_night_the_spells_of_all_and_the_plane() -> None:
    history = table()
    for command in (
        {"do": "day-night", "to": "night"},
        {"do": "count-spells", "seat": "ana"},
        {"do": "count-spells", "seat": "ben", "amount": 2},
        {"do": "note", "as": "plane", "text": "Naya"},
    ):
        history.give(command)

    assert (
        Designation("daytime", "moon", "night"),
        Designation("spells_cast", "zap", "spells_cast", 3),
        Designation("plane", "globe", "plane"),
    ) == of_table(history.state)


@pytest.mark.parametrize("dungeon", DUNGEONS)
def test_every_way_through_a_dungeon_ends_in_its_last_room(dungeon: str) -> None:
    last, reached, waiting = len(DUNGEONS[dungeon]), set(), [1]
    while waiting:
        room = waiting.pop()
        reached.add(room)
        ways = exits(dungeon, room)
        assert (ways == []) == (room == last)
        assert all(way > room for way in ways)
        waiting += ways

    assert set(range(1, last + 1)) == reached
    assert {dungeon, *DUNGEONS[dungeon]} <= set(NAMES)


def test_a_room_that_no_dungeon_has_is_no_room() -> None:
    history = table(seats={"ana": {"dungeon": "barrow", "room": 7}, "ben": {}})

    assert () == designations(history.state, "ana")

    history.give({"do": "venture", "seat": "ana", "dungeon": "undercity"})

    assert 1 == player(history.state, "ana").room


# Drains


def test_a_drain_is_as_much_or_all_of_it_for_a_team_too() -> None:
    state = table(teams={"one": {"seats": ["ana", "ben"]}}, seats={**SEATS, "dan": {}}).state
    offered = drains(CURRENT, state, "ana")

    assert [1, 2] == [each["gains"] for each in offered]
    assert (
        3,
        [
            {"do": "lose-life", "seats": ["cleo", "dan"], "amount": 3},
            {"do": "gain-life", "seat": "ana", "amount": 6},
        ],
    ) == offered[1]["steps"][2]


def test_one_opponent_makes_one_drain_and_none_makes_none() -> None:
    alone = table(seats={"ana": {}}).state

    assert [1] == [
        each["gains"] for each in drains(CURRENT, table(seats={"ana": {}, "ben": {}}).state, "ana")
    ]
    assert [] == drains(CURRENT, alone, "ana")


# On a phone

ON_DISK = pytest.mark.django_db(transaction=True)


@pytest.fixture
def magic(make_game: Make) -> Game:
    return make_game("magic", objects=COMMANDERS)


@pytest.fixture
def phone(magic: Game, sit: Sit) -> Client:
    return sit(magic, "ana")


def tap(phone: Client, game: Game, name: str, value: str) -> History:
    answer = phone.post(f"/g/{game.slug}/command", {name: value})
    assert answer.status_code in (204, 302), answer.content
    game.refresh_from_db()
    return rows.history(game)


@ON_DISK
def test_one_tap_hands_on_the_crown(magic: Game, phone: Client) -> None:
    tap(phone, magic, "crown", "ben")
    history = tap(phone, magic, "crown", "cleo")

    seats = [player(history.state, seat) for seat in SEATS]
    assert [False, False, True] == [each.monarch for each in seats]
    assert [False, True, False] == [
        player(tap(phone, magic, "initiative", "ben").state, seat).initiative for seat in SEATS
    ]


def test_one_door_says_what_a_player_and_the_table_have() -> None:
    seats = {
        "ana": {"initiative": True, "monarch": True, "spells_cast": 1, "daytime": "night"},
        "ben": {"spells_cast": 2, "daytime": "night"},
    }
    state = opening(CURRENT, {"given": {"seats": seats}, "settings": {}})

    buttons = [[*panel(CURRENT, state, player(state, each), ()).places][-1] for each in seats]

    assert [True, True] == [isinstance(each, SheetButton) for each in buttons]
    held = Sign("initiative", own=True)
    assert (held, Sign("night"), Sign("spells_cast", 3)) == buttons[0].signs
    assert (Sign("night"), Sign("spells_cast", 3)) == buttons[1].signs


@pytest.mark.parametrize(
    ("name", "value", "field", "after"),
    [
        ("day-night", "day", "daytime", "day"),
        ("spell", "ana", "spells_cast", 1),
        ("tempt", "ana", "ring_level", 1),
        ("blessing", "ana", "citys_blessing", True),
        ("dealt", "ana.tymna", "commander_damage", {"tymna": 1}),
    ],
)
@ON_DISK
def test_each_everyday_act_is_one_button(
    magic: Game, phone: Client, name: str, value: str, field: str, after: object
) -> None:
    history = tap(phone, magic, name, value)

    assert after == getattr(player(history.state, "ana"), field)
    assert 1 == history.number


@ON_DISK
def test_quick_taps_on_one_commander_are_one_line(magic: Game, phone: Client) -> None:
    for _ in range(3):
        tap(phone, magic, "dealt", "ana.tymna")
    (line,) = log_lines(magic, "ana")

    assert ["Tymna dealt 3 combat damage to Ana", "Ana lost 3 life (commander damage)"] == [
        part.text for part in line.parts
    ]
    assert (20, 17) == (line.parts[1].before, line.parts[1].after)


@ON_DISK
def test_damage_counted_by_mistake_goes_back(magic: Game, phone: Client) -> None:
    for name, value in (("dealt", "ana.tymna"), ("undealt", "ana.tymna"), ("spell", "ana")):
        tap(phone, magic, name, value)
    history = tap(phone, magic, "unspell", "ana")

    ana = player(history.state, "ana")
    assert (20, {}, 0) == (ana.life, ana.commander_damage, ana.spells_cast)


@pytest.mark.parametrize("seat", ["", "?seat=ben", "?seat=nobody"])
@ON_DISK
def test_the_sheet_of_commanders_is_a_row_for_each(magic: Game, phone: Client, seat: str) -> None:
    """Whose turn it is stands last, where the thumb is."""
    page = phone.get(f"/g/{magic.slug}/acts/commander{seat}").content.decode()

    for tap in ("dealt", "undealt"):
        assert (
            ["ben.kess", "ben.mothman"]
            if seat == "?seat=ben"
            else ["ana.thrasios", "ana.tymna", "ana.kess"]
        ) == list(dict.fromkeys(re.findall(rf'name="{tap}"\s+value="([^"]+)"', page)))


@ON_DISK
def test_the_sheet_of_the_table_offers_each_act(magic: Game, phone: Client) -> None:
    page = phone.get(f"/g/{magic.slug}/acts/table").content.decode()

    for name in ("crown", "initiative", "day-night", "spell", "bearer", "dungeon", "die"):
        assert f'name="{name}"' in page, name
    assert all(f'value="{each}"' in page for each in DUNGEONS)


@ON_DISK
def test_in_a_dungeon_the_sheet_offers_the_ways_on(magic: Game, phone: Client) -> None:
    phone.post(f"/g/{magic.slug}/command", {"do": "venture", "seat": "ana", "dungeon": "undercity"})
    page = phone.get(f"/g/{magic.slug}/acts/table").content.decode()

    assert page.count('name="room:number"') == 2
    assert "Lost Well" in page
    assert 'name="dungeon"' not in page


@ON_DISK
def test_the_server_rolls_the_planar_die_and_everyone_reads_its_symbol(
    magic: Game, phone: Client
) -> None:
    answer = phone.post(
        f"/g/{magic.slug}/throw", {"die": "planar-die"}, headers={"HX-Request": "true"}
    )
    magic.refresh_from_db()
    (event,) = magic.entries.get().events

    assert 204 == answer.status_code
    assert event["symbol"] in ("blank", "chaos", "planeswalk")
    log = phone.get(f"/g/{magic.slug}/log").content.decode()
    assert f"rolled the planar die: {event['symbol']}" in log


@ON_DISK
def test_a_seat_cannot_say_what_the_planar_die_shows_but_by_hand(
    magic: Game, phone: Client
) -> None:
    url = f"/g/{magic.slug}/command"
    faked = phone.post(url, {"do": "planar-die", "result:number": "6"})
    rolled = phone.post(url, {"do": "planar-die", "result:number": "6", "by_hand:flag": "on"})

    assert (422, 302) == (faked.status_code, rolled.status_code)
    assert 422 == phone.post(f"/g/{magic.slug}/throw", {"die": "toss"}).status_code


@ON_DISK
def test_a_drain_is_one_tap_one_line_and_one_undo(magic: Game, phone: Client) -> None:
    sheet = phone.get(f"/g/{magic.slug}/acts/give")
    steps = sheet.context["drains"][0]["steps"][1][1]
    url = f"/g/{magic.slug}/command"
    phone.post(url, {"do": "together", "steps": steps}, content_type="application/json")
    history = rows.history(Game.objects.get(pk=magic.pk))

    assert [22, 18, 18] == [player(history.state, seat).life for seat in SEATS]

    phone.post(url, {"do": "undo"}, content_type="application/json")
    history = rows.history(Game.objects.get(pk=magic.pk))

    assert [20, 20, 20] == [player(history.state, seat).life for seat in SEATS]
    assert 2 == history.number


@pytest.mark.django_db(transaction=True)
def test_rad_counters_on_a_permanent_say_that_they_do_nothing_there(
    make_game: Make, sit: Sit
) -> None:
    bears = {
        "glowing": {"owner": "ana", "counters": {"rad": 2}},
        "plain": {"owner": "ana", "counters": {"+1/+1": 2}},
    }
    game = make_game("magic", objects=bears)
    ana = sit(game, "ana")
    pages = [ana.get(f"/g/{game.slug}/objects/{bear}").content.decode() for bear in bears]

    assert [True, False] == ["Rad counters act on players only (122.1i)" in page for page in pages]


def test_a_creature_attacks_with_the_keywords_of_its_name_and_of_its_counters() -> None:
    said = {"types": ["creature"], "base": {"power": 4, "toughness": 4}}
    objects = {
        "angel": {"name": "Serra Angel", **said},
        "bear": {"name": "Bear", **said, "counters": {"trample": 1, "charge": 1}},
    }
    state = CURRENT.opening(CURRENT, {"seats": {"ana": {}, "ben": {}}, "objects": objects}, {})

    attackers = fights(state, "ana", lambda obj: str(obj.name))["attackers"]

    assert [["vigilance"], ["trample"]] == [
        [keyword for keyword, known in each["keywords"] if known] for each in attackers
    ]


def test_what_was_said_of_an_attacker_is_offered_when_it_attacks_again(make_game: Make) -> None:
    body = {"name": "Bear", "types": ["creature"], "base": {"power": 2, "toughness": 2}}
    rat = {**body, "name": "Typhoid Rats", "owner": "ben"}
    bears = {"bear": {**body, "counters": {"lifelink": 1}}, "twin": body}
    game = make_game("magic", seats={"ana": {}, "ben": {}}, objects={**bears, "rat": rat})
    said = {"bear": ["trample", "menace", "lifelink"]}
    attack = {"do": "combat", "attacks": {"bear": "ben"}, "keywords": said, "by": "ana"}
    rows.give(game, [attack, {"do": "remove", "on": "bear", "counter": "lifelink", "by": "ana"}])

    sheet = fights(rows.state(game), "ana", lambda obj: str(obj.name))

    assert [["trample", "menace"]] * 2 == [
        [keyword for keyword, known in each["keywords"] if known] for each in sheet["attackers"]
    ]
    assert [("rat", "deathtouch")] == sheet["known"]


def test_whom_to_attack_says_what_would_be_left_of_each_if_nobody_blocked() -> None:
    said = {"types": ["creature"], "base": {"power": 4, "toughness": 4}}
    loyal = {"types": ["planeswalker"], "base": {"loyalty": 6}, "counters": {"loyalty": 6}}
    objects = {
        "angel": {"name": "Serra Angel", **said},
        "twins": {"name": "Twins", **said},
        "lili": {"name": "Liliana", "owner": "cleo", **loyal},
    }
    seats = {"ana": {}, "ben": {"life": 5}, "cleo": {}}
    state = CURRENT.opening(CURRENT, {"seats": seats, "objects": objects}, {})
    keywords = {"twins": ["double strike"]}

    def left(**attacks: str) -> dict[str, tuple[int, int, bool]]:
        command = {"do": "combat", "by": "ana", "attacks": attacks, "keywords": keywords}
        found = whom(CURRENT, state, command, "ana", lambda obj: str(obj.name))
        return {
            each.id: (each.ends[0].now, each.ends[0].then, each.falls or each.ends[0].lost)
            for each in found
        }

    assert {"ben": (5, 5, False), "cleo": (20, 20, False), "lili": (6, 6, False)} == left()
    assert {"ben": (5, -3, True), "cleo": (20, 12, False), "lili": (6, 0, True)} == left(
        twins="ben"
    )
    assert {"ben": (5, 1, False), "cleo": (20, 12, False), "lili": (6, 0, True)} == left(
        angel="ben", twins="cleo"
    )


def test_a_creature_s_sheet_says_what_its_damage_comes_to() -> None:
    objects = {
        "knight": {"name": "Vampire Nighthawk", "types": ["creature"], "owner": "ana",
                   "base": {"power": 2, "toughness": 3}},
        "wall": {"name": "Wall", "types": ["creature"], "owner": "ben",
                 "base": {"power": 0, "toughness": 4}},
    }  # fmt: skip
    given = {"seats": {"ana": {}, "ben": {"life": 2}}, "objects": objects}
    state = CURRENT.opening(CURRENT, given, {"creatures_die": True})

    knight = state.objects["knight"]
    assert isinstance(knight, Card)
    [way] = attacks(CURRENT, state, knight, lambda obj: str(obj.name))

    assert {"ben": [("ana", 20, 22), ("ben", 2, 0)], "ana": []} == {
        each.id: [(end.seat, end.now, end.then) for end in each.ends] for each in way.targets
    }
    assert [True] == [each.ends[1].lost for each in way.targets if each.ends]
    assert [("wall", True)] == [(each.id, each.falls) for each in way.more[1]]
