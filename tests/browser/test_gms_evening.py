"""The GM's evening and the next session: nobody else ends it, and two devices run it together."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import time
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import SESSION, Table
from .test_axe import complaints
from .test_giving import shows

pytestmark = pytest.mark.browser


def begin(gm: Any, site: str) -> tuple[str, str]:
    """Make a session; return the paths of its invitation and of the host's own link."""
    gm.goto(site)
    gm.get_by_role("link", name="Stars and Signs").tap()
    gm.get_by_role("button", name="Start").tap()
    gm.wait_for_url("**/share")
    found = [re.search(rf"/{kind}/\w+", gm.content()) for kind in "jh"]
    assert all(found)
    gm.get_by_role("link", name="Go to the table").tap()
    gm.wait_for_selector("#board")
    return tuple(each[0] for each in found if each)  # type: ignore[return-value]


def sits_down(player: Any, link: str, name: str) -> None:
    player.goto(link)
    player.get_by_label("What’s your name?").fill(name)
    player.get_by_role("button", name="OK").tap()
    player.locator(".welcome").wait_for(state="hidden")


def opens(page: Any, name: str) -> None:
    """Open a sheet from the menu."""
    page.locator("[data-menu]").tap()
    page.locator("#menu").get_by_role("link", name=name).tap()
    page.locator("#sheet[open] h2").first.wait_for()


def makes(gm: Any, line: str) -> None:
    gm.get_by_label("Type a counter").fill(line)
    gm.locator("#typed-preview .line-shown").wait_for()
    gm.keyboard.press("Enter")
    gm.locator("#typed-preview .line-shown").wait_for(state="detached")


def has(page: Any, name: str) -> None:
    page.locator("#groups").get_by_role("link", name=name, exact=True).wait_for()


def test_a_player_cannot_end_the_evening_while_the_gms_laptop_sleeps(
    phone: Phones, night: Callable[..., Night], port: int
) -> None:
    running = night(port, COUNTERSITE_HOST_AWAY="2")
    gm, ana = phone(1280, 800), phone()
    invitation, _host = begin(gm, running.site)
    sits_down(ana, running.site + invitation, "Ana")
    makes(gm, "Canary danger 6")
    address = gm.url
    gm.goto("about:blank")
    ana.locator(".new-host", has_text="Ana can let people in and lock the table").wait_for(
        timeout=15_000
    )

    opens(ana, "Save or play again")
    assert 0 == ana.locator("#sheet").get_by_text("Play again", exact=True).count()
    ana.locator("#sheet").get_by_role("button", name="Close").first.tap()
    opens(ana, "Seats")
    ana.get_by_text("Everything else waits for the GM.").wait_for()
    assert 0 == ana.locator("#sheet .seat-host").count()
    again = """async () => {
      const body = new FormData(document.querySelector("#aside"));
      return (await fetch("again", { method: "POST", body })).status;
    }"""
    assert 403 == ana.evaluate(again)

    gm.goto(address)
    has(gm, "Canary")
    ana.locator(".new-host", has_text="GM is the host now.").wait_for(state="attached")
    assert 0 == gm.locator(".arrival").count()


def test_a_rematch_by_mistake_is_one_tap_back_on_every_screen(
    phone: Phones, running: Night
) -> None:
    gm, ana, watcher = phone(1280, 800), phone(360, 740), phone()
    invitation, _host = begin(gm, running.site)
    sits_down(ana, running.site + invitation, "Ana")
    watcher.goto(f"{running.site}{invitation}?watch")
    watcher.wait_for_selector("#board")
    makes(gm, "The tide progress 6 open")
    has(ana, "The tide")
    before = gm.url.split("?")[0]
    opens(gm, "Save or play again")
    gm.locator("#sheet").get_by_text("Play again", exact=True).tap()
    gm.get_by_role("button", name="Bring everyone along").tap()

    for each in (gm, ana, watcher):
        each.wait_for_url(lambda url: "/g/" in url and not url.startswith(before))
        each.get_by_role("link", name="Back to the game before").tap()
        has(each, "The tide")
    assert 0 == ana.get_by_role("button", name="Keep playing this game").count()
    assert [] == complaints(gm)
    ana.get_by_role("link", name="Go to the current game").tap()
    ana.wait_for_url(lambda url: not url.startswith(before))

    gm.get_by_role("button", name="Keep playing this game").tap()

    for each in (gm, ana, watcher):
        each.wait_for_url(lambda url: url.split("?")[0] == before, timeout=15_000)
    makes(gm, "The moon progress 4 open")
    for each in (gm, ana, watcher):
        has(each, "The tide")
        has(each, "The moon")


def test_a_laptop_and_a_tablet_run_the_session_together(phone: Phones, running: Night) -> None:
    laptop, tablet, ana = phone(1280, 800), phone(820, 1180), phone()
    invitation, host = begin(laptop, running.site)
    sits_down(ana, running.site + invitation, "Ana")
    tablet.goto(running.site + host)
    tablet.wait_for_selector('#live[data-seat="gm"]')
    makes(tablet, "Canary danger 6")
    has(laptop, "Canary")
    makes(laptop, "Crow danger 4")
    has(tablet, "Crow")

    opens(laptop, "Seats")
    laptop.get_by_text(re.compile(r"Also here: \w+, since \d\d:\d\d")).wait_for()
    assert [] == complaints(laptop)
    laptop.get_by_role("button", name="Take it off").tap()

    tablet.get_by_text("another device there took it off").wait_for()
    assert 0 == tablet.get_by_text("Canary").count()
    tablet.goto(running.site + host)
    assert 0 == tablet.locator("#live").count()
    has(laptop, "Crow")
    assert 0 == ana.get_by_text("Canary").count()


def test_a_co_gm_comes_without_a_protagonist(phone: Phones, running: Night) -> None:
    gm, eva = phone(1280, 800), phone()
    invitation, _host = begin(gm, running.site)
    makes(gm, "Canary danger 6")
    gm.get_by_role("link", name="Board", exact=True).tap()
    gm.get_by_text("Co-GM: sees and does what you do").tap()
    gm.get_by_role("button", name="A co-GM without a protagonist").tap()
    eva.goto(f"{running.site}{invitation}")
    opens(eva, "Seats")
    place = eva.locator(".seat-choices li", has=eva.locator(".seat-name", has_text="Co-GM"))
    place.get_by_role("button", name="Ask for this seat").tap()
    gm.locator("#sheet").get_by_role("link", name="Co-GM", exact=True).wait_for(state="attached")
    asks = gm.locator("#sheet .seat-request")
    asks.get_by_text("A computer wants to play as Co-GM and see every secret.").wait_for()
    asks.get_by_role("button", name="Let them in").tap()

    eva.wait_for_selector('#live[data-seat="co-gm"]')
    has(eva, "Canary")
    makes(eva, "Eclipse danger 4")
    has(gm, "Eclipse")


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
    shows(ana, "#sheet", "Session 1, The drowned lighthouse")

    gm.locator(".tools a[href=log]").click()
    shows(gm, "#sheet", "Session 1 is over")
    undone = gm.locator("#sheet [data-does=undo]").count()
    assert undone == 1, "only the end itself can be undone"
    assert not [each for each in [*seen, ana.content(), ben.content()] if "§ZQ" in each]
