"""Pages about a long log: the helper process answers, as this process would."""

from __future__ import annotations

import json
import os
import signal
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import pytest

from countersite import heavy
from games.live.summaries import SHORT
from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.seats import renewal
from games.store import rows

from .wire import Server, Wire

pytestmark = pytest.mark.django_db(transaction=True)

WITHOUT_LOGS = (
    "import django; django.setup(); from games.pages import exports, log, markdown, replay; "
    "log.log_of = markdown.log_of = exports.record = replay.evening_of = None; "
)
"""The server itself cannot read a log; only its helper can."""
SERVER = {"before": WITHOUT_LOGS, "COUNTERSITE_DEBUG": "on"}
HEAVY = (
    "log",
    "log?before=20",
    "log/latest",
    "log.md",
    "scenario.json",
    "summary",
    "replay",
    "replay/7",
    "replay/2-9",
)


@pytest.fixture
def long(game: Game) -> Game:
    place = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1, "by": "ana"}
    rows.play(game, [place] * (SHORT + 1))
    game.refresh_from_db()
    return game


@pytest.fixture
def ana(long: Game) -> str:
    """The token of Ana's phone."""
    token = new_device()
    long.admit(hashed(token), Visitor.Role.HOST)
    long.seats.get(key="ana").claim(hashed(token))
    return token


def asked(server: Server, game: Game, path: str, token: str) -> tuple[int, str, str]:
    """The status, the headers and the text of a page."""
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=30)) as door:
        door.request("GET", f"/g/{game.slug}/{path}", headers={"Cookie": f"device={token}"})
        with door.getresponse() as answer:
            return answer.status, str(answer.headers), answer.read().decode()


@pytest.mark.parametrize("path", HEAVY)
def test_the_helper_answers_for_a_long_game(
    server: Server, long: Game, ana: str, path: str
) -> None:
    status, headers, _text = asked(server, long, path, ana)

    assert 200 == status
    assert "Content-Security-Policy" in headers


def test_its_pages_have_forms_that_work(server: Server, long: Game, ana: str) -> None:
    _status, headers, text = asked(server, long, "log", ana)

    assert 'name="csrfmiddlewaretoken"' in text
    assert "csrftoken=" in headers


def test_it_lets_no_one_in(server: Server, long: Game, ana: str) -> None:
    assert [403, 403] == [asked(server, long, path, new_device())[0] for path in HEAVY[:2]]


def test_a_new_token_ends_the_last_one_there_too(server: Server, long: Game, ana: str) -> None:
    wire = Wire(server, long, "ana", 0, 0, ana)
    wire.receive()
    fresh = renewal.renewed(ana)

    assert 200 == asked(server, long, "log", fresh)[0]

    while wire.receive()[0] != 8:
        pass
    assert 403 == asked(server, long, "log", ana)[0]
    wire.close()


def test_a_killed_helper_is_replaced(server: Server, long: Game, ana: str) -> None:
    asked(server, long, "log", ana)
    for child in _children(server.process.pid):
        os.kill(child, signal.SIGKILL)

    asked(server, long, "log", ana)

    assert 200 == asked(server, long, "log", ana)[0]


# In parts


@pytest.fixture
def large(make_game: Any) -> Game:
    """A long game whose file is sent in several parts."""
    game: Game = make_game(objects={f"thing-{n}": {"name": f"Thing {n}"} for n in range(600)})
    place = {"do": "place", "on": "thing-1", "counter": "fuel", "amount": 1, "by": "ana"}
    rows.play(game, [place] * (SHORT + 1))
    game.refresh_from_db()
    return game


@pytest.fixture
def asks(large: Game) -> dict[str, Any]:
    """The scope of a request for that file."""
    token = new_device()
    large.admit(hashed(token), Visitor.Role.HOST)
    path = f"/g/{large.slug}/scenario.json"
    cookie = (b"cookie", f"device={token}".encode())
    return {"type": "http", "method": "GET", "path": path, "headers": [cookie, HOST]}


HOST = (b"host", b"localhost")


def test_a_large_file_is_made_in_parts_while_others_are_answered(
    asks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _headers, (whole, more) = heavy.answered(asks, 1)
    while more:
        part, more = heavy.next_part(1)
        whole += part
    monkeypatch.setattr(heavy, "LARGE", 1_000)

    parted = {}
    for key in (2, 3):
        parted[key] = heavy.answered(asks, key)[2][0]
    going = {2, 3}
    while going:
        for key in sorted(going):
            part, more = heavy.next_part(key)
            parted[key] += part
            going -= set() if more else {key}

    assert 200 == status
    assert {2: whole, 3: whole} == parted
    assert len(json.loads(whole)[0]["when"]) == SHORT + 1
    assert not heavy._parted


def test_of_a_body_that_nobody_reads_nothing_stays(
    asks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy, "LARGE", 1)
    monkeypatch.setattr(heavy, "MOST_PARTED", 2)

    for key in (1, 2, 3):
        heavy.answered(asks, key)

    assert [2, 3] == [*heavy._parted]
    with pytest.raises(KeyError):
        heavy.next_part(1)
    for key in (2, 3):
        heavy.drop(key)
    assert not heavy._parted


def test_half_a_file_is_not_taken_for_the_whole(large: Game) -> None:
    """The helper dies in the middle of it; the server goes on, and so does its next helper."""
    dies = "import os; from countersite import heavy; heavy.next_part = os._exit; "
    token = new_device()
    large.admit(hashed(token), Visitor.Role.HOST)
    server = Server(before="import django; django.setup(); " + dies, COUNTERSITE_DEBUG="on")
    try:
        with pytest.raises((HTTPException, ConnectionError)):
            asked(server, large, "scenario.json", token)

        assert 200 == asked(server, large, "log", token)[0]
        with pytest.raises((HTTPException, ConnectionError)):
            asked(server, large, "scenario.json", token)
    finally:
        server.kill()


def _children(pid: int) -> list[int]:
    found = [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]
    return [
        child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
