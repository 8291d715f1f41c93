"""The end of a session and the next one: a recap on every phone, a chapter, the same link."""

from __future__ import annotations

from collections.abc import Iterator
from time import time
from typing import Any

import pytest

from tests.night import Night

from .test_axe import complaints
from .test_giving import shows
from .test_slots_layout import SESSION, Table

pytestmark = pytest.mark.browser

EVENING = {
    **SESSION,
    "when": [
        {"do": "create", "as": "keeper", "name": "§ZQKEEPER wakes", "visibility": "hidden"},
        {"do": "fill", "on": "keeper", "slots": 2},
        {"do": "fill", "on": "c1", "slots": 1},
        {"do": "fill", "on": "ana-despair", "slots": 2},
        {"do": "note", "text": "§ZQPLAN she lied", "as": "n1", "secret": True},
        {"do": "note", "text": "The knot is yours", "as": "n2", "to": ["ana"]},
        {"do": "scene", "scene": "§ZQATTIC", "to": "prepared"},
    ],
}  # fmt: skip


@pytest.fixture
def table(chromium: Any, running: Night) -> Iterator[Table]:
    made = Table(chromium, running, EVENING)
    yield made
    made.close()


def test_a_session_ends_and_the_next_one_begins_at_the_same_link(table: Table) -> None:
    gm, ana = table.gm, table.ana
    address = ana.url.partition("?")[0]
    ben = table.another("ben")
    seen: list[str] = []

    def listens(socket: Any) -> None:
        socket.on("framereceived", lambda text: seen.append(str(text)))

    for phone in (ana, ben):
        phone.on("websocket", listens)
        phone.reload()
        phone.wait_for_selector("#chapter", state="attached")
    table.hosts[-1].send(address, do="note", text="Wet socks", **{"as": "n3"})
    ben.reload()
    ben.wait_for_selector("#undo:enabled")

    gm.get_by_role("link", name="End session…").click()
    gm.locator(".ending").wait_for()
    texts = [each.input_value() for each in gm.locator(".recap-line input[name^=text-]").all()]
    assert "Reach the lamp: 5/8" in texts
    assert "Ana’s Despair: Fragile" in texts
    assert "The knot is yours" in texts
    assert not [each for each in texts if "§ZQ" in each], "a secret is offered to players"
    shows(gm, ".ending-kept", "§ZQKEEPER wakes")
    shows(gm, ".ending-kept", "§ZQPLAN")
    assert [] == complaints(gm)
    gm.locator("[name^=text-][placeholder]").first.fill("And the lamp went out.")
    gm.get_by_label("Name of the chapter").fill("The drowned lighthouse")
    gm.get_by_label("A last word for everyone").fill("Bring dry socks.")
    gm.get_by_role("button", name="End session 1").click()

    shows(gm, "#chapter", "Session 2")
    for phone, other in ((ana, ben), (ben, ana)):
        shows(phone, "#sheet .recap", "Reach the lamp: 5/8")
        shows(phone, "#sheet .recap", "And the lamp went out.")
        shows(phone, "#sheet", "Bring dry socks.")
        assert other is not phone
    shows(ana, "#sheet .recap-alone", "The knot is yours")
    assert [] == complaints(ana)
    assert "knot" not in ben.locator("#sheet").inner_text()

    for phone in (ana, ben):
        phone.get_by_role("link", name="I’m here").tap()
        phone.locator("#sheet").wait_for(state="hidden")
    ben.wait_for_selector("#undo:disabled")
    ana.reload()
    shows(ana, "#chapter", "Session 2")
    ana.wait_for_timeout(300)
    assert not ana.locator("#sheet").is_visible(), "the same evening it does not come twice"

    ana.clock.set_system_time(time() + 7 * 24 * 3600)
    ana.goto(address)
    shows(ana, "#sheet .recap", "And the lamp went out.")
    ana.get_by_role("link", name="I’m here").tap()
    ana.locator("#chapter a").tap()
    shows(ana, "#sheet", "session 1, The drowned lighthouse")

    gm.locator(".tools a[href=log]").click()
    shows(gm, "#sheet", "Session 1 is over")
    undone = gm.locator("#sheet [data-does=undo]").count()
    assert undone == 1, "only the end itself can be undone"
    assert not [each for each in [*seen, ana.content(), ben.content()] if "§ZQ" in each]
