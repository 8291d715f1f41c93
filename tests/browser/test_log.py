"""The log in the hand: any line taken back, and everything since a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .test_two_phones import ANA, PLUS, join, shows, start, taps

pytestmark = pytest.mark.browser


def test_back_to_a_line_takes_all_that_followed_on_every_phone(
    phone: Callable[..., Any], running: Night
) -> None:
    ana, ben = phone(), phone(360, 740)
    join(ben, running.site, start(ana, running.site))
    ben.get_by_role("button", name="OK").tap()
    ben.wait_for_load_state()
    taps(ana, PLUS, 3)
    shows(ben, ANA, "3")
    ana.get_by_role("button", name="materialize").tap()
    taps(ben, PLUS, 2)
    shows(ana, ANA, "5")

    ben.get_by_role("link", name="Log").tap()
    line = ben.locator(".log > li", has_text="3 damage")
    line.locator(".log-to summary").tap()
    line.get_by_role("button", name="Take back all 2 lines above").tap()

    shows(ana, ANA, "3")
    ben.locator(".log > li.is-undone").nth(1).wait_for()
    first = ben.locator(".log > li").first
    assert "Took back lines" in first.inner_text()

    ben.locator("#sheet .sheet-close").tap()
    ben.locator('[data-turn-back="redo"]').tap()
    shows(ana, ANA, "5")
