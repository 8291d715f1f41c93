"""Dice and the clock on two phones: what one does the other one sees, at once and the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.night import Night

from .test_two_phones import join

pytestmark = pytest.mark.browser
Phones = Callable[..., Any]


def seated(phone: Phones, site: str) -> tuple[Any, Any]:
    """Ana and Ben at a table of any game."""
    ana, ben = phone(), phone(360, 740)
    ana.goto(f"{site}/")
    ana.get_by_role("link", name="Any game").tap()
    ana.get_by_role("button", name="Start").tap()
    code = ana.locator(".share-code b").inner_text()
    ana.get_by_role("link", name="To the table").tap()
    ana.wait_for_load_state()
    join(ben, site, code)
    return ana, ben


def seconds(phone: Any) -> int:
    """What the clock shows."""
    minutes, rest = phone.locator("#clock [data-time='']").inner_text().split(":")
    return int(minutes) * 60 + int(rest)


def test_a_throw_is_seen_on_the_other_phone_and_gone_again(
    phone: Phones, running: Night, tmp_path: Path
) -> None:
    ana, ben = seated(phone, running.site)

    ana.get_by_role("link", name="Dice").tap()
    sheet = ana.locator("#sheet")
    sheet.get_by_role("radiogroup").get_by_text("2", exact=True).tap()
    sheet.get_by_role("button", name="d6", exact=True).tap()

    told = re.compile(r"Ana rolled 2d6: [1-6] \+ [1-6] = \d+")
    toast = ben.locator(".chance-told", has_text=told)
    toast.wait_for()
    ben.screenshot(path=tmp_path / "thrown-ben.png")
    ana.locator(".chance-told", has_text=told).wait_for()
    ana.screenshot(path=tmp_path / "thrown-ana.png")
    assert ben.locator(".chance-told").inner_text() == ana.locator(".chance-told").inner_text()
    assert told.search(ben.locator("#said").inner_text())
    toast.wait_for(state="detached", timeout=8_000)
    assert ben.locator("[data-turn-back=undo]").is_visible()


def test_the_countdown_is_the_same_after_a_pause_and_a_reload(
    phone: Phones, running: Night, tmp_path: Path
) -> None:
    ana, ben = seated(phone, running.site)
    assert ben.locator("#clock").count() == 0
    ana.get_by_role("link", name="Dice").tap()
    ana.locator("#sheet").get_by_role("button", name=re.compile(r"^50\b")).tap()
    ben.locator("#clock").wait_for()
    ben.wait_for_function(
        "() => /^49:5/.test(document.querySelector(\"#clock [data-time='']\").textContent)"
    )
    ana.screenshot(path=tmp_path / "clock-ana.png")
    assert abs(seconds(ana) - seconds(ben)) <= 1

    ana.locator("#sheet").get_by_role("button", name="Pause").tap()
    for each in (ana, ben):
        each.locator("#clock.is-paused").wait_for()
    stood = seconds(ben)
    ben.wait_for_timeout(1_500)
    assert seconds(ben) == stood == seconds(ana)

    ben.reload()
    ben.locator("#clock.is-paused").wait_for()
    assert seconds(ben) == stood
    ben.screenshot(path=tmp_path / "clock-ben.png")
    ben.locator("#clock a").tap()
    ben.locator("#sheet").get_by_role("button", name="Go on").tap()
    for each in (ana, ben):
        each.locator("#clock:not(.is-paused)").wait_for()
        each.wait_for_function(
            "([time, stood]) => !document.querySelector(time).textContent.endsWith(stood)",
            arg=["#clock [data-time='']", f"{stood % 60:02}"],
        )
    assert abs(seconds(ana) - seconds(ben)) <= 1
