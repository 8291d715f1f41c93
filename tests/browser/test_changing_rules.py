"""The host changes the rules while everyone plays, or gives some to a game without them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.store import demos
from tests.night import Night
from tests.types import Phones

from .tables import Host

pytestmark = pytest.mark.browser


def test_everyone_sees_what_was_and_plays_on_by_what_is(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone(360, 640)
    rules = demos.ready_games("own-game")["catan"]
    host = Host(ana, running.site)
    address = host.played(
        {
            "id": "catan", "title": "Catan", "system": "own-game", "when": [], "then": {},
            "definition": rules,
            "given": {"seats": {"ana": {}, "ben": {}, "cleo": {}}},
            "names": {"ana": "Ana", "ben": "Ben", "cleo": "Cleo"},
        }
    )  # fmt: skip
    host.open(address)
    Host(ben, running.site).join(address, host)
    ben.locator("[id='ben.hero.goal']", has_text="8 to go").wait_for()

    ana.goto(f"{address}change")
    changed = json.loads(json.dumps(rules))
    winning = next(each for each in changed["rules"] if each["do"] == [{"win": "it"}])
    winning["if"] = json.loads(json.dumps(winning["if"]).replace("10", "12"))
    changed["numbers"].append({"kind": "fog", "on": "table", "start": 1, "most": 5})
    ana.get_by_text("Other rules").tap()
    ana.get_by_label("Paste it").fill(json.dumps(changed))
    ana.get_by_role("button", name="What would change").tap()
    ana.get_by_text("Everything on the table fits.").wait_for()
    ana.get_by_role("button", name="Change the rules").tap()

    ben.locator("#moment", has_text="Ana changed the rules").wait_for()
    ben.locator("[id='ben.hero.goal']", has_text="10 to go").wait_for()
    ben.locator("#strip .is-table", has_text="fog").wait_for()

    ana.locator("#undo").tap()
    ben.locator("[id='ben.hero.goal']", has_text="8 to go").wait_for()
    ben.locator("#strip .is-table").wait_for(state="detached")


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
    host.get_by_role("button", name="Add a sentence").tap()
    host.locator(".recipes button", has_text="First to 10 wins").tap()
    host.get_by_role("button", name="Keep this rule").tap()
    host.get_by_role("button", name="What would change").tap()
    host.get_by_role("button", name="Change the rules").tap()
    host.locator("#board").wait_for()

    goal = guest.locator("[id='ben.hero.goal']", has_text="1 to go")
    goal.wait_for()  # on the same phone, without a tap, at the table that goes on
    assert guest.url.startswith(address)
    assert "9" == guest.locator("#ben\\.points").inner_text()
    for page in (host, guest):
        assert "2" == page.locator("[data-of='ana.wood']").first.inner_text()
        assert "4" == page.locator("#rocket\\.fuel").inner_text()
    host.locator("#next", has_text="Ben’s turn").wait_for()

    guest.locator(".cockpit [name=more][value='ben.points']").locator("visible=true").first.tap()
    host.locator(".end-says h2", has_text="Ben wins.").wait_for()
    guest.locator("#undo:not([disabled])").tap()
    host.locator(".end-says").wait_for(state="detached")
