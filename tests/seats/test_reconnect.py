"""A phone finds back to its seat at the server's new address, and nobody else gets there by it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from django.core import signing
from django.test import Client
from pytest_django import Settings

from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.seats import reconnect
from tests.types import Make, Sit

from .phones import device, post, seat_of, visitor


@pytest.fixture(autouse=True)
def lan(settings: Settings) -> Iterator[None]:
    settings.LAN_ADDRESSES, settings.LAN_NAMES = ["192.168.1.20"], ["countersite.local"]
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "192.168.1.20", "countersite.local"]
    return iter([None])


@pytest.fixture
def ben(game: Game, sit: Sit) -> Client:
    return sit(game, "ben")


def way(game: Game, phone: Client) -> dict[str, str]:
    """The way back that the page of *phone* keeps, by its data attributes."""
    page = phone.get(f"/g/{game.slug}/way-back").content.decode()
    return dict(re.findall(r'data-(\w+)="([^"]*)"', page))


def goes_back(token: str, phone: Client | None = None) -> Client:
    """A browser at the new address, which has no cookie of this site yet."""
    phone = phone or Client()
    phone.post(f"/back/{token}")
    return phone


def test_the_same_phone_has_its_seat_and_its_games_at_the_new_address(
    game: Game, make_game: Make, ben: Client
) -> None:
    other = make_game()
    other.admit(device(ben), Visitor.Role.HOST)
    other.seats.get(key="cleo").claim(device(ben))

    there = goes_back(way(game, ben)["token"])

    assert ("ben", "cleo") == (seat_of(game, there), seat_of(other, there))
    assert Visitor.Role.HOST == visitor(other, there).role
    assert 403 == ben.get(f"/g/{game.slug}/").status_code, "the old cookie is nobody’s"


def test_a_look_at_the_way_back_changes_nothing(game: Game, ben: Client) -> None:
    answer = Client().get(f"/back/{way(game, ben)['token']}")

    assert "Go on as " in answer.content.decode()
    assert "ben" == seat_of(game, ben)


def test_a_way_back_works_once(game: Game, ben: Client) -> None:
    token = way(game, ben)["token"]
    there = goes_back(token)

    dan = goes_back(token)

    assert "ben" == seat_of(game, there)
    assert 403 == dan.get(f"/g/{game.slug}/").status_code
    assert 404 == dan.get(f"/back/{token}").status_code
    another = there.get(f"/back/{token}").content.decode()
    assert "data-go" in another, "another page of the same phone follows, and brings its taps"


@pytest.mark.parametrize(
    ("at", "page"),
    [
        ("tv?overlay&log", "tv?overlay&log"),
        ("flat", "flat"),
        ("share", "share"),
        ("?welcome=1", ""),
        ("tv/../../../h/x", ""),
        ("//evil.example", ""),
    ],
)
def test_a_big_screen_is_one_there_too(game: Game, ben: Client, at: str, page: str) -> None:
    there, token = Client(), way(game, ben)["token"]

    first = there.post(f"/back/{token}?{urlencode({'at': at})}")
    second = there.post(f"/back/{token}?{urlencode({'at': at})}")

    assert f"/g/{game.slug}/{page}" == first.headers["Location"] == second.headers["Location"]


def test_a_way_back_ends_after_an_evening(
    game: Game, ben: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = way(game, ben)["token"]
    monkeypatch.setattr(reconnect, "EVENING", -1)

    assert 404 == goes_back(token).post(f"/back/{token}").status_code
    assert "ben" == seat_of(game, ben)


FORGED = (
    lambda game, known: signing.dumps([game.slug, known], salt="other"),
    lambda game, known: signing.dumps("ben", salt=reconnect.SALT),
    lambda game, known: reconnect.token(game.slug, known)[:-1],
    lambda game, known: known,
    lambda game, known: reconnect.token("gone", known),
)


@pytest.mark.parametrize("forge", FORGED)
def test_a_forged_way_back_leads_nowhere(
    game: Game, ben: Client, forge: Callable[[Game, str], str]
) -> None:
    forged = forge(game, device(ben))

    assert 404 == Client().post(f"/back/{forged}").status_code
    assert "ben" == seat_of(game, ben)


def test_a_phone_with_another_seat_by_now_is_asked_first(game: Game, ben: Client, sit: Sit) -> None:
    token, cleo = way(game, ben)["token"], sit(game, "cleo")
    page = cleo.get(f"/back/{token}").content.decode()
    assert "data-go" not in page
    assert "Going back frees that seat." in page

    goes_back(token, cleo)

    assert "ben" == seat_of(game, cleo)
    assert not game.seats.get(key="cleo").taken


def test_a_game_in_which_the_new_cookie_plays_already_stays_as_it_is(
    game: Game, make_game: Make, ben: Client
) -> None:
    other, there = make_game(), Client()
    other.admit(device(ben), Visitor.Role.GUEST)
    other.seats.get(key="ana").claim(device(ben))
    there.cookies["device"] = new_device()
    other.admit(device(there), Visitor.Role.GUEST)
    other.seats.get(key="cleo").claim(device(there))

    goes_back(way(game, ben)["token"], there)

    assert ("ben", "cleo") == (seat_of(game, there), seat_of(other, there))


def test_one_who_was_sent_away_does_not_sit_down_by_it(game: Game, ben: Client, sit: Sit) -> None:
    ana, token = sit(game, "ana"), way(game, ben)["token"]
    game.seats.filter(key="ana").update(host=True)
    post(game, ana, "seats/ben/leave")

    there = goes_back(token)

    assert seat_of(game, there) is None
    assert visitor(game, there).sent_away


def test_a_gms_tablet_comes_back_beside_the_laptop(session: Game, sit: Sit) -> None:
    laptop, tablet = sit(session, "gm"), Client()
    tablet.cookies["device"] = new_device()
    session.admit(device(tablet), Visitor.Role.HOST)
    session.seats.get(key="gm").join(device(tablet))

    there = goes_back(way(session, tablet)["token"])

    assert ("gm", "gm") == (seat_of(session, laptop), seat_of(session, there))


def test_a_page_can_tell_this_server_from_another(game: Game, ben: Client) -> None:
    kept = way(game, ben)

    answer = Client().get(f"/here/{kept['question']}")

    assert kept["proof"] == answer.content.decode()
    assert "*" == answer.headers["Access-Control-Allow-Origin"]
    assert kept["proof"] != Client().get("/here/other").content.decode()
    assert kept["question"] not in kept["token"]
    assert kept["token"] not in kept["proof"]


def test_a_proof_is_of_the_address_that_was_asked(
    game: Game, ben: Client, settings: Settings
) -> None:
    """So nobody at an earlier address can fetch it from where the server is now."""
    kept = way(game, ben)
    asked = f"/here/{kept['question']}"
    proofs = dict(zip(kept["places"].split(), kept["proofs"].split(), strict=True))

    assert proofs
    for place, proof in proofs.items():
        there = Client().get(asked, headers={"host": place.removeprefix("http://")})
        assert proof == there.content.decode()
    assert kept["proof"] not in proofs.values()
    assert 400 == Client().get(asked, headers={"host": "192.168.99.99"}).status_code


def test_a_page_may_ask_just_the_addresses_of_this_server(game: Game, ben: Client) -> None:
    page = ben.get(f"/g/{game.slug}/", HTTP_HOST="192.168.1.20:8000", REMOTE_ADDR="192.168.1.50")
    places = way(game, ben)["places"].split()

    allowed = page.headers["Content-Security-Policy"]
    assert "connect-src 'self' http://countersite.local:8000;" in allowed
    assert ["http://countersite.local", "http://192.168.1.20"] == places[:2]


def test_a_browser_on_the_servers_machine_looks_there_too(game: Game, ben: Client) -> None:
    page = ben.get(f"/g/{game.slug}/", HTTP_HOST="192.168.1.20:8000", REMOTE_ADDR="192.168.1.20")

    assert "http://localhost:8000" in page.headers["Content-Security-Policy"]


def test_a_public_site_has_no_other_address(game: Game, ben: Client, settings: Settings) -> None:
    settings.PUBLIC_HOSTS = ["game.example"]

    assert 204 == ben.get(f"/g/{game.slug}/way-back").status_code


def test_strangers_get_no_way_back(game: Game) -> None:
    dan = Client()
    dan.cookies["device"] = new_device()

    assert 403 == dan.get(f"/g/{game.slug}/way-back").status_code
    assert game.admitted(hashed(dan.cookies["device"].value)) is None


def test_no_page_asks_for_an_ipv6_address_which_can_stand_in_no_policy(
    game: Game, sit: Sit, settings: Settings
) -> None:
    settings.LAN_ADDRESSES = ["192.168.1.20", "[fd00::20]", "[fd00::21]"]
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "[fd00::20]"]
    answer = sit(game, "ben").get(f"/g/{game.slug}/way-back", headers={"host": "[fd00::20]:8000"})

    (places,) = re.findall(r'data-places="([^"]*)"', answer.content.decode())
    named = "http://countersite.local:8000 http://192.168.1.20:8000"
    assert named == places.removesuffix(" http://localhost:8000")
    assert f"connect-src 'self' {named}" in answer.headers["Content-Security-Policy"]
    assert "[" not in answer.headers["Content-Security-Policy"]
