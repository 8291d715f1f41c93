"""Nobody ends the GM's evening: what a player who stands in may do, and the way back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Game, LastEntry
from games.pages import rematch
from games.screens.sidebar import sidebar_context
from games.seats import hosts
from games.store import rows
from tests.types import Sit

from .phones import device, get, post, tap, without_a_seat

PHONE = "Mozilla/5.0 (iPhone) Mobile"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cast(session: Game, sit: Sit) -> dict[str, Client]:
    """By role: the GM, who is away; Ben, who stands in; Cleo; a watcher."""
    roles = {key: sit(session, key) for key in ("gm", "ben", "cleo")}
    roles["watcher"] = watcher(session)
    assert hosts.succeed(session.pk, {"ben", "cleo"}, set())
    return roles


def watcher(game: Game) -> Client:
    return without_a_seat(game, PHONE)


def hosting(game: Game) -> list[tuple[str, bool, bool]]:
    seats = game.seats.all()
    return [(each.key, each.host, bool(each.stands_in)) for each in seats if each.hosting]


# What the GM may do though away, Ben who stands in, Cleo, and a watcher

CAST = ("gm", "ben", "cleo", "watcher")
CHORES = [
    ("lock", {"locked": "yes"}, (302, 302, 403, 403)),
    ("seats/ben/name", {"name": "Benno"}, (302, 302, 403, 403)),
    ("seats/cleo/name", {"name": "Cleopatra"}, (302, 403, 302, 403)),
    ("seats/gm/name", {"name": "Nobody"}, (302, 403, 403, 403)),
    ("seats/gm/look", {"colour": "7"}, (302, 403, 403, 403)),
    ("seats/gm/leave", {}, (302, 403, 403, 403)),
    ("seats/cleo/leave", {}, (302, 403, 302, 403)),
    ("seats/cleo/host", {}, (302, 403, 403, 403)),
    ("seats/ben/host", {}, (302, 403, 403, 403)),
    ("summary/link", {}, (302, 403, 403, 403)),
    ("again", {}, (302, 403, 403, 403)),
    ("setups", {}, (302, 403, 403, 403)),
]


@pytest.mark.parametrize("role", CAST)
@pytest.mark.parametrize(("path", "fields", "said"), CHORES, ids=[row[0] for row in CHORES])
def test_a_stand_in_does_the_chores_and_nothing_else(
    session: Game, cast: dict[str, Client], role: str, path: str, fields: Any, said: Any
) -> None:
    assert said[CAST.index(role)] == post(session, cast[role], path, **fields)


@pytest.mark.parametrize("role", ["ben", "cleo", "watcher"])
def test_a_player_reads_no_secret_while_the_gm_is_away(
    session: Game, cast: dict[str, Client], role: str
) -> None:
    pages = {
        path: get(session, cast[role], path) for path in ("", "seats/", "share", "keep", "log")
    }

    assert 403 == cast[role].get(f"/g/{session.slug}/scenario.json").status_code
    assert "CANARY" not in "".join(pages.values())
    assert session.host_token not in pages["share"]
    assert "Bring everyone along" not in pages["keep"]


def test_the_invitation_stays_as_it_is_whatever_a_stand_in_posts(
    session: Game, cast: dict[str, Client]
) -> None:
    post(session, cast["ben"], "share/rotate")
    assert session.code == Game.objects.get(pk=session.pk).code
    post(session, cast["gm"], "share/rotate")

    assert session.code != Game.objects.get(pk=session.pk).code


def test_a_stand_in_is_told_what_it_may_do(session: Game, cast: dict[str, Client]) -> None:
    page_text, sheet = get(session, cast["ben"]), get(session, cast["ben"], "seats/")

    assert "GM is away. Until GM is back, Ben can let people in and lock the table." in page_text
    assert "Everything else waits for the GM." in sheet
    assert "Lock the table" in sheet
    assert "Free Cleo" not in sheet


@pytest.mark.parametrize(("key", "then"), [("cleo", 302), ("gm", 403)])
def test_a_stand_in_lets_a_player_in_but_no_one_to_the_gms_seat(
    session: Game, cast: dict[str, Client], key: str, then: int
) -> None:
    fresh = watcher(session)
    post(session, fresh, f"seats/{key}/request")
    asking = session.visitors.get(device_hash=device(fresh)).pk

    assert then == post(session, cast["ben"], f"seat-requests/{asking}", let="in")


def test_the_gm_is_host_again_by_being_back(session: Game, cast: dict[str, Client]) -> None:
    assert [("gm", True, False), ("ben", False, True)] == hosting(session)
    page = get(session, cast["gm"])
    assert ("Be host again" in page, "data-host" in page) == (False, True)
    assert hosts.succeed(session.pk, {"gm", "ben"}, set())

    session.refresh_from_db()
    said = sidebar_context(session)
    assert [("gm", True, False)] == hosting(session)
    assert 403 == post(session, cast["ben"], "lock", locked="no")
    assert ("gm", None) == (said["new_host"].key, said["stand_in"])


def test_a_player_whom_the_gm_makes_host_does_the_chores_too(session: Game, sit: Sit) -> None:
    gm, ben = sit(session, "gm"), sit(session, "ben")
    post(session, gm, "seats/ben/host")

    assert (302, 403) == (post(session, ben, "lock", locked="yes"), post(session, ben, "again"))
    assert (302, 302) == (post(session, gm, "lock", locked="no"), post(session, gm, "again"))


def test_a_co_gm_stands_in_before_a_player_and_leads(session: Game, sit: Sit) -> None:
    _gm, _ben, cleo = (sit(session, key) for key in ("gm", "ben", "cleo"))
    rows.give(session, [{"do": "appoint", "seat": "cleo", "by": "gm"}])
    hosts.succeed(session.pk, {"ben", "cleo"}, set())

    assert [("gm", True, False), ("cleo", False, True)] == hosting(session)
    assert 302 == post(session, cleo, "again")


def test_a_gm_who_only_looks_on_leaves_no_one_as_gm(session: Game, sit: Sit) -> None:
    gm, ben = sit(session, "gm"), sit(session, "ben")
    post(session, gm, "seats/gm/leave")

    assert [("gm", True, False)] == hosting(session)
    assert 403 == post(session, ben, "again")
    gm.get(f"/h/{session.host_token}", headers={"User-Agent": PHONE})
    seat = session.seat_of(device(gm))
    assert seat
    assert "gm" == seat.key


# The game before


def again(game: Game, phone: Client) -> Game:
    assert 302 == post(game, phone, "again")
    game.refresh_from_db()
    assert game.followed_by
    return game.followed_by


def test_every_screen_has_one_tap_back_to_the_game_before(
    session: Game, cast: dict[str, Client]
) -> None:
    anew = again(session, cast["gm"])
    way = f'href="/g/{session.slug}/?earlier"'

    for role, phone in cast.items():
        page = get(session, phone, "?earlier")
        assert way in get(anew, phone), role
        assert f'href="/g/{anew.slug}/"' in page, role
        assert ("Keep playing this game" in page, "CANARY" in page) == (role == "gm", role == "gm")


def test_the_way_back_is_there_for_the_evening_and_for_who_was_there(
    session: Game, cast: dict[str, Client]
) -> None:
    anew = again(session, cast["gm"])
    assert "?earlier" not in get(anew, watcher(anew))
    changed = Game.objects.get(pk=session.pk).changed - rematch.EVENING
    LastEntry.objects.filter(game=session).update(changed=changed)

    assert "?earlier" not in get(anew, cast["gm"])


def test_a_rematch_by_mistake_loses_nothing(session: Game, cast: dict[str, Client]) -> None:
    rows.give(session, [{"do": "fill", "on": "c1", "slots": 2, "by": "gm"}])
    anew = again(session, cast["gm"])
    rows.give(anew, [{"do": "fill", "on": "c1", "slots": 1, "by": "gm"}])
    said = [post(session, cast[role], "resume") for role in ("watcher", "cleo", "ben", "gm")]

    session.refresh_from_db()
    anew.refresh_from_db()
    filled: list[Any] = [rows.state(each).slot_counters["c1"] for each in (session, anew)]
    assert [403, 403, 403, 302] == said
    assert (session, None, anew) == (anew.newest, session.followed_by, session.earlier)
    assert [2, 1] == [each.filled for each in filled]
    assert f"/g/{anew.slug}/?earlier" in get(session, cast["ben"])
    assert [204, 422] == [tap(each, cast["gm"]) for each in (session, anew)]
    assert 409 == post(anew, cast["gm"], "lock", locked="yes")
    for each in (session, anew):
        rows.check(each)


def test_going_on_twice_goes_on_once(session: Game, cast: dict[str, Client]) -> None:
    again(session, cast["gm"])

    assert [302, 302] == [post(session, cast["gm"], "resume") for _ in range(2)]
    assert [session] == Game.objects.get(pk=session.pk).evening[-1:]


@pytest.mark.parametrize("chosen", [0, 1, 2])
def test_any_game_of_the_evening_can_be_the_one_that_is_played(
    session: Game, cast: dict[str, Client], chosen: int
) -> None:
    games = [session]
    for _ in range(2):
        games.append(again(games[-1], cast["gm"]))
    post(games[chosen], cast["gm"], "resume")
    order = [*games[:chosen], *games[chosen + 1 :], games[chosen]]

    assert order == Game.objects.get(pk=session.pk).evening
    assert {games[chosen]} == {Game.objects.get(pk=each.pk).newest for each in games}


def test_newcomers_after_the_rematch_come_along_and_leavers_are_gone(
    session: Game, cast: dict[str, Client]
) -> None:
    anew = again(session, cast["gm"])
    post(anew, cast["cleo"], "seats/cleo/leave")
    late = watcher(anew)
    post(anew, late, "seats/cleo/claim")
    post(anew, late, "seats/cleo/name", name="Lea")
    post(session, cast["gm"], "resume")

    seat = session.seat_of(device(late))
    assert seat
    assert ("cleo", "Lea") == (seat.key, seat.name)
    assert session.seat_of(device(cast["cleo"])) is None


def test_any_seat_of_a_card_game_can_go_back(game: Game, ana: Client, ben: Client) -> None:
    again(game, ben)

    assert 302 == post(game, ben, "resume")
    assert Game.objects.get(pk=game.pk).followed_by is None
