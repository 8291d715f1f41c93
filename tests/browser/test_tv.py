"""A big screen in the room shows every tap on a phone by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .test_two_phones import ANA, PLUS, join, shows, start, taps

pytestmark = pytest.mark.browser

ON_SCREEN = """() => {
  const live = document.getElementById("live");
  const within = (whole, shown) => whole <= shown + 1;
  return within(live.scrollHeight, live.clientHeight) && within(live.scrollWidth, live.clientWidth);
}"""
HERO = """() => {
  const totals = [...document.querySelectorAll("#board .seat")].map((seat) => {
    const numbers = [...seat.querySelectorAll(".is-big b")];
    return Math.max(...numbers.map((each) => parseFloat(getComputedStyle(each).fontSize)));
  });
  return Math.min(...totals) / Math.min(innerWidth, innerHeight);
}"""


def big_screen(
    phone: Callable[..., Any], ana: Any, width: int, height: int, query: str = ""
) -> Any:
    """A television that opened the address from Ana's phone."""
    ana.get_by_role("button", name="More", exact=True).tap()
    address = ana.get_by_role("link", name="On a big screen").get_attribute("href")
    ana.keyboard.press("Escape")
    code = ana.evaluate("() => document.getElementById('live').dataset.game")
    screen = phone(width, height)
    screen.context.add_cookies(ana.context.cookies())
    site = re.match(r"https?://[^/]+", ana.url)
    assert site
    screen.goto(f"{site[0]}/g/{code}/{address}{query}")
    screen.wait_for_selector("#board")
    return screen


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1024, 768), (844, 390)])
def test_every_tap_is_read_across_the_room(
    phone: Callable[..., Any], running: Night, width: int, height: int
) -> None:
    ana, ben = phone(), phone(360, 740)
    join(ben, running.site, start(ana, running.site))
    screen = big_screen(phone, ana, width, height)

    taps(ana, PLUS, 4)

    shows(screen, ANA, "4")
    screen.locator(".tv-log li", has_text="4").first.wait_for()
    screen.wait_for_function(ON_SCREEN)
    assert screen.evaluate(HERO) >= 0.12
    assert 0 == screen.locator("#live button:visible, #live .steppers button:visible").count() - (
        screen.locator("#live .phases [aria-current] button:visible").count()
    )


def test_over_a_stream_the_ground_is_transparent(phone: Callable[..., Any], running: Night) -> None:
    ana = phone()
    start(ana, running.site)
    screen = big_screen(phone, ana, 1280, 720, "?overlay")

    ground = "() => getComputedStyle(document.body).backgroundColor"
    assert "rgba(0, 0, 0, 0)" == screen.evaluate(ground)
    assert 0 == screen.locator(".tv-side").count()
    taps(ana, PLUS, 2)
    shows(screen, ANA, "2")


def test_a_phone_flat_on_the_table_faces_each_player(
    phone: Callable[..., Any], running: Night
) -> None:
    ana, ben = phone(), phone(360, 740)
    join(ben, running.site, start(ana, running.site))
    ana.get_by_role("button", name="More", exact=True).tap()
    ana.get_by_role("link", name="Flat on the table").tap()
    ana.wait_for_selector('.seat[data-seat="ben"][data-facing="180"]')

    taps(ana, '#o-ben-champion button[name="damage"]', 3)
    taps(ana, '#o-ana-champion button[name="damage"]', 2)

    shows(ben, '[id="ben-champion.damage"]', "3")
    shows(ben, ANA, "2")
    ana.locator('.seat[data-seat="ben"] .flat-turn').tap()
    ana.wait_for_selector('.seat[data-seat="ben"][data-facing="270"]')
    ana.reload()
    ana.wait_for_selector('.seat[data-seat="ben"][data-facing="270"]')
    above = ana.locator('.seat[data-seat="ben"]').bounding_box()
    below = ana.locator('.seat[data-seat="ana"]').bounding_box()
    assert above["y"] + above["height"] <= below["y"] + 1
