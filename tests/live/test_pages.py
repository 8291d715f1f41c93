"""Pages are computed by few threads, in fair turns of those who have come in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from countersite import pages
from games.live.fair_queue import FairQueue
from games.live.table_registry import registry
from games.models import Game
from games.models.tokens import hashed
from games.seats import programs
from games.seats.guests import Guest

AT_ONCE: list[int] = []
_computing = 0
_count = threading.Lock()
_let_on = threading.Event()
_let_on.set()


def counted(request: HttpRequest) -> HttpResponse:
    """A page that notes how many of it are computed at once."""
    global _computing
    with _count:
        _computing += 1
        AT_ONCE.append(_computing)
    threading.Event().wait(0.005)
    _let_on.wait(30)
    with _count:
        _computing -= 1
    return HttpResponse(request.body)


urlpatterns = [path("counted", counted)]


@pytest.fixture
def made(settings: Any) -> Iterator[pages.Pages]:
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = []
    pages.handler.cache_clear()
    AT_ONCE.clear()
    yield pages.Pages()
    pages.handler.cache_clear()


def asking(method: str = "GET", address: str = "10.0.0.1") -> dict[str, Any]:
    return {
        "type": "http", "method": method, "path": "/counted", "raw_path": b"/counted",
        "query_string": b"", "headers": [], "client": (address, 1), "server": ("a", 80),
        "scheme": "http", "http_version": "1.1", "root_path": "",
    }  # fmt: skip


async def answer(app: pages.Pages, scope: dict[str, Any], *gave: dict[str, Any]) -> list[Any]:
    sent, given = [], list(gave)

    async def receive() -> dict[str, Any]:
        if not given:
            await asyncio.Event().wait()
        return given.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent


async def computing(count: int) -> None:
    """Wait until the computing of so many pages has begun."""
    while len(AT_ONCE) < count:  # noqa: ASYNC110 a thread counts
        await asyncio.sleep(0.01)


BODY = {"type": "http.request", "body": b"a tap", "more_body": False}
GONE = {"type": "http.disconnect"}


async def test_few_of_many_pages_are_computed_at_once(made: pages.Pages) -> None:
    every = await asyncio.gather(*(answer(made, asking(), BODY) for _each in range(12)))

    assert [200] * 12 == [start["status"] for start, _body in every]
    assert pages.AT_ONCE - 1 == max(AT_ONCE), "of one address"


async def test_another_address_finds_a_place_free(made: pages.Pages) -> None:
    _let_on.clear()
    crowd = [asyncio.ensure_future(answer(made, asking(), BODY)) for _each in range(12)]
    await asyncio.sleep(0)

    ben = asyncio.ensure_future(answer(made, asking(address="10.0.0.2"), BODY))
    await computing(pages.AT_ONCE)
    _let_on.set()

    assert 200 == (await ben)[0]["status"]
    await asyncio.gather(*crowd)


async def test_an_abandoned_page_is_not_computed(made: pages.Pages) -> None:
    _let_on.clear()
    asked = [asyncio.ensure_future(answer(made, asking(), BODY)) for _each in range(2)]
    await asyncio.sleep(0)

    none = await answer(made, asking(), BODY, GONE)
    _let_on.set()
    every = await asyncio.gather(*asked)

    assert [] == none
    assert 2 == len(every) == len(AT_ONCE)


async def test_one_who_goes_while_its_page_is_computed_leaves_its_place(made: pages.Pages) -> None:
    _let_on.clear()
    going = [asyncio.ensure_future(answer(made, asking(), BODY)) for _each in range(12)]
    await computing(2)
    for each in going:
        each.cancel()
    await asyncio.wait(going)
    _let_on.set()

    (start, _body) = await asyncio.wait_for(answer(made, asking(), BODY), 30)

    assert 200 == start["status"]
    assert 3 == len(AT_ONCE)


async def test_a_body_comes_whole_and_half_of_one_is_no_request(made: pages.Pages) -> None:
    half = {"type": "http.request", "body": b"half ", "more_body": True}

    whole = await answer(made, asking("POST"), half, BODY)
    none = await answer(made, asking("POST"), half, GONE)

    assert b"half a tap" == whole[-1]["body"]
    assert [] == none


async def test_notes_on_a_slow_disk_hold_up_no_newcomer() -> None:
    saved = threading.Event()
    noting = asyncio.ensure_future(registry.write(lambda: saved.wait(60)))

    assert "a seat" == await asyncio.wait_for(registry.read(lambda: "a seat"), 30)
    assert not noting.done()
    saved.set()
    assert await noting


# Whose turn it is


class Noted(FairQueue):
    """Notes who asks."""

    def __init__(self) -> None:
        super().__init__(3)
        self.asked: list[tuple[str, ...]] = []

    def ask(self, *names: str) -> Any:
        self.asked.append(names)
        return super().ask(*names)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The clients that queue for a place."""
    noted = Noted()
    monkeypatch.setattr(pages, "FairQueue", lambda _places: noted)
    return noted.asked


def reading(path: str, address: str = "10.0.0.1", **headers: str) -> dict[str, Any]:
    named = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    scope = {**asking(address=address), "path": path, "raw_path": path.encode()}
    return {**scope, "headers": [(b"host", b"localhost"), *named]}


async def read(app: pages.Pages, *scopes: dict[str, Any]) -> list[int]:
    """The statuses of some pages, one after the other."""
    empty = {"type": "http.request", "body": b""}
    return [(await answer(app, scope, empty))[0]["status"] for scope in scopes]


def cookie(client: Client) -> str:
    return f"device={client.cookies['device'].value}"


@pytest.mark.django_db(transaction=True)
async def test_a_phone_waits_as_itself_once_a_table_has_let_it_in(
    asked: list[tuple[str, ...]], game: Game, ana: Client
) -> None:
    board, mine = f"/g/{game.slug}/", cookie(ana)
    token = mine.removeprefix("device=")

    statuses = await read(
        pages.Pages(),
        *(reading(path, cookie=mine) for path in (board, board, "/", "/g/other/")),
    )

    assert [200, 200, 200, 404] == statuses
    stranger = ("10.0.0.1", "", "")
    assert [stranger, ("10.0.0.1", game.slug, token), *[("10.0.0.1", "", token)] * 2] == asked


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/g/{}/", "/g/{}", "/code", "/api/v1/openapi.json", "/livez"])
async def test_nobody_gets_a_turn_of_its_own_by_what_it_calls_itself(
    asked: list[tuple[str, ...]], game: Game, path: str
) -> None:
    """However many cookies, headers and addresses of tables a phone makes up."""
    path = path.format(game.slug)
    made_up = [
        {**reading(path, cookie=f"device=made-up-{n}", authorization=f"Bearer {n}"), "method": how}
        for n in range(3)
        for how in ("GET", "OPTIONS")
    ]

    await read(pages.Pages(), *made_up, *made_up)

    assert {("10.0.0.1", "", "")} == set(asked)


@pytest.mark.django_db(transaction=True)
async def test_a_header_that_the_address_does_not_read_changes_nobodys_turn(
    asked: list[tuple[str, ...]], game: Game, ana: Client
) -> None:
    board, mine = f"/g/{game.slug}/", cookie(ana)

    await read(
        pages.Pages(),
        *(reading(board, cookie=mine, authorization=f"Bearer {n}") for n in range(3)),
    )

    assert 2 == len(set(asked)), "a stranger, and then always the same phone"


@pytest.mark.django_db(transaction=True)
async def test_all_programs_at_an_address_count_as_one_table(
    asked: list[tuple[str, ...]], game: Game, ana: Client
) -> None:
    def let_in() -> str:
        visitor = game.visitors.get(device_hash=hashed(cookie(ana).removeprefix("device=")))
        guest = Guest(game, visitor, game.places["ana"])
        return programs.let_in(guest, "pedal", read_only=True)[1]

    token = await sync_to_async(let_in)()
    shown = (f"Bearer {token}", f"bearer  {token} ", "Bearer made-up")

    statuses = await read(
        pages.Pages(), *(reading("/api/v1/state", authorization=each) for each in shown * 2)
    )

    assert [200, 200, 401] * 2 == statuses
    known, stranger = ("10.0.0.1", "/api/", token), ("10.0.0.1", "", "")
    assert [stranger, known, stranger, known, known, stranger] == asked


@pytest.mark.django_db(transaction=True)
async def test_a_network_of_ipv6_is_one_address(asked: list[tuple[str, ...]]) -> None:
    app = pages.Pages()

    await read(app, *(reading("/about", address) for address in ("2001:db8::1", "2001:db8::2:1")))

    assert 1 == len(set(asked))


@pytest.mark.django_db(transaction=True)
async def test_the_phones_longest_silent_are_forgotten(
    asked: list[tuple[str, ...]],
    game: Game,
    ana: Client,
    ben: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages, "MOST_KNOWN", 2)
    board = f"/g/{game.slug}/"

    await read(
        pages.Pages(), *(reading(board, cookie=cookie(each)) for each in (ana, ben, ben, ana))
    )

    assert [True, True, False, True] == [names == ("10.0.0.1", "", "") for names in asked]
