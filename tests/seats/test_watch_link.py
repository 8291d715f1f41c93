"""The watch link: it lets a phone look on, and no further."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from games.models import Game, Visitor
from tests.types import Sit

from .phones import get, post, seat_of, visitor

PHONE = "Mozilla/5.0 (iPhone) Mobile"


@pytest.fixture
def dan(game: Game) -> Client:
    phone = Client(headers={"User-Agent": PHONE})
    phone.get(f"/w/{game.watch_token}")
    return phone


def test_it_shows_the_table_and_gives_no_seat(game: Game, dan: Client) -> None:
    assert "Rocket" in get(game, dan)
    assert seat_of(game, dan) is None
    assert Visitor.Role.ONLOOKER == visitor(game, dan).role


@pytest.mark.parametrize("path", ["seats/ben/claim", "seats/ben/request"])
def test_it_leads_to_no_seat_by_any_door(game: Game, dan: Client, path: str) -> None:
    assert 403 == post(game, dan, path)
    assert "" == visitor(game, dan).news


def test_no_other_address_with_its_token_lets_anyone_sit_down(game: Game) -> None:
    for address in (f"/j/{game.watch_token}", f"/h/{game.watch_token}", f"/s/{game.watch_token}"):
        eve = Client(headers={"User-Agent": PHONE})
        assert 404 == eve.get(address).status_code
        assert 403 == eve.get(f"/g/{game.slug}/").status_code


@pytest.mark.parametrize("path", ["", "share", "tv", "seats/", "seats/ben", "keep", "way-back"])
def test_no_page_tells_an_onlooker_how_to_join(
    game: Game, dan: Client, path: str, settings: Settings
) -> None:
    settings.LAN_ADDRESSES = ["192.168.1.20"]
    page = dan.get(f"/g/{game.slug}/{path}", HTTP_HOST="localhost:8000").content.decode()

    for secret in (game.code, game.spoken_code, game.invite_token, game.host_token):
        assert secret not in page
    assert "/claim" not in page
    assert "/request" not in page


def test_the_home_page_tells_no_code_either(game: Game, dan: Client) -> None:
    page = dan.get("/").content.decode()

    assert f"/g/{game.slug}/" in page
    assert game.spoken_code not in page


def test_an_onlooker_passes_on_what_they_have(game: Game, dan: Client) -> None:
    page = get(game, dan, "share")

    assert "Let others watch" in page
    assert f"/w/{game.watch_token}" in page


@pytest.mark.parametrize("path", ["share", "tv"])
def test_its_qr_has_an_address_and_a_code_beside_it(
    game: Game, dan: Client, path: str, settings: Settings
) -> None:
    settings.LAN_ADDRESSES = ["192.168.1.20"]
    page = dan.get(f"/g/{game.slug}/{path}", HTTP_HOST="localhost:8000").content.decode()

    assert "192.168.1.20:8000" in page
    assert game.watch_code in page
    eve = Client(headers={"User-Agent": PHONE})
    typed = f"192.168.1.20:8000 · {game.watch_code.lower()}"
    assert 302 == eve.post("/code", {"code": typed}).status_code
    assert Visitor.Role.ONLOOKER == visitor(game, eve).role
    assert seat_of(game, eve) is None


def test_the_code_to_watch_ends_with_its_link(game: Game) -> None:
    before = game.watch_code
    game.rotate_invitation()

    assert before != game.watch_code
    assert 404 == Client().post("/code", {"code": before}).status_code


def test_an_onlooker_who_gets_the_invitation_sits_down(game: Game, dan: Client) -> None:
    dan.get(f"/j/{game.invite_token}")

    assert "ben" == seat_of(game, dan)
    assert Visitor.Role.GUEST == visitor(game, dan).role


def test_the_watch_link_of_an_earlier_version_leads_to_this_one(game: Game) -> None:
    phone = Client(headers={"User-Agent": PHONE})
    phone.get(f"/j/{game.invite_token}?watch", follow=True)

    assert Visitor.Role.ONLOOKER == visitor(game, phone).role


def test_rotating_ends_both_links(game: Game, sit: Sit) -> None:
    game.seats.filter(key="ana").update(host=True)
    before = (f"/j/{game.invite_token}", f"/w/{game.watch_token}")
    post(game, sit(game, "ana"), "share/rotate")
    game.refresh_from_db()

    assert [404, 404] == [Client().get(link).status_code for link in before]
    assert 302 == Client().get(f"/w/{game.watch_token}").status_code


def test_the_share_page_has_a_qr_for_each(game: Game, sit: Sit, settings: Settings) -> None:
    settings.LAN_ADDRESSES = ["192.168.1.20"]
    phone = sit(game, "ana")
    page = phone.get(f"/g/{game.slug}/share", HTTP_HOST="localhost:8000").content.decode()

    assert 2 == page.count('class="qr"')
    assert game.spoken_code in page
    assert game.watch_code in page
    assert f"http://192.168.1.20:8000/w/{game.watch_token}" in page


def test_links_are_made_for_ipv6(game: Game, ana: Client, settings: Settings) -> None:
    settings.LAN_ADDRESSES = ["[fd00::20]"]
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "[::1]", "[fd00::21]"]
    for host, shown in (("[::1]:8000", "[fd00::20]:8000"), ("[fd00::21]:8000", "[fd00::21]:8000")):
        page = ana.get(f"/g/{game.slug}/share", headers={"host": host}).content.decode()
        assert f"http://{shown}/j/{game.invite_token}" in page
