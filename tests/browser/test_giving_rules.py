"""A game that goes on without rules is given some; the other phone goes along."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host

pytestmark = pytest.mark.browser

FRIDAY: dict[str, Any] = {
    "id": "friday", "title": "Friday", "system": "any-game", "when": [], "then": {},
    "given": {
        "seats": {
            "ana": {"counters": {"points": 3, "wood": 2}},
            "ben": {"counters": {"points": 9}},
        },
        "objects": {"rocket": {"name": "Rocket", "owner": "ana", "counters": {"fuel": 4}}},
        "turn": {"active": ["ben"]},
    },
    "names": {"ana": "Ana", "ben": "Ben"},
}  # fmt: skip


def test_seats_counters_and_values_stay_and_the_first_rule_counts_on_both_phones(
    phone: Phones, running: Night
) -> None:
    ana, ben = Host(phone(), running.site), Host(phone(360, 640), running.site)
    address = ana.played(FRIDAY)
    ana.open(address)
    ben.sit_down(ana.code(address))
    host, guest = ana.page, ben.page

    host.locator("[data-menu]").tap()
    host.get_by_role("link", name="Give this game rules").tap()
    host.get_by_role("button", name="Go on with rules").tap()
    host.get_by_role("button", name="Add a sentence").tap()
    host.locator(".recipes button", has_text="First to 10 wins").tap()
    host.get_by_role("button", name="Keep this rule").tap()
    host.get_by_role("button", name="What would change").tap()
    host.get_by_role("button", name="Change the rules").tap()
    host.locator("#board").wait_for()

    goal = guest.locator("[id='ben.hero.goal']", has_text="1 to go")
    goal.wait_for()  # on the same phone, without a tap, at the table that goes on
    assert not guest.url.startswith(address)
    assert "9" == guest.locator("#ben\\.points").inner_text()
    for page in (host, guest):
        assert "2" == page.locator("[data-of='ana.wood']").first.inner_text()
        assert "4" == page.locator("#rocket\\.fuel").inner_text()
    host.locator("#next", has_text="Ben’s turn").wait_for()

    guest.locator(".cockpit [name=more][value='ben.points']").locator("visible=true").first.tap()
    host.locator(".end-says h2", has_text="Ben wins.").wait_for()
    guest.locator("#undo:not([disabled])").tap()
    host.locator(".end-says").wait_for(state="detached")
