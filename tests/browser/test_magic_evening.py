"""Ana, Ben and Cleo play an evening of Commander, each with a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .test_magic import begin, gives
from .test_two_phones import join, shows

pytestmark = pytest.mark.browser


def mark(player: Any, seat: str, words: str) -> None:
    """Set a mark on the page of *seat*."""
    player.locator(f"#s-{seat} .seat-name").tap()
    player.locator("#sheet").get_by_role("button", name=words).tap()
    player.locator('#sheet [aria-pressed="true"]', has_text=words).wait_for()
    player.locator("#sheet [data-close]").first.tap()


def says(phone: Any, seat: str, words: str) -> None:
    phone.locator(f"#s-{seat} .seat-head em", has_text=words).wait_for()


def test_an_evening_of_commander(phone: Callable[..., Any], running: Night) -> None:
    ana, ben, cleo = everyone = [phone() for _ in range(3)]
    ana.goto(f"{running.site}/")
    ana.get_by_role("link", name="Magic").tap()
    ana.locator('label:has(input[name="seats"][value="3"])').tap()
    ana.get_by_role("radio", name=re.compile("^Commander")).check()
    ana.get_by_role("button", name="Start").tap()
    code = ana.locator(".share-code b").inner_text()
    ana.get_by_role("link", name="Go to the table").tap()
    for player in (ben, cleo):
        join(player, running.site, code)
    for each in everyone:
        shows(each, '[id="cleo.life"]', "40")

    # Ana casts the commander twice: the second time it costs two more.
    for _ in range(2):
        ana.locator("#s-ana .pile summary", has_text="command zone").tap()
        ana.get_by_role("button", name="Cast").tap()
        ana.get_by_role("button", name="Cast").wait_for(state="detached")
        ana.locator("#o-ana-commander > a").tap()
        ana.locator("#sheet").get_by_role("button", name="command zone").tap()
        ana.locator("#sheet").wait_for(state="hidden")
    for each in (ben, cleo):
        each.locator("#s-ana .pile summary", has_text="command zone").tap()
        each.locator("#o-ana-commander p", has_text="4").wait_for()

    # The monarchy goes from one to another.
    mark(ben, "ben", "the monarch")
    says(ana, "ben", "the monarch")
    mark(cleo, "cleo", "the monarch")
    for each in everyone:
        says(each, "cleo", "the monarch")
        each.locator("#s-ben em", has_text="monarch").wait_for(state="detached")

    # Radiation, asked of Ana alone.
    gives(cleo, "rad", "each opponent", "3")
    shows(ben, '[id="ana.rad"]', "3")
    shows(ana, '[id="ben.rad"]', "3")
    begin(ana, "precombat-main")
    ana.locator(".nonland label").nth(2).tap()
    ana.get_by_role("button", name="Resolve: lose life and rad").tap()
    for each in everyone:
        shows(each, '[id="ana.life"]', "38")
        shows(each, '[id="ana.rad"]', "1")

    # A connection drops; what was tapped is sent when it is back, and a reload keeps the seat.
    ben.context.set_offline(True)
    for _ in range(2):
        ben.locator('#s-ben li[data-kind="life"] button[name="lose-life"]').tap()
    shows(ben, '[id="ben.life"]', "38")
    ben.context.set_offline(False)
    shows(cleo, '[id="ben.life"]', "38")
    ben.reload()
    assert "ben" == ben.locator("#live").get_attribute("data-seat")

    # 21 combat damage of one commander; undone; and once more.
    def dealt() -> None:
        ben.get_by_role("link", name="Commander", exact=True).first.tap()
        ben.locator("#sheet summary", has_text="Another amount").tap()
        ben.get_by_label("Dealt by").fill("ana-commander")
        ben.get_by_label("How much").fill("21")
        ben.get_by_role("button", name="Deal", exact=True).tap()
        says(ana, "ben", "out of the game")

    dealt()
    ana.locator("#s-ben .seat-tally", has_text="21 Commander (Ana)").wait_for()
    ben.get_by_role("button", name="Undo").tap()
    ana.locator("#s-ben em", has_text="out of the game").wait_for(state="detached")
    dealt()

    # The monarch leaves: Ana, whose turn it is, has won.
    cleo.locator("#s-cleo .seat-name").tap()
    cleo.get_by_text("Leave the game").tap()
    cleo.get_by_role("button", name="Cleo leaves the game and loses").tap()
    for each in everyone:
        each.get_by_text("Ana wins.").first.wait_for()
        says(each, "ana", "the monarch")
