"""Several devices at the GM's seat: how they come, what they may do, and how they go."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client

from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.pages import rematch
from games.seats import devices, hosts, requests
from games.store import rows
from tests.types import Sit

from .phones import device, get, post, seat_of, tap, visitor, without_a_seat

LAPTOP = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"
TABLET = "Mozilla/5.0 (Linux; Android 14; SM-X210) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari/604.1"

pytestmark = pytest.mark.django_db(transaction=True)


def comes(game: Game, agent: str, link: str = "host") -> Client:
    """A new device that opens the host's link or the invitation, or that only watches."""
    if link == "watch":
        return without_a_seat(game, agent)
    client = Client(headers={"User-Agent": agent})
    paths = {
        "host": f"/h/{game.host_token}",
        "guest": f"/j/{game.invite_token}",
    }
    client.get(paths[link])
    return client


@pytest.fixture
def laptop(session: Game) -> Client:
    return comes(session, LAPTOP)


@pytest.fixture
def tablet(session: Game, laptop: Client) -> Client:
    return comes(session, TABLET)


def take_off(game: Game, phone: Client, gone: Client) -> int:
    return post(game, phone, f"seats/gm/devices/{visitor(game, gone).pk}")


def asks(game: Game, phone: Client, key: str = "gm") -> int:
    post(game, phone, f"seats/{key}/request")
    return visitor(game, phone).pk


# Coming


def test_laptop_and_tablet_play_as_gm_at_once(
    session: Game, laptop: Client, tablet: Client
) -> None:
    for phone in (laptop, tablet):
        assert ("gm", 204) == (seat_of(session, phone), tap(session, phone))
        assert "CANARY" in get(session, phone)

    session.refresh_from_db()
    assert ["gm", "gm"] == [each.by for each in rows.entries(session)]
    assert ["gm"] == [seat.key for seat in session.seats.filter(host=True)]


def test_each_is_listed_with_its_kind_and_its_time(
    session: Game, laptop: Client, tablet: Client
) -> None:
    seen = [get(session, phone, "seats/") for phone in (laptop, tablet)]

    assert re.search(r"This computer, since \d\d:\d\d", seen[0])
    assert re.search(r"Also here: tablet, since \d\d:\d\d", seen[0])
    assert re.search(r"Also here: computer, since \d\d:\d\d", seen[1])


@pytest.mark.parametrize(
    ("agent", "kind"),
    [(LAPTOP, "computer"), (TABLET, "tablet"), (PHONE, "phone"), ("curl/8", "")],
)
def test_a_device_says_what_it_is(session: Game, agent: str, kind: str) -> None:
    assert kind == visitor(session, comes(session, agent, "watch")).kind


def test_players_are_shown_no_devices(session: Game, laptop: Client, tablet: Client) -> None:
    ben = comes(session, PHONE, "guest")

    assert "tablet" not in get(session, ben, "seats/") + get(session, ben, "seats/gm")


def test_a_board_does_not_say_how_many_devices_the_server_knows(
    session: Game, laptop: Client, tablet: Client
) -> None:
    signs = [re.findall(r'data-phone="(\w+)"', get(session, each)) for each in (laptop, tablet)]

    assert all(re.fullmatch("[0-9a-f]{12}", sign) for (sign,) in signs)
    assert signs[0] != signs[1]


@pytest.mark.parametrize("link", ["guest", "watch"])
def test_the_laptop_lets_the_tablet_in(session: Game, laptop: Client, link: str) -> None:
    session.seats.exclude(key="gm").update(given_name="")  # nobody has sat there yet
    tablet = comes(session, TABLET, link)
    asking = asks(session, tablet)
    assert "A tablet wants to play as <strong>GM</strong> and see every secret." in get(
        session, laptop
    )
    assert 302 == post(session, laptop, f"seat-requests/{asking}", let="in")

    assert ("gm", "gm") == (seat_of(session, laptop), seat_of(session, tablet))
    assert not session.seats.get(key="ben").taken
    assert session.host_token not in get(session, tablet, "share")


def test_a_player_can_never_become_one(session: Game, laptop: Client, sit: Sit) -> None:
    ben = sit(session, "ben")
    assert [403, 403] == [
        post(session, ben, path) for path in ("seats/gm/request", "seats/gm/claim")
    ]
    watching = comes(session, PHONE, "watch")
    asking = asks(session, watching)
    assert 403 == post(session, ben, f"seat-requests/{asking}", let="in")
    post(session, watching, "seats/cleo/claim")
    post(session, laptop, f"seat-requests/{asking}", let="in")

    assert ("ben", "cleo") == (seat_of(session, ben), seat_of(session, watching))
    assert "CANARY" not in get(session, ben) + get(session, watching)


def test_a_request_that_waited_while_its_device_became_a_players_is_not_granted(
    session: Game, laptop: Client
) -> None:
    phone = comes(session, PHONE, "guest")
    asking = asks(session, phone)
    post(session, phone, "seats/ben/claim")
    post(session, phone, "seats/ben/name", name="Ben")

    assert requests.let_in(session, asking) is None
    assert "ben" == seat_of(session, phone)


def test_a_players_seat_still_has_one_phone(session: Game, laptop: Client, sit: Sit) -> None:
    ben, new = sit(session, "ben"), comes(session, PHONE, "watch")
    post(session, laptop, f"seat-requests/{asks(session, new, 'ben')}", let="in")

    assert (None, "ben") == (seat_of(session, ben), seat_of(session, new))
    assert [] == devices.of_seat(session.seats.get(key="ben"))


def test_the_host_of_a_card_game_still_takes_the_seat_along(game: Game, ana: Client) -> None:
    other = comes(game, PHONE)

    assert ("ana", None) == (seat_of(game, other), seat_of(game, ana))


def test_a_co_gm_may_have_several_devices_too(session: Game, laptop: Client, sit: Sit) -> None:
    cleo, second = sit(session, "cleo"), comes(session, TABLET, "watch")
    rows.give(session, [{"do": "appoint", "seat": "cleo", "by": "gm"}])
    post(session, cleo, f"seat-requests/{asks(session, second, 'cleo')}", let="in")

    assert ("cleo", "cleo") == (seat_of(session, cleo), seat_of(session, second))
    assert 403 == post(session, cleo, f"seats/gm/devices/{visitor(session, laptop).pk}")


def test_many_devices_at_once_all_come_in(session: Game, laptop: Client) -> None:
    known = [hashed(new_device()) for _ in range(8)]
    for each in known:
        session.admit(each, Visitor.Role.GUEST)

    def join(each: str) -> None:
        try:
            session.seats.get(key="gm").join(each)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(join, known))
    here = [each.device_hash for each in session.seats.get(key="gm").devices]
    assert (device(laptop), {*known}) == (here[0], {*here[1:]})


# Going


@pytest.mark.parametrize("who", ["laptop", "tablet"])
def test_either_can_be_taken_off_by_the_other_and_stays_off(
    session: Game, laptop: Client, tablet: Client, who: str
) -> None:
    gone, stays = (laptop, tablet) if who == "laptop" else (tablet, laptop)
    assert 302 == take_off(session, stays, gone)

    assert (None, "gm") == (seat_of(session, gone), seat_of(session, stays))
    assert (403, 204) == (tap(session, gone), tap(session, stays))
    page = get(session, gone)
    assert ("doesn’t play as" in page, "CANARY" in page) == (True, False)
    gone.get(f"/j/{session.invite_token}")
    post(session, gone, "seats/gm/claim")
    assert (None, "asking") == (seat_of(session, gone), visitor(session, gone).news)
    assert 403 == post(session, gone, "again")


def test_a_device_that_had_the_hosts_link_needs_a_new_one(
    session: Game, laptop: Client, tablet: Client
) -> None:
    old = session.host_token
    take_off(session, laptop, tablet)
    session.refresh_from_db()

    assert old != session.host_token
    assert 404 == tablet.get(f"/h/{old}").status_code
    assert session.host_token in get(session, laptop, "share")
    tablet.get(f"/h/{session.host_token}")
    assert ("gm", False) == (seat_of(session, tablet), visitor(session, tablet).sent_away)


def test_the_device_that_was_let_in_gets_the_hosts_link_if_no_other_has_it(
    session: Game, laptop: Client
) -> None:
    tablet = comes(session, TABLET, "watch")
    post(session, laptop, f"seat-requests/{asks(session, tablet)}", let="in")
    take_off(session, tablet, laptop)
    session.refresh_from_db()

    assert session.host_token in get(session, tablet, "share")


def test_a_device_that_leaves_leaves_the_others_there(
    session: Game, laptop: Client, tablet: Client
) -> None:
    post(session, laptop, "seats/gm/leave")

    assert (None, "gm") == (seat_of(session, laptop), seat_of(session, tablet))
    assert [device(tablet)] == [each.device_hash for each in session.seats.get(key="gm").devices]
    post(session, tablet, "seats/gm/leave")
    assert not session.seats.get(key="gm").taken


def test_a_device_that_sits_down_elsewhere_leaves_the_seat_to_the_others(
    session: Game, laptop: Client, tablet: Client
) -> None:
    post(session, laptop, "seats/ben/claim")

    assert ("ben", "gm") == (seat_of(session, laptop), seat_of(session, tablet))
    assert ["gm"] == [seat.key for seat in session.seats.filter(host=True)]


def test_freeing_the_seat_sends_all_its_devices_away(
    session: Game, laptop: Client, sit: Sit
) -> None:
    cleo, second = sit(session, "cleo"), comes(session, TABLET, "watch")
    rows.give(session, [{"do": "appoint", "seat": "cleo", "by": "gm"}])
    post(session, cleo, f"seat-requests/{asks(session, second, 'cleo')}", let="in")
    assert 302 == post(session, laptop, "seats/cleo/leave")

    assert (None, None) == (seat_of(session, cleo), seat_of(session, second))


@pytest.mark.parametrize("who", ["ben", "watcher", "stranger"])
def test_only_a_device_of_the_seat_takes_one_off(
    session: Game, laptop: Client, tablet: Client, sit: Sit, who: str
) -> None:
    phones = {"ben": lambda: sit(session, "ben"), "watcher": lambda: comes(session, PHONE, "watch")}
    phone = phones.get(who, Client)()
    hosts.succeed(session.pk, {"ben"}, set())

    assert 403 == take_off(session, phone, tablet)
    assert "gm" == seat_of(session, tablet)


def test_a_device_that_is_gone_already_is_no_error(
    session: Game, laptop: Client, tablet: Client
) -> None:
    assert [302, 302] == [take_off(session, laptop, tablet) for _ in range(2)]


# Rematches


def test_a_rematch_keeps_the_devices_and_one_taken_off_reads_no_game_of_the_evening(
    session: Game, laptop: Client, tablet: Client
) -> None:
    anew = rematch.begin(session)
    assert ("gm", "gm") == (seat_of(anew, laptop), seat_of(anew, tablet))
    old = Game.objects.get(pk=session.pk).host_token
    take_off(anew, laptop, tablet)

    assert (None, None) == (seat_of(anew, tablet), seat_of(session, tablet))
    assert "CANARY" not in get(session, tablet, "?earlier") + get(anew, tablet)
    assert 404 == tablet.get(f"/h/{old}").status_code
