"""The ASGI application under a server that is not ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection

import pytest

from tests.types import Make

from .wire import Server, Wire, frame, tap

pytest.importorskip("uvicorn")
pytestmark = pytest.mark.django_db(transaction=True)

UVICORN = (
    "import sys, uvicorn; "
    "uvicorn.run('countersite.asgi:application', port=int(sys.argv[1]), ws='websockets-sansio', "
    "log_level='warning'); sys.exit(); "
)


@pytest.fixture
def uvicorn() -> Iterator[Server]:
    running = Server(UVICORN, COUNTERSITE_DEBUG="on")
    yield running
    running.kill()


def test_a_tap_is_seen_on_two_phones_under_uvicorn(uvicorn: Server, make_game: Make) -> None:
    game = make_game(objects={"rocket": {"counters": {"fuel": 4}}})
    with (
        closing(Wire(uvicorn, game, "ana", 0, 0)) as ana,
        closing(Wire(uvicorn, game, "ben", 0, 0)) as ben,
    ):
        ana.send(frame(tap()))
        seen = [phone.until(1) for phone in (ana, ben)]
    page = HTTPConnection("127.0.0.1", uvicorn.port, timeout=120)
    with closing(page):
        page.request("GET", "/livez")
        status = page.getresponse().status

    assert all(b">5<" in frame for frame in seen), seen
    assert 200 == status
