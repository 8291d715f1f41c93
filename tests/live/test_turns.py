"""Few pages are computed at once, those of each address in turn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from countersite import pages
from countersite.pace import Pace
from games.live.table_registry import registry
from games.store.turns import Lane, Paced, waiting


async def test_the_next_turn_is_that_of_the_address_that_waited_longest_for_one() -> None:
    lane = Lane(1)
    asked = {
        f"{address}{n}": lane.ask(address)
        for address, count in (("a", 4), ("b", 1), ("c", 2))
        for n in range(count)
    }
    order = []
    while (done := [name for name, each in asked.items() if each.done()]) != []:
        order += done
        for name in done:
            del asked[name]
            lane.leave()

    assert ["a0", "a1", "b0", "c0", "a2", "c1", "a3"] == order


async def test_who_goes_before_its_turn_leaves_it_to_the_next() -> None:
    lane = Lane(1)
    first, second, third = (lane.ask("a") for _each in range(3))

    lane.withdraw(second)
    lane.withdraw(first)

    assert third.done()
    lane.leave()
    assert lane.ask("a").done()


async def test_who_waits_lets_another_compute() -> None:
    lane = Lane(1)
    turn, other = lane.ask("a").result(), lane.ask("b")

    def compute() -> None:
        turn.begin()
        with waiting():
            let_in.wait(5)

    let_in = threading.Event()
    with ThreadPoolExecutor(1) as threads:
        computing = asyncio.get_running_loop().run_in_executor(threads, compute)
        await asyncio.wait_for(other, 5)
        assert not computing.done()
        let_in.set()
        await computing
    await asyncio.sleep(0)

    lane.leave()
    assert not lane.ask("c").done(), "the first computes again"


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
    _let_on.wait(5)
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


def asking(method: str = "GET") -> dict[str, Any]:
    return {
        "type": "http", "method": method, "path": "/counted", "raw_path": b"/counted",
        "query_string": b"", "headers": [], "client": ("10.0.0.1", 1), "server": ("a", 80),
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


BODY = {"type": "http.request", "body": b"a tap", "more_body": False}
GONE = {"type": "http.disconnect"}


async def test_of_many_pages_few_are_computed_at_once(made: pages.Pages) -> None:
    every = await asyncio.gather(*(answer(made, asking(), BODY) for _each in range(12)))

    assert [200] * 12 == [start["status"] for start, _body in every]
    assert pages.READING == max(AT_ONCE)


async def test_what_no_one_waits_for_any_more_is_not_computed(made: pages.Pages) -> None:
    _let_on.clear()
    computing = (answer(made, asking(), BODY) for _each in range(pages.READING))
    asked = [asyncio.ensure_future(each) for each in computing]
    await asyncio.sleep(0)

    none = await answer(made, asking(), BODY, GONE)
    _let_on.set()
    every = await asyncio.gather(*asked)

    assert [] == none
    assert pages.READING == len(every) == len(AT_ONCE)


async def test_a_body_comes_whole_and_half_of_one_is_no_request(made: pages.Pages) -> None:
    half = {"type": "http.request", "body": b"half ", "more_body": True}

    whole = await answer(made, asking("POST"), half, BODY)
    none = await answer(made, asking("POST"), half, GONE)

    assert b"half a tap" == whole[-1]["body"]
    assert [] == none


async def test_what_is_noted_on_a_slow_disk_holds_up_no_one_who_comes_in() -> None:
    saved = threading.Event()
    noting = asyncio.ensure_future(registry.write(lambda: saved.wait(10)))

    assert "a seat" == await asyncio.wait_for(registry.read(lambda: "a seat"), 5)
    assert not noting.done()
    saved.set()
    assert await noting


async def test_who_asks_for_more_than_people_do_waits_and_addresses_take_turns() -> None:
    lane = Paced(2, 50)
    order: list[str] = []

    async def begin(address: str) -> None:
        await lane.ask(address)
        order.append(address)

    since = asyncio.get_running_loop().time()
    await asyncio.gather(*(begin(address) for address in "aaaaab"))

    assert ["a", "a", "a", "b", "a", "a"] == order
    assert asyncio.get_running_loop().time() - since >= 4 / 50


async def test_leave_comes_back_while_nobody_asks() -> None:
    lane = Paced(2, 100)
    assert [True, True, False] == [lane.ask("a").done() for _each in range(3)]

    await asyncio.sleep(0.2)

    assert [True, True, False] == [lane.ask("a").done() for _each in range(3)]


def asked_for(path: str, cookie: str = "", **more: str) -> dict[str, Any]:
    headers = [(b"cookie", cookie.encode())] if cookie else []
    headers += [(name.encode(), value.encode()) for name, value in more.items()]
    return {"path": path, "headers": headers}


async def test_forty_phones_behind_one_router_come_in_at_once() -> None:
    lane, pages_of_each = Pace().lane(asked_for("/code")), 4

    assert all(lane.ask("192.0.2.1").done() for _page in range(40 * pages_of_each))


async def test_a_phone_that_a_table_knows_does_not_wait_behind_strangers() -> None:
    pace, mine = Pace(), "csrftoken=x; device=mine"
    pace.note(asked_for("/g/space/", mine), 200)

    phone, stranger = (pace.lane(asked_for("/g/space/log", each)) for each in (mine, "device=no"))

    assert phone is pace.lane(asked_for("/", mine))
    assert phone is not stranger
    assert stranger is pace.lane(asked_for("/code"))
    assert stranger is not pace.lane(asked_for("/livez"))
    assert stranger is not pace.lane(asked_for("/static/none.js"))


async def test_a_known_phone_is_not_in_the_line_of_its_address() -> None:
    pace, mine = Pace(), asked_for("/static/none.js", "device=mine")
    pace.note(asked_for("/g/space/", "device=mine"), 200)

    assert "mine" == pace.name({**mine, "client": ("192.0.2.1", 1)})
    assert "192.0.2.1" == pace.name({**asked_for("/"), "client": ("192.0.2.1", 1)})


@pytest.mark.django_db(transaction=True)
async def test_a_phone_that_has_a_seat_waits_for_no_stranger_at_its_address(
    made: pages.Pages, ana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor if the server has started since: it has not let that phone in yet."""
    monkeypatch.setattr("countersite.pace.STRANGERS", (1, 0.1))
    strangers = [asyncio.ensure_future(answer(made, asking(), BODY)) for _each in range(9)]
    await asyncio.sleep(0)
    cookie = f"device={ana.cookies['device'].value}".encode()
    hers = {**asking(), "headers": [(b"cookie", cookie)]}
    made_up = {**asking(), "headers": [(b"cookie", b"device=made-up")]}
    strangers.append(asyncio.ensure_future(answer(made, made_up, BODY)))

    every = [await asyncio.wait_for(answer(made, hers, BODY), 5) for _page in range(3)]

    assert [200] * 3 == [start["status"] for start, _body in every]
    assert 1 == sum(each.done() for each in strangers)
    for each in strangers:
        each.cancel()


async def test_a_program_may_send_as_many_commands_as_a_phone_may_tap() -> None:
    pace, program = Pace(), asked_for("/api/v1/commands", authorization="Bearer a-token")
    pace.note(program, 200)

    lane = pace.lane(program)

    assert all(lane.ask("192.0.2.1").done() for _command in range(2_000))


@pytest.mark.parametrize(
    ("path", "status"),
    [("/g/space/", 403), ("/g/space", 301), ("/code", 200), ("/api/v1/openapi.json", 200)],
)
async def test_nobody_becomes_known_by_an_answer_that_anyone_gets(path: str, status: int) -> None:
    pace, claimed = Pace(), asked_for(path, "device=made-up", authorization="Bearer made-up")
    pace.note(claimed, status)

    assert pace.lane(claimed) is pace.lane(asked_for("/"))


async def test_of_the_phones_that_are_known_the_longest_silent_one_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("countersite.pace.MOST_PHONES", 2)
    pace = Pace()
    ana, ben, cleo = (asked_for("/g/space/", f"device={name}") for name in ("ana", "ben", "cleo"))
    for each in (ana, ben):
        pace.note(each, 200)
    pace.lane(ana)

    pace.note(cleo, 200)

    strangers = pace.lane(asked_for("/"))
    assert [False, True, False] == [pace.lane(each) is strangers for each in (ana, ben, cleo)]


async def test_a_stranger_waits_for_its_like_and_is_answered(
    made: pages.Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countersite.pace.STRANGERS", (2, 40))
    since = asyncio.get_running_loop().time()

    every = await asyncio.gather(*(answer(made, asking(), BODY) for _each in range(6)))

    assert [200] * 6 == [start["status"] for start, _body in every]
    assert asyncio.get_running_loop().time() - since >= 4 / 40
