"""The clock: it counts while it runs, is the same for everyone, and survives a restart."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from games.models import Entry, Game
from games.screens import clock as clocks
from games.screens.clock import Clock, clock_text
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.screens.sidebar import sidebar, sidebar_context
from games.store import rows
from tests.types import Make, Sit

pytestmark = pytest.mark.django_db(transaction=True)
HX = {"HX-Request": "true"}


def stored(game: Game) -> dict[str, object] | None:
    game.refresh_from_db()
    found: dict[str, object] | None = game.clock
    return found


def at(monkeypatch: pytest.MonkeyPatch, second: float) -> None:
    """Set the clock's idea of now, in seconds since 1970."""
    monkeypatch.setattr(clocks, "_now", lambda: second)


def reading(game: Game, second: float) -> clocks.Reading:
    found = clocks.clock_of(Game.objects.get(pk=game.pk))
    assert found is not None
    return found.read(second)


def test_a_pause_is_not_counted(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 1000)
    clocks.start(game, "ana", 50)
    at(monkeypatch, 1060)
    clocks.pause(game, "ben")
    clocks.pause(game, "ben")
    assert (reading(game, 5000).left, reading(game, 5000).running) == (2940, False)

    at(monkeypatch, 9000)
    clocks.resume(game, "ana")
    clocks.resume(game, "ana")
    now = reading(game, 9010)
    assert (now.left, now.spent, now.running, now.text) == (2930, 70, True, "48:50")


def test_a_round_can_be_made_longer_and_ends_at_nought(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, 0)
    clocks.start(game, "ana", 1)
    clocks.add_minutes(game, "ben", 2)
    assert reading(game, 100).text == "1:20"
    assert not reading(game, 179.5).over

    over = reading(game, 192)
    assert (over.over, over.text) == (True, "+0:12")


def test_without_a_round_it_counts_up(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 0)
    clocks.start(game, "ana", None)
    clocks.add_minutes(game, "ana", 1)

    now = reading(game, 61)
    assert (now.left, now.over, now.text) == (None, False, "1:01")


@pytest.mark.parametrize("minutes", [0, -1, 1441])
def test_no_round_is_shorter_than_a_minute_or_longer_than_a_day(game: Game, minutes: int) -> None:
    with pytest.raises(clocks.BadTime):
        clocks.start(game, "ana", minutes)
    assert stored(game) is None

    clocks.start(game, "ana", 1440)
    with pytest.raises(clocks.BadTime):
        clocks.add_minutes(game, "ana", 1)
    assert stored(game)["length"] == 86400


def test_many_pauses_cost_no_more(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 0)
    clocks.start(game, "ana", 50)
    for n in range(100):
        at(monkeypatch, 10 * n + 1)
        clocks.pause(game, "ana")
        at(monkeypatch, 10 * n + 10)
        clocks.resume(game, "ana")

    assert len(stored(game)["runs"]) == clocks.MOST_RUNS  # type: ignore[arg-type]
    assert reading(game, 1000).spent == 100


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (3000, "50:00"),
        (2999.2, "50:00"),
        (59.01, "1:00"),
        (0.4, "0:01"),
        (0, "0:00"),
        (-0.4, "0:00"),
        (-12.9, "+0:12"),
        (4500, "1:15:00"),
    ],
)
def test_seconds_are_said_as_a_clock_shows_them(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


def test_each_turn_and_each_seat_have_their_time() -> None:
    clock = Clock(
        3000,
        ((0, 100), (200, None)),
        "ana",
        ((0, ("ana",)), (60, ("ben",)), (220, ("ana", "cleo"))),
    )

    now = clock.read(250)
    assert now.turn == (("ana", "cleo"), 30)
    assert now.taken == {"ana": 90, "ben": 60, "cleo": 30}


def test_turns_are_read_from_the_log_without_what_was_taken_back(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = datetime(2026, 11, 21, 20, tzinfo=UTC)
    at(monkeypatch, began.timestamp())
    clocks.start(game, "ana", 50)
    rows.give(game, [{"do": "begin-turn", "active": [each]} for each in ("ben", "cleo")])
    rows.give(game, [{"do": "undo"}])
    Entry.objects.filter(game=game, number=1).update(at=began + timedelta(seconds=30))

    now = reading(game, began.timestamp() + 50)
    assert now.turn == (("ben",), 20)
    assert now.taken == {"ana": 30, "ben": 20}


def test_any_seat_works_it_and_nobody_else(
    game: Game, ana: Client, ben: Client, dan: Client
) -> None:
    url = f"/g/{game.slug}/clock"
    assert ben.post(url, {"do": "start", "minutes": "50"}, headers=HX).status_code == 204
    assert ana.post(url, {"do": "pause"}, headers=HX).status_code == 204
    assert stored(game)["by"] == "ana"
    assert "paused by Ana" in ben.get(f"/g/{game.slug}/tools").content.decode()

    dan.get(f"/j/{game.invite_token}")
    assert dan.post(url, {"do": "stop"}, headers=HX).status_code == 403
    assert stored(game) is not None
    assert ben.post(url, {"do": "stop"}).status_code == 302
    assert stored(game) is None


@pytest.mark.parametrize(
    "posted",
    [
        {"do": "start", "minutes": "0"},
        {"do": "start", "minutes": "many"},
        {"do": "start", "minutes": "9999"},
        {"do": "sleep"},
        {},
    ],
)
def test_an_impossible_clock_is_refused(game: Game, ana: Client, posted: dict[str, str]) -> None:
    answer = ana.post(f"/g/{game.slug}/clock", posted, headers=HX)

    assert answer.status_code == 422
    assert stored(game) is None


def test_it_is_read_at_the_moment_at_which_it_is_shown(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A screen that connects later gets the time of that moment, although nothing has changed."""
    at(monkeypatch, 1000)
    clocks.start(game, "ana", 50)
    screens = Drawing(game.rules, game.names)
    screens.sidebar_context = sidebar_context(Game.objects.get(pk=game.pk))

    for second, text in ((1000, "50:00"), (1090, "48:30")):
        monkeypatch.setattr("games.screens.clock.time.time", lambda second=second: second)
        drawn = sidebar(screens, Audience(language="es"))
        assert f">{text}<" in drawn
        assert re.search(rf'data-now="{second}(\.0)?"', drawn)
        assert f'data-left="{3000 - (second - 1000)}' in drawn


def test_nothing_is_shown_where_no_clock_is_used(game: Game, ana: Client) -> None:
    assert 'id="clock"' not in ana.get(f"/g/{game.slug}/").content.decode()


def test_a_table_with_slots_has_a_clock_and_no_turns(make_game: Make, sit: Sit) -> None:
    game = make_game("stars-and-signs", seats={"gm": {}, "ana": {}})
    master = sit(game, "gm")
    master.post(f"/g/{game.slug}/clock", {"do": "start", "minutes": "30"}, headers=HX)

    page = master.get(f"/g/{game.slug}/").content.decode()
    assert 'id="clock"' in page
    assert "clock-turn" not in page
