"""The server's address changes while people play, and their phones find back to their seats."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHROMIUM
from tests.night import Night

from .tables import CONNECTED, join, start
from .test_two_phones import ANA, PLUS, shows

pytestmark = pytest.mark.browser

FIRST, SECOND = "127.0.0.2", "127.0.0.3"
NAME = "countersite.local"
PLAYING = "() => document.querySelector('video.awake')?.currentTime > 0.2"
# A browser pauses the film of a page that is hidden.
HIDDEN_AND_SHOWN = """() => {
  document.querySelector("video.awake").pause();
  document.dispatchEvent(new Event("visibilitychange"));
}"""
FETCHED = "() => performance.getEntriesByName(new URL('way-back', location).href).length"


@pytest.fixture
def phone(playwright: Any) -> Iterator[Callable[[], Any]]:
    """A new phone, which resolves the server's name to its second address."""
    rules = f"--host-resolver-rules=MAP {NAME} {SECOND}"
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", rules]
    )

    def new() -> Any:
        return browser.new_context(
            viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        ).new_page()

    yield new
    browser.close()


def fetched_its_way_back(phone: Any) -> None:
    """Wait until the page has what it needs once the address is gone."""
    phone.wait_for_function(FETCHED)


def test_phones_are_back_on_their_seats_at_the_new_address(
    phone: Callable[[], Any], tmp_path: Path, port: int
) -> None:
    """Ana's phone knows the name, Ben types the address, Dan never sat down."""
    machine = tmp_path / "addresses"
    machine.write_text(FIRST)
    night = Night(tmp_path / "night", port, moving=machine)
    try:
        night.get("/readyz")
        night.waits_for("Or by name")
        first, second = f"http://{FIRST}:{port}", f"http://{SECOND}:{port}"
        named = f"http://{NAME}:{port}"
        ana, ben = phone(), phone()
        code = start(ana, first)
        join(ben, first, code)
        slug = ana.url.split("/g/")[1].split("/")[0]
        big = ana.context.new_page()
        big.goto(f"{first}/g/{slug}/tv")
        fetched_its_way_back(big)
        fetched_its_way_back(ana)
        fetched_its_way_back(ben)
        ben.route(f"{named}/**", lambda route: route.abort())
        ana.route(f"{named}/**", lambda route: route.abort())

        machine.write_text(SECOND)

        ana.locator("#connection").get_by_text("Connection lost").wait_for()
        big.wait_for_url(re.compile(rf"{named}/g/{slug}/tv$"))
        ana.locator(PLUS).tap()  # after her other page has gone
        ana.unroute(f"{named}/**")
        ana.wait_for_url(re.compile(rf"{named}/g/{slug}/$"))
        ana.wait_for_selector('#live[data-seat="ana"]')
        ana.wait_for_function("() => document.querySelectorAll('.is-waiting').length === 0")
        ana.locator("#strip [data-choose]").first.tap()
        shows(ana, ANA, "1")  # the tap of between came along

        assert not ana.evaluate("isSecureContext"), "so there is no wake lock here"
        plain = ana.locator("[data-plain]")
        assert not plain.evaluate("(line) => line.hidden"), "and the menu says so, once"
        ana.wait_for_function(PLAYING)
        big.wait_for_function(PLAYING)  # nobody taps a television
        big.evaluate(HIDDEN_AND_SHOWN)
        big.wait_for_function("() => !document.querySelector('video.awake').paused")
        big.goto(f"{named}/g/{slug}/tv?overlay")
        big.wait_for_function(CONNECTED)
        assert 0 == big.locator("video").count()
        big.close()
        ana.locator("[data-menu]").tap()
        ana.get_by_role("button", name="Keep the screen on").tap()
        assert 0 == ana.locator("video").count(), "it is switched off"

        ben.get_by_label("Has the server’s address changed?").fill(f"{SECOND}:{port} · {code}")
        with ben.context.expect_page() as opened:
            ben.get_by_role("button", name="Go there").tap()
        ben = opened.value
        ben.wait_for_url(f"{second}/g/{slug}/")
        ben.wait_for_selector('#live[data-seat="ben"]')
        shows(ben, ANA, "1")

        assert f"{SECOND}:{port} · {code}" in night.printed
        dan = phone()
        dan.goto(f"{second}/g/{slug}/")
        dan.get_by_role("heading", name="You need an invitation").wait_for()
    finally:
        night.kill()
    assert "Traceback" not in night.printed


def test_a_way_back_that_nobody_answers_is_asked_for_again(
    phone: Callable[[], Any], running: Night
) -> None:
    ana = phone()
    asked: list[Any] = []

    def first_in_vain(route: Any) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.continue_()

    ana.route("**/way-back", first_in_vain)
    with ana.expect_response("**/way-back") as answered:
        start(ana, running.site)

    # This table has only the address of this machine, so there is nowhere else to look.
    assert 204 == answered.value.status
    assert 2 == len(asked)
