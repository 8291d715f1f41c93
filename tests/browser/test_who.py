"""Newcomers: one tap says who they are in a named party; a full table gives them a chair."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import SESSION, Host, start

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


@pytest.mark.parametrize("system", ["own-game", "magic"])
def test_a_late_guest_sits_down_between_two_others_and_everyone_sees_it(
    phone: Phones, running: Night, system: str
) -> None:
    ana, ben, eli = phone(), phone(360, 640), phone(360, 640)
    code = start(ana, running.site, system, 2)
    Host(ben, running.site).sit_down(code)
    television = ana.context.new_page()
    television.goto(f"{ana.url.partition('?')[0]}tv")
    television.locator('#live[data-seats="2"]').wait_for()

    eli.goto(f"{running.site}/")
    eli.locator("input[name=code]").fill(code)
    eli.get_by_role("button", name="Join").tap()
    eli.get_by_role("heading", name="Where do you sit?").wait_for()
    eli.locator(".chairs-free label").first.tap()
    eli.get_by_label("What’s your name?").fill("Eli")
    assert "Ana › you › Player 2" == eli.locator(".chair-between").inner_text().replace("\n", " ")
    eli.get_by_role("button", name="Sit down after Ana").tap()

    for each in (ana, ben):
        each.locator("#moment", has_text="Eli sat down").wait_for()
    eli.wait_for_selector("#board")
    assert ["A", "E", "3"] == ben.locator("#strip .seat-mark").all_inner_texts()
    television.locator('#live[data-seats="3"]').wait_for()
    assert "cleo" == eli.locator("#live").get_attribute("data-seat")

    ana.locator("#undo").tap()
    eli.get_by_text("You’re watching: every seat is taken.").wait_for()
    assert ["A", "2"] == ana.locator("#strip .seat-mark").all_inner_texts()

    # Brought back, the chair is for anyone.
    ana.locator('#moment [data-does="redo"]').tap()
    for each in (ana, ben, eli):
        each.locator("#strip .seat-mark", has_text="+").wait_for()
    assert "" == eli.locator("#live").get_attribute("data-seat")
