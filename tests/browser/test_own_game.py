"""An own game on two phones: prices are paid by one tap, and rounds fill the score sheet."""

from __future__ import annotations

from typing import Any

import pytest

from games.store import demos
from tests.night import Night

from .conftest import Phone
from .tables import Host

pytestmark = pytest.mark.browser


def scenario(name: str, seats: dict[str, Any], **turn: Any) -> dict[str, Any]:
    """A ready game with these *seats*."""
    definition = demos.ready_games("own-game")[name]
    given = {"seats": seats, **({"turn": turn} if turn else {})}
    return {
        "id": name, "title": definition["title"], "system": "own-game", "edition": "1",
        "definition": definition, "given": given, "when": [], "then": {},
        "names": {seat: seat.capitalize() for seat in seats},
    }  # fmt: skip


def two(phone: Any, site: str, described: dict[str, Any]) -> tuple[Any, Any]:
    """Ana and Ben at the table of a scenario."""
    ana, ben = Host(phone(), site), Host(phone(360, 640), site)
    address = ana.played(described)
    ana.open(address)
    ben.sit_down(ana.code(address))
    return ana.page, ben.page


def test_a_tile_pays_its_price_and_the_other_phone_sees_it(phone: Phone, running: Night) -> None:
    seats = {
        "ana": {"counters": {"brick": 2, "wood": 2}},
        "ben": {"counters": {"road length": 5, "longest road": 1}},
        "cleo": {},
    }
    ana, ben = two(phone, running.site, scenario("catan", seats, active=["ana"]))

    ana.locator("#ana\\.stage .deed", has_text="Road").locator("button").tap()
    ben.wait_for_function(
        "() => document.querySelector('[data-of=\"ana.wood\"]').textContent === '1'"
    )
    ana.locator('.cockpit [name=more][value="ana.ore"]').tap()
    ben.wait_for_function(
        "() => document.querySelector('[data-of=\"ana.ore\"]').textContent === '1'"
    )

    switch = ana.locator("#ana\\.stage .is-shared", has_text="longest road")
    assert "Ben" in switch.inner_text()
    assert ana.locator("#ana\\.hero\\.goal").inner_text() == "8 to go"
    wide = ana.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390


def test_a_round_is_answered_by_taps_and_fills_the_sheet(phone: Phone, running: Night) -> None:
    ana, ben = two(phone, running.site, scenario("hearts", {"ana": {}, "ben": {}, "cleo": {}}))
    ana.locator("#next").tap()
    ana.locator("#ana\\.stage .deed", has_text="Deal is over").locator("button").tap()

    for page, points in ((ben, 10), (ana, 13)):
        page.locator(f'.dock .picks-one label:has([value="{points}"])').tap()
        page.locator("#next:not([aria-disabled=true])").tap()
        page.wait_for_selector(".dock .picks-one", state="detached")

    row = "[...document.querySelectorAll('#scores .is-now td')].map((each) => each.innerText)"
    ben.wait_for_function(f"() => String({row}) === '13,10,0'")
