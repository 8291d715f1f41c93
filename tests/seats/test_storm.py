"""Many phones that ask for seats at once: nobody's evening stops for them."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client

from games.models import Game
from games.rules.state import Refused
from games.seats import requests
from games.seats.guests import Guest
from tests.types import Sit

from .phones import post, visitor, without_a_seat

pytestmark = pytest.mark.django_db(transaction=True)


def ask(game: Game, key: str) -> Client:
    phone = without_a_seat(game, "Mozilla/5.0 (a phone)")
    assert 302 == post(game, phone, f"seats/{key}/request")
    return phone


def waiting(game: Game) -> list[str]:
    return [each.about for each in requests.waiting(game)]


def test_only_so_many_of_a_crowd_that_asks_at_once_wait(game: Game, ben: Client) -> None:
    phones = [without_a_seat(game, "Mozilla/5.0 (a phone)") for _ in range(12)]
    guests = [Guest(game, visitor(game, phone), None) for phone in phones]

    def asks(guest: Guest) -> str:
        try:
            requests.ask(guest, game.places["ben"])
        except Refused as refused:
            return refused.code
        finally:
            connections.close_all()
        return "waiting"

    with ThreadPoolExecutor(6) as crowd:
        said = sorted(crowd.map(asks, guests))

    assert ["busy"] * 4 + ["waiting"] * requests.MOST_WAITING == said
    assert ["ben"] * requests.MOST_WAITING == waiting(game)


def test_one_tap_says_no_to_all_and_they_cannot_ask_again_at_once(
    game: Game, ana: Client, ben: Client
) -> None:
    crowd = [ask(game, "ben") for _ in range(3)]
    first = visitor(game, crowd[0]).pk

    assert 302 == post(game, ana, f"seat-requests/{first}", let="none")

    assert [] == waiting(game)
    assert {"refused"} == {visitor(game, each).news for each in crowd}
    assert [429] * 3 == [post(game, each, "seats/ben/request") for each in crowd]
    ask(game, "ben")
    assert ["ben"] == waiting(game), "someone else may"


def test_a_player_says_no_only_for_the_seats_that_players_give(session: Game, sit: Sit) -> None:
    gm, ben = sit(session, "gm"), sit(session, "ben")
    for key in ("cleo", "gm", "ben"):
        ask(session, key)
    first = requests.waiting(session)[0].pk

    assert 302 == post(session, ben, f"seat-requests/{first}", let="none")
    assert ["gm"] == waiting(session)
    assert 302 == post(session, gm, f"seat-requests/{first}", let="none")
    assert [] == waiting(session)


def test_each_request_says_how_many_wait_behind_it(game: Game, ana: Client, ben: Client) -> None:
    for _ in range(3):
        ask(game, "ben")

    page = ana.get(f"/g/{game.slug}/sidebar").content.decode()

    assert ["2 more are asking.", "1 more is asking."] == re.findall(r"\d more \w+ asking\.", page)
    assert 2 == page.count("No to all")
