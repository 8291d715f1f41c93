"""Ana and Ben at one table, each with a phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import GIVE, join, start

pytestmark = pytest.mark.browser

ANA = '[data-hero="ana"]'
PLUS = '[id="ana.panel"] .hero button[name="damage"]'
MINUS = '[id="ana.panel"] .hero button[name="less"]'
SETTLED = "() => document.querySelectorAll('.is-waiting').length === 0"


def shows(phone: Any, selector: str, text: Any) -> None:
    """Wait until *phone* shows that text there."""
    from playwright.sync_api import expect

    expect(phone.locator(selector)).to_have_text(text)


def look_at(phone: Any, seat: str) -> None:
    """Bring that seat's cards and numbers into the stage."""
    phone.locator(f'#strip [data-choose="{seat}"]').tap()
    phone.locator(f"#s-{seat}.is-chosen").wait_for()


def begin(phone: Any, phase: str) -> None:
    """Begin any phase, from the menu in the header."""
    phone.locator(".phase > summary").tap()
    phone.locator(f'.phases [value="{phase}"]').tap()


def taps(phone: Any, selector: str, times: int) -> None:
    for _ in range(times):
        phone.locator(selector).tap()


def give(phone: Any, **command: Any) -> None:
    """Send a command as the page does."""
    assert "" == phone.evaluate(GIVE, command)


def ally(phone: Any, name: str, life: int) -> None:
    key = name.lower().replace(" ", "-")
    made = {"as": key, "name": name, "types": ["ally"], "base": {"power": 1, "life": life}}
    give(phone, do="create", **made)
    phone.locator(f"#o-{key}").wait_for()


def test_anothers_act_is_told_without_ones_own_waiting_taps(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone(360, 740)
    join(ben, running.site, start(ana, running.site))
    look_at(ben, "ana")
    ana.evaluate("() => { WebSocket.prototype.send = () => {}; }")
    taps(ana, PLUS, 2)
    shows(ana, ANA, "2")

    taps(ben, PLUS, 3)

    shows(ana, ANA, "5")
    ana.locator('[id="ana.panel"] .hero .delta', has_text="+3").wait_for()


def test_damage_marked_on_an_ally_comes_off_by_the_pad(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone(360, 740)
    join(ben, running.site, start(ana, running.site))
    ally(ana, "Weary Dryad", life=5)
    marked = "#o-weary-dryad li[data-kind='marked']"
    ana.locator("#o-weary-dryad > p").tap()
    taps(ana, f"{marked} button", 3)
    shows(ben, f"{marked} b", "3")

    ana.locator(f"{marked} b").tap()
    ana.locator('#pad [data-op="sign"]').tap()  # from what is added to the number itself
    ana.locator('#pad [data-key="1"]').tap()
    ana.get_by_role("button", name="Correct to this").tap()

    shows(ben, f"{marked} b", "1")
    ben.get_by_role("link", name="Log").tap()
    ben.locator(".log-correction").wait_for()
