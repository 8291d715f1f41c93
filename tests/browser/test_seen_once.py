"""The pages that everybody sees once: nothing there, a wrong code, no connection, a full server.

Each in every language, in both themes and on two phones; what each promises to do by itself is
done.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from django.conf import settings

from tests.conftest import free_port
from tests.night import Night
from tests.types import Phones

from .tables import CONNECTED, Host
from .test_every_size import touch

pytestmark = pytest.mark.browser
FAULTY = """
import sys
from countersite import first_run
first_run.prepare(sys.argv[1:])
import django
django.setup()
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.urls import path
from countersite import urls
from games.live import socket
from games.seats import rate_limit
def fault(request):
    raise RuntimeError("a fault that a test asked for")
def full(request):
    for limit in rate_limit.LIMITS:
        for bucket in limit.of(request):
            bucket.spend(10_000_000)
    return HttpResponse()
def room(request):
    for limit in rate_limit.LIMITS:
        limit.clear()
    return HttpResponse()
urls.urlpatterns += [path("fault", fault), path("full", full), path("room", room)]
socket.MOST_OF_DEVICE = 1
execute_from_command_line(sys.argv)
"""
"""A server with an address that fails, one that fills it and one that makes room again, and with
room for one screen of a device at a table."""
LANGUAGES = [code for code, _name in settings.LANGUAGES]
SIZES = ((390, 844), (360, 640))
SEEN = """() => {
  const box = (each) => each.getBoundingClientRect();
  const sees = (each) => each.checkVisibility() && box(each).bottom <= innerHeight;
  return {
    width: document.documentElement.scrollWidth,
    said: document.querySelector("h1").textContent.trim().replace(/\\s+/g, " "),
    ways: [...document.querySelectorAll("main a, main button")].filter(sees)
      .filter((each) => box(each).height >= 44).length,
    help: [...document.querySelectorAll('a[href="/help"]')].some(sees),
  };
}"""
HELP_KEPT = """async () => {
  const help = await caches.match("/help");
  if (!help || !(await caches.match("/offline"))) return false;
  const pictures = (await help.text()).match(/[^"]+webp/g);
  const kept = await Promise.all(pictures.map((each) => caches.match(each)));
  return kept.length > 9 && kept.every(Boolean);
}"""
LATER = 20_000
"""Milliseconds, more than any page waits before it tries again."""


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    night = Night(
        tmp_path_factory.mktemp("faulty") / "night",
        free_port(),
        run=("-c", FAULTY),
        COUNTERSITE_CROWD="1",
    )
    night.get("/readyz")
    yield night
    night.kill()


def database(night: Night) -> sqlite3.Connection:
    return sqlite3.connect(night.folder / "games.sqlite3", isolation_level=None)


@contextmanager
def without_games(night: Night) -> Iterator[None]:
    """A database that cannot answer: its table of games is away."""
    with closing(database(night)) as games:
        games.execute("ALTER TABLE games_game RENAME TO away")
        try:
            yield
        finally:
            games.execute("ALTER TABLE away RENAME TO games_game")


@pytest.fixture(scope="module")
def gone(chromium: Any, faulty: Night) -> tuple[str, Any]:
    """The path of a game whose rules are not installed any more, and its host's cookies."""
    context = touch(chromium)
    page = context.new_page()
    page.goto(faulty.demo("own-game"))
    path, cookies = page.url.removeprefix(faulty.site).partition("?")[0], context.cookies()
    context.close()
    with closing(database(faulty)) as games:
        slug = path.split("/")[2]
        games.execute("UPDATE games_game SET system = 'shadow-era' WHERE slug = ?", (slug,))
    return path, cookies


def invitation(chromium: Any, night: Night) -> str:
    context = touch(chromium)
    page = context.new_page()
    page.goto(night.demo("magic"))
    page.goto(page.url.partition("?")[0] + "share")
    found = re.search(r"/j/[\w-]+", page.content())
    context.close()
    assert found
    return found[0]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_each_says_what_to_do_in_every_language(
    chromium: Any, faulty: Night, gone: tuple[str, Any], width: int, height: int
) -> None:
    link = invitation(chromium, faulty)
    said: dict[str, set[str]] = {}

    def seen(page: Any, status: int, path: str, language: str) -> None:
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            what = page.evaluate(SEEN)
            assert width == what["width"], (path, language)
            assert what["ways"] >= 1, (path, language)
            assert what["help"], (path, language)
            said.setdefault(f"{status} {path}", set()).add(what["said"])

    for language in LANGUAGES:
        context = touch(chromium)
        context.set_extra_http_headers({"Accept-Language": language})
        context.add_cookies(gone[1])
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        for status, path in ((404, "/nothing"), (404, "/j/old"), (500, "/fault"), (503, gone[0])):
            assert status == page.goto(faulty.site + path).status
            seen(page, status, path, language)
        page.goto(f"{faulty.site}/offline")
        seen(page, 200, "/offline", language)
        page.goto(f"{faulty.site}/code")
        page.fill("#code", "XXXX-XXXX")
        page.press("#code", "Enter")
        page.wait_for_selector("[aria-invalid]")
        seen(page, 404, "/code", language)
        for _try in range(10):  # on a busy machine there may be room again by then
            context.clear_cookies()
            faulty.get("/full")
            if (status := page.goto(faulty.site + link).status) == 429:
                break
        assert 429 == status
        seen(page, 429, "/j", language)
        faulty.get("/room")
        with without_games(faulty):
            assert 503 == page.goto(f"{faulty.site}/").status
            seen(page, 503, "/", language)
        context.close()

    assert {8} == {len(said)}
    assert {len(LANGUAGES)} == {len(each) for each in said.values()}, said


def test_a_full_server_lets_in_who_waits(chromium: Any, faulty: Night, phone: Phones) -> None:
    link = invitation(chromium, faulty)
    page = phone(360, 640)
    page.clock.install()
    faulty.get("/full")
    assert 429 == page.goto(faulty.site + link).status
    faulty.get("/room")
    page.clock.fast_forward(LATER)

    page.wait_for_url("**/g/**")


def test_a_forms_command_is_sent_again_with_one_tap(faulty: Night, phone: Phones) -> None:
    page = phone(360, 640)
    page.goto(f"{faulty.site}/new?rules=magic")
    faulty.get("/full")
    page.locator("main form button.is-main").last.tap()
    page.get_by_role("heading", name="Too much at once").wait_for()
    faulty.get("/room")
    page.get_by_role("button", name="Try again").tap()

    page.wait_for_url("**/g/**")


def test_a_server_that_comes_back_is_found_by_itself(faulty: Night, phone: Phones) -> None:
    page = phone(360, 640)
    page.clock.install()
    with without_games(faulty):
        page.goto(f"{faulty.site}/")
        assert page.locator("h1", has_text="The server can’t answer now").count()
    page.clock.fast_forward(LATER)

    page.get_by_role("heading", name="Start a game").wait_for()


def test_a_screen_too_many_says_so_and_comes_in_once_there_is_room(
    faulty: Night, phone: Phones
) -> None:
    first = phone(360, 640)
    first.goto(faulty.demo("grand-archive"))
    first.wait_for_function(CONNECTED)
    second = first.context.new_page()
    second.clock.install()
    second.goto(first.url.partition("?")[0])
    banner = second.locator("#connection", has_text="No room for another screen")
    banner.wait_for()
    assert not second.get_by_text("no longer has a seat").is_visible()

    first.goto("about:blank")
    second.clock.fast_forward(LATER)
    banner.wait_for(state="hidden")
    second.wait_for_function(CONNECTED)


def test_a_table_stays_where_nothing_answers_and_says_once_its_game_was_deleted(
    phone: Phones, running: Night
) -> None:
    """Without a worker, as on a network without https, a page that does not answer replaces it."""
    page = phone(360, 640)
    host = Host(page, running.site)
    board = host.open(host.fresh("any-game", 2)).url.partition("?")[0]
    page.wait_for_function(CONNECTED)
    page.context.set_offline(True)
    page.evaluate("() => document.getElementById('live')._htmx.ws.connection.socket.close()")
    page.locator("#connection", has_text="Connection lost").wait_for()
    page.locator('.tools [href="/help"]').tap()
    page.locator(".refusal.is-floating", has_text="needs the connection").wait_for()

    assert board == page.url.partition("?")[0]
    other = phone()
    other.context.add_cookies(page.context.cookies())
    other.goto(f"{board}delete")
    other.get_by_role("button", name="Delete it for everyone").tap()
    other.get_by_role("heading", name="Deleted").wait_for()
    page.context.set_offline(False)
    page.locator("#connection", has_text="This game was deleted").wait_for()


def test_without_a_connection_any_page_says_so_and_help_is_there(
    phone: Phones, running: Night
) -> None:
    page = phone(360, 640, worker=True)
    cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": "de", "url": running.site}
    page.context.add_cookies([cookie])
    host = Host(page, running.site)
    board = host.open(host.fresh("own-game", 2, ready="any-rpg")).url
    for _ in range(100):
        if page.evaluate(HELP_KEPT):
            break
        page.wait_for_timeout(100)
    page.context.set_offline(True)
    page.goto(f"{board.partition('?')[0]}summary")
    page.get_by_role("heading", name="Keine Verbindung").wait_for()
    page.get_by_role("link", name="Hilfe").first.tap()
    page.get_by_role("heading", name="Hilfe", exact=True).wait_for()

    assert page.evaluate("() => document.querySelector('.manual-table img').naturalWidth") > 0
    page.go_back()
    page.get_by_role("heading", name="Keine Verbindung").wait_for()
    page.context.set_offline(False)
    page.get_by_role("heading", name="Keine Verbindung").wait_for(state="detached")


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_one_tap_from_every_table(chromium: Any, running: Night, language: str) -> None:
    from games.systems import SYSTEMS

    context = touch(chromium)
    context.set_extra_http_headers({"Accept-Language": language})
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    for system in SYSTEMS:
        page.goto(running.demo(system))
        page.wait_for_function(CONNECTED)
        page.locator('.tools [href="/help"]').tap(timeout=2000)
        page.wait_for_url("**/help")
    context.close()
