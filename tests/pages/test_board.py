"""The pages: three taps to a game, seats that stay, and strangers who stay out."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from games.models import Game
from games.models.tokens import hashed
from games.seats.rate_limit import GUESSING, MOST_OF_ONE
from tests.types import Make, Sit

PHONE = "Mozilla/5.0 (a phone)"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]


@pytest.fixture
def fresh() -> Client:
    """A phone without any cookies."""
    return Client(headers={"User-Agent": PHONE})


def board_of(game: Game) -> str:
    return f"/g/{game.slug}/"


def give(client: Client, game: Game, **command: Any) -> Any:
    return client.post(
        f"{board_of(game)}command", json.dumps(command), content_type="application/json"
    )


# Making and joining


def test_a_game_is_three_taps_away(fresh: Client) -> None:
    assert 'href="/new?rules=grand-archive"' in fresh.get("/").content.decode()
    assert b"<button" in fresh.get("/new?rules=grand-archive").content

    made = fresh.post("/new", {"rules": "grand-archive/2025-07", "seats": 3})
    game = Game.objects.get()

    assert f"/g/{game.slug}/share" == made["Location"]
    assert ("grand-archive", "2025-07", 3) == (game.system, game.edition, game.seats.count())


def test_the_maker_of_a_game_sits_down_as_its_host(fresh: Client) -> None:
    fresh.post("/new", {"rules": "any-game", "seats": 2, "name": "Ana Maria"})
    seat = Game.objects.get().seats.get(order=0)

    assert (True, True, "Ana Maria") == (seat.taken, seat.host, seat.name)


@pytest.mark.parametrize("rules", ["chess", "grand-archive/1999", ""])
def test_a_game_of_unknown_rules_is_not_made(fresh: Client, rules: str) -> None:
    refused = fresh.post("/new", {"rules": rules, "seats": 2})

    assert (422, 0) == (refused.status_code, Game.objects.count())


def test_a_link_leads_to_the_first_free_seat_and_leaves_the_address(
    game: Game, ana: Client, fresh: Client
) -> None:
    there = fresh.get(f"/j/{game.invite_token}")

    assert f"{board_of(game)}?welcome=1" == there["Location"]
    assert ["ana", "ben"] == [seat.key for seat in game.seats.exclude(device_hash=None)]


def test_a_spoken_code_lets_in_however_it_is_typed(game: Game, fresh: Client) -> None:
    typed = game.spoken_code.lower().replace("-", " ")

    assert 302 == fresh.post("/code", {"code": typed}).status_code
    assert 200 == fresh.get(board_of(game)).status_code


def test_the_host_goes_on_from_another_phone(game: Game, fresh: Client) -> None:
    dead, link = Client(headers={"User-Agent": PHONE}), f"/h/{game.host_token}"
    dead.get(link)
    fresh.get(link)

    taken = game.seats.exclude(device_hash=None)
    assert [hashed(fresh.cookies["device"].value)] == [seat.device_hash for seat in taken]
    assert [True] == [seat.host for seat in taken]


def test_the_hosts_link_takes_no_seat_from_a_guest(game: Game, fresh: Client, ben: Client) -> None:
    ben.post(f"{board_of(game)}seats/ana/claim")
    ben.get(board_of(game))
    fresh.get(f"/h/{game.host_token}")

    assert "ana" == game.seats.get(device_hash=hashed(ben.cookies["device"].value)).key


@pytest.mark.parametrize("address", ["/j/guessed", "/h/guessed"])
def test_a_wrong_link_lets_nobody_in(game: Game, fresh: Client, address: str) -> None:
    assert 404 == fresh.get(address).status_code
    assert 403 == fresh.get(board_of(game)).status_code


# fmt: off
WRONG = [
    # typed                 status  said
    ("XYZ",                 422,    "A code has 8 letters and digits; these are 3."),
    ("ABCD-12345",          422,    "these are 9."),
    ("ABCU-12!4",           422,    "Look again at: !"),
    ("ABCU-1234",           422,    "A code never has the letter U."),
    ("ABCD-1234",           404,    "No game has that code"),
    ("ABCD.1234",           422,    "Look again at: ."),
    ("192.168.1.20",        422,    "only the address"),
    ("http://a.local/x/1",  422,    "only the address"),
    ("[fd00::20]:8000 · ",  422,    "only the address"),
    ("",                    422,    "these are 0."),
]
# fmt: on


@pytest.mark.parametrize(("typed", "status", "said"), WRONG)
def test_a_wrong_code_says_what_is_wrong_and_stays_to_be_put_right(
    db: None, fresh: Client, typed: str, status: int, said: str
) -> None:
    answer = fresh.post("/code", {"code": typed})
    page = answer.content.decode()

    assert status == answer.status_code
    assert said in page
    assert f'value="{typed}"' in page


@pytest.mark.parametrize(
    "message",
    [
        "192.168.1.20:8000 · {}",
        "192.168.1.20:8000 {}",
        "http://[fd00::20]:8000/ — {}",
        "countersite.local {}",
        "Code: {}.",
        "Come! 192.168.1.20:8000 — {}, at 8",
        "{} (192.168.1.20:8000)",
        "“{}”",
        "\u200b{}\xa0",
    ],
)
def test_a_code_is_read_out_of_what_a_screen_or_a_friend_says(
    game: Game, fresh: Client, message: str
) -> None:
    typed = message.format(game.spoken_code.lower().replace("-", "\u2011"))

    assert 302 == fresh.post("/code", {"code": typed}).status_code
    assert 200 == fresh.get(board_of(game)).status_code


def test_a_link_of_another_day_leads_to_its_place_at_this_address(
    game: Game, fresh: Client
) -> None:
    for path in (f"/j/{game.invite_token}", f"/w/{game.watch_token}", "/s/some-set_up"):
        for typed in ("http://192.168.7.7:8000{}", "Come! http://192.168.7.7:8000{} at 8"):
            answer = fresh.post("/code", {"code": typed.format(path)})
            assert path == answer.headers["Location"]


def test_a_code_leads_to_a_set_up_too(game: Game, ana: Client, fresh: Client) -> None:
    ana.post(f"{board_of(game)}setups", {"title": "Our start"})
    setup = game.setups.get()

    answer = fresh.post("/code", {"code": setup.spoken_code}, follow=True)

    assert "Our start" in answer.content.decode()
    assert setup.spoken_code in answer.content.decode()


def test_someone_who_guesses_codes_has_to_wait(game: Game, fresh: Client) -> None:
    guesses = [f"XYZ1-00{n:02}" for n in range(MOST_OF_ONE)]
    wrong = [fresh.post("/code", {"code": guess}).status_code for guess in guesses]
    answer = fresh.post("/code", {"code": game.code})
    GUESSING.clear()

    assert [404] * MOST_OF_ONE == wrong
    assert (429, True) == (answer.status_code, game.code.encode() in answer.content)
    assert 302 == fresh.post("/code", {"code": game.code}).status_code


def test_the_preview_of_a_messenger_takes_no_seat(game: Game) -> None:
    Client(headers={"User-Agent": "WhatsApp/2.24"}).get(f"/j/{game.invite_token}")

    assert 0 == game.seats.exclude(device_hash=None).count()


def test_the_same_link_again_brings_the_same_seat_back(game: Game, fresh: Client) -> None:
    for _ in range(2):
        fresh.get(f"/j/{game.invite_token}")

    assert ["ben"] == [seat.key for seat in game.seats.exclude(device_hash=None)]


def test_a_rotated_link_admits_nobody_any_more(game: Game, ana: Client, fresh: Client) -> None:
    old = game.invite_token
    ana.post(f"{board_of(game)}share/rotate")

    assert 404 == fresh.get(f"/j/{old}").status_code


def test_a_guest_rotates_no_link(game: Game, ben: Client, fresh: Client) -> None:
    ben.post(f"{board_of(game)}share/rotate")

    assert 302 == fresh.get(f"/j/{game.invite_token}").status_code


def test_a_qr_never_shows_an_address_that_only_this_machine_has(
    game: Game, ana: Client, settings: Settings
) -> None:
    settings.LAN_ADDRESSES = []
    page = ana.get(f"{board_of(game)}share", HTTP_HOST="localhost:8000").content.decode()

    assert 'class="qr"' not in page


def test_a_qr_shows_the_address_of_the_network(game: Game, ana: Client, settings: Settings) -> None:
    settings.LAN_ADDRESSES = ["192.0.2.7"]
    page = ana.get(f"{board_of(game)}share", HTTP_HOST="localhost:8000").content.decode()

    assert f"http://192.0.2.7:8000/j/{game.invite_token}" in page


def test_one_phone_for_all_has_a_code_for_each_seat_without_a_phone_of_its_own(
    game: Game, ana: Client, ben: Client, settings: Settings
) -> None:
    settings.LAN_ADDRESSES = ["192.0.2.7"]
    page = ana.get(f"{board_of(game)}flat/codes", HTTP_HOST="localhost:8000").content.decode()

    assert ["cleo"] == re.findall(r'data-code="(\w+)"', page)
    assert 1 == page.count('class="qr"')


# Seats


def test_a_second_phone_does_not_get_a_taken_seat(game: Game, ana: Client, ben: Client) -> None:
    answer = ben.post(f"{board_of(game)}seats/ana/claim")

    assert (409, "ben") == (answer.status_code, seat_of(game, ben))


def seat_of(game: Game, client: Client) -> str | None:
    found = re.search(
        r'id="live"[^>]* data-seat="(\w*)"', client.get(board_of(game)).content.decode()
    )
    return found[1] if found else None


def test_a_seat_stays_over_a_reload(game: Game, ben: Client) -> None:
    assert ["ben", "ben"] == [seat_of(game, ben), seat_of(game, ben)]


def test_another_free_seat_can_be_taken_and_frees_the_first(game: Game, ben: Client) -> None:
    ben.post(f"{board_of(game)}seats/cleo/claim")

    assert ["cleo"] == [seat.key for seat in game.seats.exclude(device_hash=None)]


def test_someone_who_leaves_a_seat_watches(game: Game, ben: Client) -> None:
    ben.post(f"{board_of(game)}seats/ben/leave")

    assert "" == seat_of(game, ben)


def test_only_the_host_sends_somebody_away(game: Game, ana: Client, ben: Client) -> None:
    refused = ben.post(f"{board_of(game)}seats/ana/leave")
    ana.post(f"{board_of(game)}seats/ben/leave")

    assert (403, ["ana"]) == (
        refused.status_code,
        [seat.key for seat in game.seats.exclude(device_hash=None)],
    )


def test_a_name_is_cleaned_and_only_ones_own_can_be_changed(game: Game, ben: Client) -> None:
    ben.post(f"{board_of(game)}seats/ben/name", {"name": "  Ben\u202e \n II "})
    refused = ben.post(f"{board_of(game)}seats/cleo/name", {"name": "Clown"})

    assert (403, "Ben II") == (refused.status_code, game.seats.get(key="ben").name)


# Commands by HTTP


def test_a_command_by_post_is_on_the_board_at_once(game: Game, ben: Client) -> None:
    answer = give(ben, game, do="place", on="rocket", counter="fuel", amount=3)

    assert (204, "1") == (answer.status_code, answer["X-Entry"])
    assert b'<b id="rocket.fuel">7</b>' in ben.get(board_of(game)).content


def test_nobody_speaks_for_another_seat(game: Game, ben: Client) -> None:
    give(ben, game, do="place", on="rocket", counter="fuel", by="ana")

    assert "ben" == game.entries.get().seat


def test_a_button_without_a_script_leads_back_to_the_board(game: Game, ben: Client) -> None:
    answer = ben.post(f"{board_of(game)}command", {"more": "rocket.fuel"})

    assert (302, board_of(game)) == (answer.status_code, answer["Location"])
    assert 5 == game.counters.get().amount


def test_a_refused_form_says_why_with_its_rule(game: Game, ben: Client) -> None:
    answer = ben.post(
        f"{board_of(game)}command",
        {"do": "spend", "on": "rocket", "counter": "fuel", "amount:number": "9"},
        headers={"HX-Request": "true"},
    )

    assert (422, True) == (
        answer.status_code,
        b"There are only 4 fuel counters; the cost is 9." in answer.content,
    )


BAD = ["[]", "{", "[" * 9000, '{"do": "fly"}', '{"do": "place"}', r'{"do": "\ud800"}']


@pytest.mark.parametrize("body", BAD)
def test_a_malformed_command_is_a_bad_request(game: Game, ben: Client, body: str) -> None:
    answer = ben.post(f"{board_of(game)}command", body, content_type="application/json")

    assert (400, "invalid") == (answer.status_code, answer.json()["refused"]["code"])


def test_a_watcher_cannot_give_commands(game: Game, fresh: Client) -> None:
    game.admit(game.seats.get(key="ana").key.ljust(64, "x"), "guest")

    assert 403 == give(fresh, game, do="place", on="rocket", counter="fuel").status_code


@pytest.mark.parametrize(
    "page", ["", "log", "mine", "share", "seats/", "seats/ana", "objects/rocket", "cards/new"]
)
def test_a_stranger_sees_nothing_of_a_game(game: Game, dan: Client, page: str) -> None:
    answer = dan.get(board_of(game) + page)

    assert (403, False) == (answer.status_code, b"Rocket" in answer.content)


def test_a_strangers_command_changes_nothing(game: Game, dan: Client) -> None:
    answer = give(dan, game, do="place", on="rocket", counter="fuel")

    assert (403, 0) == (answer.status_code, game.entries.count())


# The log


def lines(client: Client, game: Game) -> str:
    page = client.get(f"{board_of(game)}log", headers={"HX-Request": "true"}).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_the_log_says_who_what_before_and_after(game: Game, ben: Client) -> None:
    give(ben, game, do="remove", on="rocket", counter="fuel", amount=3)

    assert "Ben: 3 fuel removed from Rocket, 4 → 1" in lines(ben, game)


def test_quick_taps_on_one_counter_are_one_line(game: Game, ben: Client) -> None:
    for _ in range(3):
        give(ben, game, do="place", on="rocket", counter="fuel")

    assert "Ben: 3 fuel on Rocket, 4 → 7" in lines(ben, game)
    assert {"undo": [3, 2, 1], "redo": []} == turned_back(ben, game)


def test_up_and_down_is_one_line_with_its_sum(game: Game, ben: Client) -> None:
    for verb in ("place", "place", "remove", "place", "remove", "remove", "remove"):
        give(ben, game, do=verb, on="rocket", counter="fuel")

    assert "Ben: 1 fuel removed from Rocket, 4 → 3" in lines(ben, game)
    assert [7, 6, 5, 4, 3, 2, 1] == turned_back(ben, game)["undo"]


def test_taps_of_two_seats_at_once_are_a_line_each(game: Game, ana: Client, ben: Client) -> None:
    for _ in range(3):
        give(ben, game, do="place", on="rocket", counter="fuel")
        give(ana, game, do="place", on="rocket", counter="oil")

    said = lines(ben, game)
    assert "Ben: 3 fuel on Rocket, 4 → 7" in said
    assert "Ana: 3 oil on Rocket, 0 → 3" in said
    assert [5, 3, 1] == turned_back(ben, game)["undo"]


def test_taps_of_two_seats_on_one_counter_are_told_one_by_one(
    game: Game, ana: Client, ben: Client
) -> None:
    for client in (ben, ben, ana, ana, ben):
        give(client, game, do="place", on="rocket", counter="fuel")

    said = lines(ben, game)
    assert "Ben: 2 fuel on Rocket, 4 → 6" in said
    assert "Ana: 2 fuel on Rocket, 6 → 8" in said
    assert "Ben: 1 fuel on Rocket, 8 → 9" in said
    assert [5, 2, 1] == turned_back(ben, game)["undo"]  # all of one's own burst


def test_anything_but_a_tap_ends_a_burst(game: Game, ben: Client) -> None:
    give(ben, game, do="place", on="rocket", counter="fuel")
    give(ben, game, do="correct", on="rocket", counter="fuel", to=9)
    give(ben, game, do="place", on="rocket", counter="fuel")

    assert [3] == turned_back(ben, game)["undo"]


def turned_back(client: Client, game: Game) -> dict[str, list[int]]:
    received = client.get(f"{board_of(game)}mine").json()
    return {which: received[which] for which in ("undo", "redo")}


def test_undo_means_ones_own_newest_line(game: Game, ana: Client, ben: Client) -> None:
    give(ben, game, do="place", on="rocket", counter="fuel")
    give(ana, game, do="place", on="rocket", counter="spare")

    assert {"undo": [1], "redo": []} == turned_back(ben, game)


def test_an_undone_line_stays_and_can_be_given_back(game: Game, ben: Client) -> None:
    give(ben, game, do="place", on="rocket", counter="fuel")
    give(ben, game, do="undo", entry=1)
    page = ben.get(f"{board_of(game)}log", headers={"HX-Request": "true"}).content.decode()

    assert ("is-undone" in page, {"undo": [], "redo": [1]}) == (True, turned_back(ben, game))


def test_a_judges_correction_shows_as_one(game: Game, ben: Client) -> None:
    give(ben, game, do="correct", on="rocket", counter="fuel", to=9, note="counted again")

    assert "judge’s correction fuel on Rocket corrected, 4 → 9 counted again" in lines(ben, game)


def test_the_log_says_why_something_happened_by_itself(make_game: Make, sit: Sit) -> None:
    game = make_game(
        "grand-archive", objects={"ally": {"types": ["ally"], "counters": {"buff": 1}}}
    )
    ben = sit(game, "ben")
    give(ben, game, do="place", on="ally", counter="debuff", amount=2)

    assert "Why? Buff 4 Buff and debuff counters on one object cancel out" in lines(ben, game)


# Every page


def pages(game: Game) -> list[str]:
    inside = ["", "log", "share", "seats/", "seats/ana", "objects/rocket", "cards/new"]
    outside = ["/", "/new", "/about", "/help/any-game", "/help/grand-archive?edition=2024"]
    return [*outside, *(board_of(game) + page for page in inside)]


def test_no_page_has_a_script_or_a_style_inside(game: Game, ana: Client) -> None:
    for address in pages(game):
        answer = ana.get(address)
        page = answer.content.decode()

        assert 200 == answer.status_code, address
        assert [] == re.findall(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", page), address


def test_a_hundred_objects_are_sent_in_4_kilobytes_and_the_board_around_them_in_little_more(
    make_game: Make, sit: Sit
) -> None:
    objects = {
        f"card-{i}": {
            "name": f"Honorable Vanguard {i}",
            "types": ["ally"],
            "base": {"power": 2, "life": 3},
            "owner": ("ana", "ben", "cleo")[i % 3],
            "counters": ({"buff": 2}, {"quest": 3}, {"wither": 1})[i % 3],
        }
        for i in range(100)
    }
    sent = []
    for cards in ({}, objects):
        game = make_game("grand-archive", objects=cards)
        page = sit(game, "ana").get(board_of(game)).content
        sent.append(len(gzip.compress(page, 6)))

    board, with_objects = sent
    assert with_objects - board <= 4 * 1024
    assert board <= 4.6 * 1024


def test_taking_back_a_burst_of_taps_is_one_line_of_the_log(game: Game, ana: Client) -> None:
    for _ in range(3):
        give(ana, game, do="place", on="rocket", counter="fuel", amount=1)
    for entry in (3, 2, 1):
        give(ana, game, do="undo", entry=entry)

    page = ana.get(board_of(game) + "log").content.decode()

    assert 1 == page.count("took back lines 1 to 3")


@pytest.mark.parametrize(
    ("system", "ready"),
    [
        ("magic", ""),
        ("stars-and-signs", ""),
        ("own-game", "call-of-cthulhu"),
        ("own-game", "rummy-500"),
    ],
)
def test_what_the_menu_opens_in_a_sheet_is_one(
    make_game: Make, sit: Sit, system: str, ready: str
) -> None:
    """A whole page has no room there: its link says that it is one."""
    led = system == "stars-and-signs" or ready == "call-of-cthulhu"
    seats: dict[str, dict[str, object]] = {
        each: {} for each in (["gm"] if led else []) + ["ana", "ben"]
    }
    game = make_game(system, seats=seats, ready=ready)
    host = sit(game, next(iter(seats)))
    menu = (
        host.get(board_of(game))
        .content.decode()
        .partition('id="menu"')[2]
        .partition("</dialog>")[0]
    )
    links = [each for each in re.findall(r"<a\b[^>]*>", menu) if "data-page" not in each]
    opened = {found[1] for each in links if (found := re.search(r'href="([^/#"][^"]*)"', each))}

    assert len(opened) > 3
    for each in opened:
        sheet = host.get(board_of(game) + each, headers={"HX-Request": "true"})
        assert 200 == sheet.status_code, each
        assert "<html" not in sheet.content.decode(), each
