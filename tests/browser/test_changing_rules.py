"""The host changes the rules while everyone plays."""

from __future__ import annotations

import json

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
