"""Writing a game of one's own on a phone: its numbers, a first rule, a trial, and nothing lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .test_axe import complaints

pytestmark = pytest.mark.browser

CATAN = "victory points 0 → 10, wood, brick, "
KEPT = "localStorage.getItem('written own-game')"


class Writer:
    """Somebody who writes a game, and how often they tapped."""

    def __init__(self, page: Any, site: str) -> None:
        self.page = page
        self.taps = 0
        page.goto(f"{site}/new?rules=own-game")

    def tap(self, selector: str) -> None:
        self.taps += 1
        self.page.locator(selector).first.tap()

    def change(self, selector: str, then: str) -> None:
        """Tap what changes the game, and wait until the page shows *then*."""
        self.tap(selector)
        self.page.locator(then).first.wait_for()

    def numbers(self, line: str, last: str = "brick") -> None:
        self.tap("#writing-line")
        self.page.keyboard.type(line)
        self.page.locator(f".typed-chip >> text={last}").wait_for()

    def sentence(self) -> str:
        return str(self.page.locator(".rule-sentence").inner_text())


@pytest.fixture
def ana(phone: Callable[..., Any], running: Night) -> Writer:
    return Writer(phone(), running.site)


def test_a_stranger_plays_without_a_rule_by_two_taps(ana: Writer) -> None:
    ana.numbers(CATAN)
    ana.tap(".new-go .is-main")
    ana.page.wait_for_url("**/share")

    assert 2 == ana.taps
    ana.page.go_back()
    assert ana.page.evaluate(KEPT) is None


def test_a_stranger_has_a_first_rule_by_six_taps(ana: Writer) -> None:
    ana.numbers(CATAN)
    ana.change(".to-rules", ".writing-rules")
    ana.change(".writing-add", ".recipes")
    ana.change(".recipes button:has-text('Pay to get')", ".dock .key")
    ana.change(".dock .key:text-is('1')", ".rule-sentence:has-text('for 1 wood')")

    assert "“Buy”, in your turn, for 1 wood: add 1 victory points." == ana.sentence()
    assert [] == complaints(ana.page)
    ana.change(".dock-done", ".writing-rules li >> nth=1")
    assert 6 == ana.taps


def test_a_dead_phone_goes_on_where_it_was(ana: Writer) -> None:
    ana.numbers(CATAN)
    ana.change(".to-rules", ".writing-rules")
    ana.change(".writing-add", ".recipes")
    ana.change(".recipes .is-blank", ".piece[aria-expanded]")
    ana.change(".dock .piece:text-is('a number changes')", ".piece:text-is('which number?')")

    ana.page.reload()

    ana.page.locator(".piece[aria-expanded]:text-is('which number?')").wait_for()
    assert "When …… changes, ……." == ana.sentence()
    ana.page.keyboard.press("Escape")
    ana.page.locator(".writing-rules em").wait_for()


def test_the_rule_that_fires_lights_up(ana: Writer) -> None:
    ana.numbers("laps to 1, ", "laps")
    ana.change(".writing-tabs >> text=Try it", ".trial [aria-label='plus laps']")
    ana.change(".trial [aria-label='plus laps'] >> nth=0", ".is-fired")

    assert "Who has 1 laps wins." in ana.page.locator(".is-fired").inner_text()
    assert "Ana wins." == ana.page.locator(".trial-over").inner_text()
    assert [] == complaints(ana.page)
