"""Ana, Ben and Cleo play an evening of Commander, each with a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import join, won
from .test_magic import begin, gives, resolves
from .test_two_phones import look_at, shows

pytestmark = pytest.mark.browser


def crowns(player: Any, seat: str) -> None:
    """The monarchy is handed on with one tap: on one's own crown, or in another seat's panel."""
    player.locator(f'[id="{seat}.panel"] [data-kind="monarch"] button').tap()


def says(phone: Any, seat: str, sign: str) -> None:
    """Wait until the strip of *phone* shows that sign for *seat*."""
    phone.locator(f'[id="{seat}.cell"] .bit{sign}').wait_for(state="attached")


MONARCH = '[data-kind="monarch"]'
OUT = ".is-out"


def test_an_evening_of_commander(phone: Phones, running: Night) -> None:
    ana, ben, cleo = everyone = [phone() for _ in range(3)]
    ana.goto(f"{running.site}/")
    ana.get_by_role("link", name=re.compile("^Magic")).tap()
    ana.get_by_label("What’s your name?").fill("Ana")
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
        ana.get_by_role("button", name="Cast").tap()
        ana.get_by_role("button", name="Cast").wait_for(state="detached")
        ana.locator("#o-ana-commander > a").tap()
        ana.locator("#sheet").get_by_role("button", name="command zone").tap()
        ana.locator("#sheet").wait_for(state="hidden")
    for each in (ben, cleo):
        look_at(each, "ana")
        each.locator("#o-ana-commander p", has_text="4").wait_for()

    # The monarchy goes from one to another.
    crowns(ben, "ben")
    says(ana, "ben", MONARCH)
    look_at(ben, "cleo")
    crowns(ben, "cleo")
    for each in everyone:
        says(each, "cleo", MONARCH)
        each.locator(f'[id="ben.cell"] {MONARCH}').wait_for(state="detached")

    # Radiation, asked of Ana alone.
    gives(cleo, "rad", "each opponent", "3")
    shows(ben, '[id="ana.rad"]', "3")
    shows(ana, '[id="ben.rad"]', "3")
    begin(ana, "precombat-main")
    resolves(ana, 2)
    for each in everyone:
        shows(each, '[id="ana.life"]', "38")
        shows(each, '[id="ana.rad"]', "1")

    # A connection drops; what was tapped is sent when it is back, and a reload keeps the seat.
    ben.context.set_offline(True)
    for _ in range(2):
        ben.locator('#cockpit button[name="lose-life"]').tap()
    shows(ben, '[id="ben.life"]', "38")
    ben.context.set_offline(False)
    shows(cleo, '[id="ben.life"]', "38")
    ben.reload()
    assert "ben" == ben.locator("#live").get_attribute("data-seat")

    # 21 combat damage of one commander; undone; and once more.
    def dealt() -> None:
        ben.locator("#cockpit .is-tally a").tap()
        ben.locator("#sheet summary", has_text="Another amount").tap()
        ben.get_by_label("Dealt by").fill("ana-commander")
        ben.get_by_label("How much").fill("21")
        ben.get_by_role("button", name="Deal", exact=True).tap()
        says(ana, "ben", OUT)

    dealt()
    look_at(ana, "ben")
    ana.locator("#s-ben .is-tally [data-place]", has_text="21").first.wait_for()
    ben.locator("#undo").tap()
    ana.locator(f'[id="ben.cell"] {OUT}').wait_for(state="detached")
    dealt()

    # The monarch leaves: Ana, whose turn it is, has won.
    cleo.locator("#s-cleo .seat-name").tap()
    cleo.get_by_text("Concede", exact=True).tap()
    cleo.get_by_role("button", name="Cleo concedes").tap()
    won(everyone, "Ana")
    for each in everyone:
        says(each, "ana", MONARCH)
