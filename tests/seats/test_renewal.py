"""A device's token is renewed at each claim: a copy of the last one is worth nothing afterwards."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Game, Renewal, Visitor
from games.models.tokens import hashed
from games.seats import devices, renewal, requests
from games.store import unused
from tests.types import Make, Sit

from .phones import device, get, post, seat_of, visitor, without_a_seat

BROWSER = "Mozilla/5.0"
PAGES = ("", "log", "state.json", "seats/", "summary", "share", "way-back")


def copied(phone: Client) -> Client:
    """Another browser with the same cookie."""
    copy = Client(headers={"User-Agent": BROWSER})
    copy.cookies["device"] = phone.cookies["device"].value
    return copy


def reads(game: Game, phone: Client) -> set[int]:
    return {phone.get(f"/g/{game.slug}/{page}").status_code for page in PAGES}


@pytest.fixture
def watcher(game: Game) -> Client:
    return without_a_seat(game, BROWSER)


def test_a_copy_from_before_the_claim_reads_nothing_once_the_phone_has_gone_on(
    game: Game, make_game: Make, watcher: Client
) -> None:
    other = make_game()
    other.admit(device(watcher), Visitor.Role.GUEST)
    thief = copied(watcher)

    assert 302 == post(game, watcher, "seats/ben/claim")
    watcher.get(f"/g/{game.slug}/")

    assert ("ben", {403}) == (seat_of(game, watcher), reads(game, thief))
    assert {403} == reads(other, thief), "nor anything in the device's other games"
    assert 200 == watcher.get(f"/g/{other.slug}/").status_code
    assert 403 == post(game, thief, "seats/cleo/claim")
    assert 403 == post(game, thief, "command", command="{}")
    assert game.slug not in thief.get("/").content.decode()


def test_an_answer_that_never_arrived_costs_no_seat(game: Game, watcher: Client) -> None:
    before = copied(watcher)

    post(game, watcher, "seats/ben/claim")

    assert 200 == before.get(f"/g/{game.slug}/").status_code
    assert "ben" == seat_of(game, before)


def test_two_claims_under_way_keep_the_seat(game: Game, watcher: Client) -> None:
    tab = copied(watcher)

    post(game, watcher, "seats/ben/claim")
    post(game, tab, "seats/cleo/claim")

    assert watcher.cookies["device"].value == tab.cookies["device"].value
    for phone in (watcher, tab):
        assert 200 == phone.get(f"/g/{game.slug}/").status_code
        assert "cleo" == seat_of(game, phone)
    assert not game.seats.get(key="ben").taken


def test_a_claim_that_comes_after_its_token_takes_nothing_from_the_phone(
    game: Game, watcher: Client
) -> None:
    late = copied(watcher)
    post(game, watcher, "seats/ben/claim")
    watcher.get(f"/g/{game.slug}/")

    assert 403 == post(game, late, "seats/cleo/claim")

    assert "device" not in {name for name, each in late.cookies.items() if each["path"]}
    assert "ben" == seat_of(game, watcher)


def test_a_link_opened_twice_leaves_the_phone_its_new_token(
    game: Game, make_game: Make, watcher: Client
) -> None:
    other = make_game()
    twice = copied(watcher)
    watcher.headers = twice.headers
    assert 302 == watcher.get(f"/j/{other.invite_token}", headers=twice.headers).status_code
    watcher.get(f"/g/{other.slug}/")

    again = twice.get(f"/j/{other.invite_token}")

    assert f"/j/{other.invite_token}?again" == again.headers["Location"]
    assert not any(each["path"] for each in twice.cookies.values())
    twice.get(again.headers["Location"])
    assert 200 == twice.get(f"/g/{other.slug}/").status_code, "without the new token, as a stranger"
    assert seat_of(other, watcher) != seat_of(other, twice)


def test_a_token_that_someone_else_made_up_is_not_taken(game: Game) -> None:
    phone = Client(headers={"User-Agent": BROWSER})
    phone.cookies["device"] = "made-up-by-someone-else"
    other = copied(phone)

    phone.get(f"/j/{game.invite_token}")

    assert 200 == phone.get(f"/g/{game.slug}/").status_code
    assert 403 == other.get(f"/g/{game.slug}/").status_code


@pytest.mark.parametrize("path", ["seats/ben/claim", "seats/ben/request"])
def test_asking_renews_the_token_before_the_seat_is_handed_over(
    game: Game, sit: Sit, watcher: Client, path: str
) -> None:
    sit(game, "ben")
    game.locked = True
    game.save()
    thief = copied(watcher)

    assert 302 == post(game, watcher, path)
    watcher.get(f"/g/{game.slug}/")
    requests.let_in(game, visitor(game, watcher).pk)

    assert ("ben", {403}) == (seat_of(game, watcher), reads(game, thief))


def test_the_hosts_link_renews_the_token_that_gets_the_seat(game: Game, sit: Sit) -> None:
    sit(game, "ana")
    phone = without_a_seat(game, BROWSER)
    thief = copied(phone)

    phone.get(f"/h/{game.host_token}", headers={"User-Agent": BROWSER})

    assert "Rocket" in get(game, phone)
    assert ("ana", {403}) == (seat_of(game, phone), reads(game, thief))


def test_a_refused_claim_renews_nothing(game: Game, sit: Sit, watcher: Client) -> None:
    sit(game, "ben")

    assert 409 == post(game, watcher, "seats/ben/claim")

    assert not Renewal.objects.exists()


def test_a_device_removed_while_a_renewal_waits_stays_out(game: Game, watcher: Client) -> None:
    before = copied(watcher)
    post(game, watcher, "seats/ben/claim")

    devices.bar(game, visitor(game, before))

    assert 403 == watcher.get(f"/g/{game.slug}/").status_code
    assert 403 == before.get(f"/g/{game.slug}/").status_code


def test_a_device_removed_just_after_a_renewal_is_out(game: Game, watcher: Client) -> None:
    gone = visitor(game, watcher)  # as the host's request has read it
    post(game, watcher, "seats/ben/claim")
    watcher.get(f"/g/{game.slug}/")

    devices.bar(game, gone)

    assert 403 == watcher.get(f"/g/{game.slug}/").status_code
    assert device(watcher) == gone.device_hash, "whose sockets are closed next"


def test_a_seat_is_never_given_to_a_token_that_has_been_replaced(
    game: Game, watcher: Client
) -> None:
    last = device(watcher)
    post(game, watcher, "seats/ben/claim")
    watcher.get(f"/g/{game.slug}/")

    assert not game.seats.get(key="cleo").claim(last)

    assert not game.seats.get(key="cleo").taken
    assert "ben" == seat_of(game, watcher)


def test_a_token_that_no_game_knows_is_not_renewed_for_ever(game: Game, watcher: Client) -> None:
    post(game, watcher, "seats/ben/claim")
    unused.forget_tokens()
    assert 1 == Renewal.objects.count()

    Game.objects.all().delete()
    unused.forget_tokens()

    assert 0 == Renewal.objects.count()


def test_a_token_is_used_once(game: Game, watcher: Client) -> None:
    fresh = hashed(renewal.renewed(watcher.cookies["device"].value))

    assert renewal.use(fresh) is not None
    assert renewal.use(fresh) is None
    assert renewal.use("") is None
