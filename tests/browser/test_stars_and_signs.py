"""The GM and three protagonists play a scene of Stars and Signs, each with a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, join
from .test_two_phones import shows

pytestmark = pytest.mark.browser

PROPOSAL = ".proposal:not(.is-follow-up)"
SECRETS = re.compile("keeper|village|footsteps", re.IGNORECASE)


class Scene:
    """The demo session with all seats taken, and every byte sent to Ana's phone."""

    def __init__(self, new_phone: Callable[..., Any], night: Night) -> None:
        self.received: list[str] = []
        self.gm = new_phone(1280, 800)
        host = Host(self.gm, night.site)
        table = host.demo("stars-and-signs")
        host.open(table)
        code = host.code(table)
        self.ana, self.ben, self.cleo = new_phone(360, 740), new_phone(390, 844), new_phone()
        self._listen(self.ana)
        for player, seat in ((self.ana, "ana"), (self.ben, "ben"), (self.cleo, "cleo")):
            join(player, night.site, code, seat=seat)
            player.wait_for_selector(f'#live[data-seat="{seat}"]')
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

    def everyone_sees_the_banner(self, key: str) -> None:
        """Each screen has one banner for the counter, and none once it was dismissed."""
        for page in self.all:
            shows(page, f'#banner [data-moment="{key}"] .moment-type', COMPLETE)
            page.locator(f'#banner [data-moment="{key}"]').get_by_text("Got it").click()
            assert 0 == page.locator(f'#banner [data-moment="{key}"]').count()


COMPLETE = re.compile("complete")


@pytest.fixture
def scene(phone: Phones, running: Night) -> Scene:
    return Scene(phone, running)


def says(page: Any, selector: str, text: str) -> None:
    """Wait until that text is somewhere there."""
    page.locator(selector, has_text=text).first.wait_for()


def previewed(page: Any, text: str) -> None:
    page.locator(".line-shown", has_text=text).wait_for()


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
    scene.everyone_shows("#k-c7 .slot-text", "0 left")
    scene.everyone_sees_the_banner("c7")

    # Four Actions move the tide from 2 to 6.
    for outcome in ("Graze", "Miss", "Hit", "Critical"):
        ben.get_by_role("link", name="Action").tap()
        ben.locator("#sheet").get_by_role("button", name=outcome).tap()
        if outcome in ("Hit", "Critical"):  # Ben is Fragile: a Graze is a Miss, and adds nothing
            ben.locator("#sheet").get_by_role("button", name="Nothing more").tap()
        ben.wait_for_selector("#sheet", state="hidden")
    scene.everyone_shows("#k-c4 .slot-text", "6/6")
    scene.everyone_sees_the_banner("c4")

    # The GM takes the last one back: the tide is open again; and gives it back: told once more.
    gm.get_by_role("button", name="Log").or_(gm.get_by_role("link", name="Log")).click()
    gm.locator("#sheet .log > li").first.get_by_role("button", name="Undo").click()
    scene.everyone_shows("#k-c4 .slot-text", "5/6")
    gm.keyboard.press("Escape")
    gm.locator("#k-c4").get_by_role("button", name="Fill one slot").click()
    scene.everyone_shows("#k-c4 .slot-text", "6/6")
    scene.everyone_sees_the_banner("c4")

    # Ben swaps the rope for a lantern.
    ben.locator("#chips").get_by_role("link", name="Pack").tap()
    rope = ben.locator("#sheet .item-list > li", has_text="Rope")
    rope.locator("summary", has_text="Swap").tap()
    rope.get_by_label("for").fill("Lantern")
    rope.get_by_role("button", name="Swap Rope for it").tap()
    shows(gm, "#k-c10 .inventory li:nth-child(2)", "Lantern")

    ana.reload()
    ana.wait_for_selector("#board")
    assert 0 == ana.locator("#banner .moment").count()
    assert not SECRETS.search("".join(scene.received)), "a player's phone held the GM's words"


def test_a_hidden_danger_fills_and_is_revealed(scene: Scene) -> None:
    gm, ana = scene.gm, scene.ana

    gm.keyboard.press("n")
    gm.get_by_label("Type a counter").fill("ambush danger 3")
    gm.keyboard.press("Enter")
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
    scene.everyone_sees_the_banner(key)
    ambush.get_by_role("button", name="Hide").click()
    ana.wait_for_selector(f"#k-{key}", state="detached")
    assert not SECRETS.search("".join(scene.received)), "a player's phone held the GM's words"


def test_a_typed_line_is_public_only_after_its_preview_said_so(scene: Scene) -> None:
    gm = scene.gm

    gm.keyboard.press("n")
    line = gm.get_by_label("Type a counter")
    line.fill("The assassin is Cleo dangr 6")
    line.press("Enter")  # before any preview
    previewed(gm, "The assassin is Cleo dangr · pick a type · 6 slots · The table · Only you")
    line.press("Enter")  # there is still no type
    gm.locator("#typed-preview .slot-tile", has_text="Danger").click()
    gm.locator("#groups .slot", has_text="The assassin").wait_for()
    gm.wait_for_function("() => !document.getElementById('typed-line').value")
    gm.keyboard.press("n")
    line.press_sequentially("Reach the cellar progress 8")
    previewed(gm, "Reach the cellar · Progress · 8 slots · The table · All")
    line.press("Enter")

    scene.ana.locator("#groups .slot", has_text="Reach the cellar").wait_for()
    assert "assassin" not in "".join(scene.received)


def test_enter_before_the_preview_shows_it_first_and_enter_again_makes_it(scene: Scene) -> None:
    gm = scene.gm

    gm.clock.install()
    gm.clock.pause_at(gm.evaluate("Date.now()") + 60_000)
    gm.keyboard.press("n")
    line = gm.get_by_label("Type a counter")
    gm.keyboard.type("The vault progress")
    line.press("Enter")
    previewed(gm, "The table · All")
    assert "vault" not in "".join(scene.received)
    line.press("Enter")

    scene.ana.locator("#groups .slot", has_text="The vault").wait_for()


def test_the_next_scene_is_prepared_unseen_and_begins_on_every_phone(scene: Scene) -> None:
    gm, ana = scene.gm, scene.ana

    gm.locator(".tab-next").click()
    gm.get_by_label("Name").fill("Act II")
    gm.get_by_role("button", name="Prepare it").click()
    gm.locator('[data-tab="scene:Act II"][aria-pressed="true"]').wait_for()
    gm.keyboard.press("n")
    gm.get_by_label("Type a counter").fill("The vault progress")
    previewed(gm, "All once Act II begins")
    gm.get_by_label("Type a counter").press("Enter")
    gm.locator("#groups .slot", has_text="The vault").wait_for()
    assert "vault" not in "".join(scene.received)
    assert "Act II" not in "".join(scene.received)

    gm.get_by_role("link", name="Begin it").click()
    gm.locator(".scene-preview li", has_text="Ana").get_by_text("The vault").wait_for()
    gm.get_by_role("button", name="Begin Act II").click()
    ana.locator("#banner .moment", has_text="Act II begins").wait_for()
    ana.locator("#groups .slot", has_text="The vault").wait_for()


def test_a_cost_too_high_is_asked_of_the_gm(scene: Scene) -> None:
    gm, ana = scene.gm, scene.ana

    ana.get_by_role("link", name="Ammunition").tap()
    ana.get_by_label("Points rolled at the table").fill("14")
    ana.get_by_role("button", name="I rolled it").tap()
    shows(ana, "#roll .preview", "14 → needs 3 slots, you have 2.")
    ana.get_by_role("button", name="Ask the GM").tap()
    shows(gm, f"{PROPOSAL} h2", re.compile("Ana wants to spend 14"))
    gm.get_by_role("button", name="Allow spending what’s left (2)").click()

    scene.everyone_shows("#k-c7 .slot-text", "0 left")
    assert 0 == gm.locator(PROPOSAL).count()


def test_the_gm_tells_one_player_something_and_reads_the_answer(scene: Scene) -> None:
    gm, ana, ben = scene.gm, scene.ana, scene.ben
    received_by_ben: list[str] = []
    ben.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda text: received_by_ben.append(str(text))),
    )
    ben.reload()
    ben.wait_for_selector("#board")

    # On the laptop the notes stay beside the board. What is half written outlives an answer.
    notebook = gm.locator("#notebook")
    board, beside = gm.locator("#board").bounding_box(), notebook.bounding_box()
    assert beside["x"] >= board["x"] + board["width"]
    notebook.get_by_label("A new note").fill("The lamp\nis a lure")
    notebook.get_by_role("button", name="Keep it for me").click()
    says(gm, "#notebook .notes > li:first-child .note-line", "is a lure")
    folded = notebook.locator(".notes > li:first-child").bounding_box()
    assert folded["height"] < 60, "a note is one line until it is opened"
    notebook.get_by_label("A new note").fill("Your brother lit it")
    notebook.locator(".note-new").get_by_label("Ana").check()
    notebook.get_by_role("button", name="Tell them").click()
    says(ana, "#banner .is-note", "Your brother lit it")
    assert 0 == ben.locator("#banner .is-note").count()

    notebook.get_by_label("A new note").fill("half writ")
    ana.locator("#banner").get_by_role("link", name="Answer").tap()
    ana.locator("#sheet").get_by_label("Answer: Your brother").fill("I knew")
    ana.locator("#sheet").get_by_role("button", name="Answer").tap()
    says(gm, "#asked .proposal", "I knew")
    says(gm, "#notebook .note-reply", "I knew")
    assert "half writ" == notebook.get_by_label("A new note").input_value()

    # One more tap tells Ben as well; the GM's own note and Ana's answer reached nobody else.
    row = notebook.locator(".notes > li", has_text="Your brother")
    row.locator(".note-line").click()
    row.locator(".note-readers").get_by_role("button", name="Ben").click()
    says(ben, "#banner .is-note", "Your brother lit it")
    ben.reload()
    says(ben, "#banner .is-note", "Your brother lit it")  # he has not said that he read it
    ben.locator("#banner").get_by_role("button", name="Got it").tap()
    ben.reload()
    ben.wait_for_selector("#board")
    ben.wait_for_timeout(300)
    assert 0 == ben.locator("#banner .is-note").count()
    assert "lure" not in "".join([*scene.received, *received_by_ben])
    assert "I knew" not in "".join(received_by_ben)


def test_the_gm_allows_less_and_says_why(scene: Scene) -> None:
    gm, ana = scene.gm, scene.ana
    ana.locator("#groups .slot[data-type=timer] .slot-name a").first.tap()
    for points in ("10", "5"):
        ana.get_by_label("Points rolled at the table").fill(points)
        ana.get_by_role("button", name="I rolled it").tap()
        ana.wait_for_selector("#roll .preview")
        if points == "10":
            ana.locator("#roll").get_by_role("button", name="Cancel").tap()
    ana.get_by_role("button", name="Ask the GM").tap()
    says(ana, ".proposal", "Waiting for the GM")

    asked, board = gm.locator("#in-sight").bounding_box(), gm.locator("#board").bounding_box()
    assert board["x"] + board["width"] <= asked["x"]  # beside it, so that no counter moves
    gm.get_by_text("Another number, or a word").click()
    gm.get_by_label("How many").fill("0")
    gm.get_by_label("A word with it").fill("The stairs are wet")
    gm.get_by_role("button", name="Allow this many").click()
    says(ana, "#notices .proposal", "The stairs are wet")
    assert 0 == gm.locator(PROPOSAL).count()
