"""Ana and Ben at one table, each with a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
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


def test_a_reload_keeps_seat_and_numbers(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site))
    taps(ana, PLUS, 4)
    shows(ben, ANA, "4")

    ben.reload()

    shows(ben, ANA, "4")
    assert "ben" == ben.locator("#live").get_attribute("data-seat")


def test_nothing_is_lost_when_the_server_is_killed(
    phone: Phones, night: Callable[[int], Night], port: int
) -> None:
    first = night(port)
    site = first.site
    ana, ben = phone(), phone()
    join(ben, site, start(ana, site))
    taps(ana, PLUS, 3)
    shows(ben, ANA, "3")

    first.kill()
    ana.wait_for_selector("#connection:not([hidden])")
    taps(ana, PLUS, 2)
    shows(ana, ANA, "5")
    night(port).get("/readyz")

    shows(ben, ANA, "5")
    ana.wait_for_selector("#connection", state="hidden")
    assert "5" == ana.locator(ANA).inner_text()
    assert ana.wait_for_function(SETTLED)


def test_a_refusal_stands_next_to_what_was_tapped(phone: Phones, running: Night) -> None:
    ana = phone()
    start(ana, running.site)
    ana.locator("#o-ana-champion > a").tap()
    ana.locator("#sheet summary", has_text="Recover").tap()
    form = ana.locator("#sheet form", has=ana.locator('[value="recover"]')).last
    form.locator('[name="amount:number"]').fill("3")
    form.get_by_label("to pay for something").check()
    form.get_by_role("button", name="Recover", exact=True).tap()

    form.locator(".refusal", has_text=re.compile("damage")).wait_for()
    assert "3" == form.locator('[name="amount:number"]').input_value()


def test_wither_is_asked_of_its_player_and_seen_by_all(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone(360, 740)
    join(ben, running.site, start(ana, running.site))
    ally(ana, "Weary Dryad", life=4)
    give(ana, do="place", on="weary-dryad", counter="wither", amount=2)
    begin(ana, "main")

    shows(ben, "#next", "Waiting for Ana")
    question = ana.locator("#dock .prompt", has_text="Weary Dryad")
    question.wait_for()
    assert 0 == ben.locator("#dock .prompt").count()
    question.locator('[data-part="lost"]').check()
    ana.locator("#next").tap()

    look_at(ben, "ana")
    ben.locator("#s-ana .pile", has_text="graveyard").wait_for()
    assert 0 == ben.locator(".prompt").count()


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
