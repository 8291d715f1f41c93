"""A named party: a newcomer who scans the code says with one tap who they are."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host
from .test_slots_layout import SESSION

pytestmark = pytest.mark.browser


def comes(page: Any, site: str, code: str) -> None:
    page.goto(f"{site}/")
    page.locator("input[name=code]").fill(code)
    page.get_by_role("button", name="Join").tap()
    page.get_by_role("heading", name="Who are you?").wait_for()


def test_one_tap_says_who_has_come(phone: Phones, running: Night) -> None:
    gm, ben, late = phone(), phone(360, 640), phone()
    host = Host(gm, running.site)
    address = host.played(SESSION)
    host.open(address)

    comes(ben, running.site, host.code(address))
    assert ["Ana", "Ben"] == ben.locator(".who bdi").all_inner_texts(), "not the GM"
    ben.get_by_role("button", name="Ben").tap()
    ben.wait_for_selector('#live[data-seat="ben"]')

    comes(late, running.site, host.code(address))
    assert ["Ana", "Ben"] == late.locator(".who bdi").all_inner_texts()
    late.get_by_role("button", name="Ben").tap()
    late.get_by_text("Waiting for the table").wait_for()

    # Next week all of them sit, and one comes with another phone.
    late.get_by_role("button", name="Cancel").tap()
    late.get_by_text("You’re watching").wait_for()
    Host(phone(), running.site).sit_down(host.code(address), seat="ana")
    comes(again := phone(), running.site, host.code(address))
    again.get_by_role("button", name="Ana").tap()
    gm.get_by_role("button", name="Let them in").tap()
    again.wait_for_selector('#live[data-seat="ana"]')
