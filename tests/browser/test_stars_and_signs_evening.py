"""A short evening of Stars and Signs from the first page: a GM and two players with phones."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .test_stars_and_signs import says as shows

pytestmark = pytest.mark.browser


class Evening:
    """A game that the GM made in three taps, and two players who opened its link."""

    def __init__(self, new_phone: Callable[..., Any], night: Night) -> None:
        self.gm, self.ann, self.bo = new_phone(), new_phone(), new_phone()
        self.received: list[str] = []
        self.ann.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda text: self.received.append(str(text))),
        )
        self.gm.goto(night.site)
        self.gm.get_by_role("link", name="Stars and Signs").tap()
        self.gm.get_by_role("button", name="Start").tap()
        self.gm.wait_for_url("**/share")
        link = re.search(r"/j/\w+", self.gm.content())
        assert link
        self.gm.get_by_role("link", name="Go to the table").tap()
        for player, name in ((self.ann, "Ann"), (self.bo, "Bo")):
            player.goto(night.site + link[0])
            player.get_by_label("What’s your name?").fill(name)
            player.get_by_role("button", name="OK").tap()
            shows(self.gm, "#party", name)
            player.locator(".welcome").wait_for(state="hidden")
            player.locator(".is-mine summary").tap()  # one's own stay unfolded

    def types(self, line: str) -> None:
        """The GM makes a counter from a typed line, once its preview is there."""
        self.gm.get_by_label("Type a counter").fill(line)
        self.gm.locator("#typed-preview", has_text=line.split()[0]).wait_for()
        self.gm.keyboard.press("Enter")
        self.gm.locator("#typed-preview .line-shown").wait_for(state="detached")

    def seen(self) -> None:
        """Everyone dismisses the banner."""
        for page in (self.gm, self.ann, self.bo):
            page.locator("#banner").get_by_text("Got it").tap()
            assert 0 == page.locator("#banner .moment").count()


@pytest.fixture
def evening(phone: Phones, running: Night) -> Evening:
    return Evening(phone, running)


def slot(page: Any, name: str) -> Any:
    return page.locator("#groups .slot", has=page.get_by_role("link", name=name, exact=True))


def text(page: Any, name: str, said: str) -> None:
    slot(page, name).locator(".slot-text", has_text=said).wait_for()


def test_an_evening(evening: Evening) -> None:
    gm, ann, bo = evening.gm, evening.ann, evening.bo

    # A Danger in two taps, whose name counts though the sheet is closed without Done.
    gm.get_by_role("link", name="New").tap()
    gm.locator("#sheet .slot-tile", has_text="Danger").first.tap()
    gm.locator("#slot-new-name").fill("Canary guards")
    gm.get_by_role("button", name="Close").first.tap()
    text(gm, "Canary guards", "0/5")

    # Typed lines; what cannot be meant is refused and stays in the field.
    for line in ("ammo resource 5x5 @ann", "Break the seal progress 3", "flashback timer 3"):
        evening.types(line)
    gm.get_by_label("Type a counter").fill("fire danger 80")
    gm.keyboard.press("Enter")
    shows(gm, "#typing p.refusal:not(:empty)", "A counter has 1 to 10 slots.")
    assert "fire danger 80" == gm.get_by_label("Type a counter").input_value()
    gm.get_by_label("Type a counter").fill("")

    box = slot(gm, "Flashback").bounding_box()
    assert 0 <= box["y"] <= 844 - box["height"], "what was just made is not in sight"

    # Ann pays 7 points with two slots; 20 more would be four, and she has three: the GM declines.
    ann.get_by_role("link", name="ammo").tap()
    ann.get_by_label("Points rolled at the table").fill("7")
    ann.get_by_role("button", name="I rolled it").tap()
    shows(ann, "#roll .preview", "7 → 2 slots")
    ann.locator("#roll").get_by_role("button", name="Apply").tap()
    text(ann, "ammo", "3 left")
    ann.get_by_role("link", name="ammo").tap()
    ann.get_by_label("Points rolled at the table").fill("20")
    ann.get_by_role("button", name="I rolled it").tap()
    shows(ann, "#roll .preview", "20 → needs 4 slots, you have 3.")
    ann.get_by_role("button", name="Ask the GM").tap()
    gm.evaluate("scrollTo(0, document.body.scrollHeight)")
    gm.get_by_role("button", name="Decline").tap()  # in sight wherever the board is scrolled to
    shows(ann, "#notices", "The GM declined: spend 20 (4 slots) of ammo")
    ann.locator("#notices").get_by_role("button", name="Got it").tap()

    # Bo hits: the timer moves, progress needs no asking, and what follows is offered.
    bo.get_by_role("link", name="Action").tap()
    bo.locator("#sheet").get_by_role("button", name="Hit").tap()
    bo.locator("#sheet").get_by_role("button", name="Break the seal").tap()
    shows(bo, "#roll .preview", "→")
    bo.locator("#roll").get_by_role("button", name="Apply").tap()
    text(ann, "Flashback", "1/3")
    slot(bo, "Break the seal").locator(".is-filled").first.wait_for()
    shows(gm, "#asked", "Bo acts: Hit")
    gm.get_by_role("link", name="What follows").tap()
    gm.locator("#sheet .move", has_text="Foreshadow").get_by_role("button").first.tap()
    shows(gm, "#sheet .move", "Canary guards 1/5")  # the list stays, for there may be more
    gm.get_by_role("button", name="Nothing more").tap()
    assert "Canary" not in "".join(evening.received)

    # Bo turns Fragile: a Graze is a Miss from now on, and adds nothing.
    gm.locator("#party a", has_text="Bo").tap()
    for filled in range(1, 6):
        gm.locator("#sheet").get_by_role("button", name="Fill one slot of Despair").tap()
        gm.locator("#sheet .slot-text", has_text=f"{filled}/10").first.wait_for()
    gm.get_by_role("button", name="Close").first.tap()
    shows(ann, "#party", "Fragile")
    bo.get_by_role("link", name="Action").tap()
    shows(bo, "#sheet .lowered", "Graze → Miss")
    bo.locator("#sheet").get_by_role("button", name="Graze").tap()
    bo.wait_for_selector("#sheet", state="hidden")
    shows(gm, "#asked", "Bo acts: Miss")

    # The third Action completes the timer: told once on each screen, and restarted by the GM.
    ann.get_by_role("link", name="Action").tap()
    ann.locator("#sheet").get_by_role("button", name="Miss").tap()
    for page in (gm, ann, bo):
        shows(page, "#banner .moment", "Flashback")
    gm.locator("#banner").get_by_role("button", name="Restart").tap()
    text(ann, "Flashback", "0/3")

    # What Actions call for waits, one below the other and over a reload, until it is seen to.
    gm.reload()
    proposals = gm.locator("#asked .proposal")
    assert ["Bo acts: Miss", "Ann acts: Miss"] == [
        each.split("\n")[-2] for each in proposals.locator("h2").all_inner_texts()
    ]
    proposals.get_by_role("button", name="Nothing follows").first.tap()
    proposals.filter(has_text="Bo").wait_for(state="detached")
    proposals.get_by_role("button", name="Nothing follows").tap()
    proposals.wait_for(state="detached")
    gm.reload()
    gm.locator("#groups .slot").first.wait_for()
    assert 0 == proposals.count()

    # The next scene is made hidden, and opened whole; a reload in between keeps it.
    gm.get_by_role("link", name="Scene", exact=True).tap()
    gm.get_by_label("Name").fill("The crypt")
    gm.get_by_role("button", name="Prepare it").tap()
    gm.locator("#sheet").wait_for(state="hidden")
    gm.wait_for_function("() => !history.state?.over")  # a reload would be aborted by going back
    gm.reload()
    gm.locator("[data-tab][aria-pressed=true]", has_text="The crypt").wait_for()
    evening.types("Open the coffin progress 5")
    slot(gm, "Open the coffin").locator(
        ".slot-eyes", has_text="Only you, until it begins"
    ).wait_for()
    assert "coffin" not in "".join(evening.received)
    gm.get_by_role("link", name="Begin it").locator("visible=true").tap()
    gm.get_by_role("button", name="Begin The crypt").tap()
    text(ann, "Open the coffin", "0/5")

    # A major Milestone clears Despair; one undo brings it back.
    gm.locator("[data-menu]").tap()
    gm.locator("#menu").get_by_role("link", name="Board").tap()
    gm.locator("#sheet").get_by_role("link", name="A Milestone amid the session").tap()
    gm.get_by_role("link", name="Major").tap()
    gm.get_by_role("button", name="Reach it").tap()
    text(bo, "Despair", "0/10")
    # it follows what a page gave, too
    undo = gm.get_by_role("button", name="Undo: Major Milestone")
    undo.filter(has_text="Undo milestone").tap()
    text(bo, "Despair", "5/10")

    # As Ann sees it, followed while it is open.
    gm.get_by_role("link", name="See it as").tap()
    gm.locator("#sheet").get_by_role("link", name="Ann").tap()
    hers = gm.frame_locator(".as-phone")
    hers.locator("#chips", has_text="3 ammo").wait_for()
    assert 0 == hers.get_by_text("Canary guards").count()
    ann.get_by_role("button", name="Spend one slot of ammo").tap()
    hers.locator("#chips", has_text="2 ammo").wait_for()

    # Out of the network a tap is kept, and counts once when the line is back; then a reload.
    ann.context.set_offline(True)
    ann.get_by_role("button", name="Spend one slot of ammo").tap()
    shows(ann, "#connection", "1 kept")
    ann.context.set_offline(False)
    text(ann, "ammo", "1 left")
    ann.reload()
    ann.locator(".is-mine summary").tap()
    text(ann, "ammo", "1 left")
    assert 0 == ann.locator("#banner .moment").count()
    assert "Canary" not in "".join(evening.received)
