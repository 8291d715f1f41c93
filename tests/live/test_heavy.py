"""Pages about a long log, and files: a helper process answers, as this process would."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.error import HTTPError

import pytest

from games.live.summaries import SHORT
from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.seats import renewal
from games.store import demos, rows
from tests.attacks import long_file
from tests.soak import Phone

from .wire import Server, Wire

pytestmark = pytest.mark.django_db(transaction=True)

WITHOUT_LOGS = (
    "import django; django.setup(); "
    "from games.pages import exports, log, markdown, replay, setups; "
    "log.log_of = markdown.log_of = exports.record = replay.evening_of = setups.imported = None; "
)
"""The server itself can neither read a log nor play a file; only its helpers can."""
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
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=120)) as connection:
        connection.request("GET", f"/g/{game.slug}/{path}", headers={"Cookie": f"device={token}"})
        with connection.getresponse() as answer:
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


# Files


def sent(server: Server, text: str) -> str:
    """The address to which a game's file leads, or its refusal."""
    try:
        return Phone(f"http://127.0.0.1:{server.port}").post("/new/file", "/new/file", text=text)
    except HTTPError as error:
        return error.read().decode()


def test_the_helper_plays_files(server: Server) -> None:
    assert re.fullmatch(r"/g/[\w-]+/share", sent(server, json.dumps(demos.demos()[0])))


def test_the_page_that_asks_for_a_file_starts_the_helper(server: Server) -> None:
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=120)) as connection:
        connection.request("GET", "/new/file")
        assert 200 == connection.getresponse().status

    for _ in range(1000):
        if _children(server.process.pid):
            return
        time.sleep(0.01)
    pytest.fail("the helper was not started")


def test_a_file_of_which_the_helper_dies_is_not_tried_again_and_others_are_played(
    server: Server,
) -> None:
    with ThreadPoolExecutor(1) as sending:
        asked = sending.submit(sent, server, long_file())
        while not (Game.objects.exists() or asked.done()):
            time.sleep(0.01)
        for child in _children(server.process.pid):
            os.kill(child, signal.SIGKILL)

        assert "could not finish it" in asked.result()
    assert 1 == Game.objects.filter(title="Long").count()
    assert sent(server, json.dumps(demos.demos()[0])).startswith("/g/")


def _children(pid: int) -> list[int]:
    """Its helpers. Threads and processes may end meanwhile."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            found += map(int, (task / "children").read_text().split())
    helpers: list[int] = []
    for child in found:
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                helpers.append(child)
    return helpers
