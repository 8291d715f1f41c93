"""The installed site, and one's own board offline."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from countersite import addresses
from tests.night import Night
from tests.types import Phones

from .tables import start
from .test_two_phones import PLUS, shows

pytestmark = pytest.mark.browser

FIRST_PORT = 8270
KEPT = """async () => {
  for (const name of await caches.keys()) {
    const kept = await (await caches.open(name)).match(location.pathname);
    if (kept) return kept.text();
  }
  return '';
}"""


@pytest.fixture
def port() -> int:
    return addresses.free_port("127.0.0.1", FIRST_PORT)


def test_a_phone_finds_all_it_needs_to_install_the_site(running: Night) -> None:
    status, body = running.get("/manifest.webmanifest")
    manifest = json.loads(body)

    assert 200 == status
    assert ("/", "standalone") == (manifest["start_url"], manifest["display"])
    assert {"any", "maskable"} == {icon["purpose"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        status, picture = running.get(icon["src"])
        size = int(icon["sizes"].split("x")[0])
        assert 200 == status
        assert picture.startswith(b"\x89PNG")
        assert size == int.from_bytes(picture[16:20], "big")


def kept(page: Any) -> str:
    text: str = page.evaluate(KEPT)
    return text


def wait_until_kept(page: Any, text: str) -> None:
    for _ in range(100):
        if re.search(text, kept(page)):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"The copy of the board never has {text}.")


def test_the_own_board_is_read_and_tapped_without_a_connection(
    phone: Phones, running: Night
) -> None:
    ana, damage = phone(worker=True), '[data-hero="ana"]'
    start(ana, running.site)
    ana.locator(PLUS).tap()
    shows(ana, damage, "1")
    wait_until_kept(ana, r'data-hero="ana"[^>]*>1<')

    ana.context.set_offline(True)
    ana.reload()
    ana.locator("#connection", has_text="Connection lost").wait_for()
    shows(ana, damage, "1")
    ana.locator(PLUS).tap()
    ana.locator(PLUS).tap()
    shows(ana, damage, "3")
    ana.reload()
    shows(ana, damage, "3")

    ana.context.set_offline(False)
    ana.locator("#connection").wait_for(state="hidden")
    ana.wait_for_function("() => !document.querySelector('.is-waiting')")
    ana.reload()
    shows(ana, damage, "3")


def test_a_left_seat_leaves_no_copy(phone: Phones, running: Night) -> None:
    ana = phone(worker=True)
    start(ana, running.site)
    wait_until_kept(ana, "&amp;seat=ana")
    ana.evaluate(
        """() => void fetch('seats/ana/leave', {
          method: 'POST', body: new FormData(document.getElementById('t')),
        })"""
    )
    ana.locator('#live[data-seat=""]').wait_for()  # the watcher's page came by itself
    ana.wait_for_load_state()
    for _ in range(50):
        if "&amp;seat=ana" not in kept(ana):
            break
        ana.wait_for_timeout(100)

    assert "&amp;seat=ana" not in kept(ana)


SEAT = "&amp;seat=ana"
KEPT_BOARDS = """async () => {
  const kept = [];
  for (const name of await caches.keys())
    for (const each of await (await caches.open(name)).keys())
      if (new URL(each.url).pathname.startsWith('/g/')) kept.push(each.url);
  return kept.join(' ');
}"""


@pytest.mark.parametrize("opened", ["/", "seats/"])
def test_a_phone_that_was_sent_away_keeps_no_copy_once_it_opens_any_page(
    phone: Phones, running: Night, opened: str
) -> None:
    ana = phone(worker=True)
    start(ana, running.site)
    wait_until_kept(ana, SEAT)
    board = ana.url
    assert board in ana.evaluate(KEPT_BOARDS)
    ana.goto("about:blank")  # nobody tells it

    with closing(sqlite3.connect(running.folder / "games.sqlite3")) as games:
        there = "WHERE game_id = (SELECT id FROM games_game WHERE slug = ?)"
        for sent_away in ("games_visitor SET role = 'barred'", "games_seat SET device_hash = NULL"):
            games.execute(f"UPDATE {sent_away} {there}", [board.split("/")[4]])
        games.commit()
    ana.goto(running.site + "/" if opened == "/" else board + opened)
    for _ in range(50):
        if board not in ana.evaluate(KEPT_BOARDS):
            return
        ana.wait_for_timeout(100)
    raise AssertionError("the copy is still there")
