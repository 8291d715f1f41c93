"""A co-GM without a protagonist: a seat of their own, added while the game goes on."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import translation

from games.live.table_registry import registry
from games.live.watch import watch
from games.models import Game
from games.pages import rematch
from games.screens.boards import log_lines
from games.seats import hosts
from games.store import rows
from tests.types import Make, Sit

from .phones import device, get, give, seat_of, without_a_seat

PHONE = "Mozilla/5.0 (iPhone) Mobile"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def session(make_game: Make) -> Game:
    """A session with a secret for two: Ana is its GM, Ben plays."""
    counters = {"c1": {"name": "CANARY", "type": "danger", "slots": 5, "visibility": "hidden"}}
    return make_game("stars-and-signs", seats={"gm": {}, "ben": {}}, slot_counters=counters)


@pytest.fixture
def gm(session: Game, sit: Sit) -> Client:
    return sit(session, "gm")


@pytest.fixture
def eva(session: Game, gm: Client) -> Client:
    """Eva has asked for the co-GM's own seat, and the GM has let her in."""
    sheet = get(session, gm, "slots/board")
    found = re.search(r'name="as" value="([^"]+)"', sheet)
    assert found
    assert 204 == give(session, gm, **{"do": "add-co-gm", "as": found[1]})
    phone = without_a_seat(session, PHONE)
    phone.post(f"/g/{session.slug}/seats/co-gm/claim")
    visitor = session.visitors.get(device_hash=device(phone))
    assert "asking" == visitor.news
    gm.post(f"/g/{session.slug}/seat-requests/{visitor.pk}", {"let": "in"})
    return phone


def test_a_co_gm_sees_and_does_what_the_gm_does_and_the_log_says_who(
    session: Game, gm: Client, eva: Client, sit: Sit
) -> None:
    ben = sit(session, "ben")
    eva.post(f"/g/{session.slug}/seats/co-gm/name", {"name": "Eva"})
    assert 204 == give(session, eva, do="fill", on="c1", slots=2)

    session.refresh_from_db()
    assert ("co-gm", "CANARY" in get(session, eva)) == (seat_of(session, eva), True)
    assert ["Eva"] == [line.name for line in log_lines(session, "gm")][-1:]
    assert "CANARY" not in get(session, ben) + get(session, ben, "log")
    rows.check(session)


def test_it_is_no_protagonist_anywhere(session: Game, gm: Client, eva: Client) -> None:
    for path in ("slots/new", "slots/action", "slots/c1"):
        assert "Co-GM" not in get(session, gm, path), path
    assert 'data-place="3"' not in get(session, gm).partition('id="party"')[2].partition("</ul>")[0]
    assert "Co-GM" in get(session, gm, "slots/board")
    assert "Co-GM" in get(session, gm, "seats/")


@pytest.mark.parametrize("seat", ["gm", "co-gm"])
def test_it_gets_no_protagonists_counters(
    session: Game, gm: Client, eva: Client, seat: str
) -> None:
    made = gm.post(f"/g/{session.slug}/slots/made", {"protagonist": seat})

    assert 404 == made.status_code


def test_its_name_is_read_in_the_language_of_the_screen_and_counts(
    session: Game, gm: Client, eva: Client
) -> None:
    give(session, gm, **{"do": "add-co-gm", "as": "co-gm-2"})

    assert ["Co-GM", "Co-GM 2"] == list(session.names.values())[2:]
    assert ["C", "+"] == [seat.letter for seat in session.seats.all()][2:]
    with translation.override("es"):
        assert all(name for name in session.names.values())


def test_nobody_is_put_there_and_it_is_no_free_seat(session: Game, gm: Client, sit: Sit) -> None:
    sit(session, "ben")
    give(session, gm, **{"do": "add-co-gm", "as": "co-gm"})
    late = Client(headers={"User-Agent": PHONE})
    late.get(f"/j/{session.invite_token}")

    assert (None, False) == (seat_of(session, late), hosts.open_seats(session))
    assert "every seat is taken" in get(session, late)


def test_a_player_cannot_add_one(session: Game, gm: Client, sit: Sit) -> None:
    assert 422 == give(session, sit(session, "ben"), **{"do": "add-co-gm", "as": "co-gm"})


def test_undo_takes_the_seat_away_and_what_was_seen_with_it(
    session: Game, gm: Client, eva: Client
) -> None:
    assert 204 == give(session, gm, do="undo", entry=1)

    assert (None, "CANARY" in get(session, eva)) == (seat_of(session, eva), False)
    assert 403 == give(session, eva, do="fill", on="c1", slots=1)
    session.refresh_from_db()
    rows.check(session)
    assert 204 == give(session, gm, do="redo", entry=1)
    assert (None, False) == (seat_of(session, eva), session.seats.get(key="co-gm").taken)


def test_a_rematch_keeps_the_seat_and_who_sits_there(
    session: Game, gm: Client, eva: Client
) -> None:
    give(session, gm, do="appoint", seat="ben")
    anew = rematch.begin(Game.objects.get(pk=session.pk))

    assert "co-gm" == seat_of(anew, eva)
    assert {"gm", "ben", "co-gm"} == hosts.knowing(anew)
    rows.check(anew)


async def test_every_screen_learns_of_a_new_seat(session: Game) -> None:
    table = await registry.table(session.slug)
    await table.give({"do": "add-co-gm", "as": "co-gm"}, "gm")
    watch.look()
    for task in list(registry._under_way):
        await task

    assert "Co-GM" == table.drawing.seats["co-gm"].name  # type: ignore[attr-defined]
