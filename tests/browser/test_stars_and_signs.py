"""The GM and three protagonists play a scene of Stars and Signs, each with a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .test_two_phones import join, shows

pytestmark = pytest.mark.browser

SECRETS = re.compile("keeper|village|footsteps", re.IGNORECASE)


class Scene:
    """The demo session with all seats taken, and every byte sent to Ana's phone."""

    def __init__(self, new_phone: Callable[..., Any], night: Night) -> None:
        demo = re.search(
            r"(\S+)\s+The drowned lighthouse.*\n\s+http://[^/]+(/h/\w+)", night.printed
        )
        assert demo, night.printed
        self.received: list[str] = []
        self.gm = new_phone(1280, 800)
        self.gm.goto(night.site + demo[2])
        self.gm.wait_for_selector("#board")
        self.ana, self.ben, self.cleo = new_phone(360, 740), new_phone(390, 844), new_phone()
        self._listen(self.ana)
        for player in (self.ana, self.ben, self.cleo):
            join(player, night.site, demo[1])
        self.all = (self.gm, self.ana, self.ben, self.cleo)

    def _listen(self, page: Any) -> None:
        def keep(response: Any) -> None:
            if "/g/" in response.url and response.status == 200:
                self.received.append(response.text())

        page.on("requestfinished", lambda request: keep(request.response()))
        page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda text: self.received.append(str(text))),
        )

    def everyone_shows(self, selector: str, text: str) -> None:
        for page in self.all:
            shows(page, selector, text)

    def everyone_is_told(self, key: str) -> None:
        """Each screen has one banner for the counter, and none once it was dismissed."""
        for page in self.all:
            shows(page, f'#banner [data-moment="{key}"] .moment-type', TOLD)
            page.locator(f'#banner [data-moment="{key}"]').get_by_text("Got it").click()
            assert 0 == page.locator(f'#banner [data-moment="{key}"]').count()


TOLD = re.compile("complete")


@pytest.fixture
def scene(phone: Callable[..., Any], fresh: Night) -> Scene:
    return Scene(phone, fresh)


def applied(page: Any) -> None:
    page.locator("#roll").get_by_role("button", name="Apply").click()
    page.wait_for_selector("#roll", state="hidden")


def test_a_scene_is_played(scene: Scene) -> None:
    gm, ana, ben = scene.gm, scene.ana, scene.ben

    # Ana spends 7 points of ammunition, rolled at the table.
    ana.get_by_role("link", name="Ammunition").tap()
    ana.get_by_label("Points rolled at the table").fill("7")
    ana.get_by_role("button", name="I rolled it").tap()
    shows(ana, "#roll .preview", "7 → 2 slots → completes")
    applied(ana)
    scene.everyone_shows("#k-c7 .slot-text", "5/5")
    scene.everyone_is_told("c7")

    # Four Actions move the tide from 2 to 6.
    for outcome in ("Graze", "Miss", "Hit", "Critical"):
        ben.get_by_role("link", name="Action").tap()
        ben.locator("#sheet").get_by_role("button", name=outcome).tap()
        if outcome in ("Hit", "Critical"):  # Ben is Fragile: a Graze is a Miss, and adds nothing
            ben.locator("#sheet").get_by_role("button", name="Nothing more").tap()
        ben.wait_for_selector("#sheet", state="hidden")
    scene.everyone_shows("#k-c4 .slot-text", "6/6")
    scene.everyone_is_told("c4")

    # The GM takes the last one back: the tide is open again; and gives it back: told once more.
    gm.get_by_role("button", name="Log").or_(gm.get_by_role("link", name="Log")).click()
    gm.locator("#sheet .log > li").first.get_by_role("button", name="Undo").click()
    scene.everyone_shows("#k-c4 .slot-text", "5/6")
    gm.keyboard.press("Escape")
    gm.locator("#k-c4").get_by_role("button", name="Fill one slot").click()
    scene.everyone_shows("#k-c4 .slot-text", "6/6")
    scene.everyone_is_told("c4")

    # Ben swaps the rope for a lantern.
    ben.get_by_role("link", name="Pack", exact=True).tap()
    rope = ben.locator("#sheet .item-list > li", has_text="Rope")
    rope.locator("summary").tap()
    rope.get_by_label("for").fill("Lantern")
    rope.get_by_role("button", name="Swap Rope for it").tap()
    shows(gm, "#k-c10 .places li:nth-child(2)", "Lantern")

    ana.reload()
    ana.wait_for_selector("#board")
    assert 0 == ana.locator("#banner .moment").count()
    assert not SECRETS.search("".join(scene.received)), "a player's phone held the GM's words"


def test_a_hidden_danger_fills_and_is_revealed(scene: Scene) -> None:
    gm, ana = scene.gm, scene.ana

    gm.keyboard.press("n")
    gm.get_by_label("Or type it").fill("ambush danger 3")
    gm.get_by_role("button", name="Make it").click()
    ambush = gm.locator("#groups .slot", has_text="ambush")
    for text in ("1/3", "2/3"):
        ambush.get_by_role("button", name="Fill one slot").click()
        ambush.locator(".slot-text", has_text=text).wait_for()
    assert "ambush" not in "".join(scene.received)

    ambush.get_by_role("button", name="Reveal").click()
    key = str(ambush.get_attribute("data-counter"))
    scene.everyone_shows(f"#k-{key} .slot-text", "2/3")
    assert 0 == ana.locator(f"#k-{key} button").count()

    ambush.get_by_role("button", name="Fill one slot").click()
    scene.everyone_is_told(key)
    ambush.get_by_role("button", name="Hide").click()
    ana.wait_for_selector(f"#k-{key}", state="detached")
    assert not SECRETS.search("".join(scene.received)), "a player's phone held the GM's words"


def test_a_cost_too_high_is_asked_of_the_gm(scene: Scene) -> None:
    gm, ana = scene.gm, scene.ana

    ana.get_by_role("link", name="Ammunition").tap()
    ana.get_by_label("Points rolled at the table").fill("14")
    ana.get_by_role("button", name="I rolled it").tap()
    shows(ana, "#roll .preview", "14 → needs 3 slots, you have 2.")
    ana.get_by_role("button", name="Ask the GM").tap()
    shows(gm, ".proposal h2", re.compile("Ana wants to spend 14"))  # type: ignore[arg-type]
    gm.get_by_role("button", name="Allow spending what’s left (2)").click()

    scene.everyone_shows("#k-c7 .slot-text", "5/5")
    assert 0 == gm.locator(".proposal").count()
