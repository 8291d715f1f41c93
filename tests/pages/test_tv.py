"""The table view: a screen without a seat and without secrets, on any phone."""

from __future__ import annotations

import asyncio
import re

import pytest
from django.test import Client
from pytest_django import Settings

from games.live.connection import AsgiConnection
from games.live.socket import enter
from games.models import Game, Visitor
from games.store import rows
from tests.types import Make, Sit

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_watcher_may_put_it_on_a_television(game: Game, dan: Client) -> None:
    assert 403 == dan.get(f"/g/{game.slug}/tv").status_code
    dan.get(f"/w/{game.watch_token}", headers={"User-Agent": "Mozilla/5.0"})

    page = dan.get(f"/g/{game.slug}/tv").content.decode()

    assert "Rocket" in page
    assert 'data-seat=""' in page
    assert Visitor.Role.ONLOOKER == game.visitors.get().role
    assert not game.seats.exclude(device_hash=None).exists()


@pytest.mark.parametrize("query", ["", "?overlay", "?overlay&log&qr"])
def test_a_gms_own_laptop_shows_no_secret(secret: Game, sit: Sit, query: str) -> None:
    gm = sit(secret, "gm")

    page = gm.get(f"/g/{secret.slug}/tv{query}").content.decode()
    side = gm.get(f"/g/{secret.slug}/tv/side?log&qr").content.decode()

    assert "Lamp" in page
    assert "CANARY" not in page + side
    assert "Lamp" in side


def watching(game: Game, phone: Client) -> dict[str, object]:
    """The handshake of a table view that *phone* opened."""
    headers = [
        (b"host", b"localhost"),
        (b"origin", b"http://localhost"),
        (b"cookie", f"device={phone.cookies['device'].value}".encode()),
    ]
    return {
        "url_route": {"kwargs": {"slug": game.slug}}, "headers": headers,
        "query_string": b"from=0&watch",
    }  # fmt: skip


async def test_the_connection_of_a_table_view_speaks_for_no_seat(secret: Game, sit: Sit) -> None:
    from asgiref.sync import sync_to_async

    gm = await sync_to_async(sit)(secret, "gm")
    scope = watching(secret, gm)

    async def nowhere(message: object) -> None:
        return None

    line = AsgiConnection(nowhere)
    await enter(scope, line)

    assert (None, None) == (line.seat, line.audience.seat)


def test_the_qr_is_there_while_a_seat_is_free(game: Game, sit: Sit, settings: Settings) -> None:
    settings.LAN_ADDRESSES = ["192.0.2.7"]
    ana = sit(game, "ana")
    address = f"/g/{game.slug}/tv/side?log&qr"

    assert game.spoken_code in ana.get(address).content.decode()
    for seat in ("ben", "cleo"):
        sit(game, seat)
    assert game.spoken_code not in ana.get(address).content.decode()


def test_the_last_five_lines_stand_beside_the_table(game: Game, sit: Sit) -> None:
    taps = [{"do": "place", "on": "rocket", "counter": f"part {n}"} for n in range(7)]
    rows.give(game, taps)

    text = sit(game, "ana").get(f"/g/{game.slug}/tv/side?log").content.decode()

    assert ["part 6", "part 5", "part 4", "part 3", "part 2"] == re.findall(r"\b1 (part \d)", text)
    assert 404 == sit(game, "ben").get(f"/g/{game.slug}/tv/side").status_code


def test_the_race_of_a_score_sheet_stands_beside_it(make_game: Make, sit: Sit) -> None:
    """Cleo is at the table since the second round."""
    seats = {seat: {"counters": {"score": 100}} for seat in ("ana", "ben")}
    game = make_game("own-game", ready="rummy-500", seats=seats)
    ana = sit(game, "ana")

    def give(*points: int) -> str:
        rows.give(game, [{"do": "begin-turn", "by": "ana"}])
        for seat, n in zip(("ana", "ben", "cleo"), points, strict=False):
            answer = {"do": "answer", "prompt": f"rule-1:{seat}", "number": n, "by": seat}
            rows.give(game, [answer])
        return ana.get(f"/g/{game.slug}/tv/side?log").content.decode()

    assert "tv-race" not in give(200, 0), "one round is no race"
    rows.give(game, [{"do": "add-seat", "as": "cleo", "by": "ana"}])
    second = give(100, -100, 50)

    assert ["0,49 44,27 88,16", "0,49 44,49 88,60", "0,60 88,54.5"] == re.findall(
        r'points="?([^">]+)', second
    )
    assert ">500<" in second


def test_an_overlay_has_neither_log_nor_qr_unless_asked(game: Game, sit: Sit) -> None:
    ana = sit(game, "ana")

    plain = ana.get(f"/g/{game.slug}/tv?overlay").content.decode()
    more = ana.get(f"/g/{game.slug}/tv?overlay&log").content.decode()

    assert "is-overlay" in plain
    assert "tv-side" not in plain
    assert "tv-side" in more


async def test_no_frame_of_a_table_view_knows_a_secret(secret: Game, sit: Sit) -> None:
    from asgiref.sync import sync_to_async

    from games.live.table_registry import registry

    gm = await sync_to_async(sit)(secret, "gm")
    scope = watching(secret, gm)
    got: list[str] = []

    async def caught(message: dict[str, str]) -> None:
        got.append(message.get("text", ""))

    line = AsgiConnection(caught)
    table = await enter(scope, line)
    table.join(line, None)
    for command in (
        {"do": "fill", "on": "c1", "slots": 1, "note": "CANARY"},
        {"do": "edit", "on": "c1", "name": "CANARY again"},
        {"do": "create", "as": "c3", "name": "CANARY new", "visibility": "hidden"},
        {"do": "fill", "on": "c2", "slots": 1},
        {"do": "undo", "entry": 3},
    ):
        await registry.give(secret.slug, command, "gm")
    for _turn in range(50):
        await asyncio.sleep(0.01)

    assert 2 == len(got)  # of hidden acts there is none
    assert any('<b id=k-c2.n hx-swap-oob="true">3</b>' in frame for frame in got)
    assert "CANARY" not in "".join(got)
    await registry.give(secret.slug, {"do": "edit", "on": "c1", "visibility": "open"}, "gm")
    for _turn in range(50):
        await asyncio.sleep(0.01)
    assert "CANARY" in "".join(got)
    registry.close()
