"""Seats: asking for your seat from a new phone, locked tables, and who is host."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone

from games.live.table_registry import registry
from games.live.watch import host_is_back, watch
from games.models import Game
from games.pages import sharing
from games.screens.sidebar import NEWS, sidebar_context
from games.seats import hosts, requests
from tests.types import Make, Sit

from .phones import device, post, seat_of, visitor, without_a_seat

PHONE = "Mozilla/5.0 (a phone)"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fresh(game: Game) -> Client:
    """A phone that the invitation let in; it has no seat."""
    return come(game)


def come(game: Game) -> Client:
    """A new phone at the table, without a seat."""
    return without_a_seat(game, PHONE)


def board(game: Game, phone: Client) -> str:
    return phone.get(f"/g/{game.slug}/").content.decode()


def asks(game: Game, phone: Client, key: str = "ben") -> int:
    """Let *phone* ask for a seat; returns the id of its request."""
    post(game, phone, f"seats/{key}/request")
    return visitor(game, phone).pk


def answer(game: Game, phone: Client, asking: int, let: str = "in") -> int:
    return post(game, phone, f"seat-requests/{asking}", let=let)


# That’s my seat


@pytest.mark.parametrize("who", ["ana", "cleo", "ben"])
def test_anyone_at_the_table_can_let_a_new_phone_in(
    game: Game, fresh: Client, sit: Sit, who: str
) -> None:
    seated = {key: sit(game, key) for key in ("ana", "ben", "cleo")}
    answer(game, seated[who], asks(game, fresh))

    assert ("ben", None) == (seat_of(game, fresh), seat_of(game, seated["ben"]))


def test_every_board_shows_who_is_asking(
    game: Game, fresh: Client, ana: Client, ben: Client
) -> None:
    asks(game, fresh)

    assert all("says it’s <strong>Ben</strong>" in board(game, each) for each in (ana, ben))
    assert "Waiting for the table" in board(game, fresh)


def test_the_last_phone_is_told_kindly_and_watches(
    game: Game, fresh: Client, ana: Client, ben: Client
) -> None:
    answer(game, ana, asks(game, fresh))
    page_text = board(game, ben)

    assert ("Another phone is playing as" in page_text, 'data-seat=""' in page_text) == (True, True)
    ben.get(f"/j/{game.invite_token}")
    assert seat_of(game, ben) is None


def test_a_no_is_told_and_changes_nothing(
    game: Game, fresh: Client, ana: Client, ben: Client
) -> None:
    answer(game, ana, asks(game, fresh), "no")

    assert "The table said no" in board(game, fresh)
    assert ("ben", None) == (seat_of(game, ben), seat_of(game, fresh))


def test_a_phone_cannot_answer_its_own_question(game: Game, fresh: Client, ana: Client) -> None:
    fresh.post(f"/g/{game.slug}/seats/cleo/claim")
    status = answer(game, fresh, asks(game, fresh, "ana"))

    assert (403, "ana") == (status, seat_of(game, ana))


def test_a_watcher_cannot_answer(game: Game, fresh: Client, ben: Client) -> None:
    assert 403 == answer(game, come(game), asks(game, fresh))
    assert "ben" == seat_of(game, ben)


def test_a_stranger_cannot_answer(game: Game, fresh: Client, ben: Client, dan: Client) -> None:
    assert 403 == answer(game, dan, asks(game, fresh))


@pytest.mark.parametrize("let", ["", "yes", "1"])
def test_an_answer_must_be_yes_or_no(
    game: Game, fresh: Client, ana: Client, ben: Client, let: str
) -> None:
    asking = asks(game, fresh)

    assert 422 == answer(game, ana, asking, let)
    assert [asking] == [each.pk for each in requests.waiting(game)]


def test_a_phone_put_on_a_free_seat_can_get_its_own(game: Game, ana: Client, ben: Client) -> None:
    phone = Client(headers={"User-Agent": PHONE})
    phone.get(f"/j/{game.invite_token}")
    assert "cleo" == seat_of(game, phone)
    answer(game, ana, asks(game, phone))

    assert ("ben", False) == (seat_of(game, phone), game.seats.get(key="cleo").taken)


def test_a_question_can_be_taken_back(game: Game, fresh: Client, ana: Client, ben: Client) -> None:
    asking = asks(game, fresh)
    post(game, fresh, "all-right")
    answer(game, ana, asking)

    assert ("ben", []) == (seat_of(game, ben), list(requests.waiting(game)))


def test_a_question_ends_by_itself(game: Game, fresh: Client, ana: Client, ben: Client) -> None:
    asking = asks(game, fresh)
    game.visitors.filter(pk=asking).update(asked=timezone.now() - requests.PATIENCE)
    answer(game, ana, asking)

    assert ("ben", "No one answered" in board(game, fresh)) == (seat_of(game, ben), True)
    assert [device(fresh)] == requests.late(game)
    assert [] == requests.late(game)


def test_a_device_asks_for_one_seat_at_a_time(
    game: Game, fresh: Client, ana: Client, ben: Client
) -> None:
    asks(game, fresh, "ana")
    asks(game, fresh, "ben")

    assert ["ben"] == [each.about for each in requests.waiting(game)]


def test_a_phone_that_asks_too_often_has_to_wait(game: Game, fresh: Client, ben: Client) -> None:
    said = [post(game, fresh, "seats/ben/request") for _ in range(requests.MOST_OF_ONE + 1)]

    assert [302] * requests.MOST_OF_ONE + [429] == said


def test_a_table_hears_few_questions_at_once(game: Game, ben: Client) -> None:
    said = [post(game, come(game), "seats/ben/request") for _ in range(requests.MOST_WAITING + 1)]

    assert [302] * requests.MOST_WAITING + [429] == said


def test_two_answers_at_once_count_once(game: Game, fresh: Client, sit: Sit) -> None:
    ben, asking = sit(game, "ben"), asks(game, fresh)

    def let_in(_n: int) -> bool:
        try:
            return requests.let_in(Game.objects.get(pk=game.pk), asking) is not None
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as answers:
        done = list(answers.map(let_in, range(4)))

    assert [False, False, False, True] == sorted(done)
    assert ("ben", None) == (seat_of(game, fresh), seat_of(game, ben))


def test_a_no_after_a_yes_takes_nothing_back(
    game: Game, fresh: Client, ana: Client, sit: Sit
) -> None:
    cleo, _ben = sit(game, "cleo"), sit(game, "ben")
    asking = asks(game, fresh)
    answer(game, ana, asking)
    answer(game, cleo, asking, "no")

    assert ("ben", "") == (seat_of(game, fresh), visitor(game, fresh).news)


def test_a_seat_that_was_left_meanwhile_is_still_given(
    game: Game, fresh: Client, ana: Client, ben: Client
) -> None:
    asking = asks(game, fresh)
    post(game, ben, "seats/ben/leave")
    answer(game, ana, asking)

    assert "ben" == seat_of(game, fresh)


# Locked, and sent away


def test_a_locked_table_is_entered_by_asking(game: Game, ana: Client) -> None:
    assert 302 == post(game, ana, "lock", locked="yes")
    phone = Client(headers={"User-Agent": PHONE})
    phone.get(f"/j/{game.invite_token}")
    assert seat_of(game, phone) is None
    post(game, phone, "seats/cleo/claim")
    assert ("asking", None) == (visitor(game, phone).news, seat_of(game, phone))
    answer(game, ana, visitor(game, phone).pk)

    assert "cleo" == seat_of(game, phone)


def test_everyone_sees_the_lock_and_keeps_their_seat(game: Game, ana: Client, ben: Client) -> None:
    post(game, ana, "lock", locked="yes")
    ben.get(f"/j/{game.invite_token}")

    assert ("ben", True) == (seat_of(game, ben), 'class="locked"' in board(game, ben))
    post(game, ana, "lock", locked="no")
    assert 'class="locked"' not in board(game, ben)


def test_only_the_host_locks(game: Game, ana: Client, ben: Client, fresh: Client) -> None:
    said = [post(game, each, "lock", locked="yes") for each in (ben, fresh)]
    game.refresh_from_db()

    assert ([403, 403], False) == (said, game.locked)


def test_a_phone_sent_away_is_told_and_has_to_ask_to_come_back(
    game: Game, ana: Client, ben: Client
) -> None:
    post(game, ana, "seats/ben/leave")
    assert "The host has freed your seat" in board(game, ben)
    ben.get(f"/j/{game.invite_token}")
    post(game, ben, "seats/cleo/claim")
    assert (None, "asking") == (seat_of(game, ben), visitor(game, ben).news)
    answer(game, ana, visitor(game, ben).pk)

    assert ("cleo", False) == (seat_of(game, ben), visitor(game, ben).sent_away)


def test_a_watcher_by_choice_gets_no_seat_and_can_sit_down_later(
    game: Game, ana: Client, fresh: Client
) -> None:
    fresh.get(f"/j/{game.invite_token}")
    assert seat_of(game, fresh) is None
    post(game, fresh, "seats/ben/claim")
    fresh.get(f"/j/{game.invite_token}")

    assert "ben" == seat_of(game, fresh)


def test_the_link_to_watch_takes_no_seat_away(game: Game, ben: Client) -> None:
    ben.get(f"/w/{game.watch_token}")

    assert "ben" == seat_of(game, ben)


def test_a_full_table_says_so_and_how_to_come_back(game: Game, fresh: Client, sit: Sit) -> None:
    for key in ("ana", "ben", "cleo"):
        sit(game, key)
    sheet = fresh.get(f"/g/{game.slug}/seats/").content.decode()

    assert "every seat is taken" in board(game, fresh)
    assert 3 == len(re.findall(r'seats/\w+/request"', sheet))


def test_a_browser_without_cookies_is_told_what_is_wrong(game: Game) -> None:
    phone = Client(headers={"User-Agent": PHONE})
    there = phone.get(f"/j/{game.invite_token}")["Location"]
    phone.cookies.clear()
    answer = phone.get(there)

    assert (403, True) == (answer.status_code, b"Allow cookies" in answer.content)


# The host


def leads(game: Game) -> list[str]:
    """The seats that do the host's chores: who stands in, or else the host."""
    standing_in = game.seats.exclude(stands_in=None)
    return [seat.key for seat in standing_in or game.seats.filter(host=True)]


@pytest.mark.parametrize(
    ("here", "then"),
    [({"ben", "cleo"}, "ben"), ({"cleo"}, "cleo"), (set(), "ana"), ({"ana", "ben"}, "ana")],
)
def test_the_next_seat_that_is_here_stands_in_for_the_host(
    game: Game, sit: Sit, here: set[str], then: str
) -> None:
    for key in ("ana", "ben", "cleo"):
        sit(game, key)
    hosts.succeed(game.pk, here, set())

    assert [then] == leads(game)


def test_a_free_seat_does_not_stand_in(game: Game, ana: Client, sit: Sit) -> None:
    sit(game, "cleo")
    hosts.succeed(game.pk, {"ben", "cleo"}, set())

    assert ["cleo"] == leads(game)


def test_a_watcher_with_the_hosts_link_counts_as_here(game: Game, ana: Client, ben: Client) -> None:
    post(game, ana, "seats/ana/leave")
    game.seats.filter(key="ana").update(host=True)
    game.seats.exclude(key="ana").update(host=False)

    assert not hosts.succeed(game.pk, {"ben"}, {device(ana)})


def test_a_host_who_comes_back_is_host_again_unasked(game: Game, ana: Client, ben: Client) -> None:
    hosts.succeed(game.pk, {"ben"}, set())
    page_text, sheet = board(game, ben), ben.get(f"/g/{game.slug}/seats/").content.decode()
    assert ("Ben is the host until Ana is back" in page_text, "you’re the host" in sheet) == (
        True,
        True,
    )
    assert (302, 302) == tuple(post(game, each, "lock", locked="yes") for each in (ana, ben))
    assert hosts.succeed(game.pk, {"ana", "ben"}, set())

    assert (["ana"], 403) == (leads(game), post(game, ben, "lock", locked="no"))
    assert ("Ana is the host now" in board(game, ben), visitor(game, ana).news) == (True, "")
    assert not hosts.succeed(game.pk, {"ana", "ben"}, set())


def test_a_stand_in_goes_on_until_it_leaves_or_the_host_is_back(game: Game, sit: Sit) -> None:
    for key in ("ana", "ben", "cleo"):
        sit(game, key)
    said = [hosts.succeed(game.pk, here, set()) for here in ({"cleo"}, {"ben", "cleo"}, {"ben"})]

    assert ([True, False, True], ["ben"]) == (said, leads(game))


def test_a_stand_in_can_be_made_the_host_for_good(game: Game, ana: Client, ben: Client) -> None:
    hosts.succeed(game.pk, {"ben"}, set())
    post(game, ben, "seats/ben/host")
    hosts.succeed(game.pk, {"ana", "ben"}, set())

    assert ["ben"] == leads(game)


def test_a_host_who_was_sent_away_leaves_no_host_on_a_free_seat(
    game: Game, ana: Client, ben: Client
) -> None:
    hosts.succeed(game.pk, {"ben"}, set())
    post(game, ben, "seats/ana/leave")

    assert ["ben"] == [seat.key for seat in game.seats.filter(host=True)]


def test_the_hosts_link_makes_its_seat_host_again(game: Game, ana: Client, ben: Client) -> None:
    hosts.succeed(game.pk, {"ben"}, set())
    ana.get(f"/h/{game.host_token}")

    assert ["ana"] == leads(game)


def test_the_host_can_make_another_seat_host(game: Game, ana: Client, ben: Client) -> None:
    refused = post(game, ben, "seats/ben/host")
    post(game, ana, "seats/ben/host")

    assert (403, ["ben"]) == (refused, leads(game))
    assert 302 == post(game, ben, "lock", locked="yes")


def test_an_empty_seat_cannot_be_made_host(game: Game, ana: Client) -> None:
    assert (422, ["ana"]) == (post(game, ana, "seats/ben/host"), leads(game))


def test_the_host_stays_host_on_another_seat(game: Game, ana: Client) -> None:
    post(game, ana, "seats/cleo/claim")

    assert (["cleo"], "cleo") == (leads(game), seat_of(game, ana))


def test_a_new_host_is_announced_for_a_while(game: Game, ana: Client, ben: Client) -> None:
    post(game, ana, "seats/ben/host")
    game.refresh_from_db()
    said = sidebar_context(game)
    Game.objects.update(host_since=timezone.now() - NEWS)
    game.refresh_from_db()

    assert ("Ben", "ben") == (said["new_host"].name, said["host"])
    assert sidebar_context(game)["new_host"] is None
    assert time.time() < said["until"] < time.time() + NEWS.total_seconds() + 1


# What the table does by itself


class Screen:
    """A connection to a table, as far as the registry uses it."""

    def __init__(self, seat: str | None, device: str = "") -> None:
        self.seat, self.device, self.program = seat, device, None


@pytest.fixture
def watched(game: Game, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Let the registry check a table with these screens: `await watched({"ben"}, after=60)`."""

    async def look(*steps: tuple[set[str], float]) -> list[str]:
        table, now = await registry.table(game.slug), 1000.0
        for here, seconds in steps:
            now += seconds
            monkeypatch.setattr(table, "connections", lambda here=here: [Screen(s) for s in here])
            if watch.host_is_away(table, now) or host_is_back(table):  # type: ignore[arg-type]
                await watch.hand_over(table)  # type: ignore[arg-type]
        return await registry.read(lambda: leads(game))

    return look


BOTH, BEN = {"ana", "ben"}, {"ben"}
LOOKS = [
    ("away for a minute", [(BOTH, 0), (BEN, 2), (BEN, 60)], "ben"),
    ("away for less", [(BOTH, 0), (BEN, 2), (BEN, 59)], "ana"),
    ("back in between", [(BEN, 0), (BEN, 59), (BOTH, 1), (BEN, 2), (BEN, 59)], "ana"),
    ("everyone away", [(set(), 0), (set(), 600), (BEN, 2), (BEN, 2)], "ana"),
    ("just restarted", [(BEN, 0)], "ana"),
    ("back again", [(BOTH, 0), (BEN, 2), (BEN, 60), (BEN, 60), (BOTH, 1)], "ana"),
]


@pytest.mark.parametrize(("steps", "then"), [row[1:] for row in LOOKS], ids=[r[0] for r in LOOKS])
async def test_a_host_is_followed_after_a_minute_away(
    game: Game, ana: Client, ben: Client, watched: Callable[..., Any], steps: Any, then: str
) -> None:
    assert [then] == await watched(*steps)


async def test_a_question_nobody_answered_goes_from_every_screen(
    game: Game, fresh: Client, ana: Client, ben: Client
) -> None:
    table: Any = await registry.table(game.slug)
    await registry.read(lambda: asks_quietly(game, fresh))
    await registry.push_sidebar(game.slug)
    assert 1 == len(table.drawing.sidebar_context["seat_requests"])
    await registry.read(
        lambda: game.visitors.update(
            asked=timezone.now() - requests.PATIENCE - timedelta(seconds=1)
        )
    )
    table.drawing.sidebar_context = {**table.drawing.sidebar_context, "until": time.time() - 1}
    watch.look()
    await asyncio.gather(*registry._under_way)

    assert ([], None) == (
        table.drawing.sidebar_context["seat_requests"],
        table.drawing.sidebar_context["until"],
    )


def asks_quietly(game: Game, phone: Client) -> None:
    game.visitors.filter(device_hash=device(phone)).update(
        news="asking", about="ben", asked=timezone.now()
    )


# Seats with secrets


@pytest.fixture
def guarded(make_game: Make) -> Game:
    """A session of Stars and Signs: Ana is its GM."""
    return make_game("stars-and-signs", seats={"gm": {}, "ben": {}, "cleo": {}})


def test_players_never_give_the_gms_seat_away(guarded: Game, sit: Sit) -> None:
    gm, ben, phone = sit(guarded, "gm"), sit(guarded, "ben"), come(guarded)
    hosts.succeed(guarded.pk, {"ben"}, set())
    assert ["ben"] == leads(guarded)
    asking = asks(guarded, phone, "gm")

    assert (403, 403) == (
        answer(guarded, ben, asking),
        post(guarded, ben, "seats/gm/leave"),
    )
    assert ("gm", None) == (seat_of(guarded, gm), seat_of(guarded, phone))
    assert "Waiting for the GM" in board(guarded, phone)
    answer(guarded, gm, asking)
    assert "gm" == seat_of(guarded, phone)


def test_nobody_is_put_on_the_gms_seat_or_takes_it(guarded: Game, sit: Sit) -> None:
    ben, _cleo = sit(guarded, "ben"), sit(guarded, "cleo")
    late = Client(headers={"User-Agent": PHONE})
    late.get(f"/j/{guarded.invite_token}")
    post(guarded, late, "seats/gm/claim")
    post(guarded, ben, "seats/gm/claim")

    assert (None, "ben") == (seat_of(guarded, late), seat_of(guarded, ben))
    assert not guarded.seats.get(key="gm").taken


def test_a_gm_with_a_dead_phone_returns_by_the_hosts_link_though_ben_is_host(
    guarded: Game, sit: Sit
) -> None:
    _dead, _ben = sit(guarded, "gm"), sit(guarded, "ben")
    hosts.succeed(guarded.pk, {"ben"}, set())
    phone = Client(headers={"User-Agent": PHONE})
    phone.get(f"/h/{guarded.host_token}")

    assert ("gm", ["gm"]) == (seat_of(guarded, phone), leads(guarded))


def test_a_host_by_succession_does_not_get_the_gms_link(guarded: Game, sit: Sit) -> None:
    gm, ben = sit(guarded, "gm"), sit(guarded, "ben")
    hosts.succeed(guarded.pk, {"ben"}, set())
    pages = [each.get(f"/g/{guarded.slug}/share").content.decode() for each in (gm, ben)]

    assert [True, False] == [guarded.host_token in page for page in pages]
    assert sharing.qr(f"http://testserver/j/{guarded.invite_token}") in pages[0]
