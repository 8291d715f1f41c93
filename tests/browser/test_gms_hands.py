"""The GM's hands: keys, dragging, typing, tabs, and where the focus is in a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from games.store import demos
from tests.night import Night
from tests.types import Phones

from .tables import CONNECTED, COUNTERS, SESSION, Host, Table
from .test_giving import shows
from .test_slots_layout import PHONES

pytestmark = pytest.mark.browser

SCENES = {
    "Lighthouse": "running", "Attic": "prepared", "The village square at night": "prepared",
    "Beach": "over", "Cellar": "over",
}  # fmt: skip
ATTIC = {"name": "§ZQATTIC bell", "type": "timer", "slots": 4, "scene": "Attic", "order": 9}
BAG = {"name": "Bag", "type": "inventory", "slots": 3, "order": 10}
WRECK = {"name": "Wreck", "scene": "Beach", "visibility": "known", "order": 11}
GIVEN = {**SESSION["given"], "scenes": SCENES}
EVENING = {**SESSION, "given": {**GIVEN, "slot_counters": {
    **COUNTERS, "attic": ATTIC, "bag": BAG, "wreck": WRECK,
}}}  # fmt: skip


CLIPPED = """(row) => [...row.querySelectorAll("button, span")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth)
    .map((each) => each.textContent)"""


@pytest.fixture
def gm(chromium: Any, running: Night) -> Iterator[Any]:
    """A GM with a mouse and a keyboard at a laptop."""
    context = chromium.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion="reduce", service_workers="block"
    )
    page = context.new_page()
    host = Host(page, running.site)
    host.open(host.played(EVENING))
    yield page
    context.close()


def focused(page: Any, selector: str) -> bool:
    return bool(page.evaluate(f"document.activeElement.matches({selector!r})"))


def test_typing_into_a_sheet_that_has_just_opened_types(gm: Any) -> None:
    """Each letter was a command: u undid the last act, a opened another sheet."""
    gm.locator("#k-c1 .slot-stepper button").last.click()
    shows(gm, "#k-c1 .slot-text", "5")

    for opens, field, name in (
        (".tab-next", "[name=scene]", "Haunted"),
        ("#k-bag .is-free a", "[name=item]", "rusty key"),
        ("[data-key=n]", "#slot-line", "aura hunt"),
    ):
        gm.locator(opens).first.click()
        gm.keyboard.type(name)
        gm.wait_for_function(
            "([field, name]) => document.querySelector('#sheet ' + field)?.value === name",
            arg=[field, name],
        )
        assert focused(gm, field)
        gm.keyboard.press("Escape")
        gm.locator("#sheet").wait_for(state="hidden")
    shows(gm, "#k-c1 .slot-text", "5")


def test_a_sheet_without_a_field_has_its_heading_in_focus(gm: Any) -> None:
    gm.get_by_role("link", name="See it as").click()
    gm.wait_for_function("() => document.activeElement.matches('#sheet h2')")


@pytest.mark.parametrize("by_key", [True, False])
def test_an_undo_says_what_it_took_back_and_redoes_it(gm: Any, *, by_key: bool) -> None:
    gm.locator("#k-c1 .slot-stepper button").last.click()
    shows(gm, "#k-c1 .slot-text", "5")
    shows(gm, "#undo", "4 → 5")
    if by_key:
        gm.keyboard.press("u")
    else:
        gm.locator("#undo").click()

    shows(gm, "#banner .moment", "1 filled on Reach the lamp")
    shows(gm, "#k-c1 .slot-text", "4")
    gm.locator("#banner").get_by_role("button", name="Redo").click()
    shows(gm, "#k-c1 .slot-text", "5")


def test_a_counter_dragged_into_a_running_scene_stays_hidden_until_it_is_shown(
    table: Table,
) -> None:
    received: list[str] = []
    table.ana.on("websocket", lambda ws: ws.on("framereceived", lambda t: received.append(str(t))))
    table.ana.reload()
    table.ana.wait_for_function(CONNECTED)
    table.gm.locator("#k-attic").drag_to(table.gm.locator("[data-tab='scene:Lighthouse']"))

    shows(table.gm, "#banner .moment", "§ZQATTIC bell is still hidden")
    shows(table.gm, "#k-attic .slot-eyes", "Only you")
    assert "§ZQATTIC" not in "".join(received) + table.ana.content()
    table.gm.get_by_role("button", name="Show it: Ana, Ben, TV").click()
    table.ana.locator("#k-attic").wait_for()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768)])
def test_a_mouse_reaches_every_tab_and_the_next_scene(gm: Any, width: int, height: int) -> None:
    gm.set_viewport_size({"width": width, "height": height})
    tabs = gm.locator("#tabs > *")

    assert "Done" in gm.locator("#tabs").inner_text()
    assert "Beach" not in gm.locator("#tabs").inner_text()
    for tab in tabs.all():
        box = tab.bounding_box()
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        assert tab.evaluate("(e, at) => e.contains(document.elementFromPoint(at.x, at.y))", at)
    gm.locator("[data-tab=done]").click()
    assert ["Beach"] == gm.locator("#groups .group:visible h2").all_inner_texts()


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_the_next_scene_is_in_a_thumb_s_reach_on_a_phone(
    table: Table, width: int, height: int
) -> None:
    table.gm.set_viewport_size({"width": width, "height": height})
    box = table.gm.locator(".tab-next").bounding_box()

    assert 0 <= box["x"] <= width - box["width"]
    table.gm.locator(".tab-next").tap()
    shows(table.gm, "#sheet", "The next scene")


@pytest.mark.parametrize(("width", "height"), [*PHONES, (844, 390)])
def test_the_large_number_opens_a_row_that_turns_points_into_slots(
    table: Table, width: int, height: int
) -> None:
    ana = table.ana
    ana.set_viewport_size({"width": width, "height": height})
    box = ana.locator("#own .is-hero > b").bounding_box()
    ana.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    pad = ana.locator("#own-pad")
    pad.wait_for()

    pad.get_by_label("I rolled").fill("7")
    row = pad.locator(".own-pad-row")
    assert row.evaluate("(row) => row.scrollWidth <= row.clientWidth")
    assert row.evaluate(CLIPPED) == []
    pad.get_by_role("button", name="2 slots").tap()
    shows(ana, "#own .is-hero > b", "6")
    shows(table.gm, "#party", "6")
    pad.wait_for(state="hidden")


def test_the_preview_of_a_typed_line_stays_in_its_field_and_goes_with_the_line(gm: Any) -> None:
    line, preview = gm.locator("#typed-line"), gm.locator("#typed-preview")
    line.fill("The harbour master’s old debt to the village danger 80")
    preview.locator(".line-shown").wait_for()
    field, inner = (gm.locator(each).bounding_box() for each in (".typed-field", ".line-shown"))
    assert inner["y"] + inner["height"] <= field["y"] + field["height"]

    line.press("Control+a")
    line.press("Delete")
    gm.wait_for_timeout(400)
    assert "" == preview.inner_text()
    line.fill("wound 3 @ana")
    shows(gm, "#typed-preview", "Wound · Progress · 3 slots · Ana · All")
    line.press("Escape")
    assert ("", "") == (line.input_value(), preview.inner_text())


def test_under_all_a_new_counter_goes_to_the_one_scene_that_runs(gm: Any) -> None:
    line = gm.locator("#typed-line")
    line.fill("Fog danger 4")
    shows(gm, "#typed-preview", "in Lighthouse")
    line.press("Enter")

    gm.locator('[data-group="scene:Lighthouse"] .slot', has_text="Fog").wait_for()


def test_no_player_sees_what_is_over(table: Table) -> None:
    assert "Wreck" not in table.ana.content()
    assert "Something stirs" in table.ana.content()


WORDS = """() => [...document.querySelectorAll(".tools > *, .slot-bar > .button")]
    .filter((each) => each.checkVisibility())
    .map((each) => {
      const { content } = getComputedStyle(each, "::after");
      const word = content === "none" ? each.innerText.trim() : content.match(/^"(.*?)"/)[1];
      return [word, each.scrollWidth <= each.clientWidth && each.clientHeight >= 44];
    })"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (820, 1180)])
def test_every_icon_of_a_gm_has_its_word(
    chromium: Any, running: Night, width: int, height: int
) -> None:
    context = chromium.new_context(
        viewport={"width": width, "height": height}, is_mobile=True, has_touch=True,
        service_workers="block",
    )  # fmt: skip
    gm = context.new_page()
    host = Host(gm, running.site)
    host.open(host.fresh("stars-and-signs", 3))

    tools = ["Help", "Invite", "Dice", "Log", "See it as", "More"]
    bar = ["Board", "Action…", "End session…"]
    narrow = width < 800
    shown = tools if narrow else tools + bar
    assert [[word, True] for word in shown] == gm.evaluate(WORDS)
    assert width == gm.evaluate("Math.max(innerWidth, document.documentElement.scrollWidth)")
    gm.locator("[data-menu]").tap()
    assert bar == gm.locator("#menu [data-gm] a").all_inner_texts()
    if narrow:
        gm.locator("#menu [data-gm] a[href*=board]").tap()
    else:
        gm.keyboard.press("Escape")
        gm.locator(".slot-bar a[href*=board]").tap()
    gm.locator("#sheet a[href*=milestone]").tap()
    shows(gm, "#sheet h2", "Major Milestone")
    context.close()


LINES = """(button) => {
  const text = button.querySelector("span").firstChild;
  const lines = new Map();
  for (let n = 0; n < text.length; n++) {
    const range = document.createRange();
    range.setStart(text, n);
    range.setEnd(text, n + 1);
    const { bottom } = range.getBoundingClientRect();
    lines.set(bottom, (lines.get(bottom) ?? "") + text.data[n]);
  }
  return [...lines.values()].join("|");
}"""
"""The lines of a button's words."""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (820, 1180)])
def test_an_actor_and_an_outcome_are_two_taps(
    chromium: Any, running: Night, width: int, height: int
) -> None:
    context = chromium.new_context(
        viewport={"width": width, "height": height}, is_mobile=True, has_touch=True,
        service_workers="block",
    )  # fmt: skip
    gm = context.new_page()
    host = Host(gm, running.site)
    demo = demos.ready_demo("own-game", "dungeons-and-dragons")
    assert demo
    outcomes = [{"name": "Hit"}, {"name": "Miss"}, {"name": "Critical hit"}]
    dungeon = {**demo["definition"], "gm": {**demo["definition"]["gm"], "outcomes": outcomes}}
    host.open(host.played({**demo, "definition": dungeon}))

    gm.get_by_role("radiogroup", name="Who acted").locator("label").nth(1).tap()
    gm.locator("#act").get_by_role("button", name="Miss", exact=True).tap()
    gm.locator("#undo[aria-label='Undo: Ben acts: Miss']").wait_for()
    assert not gm.locator("#act :checked").count(), "the next Action is somebody else’s"
    assert not gm.locator("#sheet[open]").count(), "nothing can follow"

    # A fight's bar: no word is broken, and nothing is below 44 pixels.
    turn = gm.locator("#bar .is-main")
    assert turn.inner_text() == "Next: Lamprey swarm"
    assert "Lamprey" in turn.evaluate(LINES)
    for each in gm.locator(".acts :is(button, .actors label, .button):visible").all():
        box = each.bounding_box()
        assert box["width"] >= 44 <= box["height"], each.inner_text()
    context.close()


def test_seven_who_may_act_are_told_apart_on_a_small_phone(phone: Phones, running: Night) -> None:
    """Before anyone has sat down, too: a GM may keep the numbers of all."""
    gm = phone(360, 640)
    host = Host(gm, running.site)
    host.open(host.fresh("stars-and-signs", 8))
    marks = gm.locator("#act .actors .seat-mark")

    assert [str(n) for n in range(2, 9)] == marks.all_inner_texts()
    tops = {mark.bounding_box()["y"] for mark in marks.all()}
    assert len(tops) == 1, "they stand in one line"
    assert 360 == gm.evaluate("document.documentElement.scrollWidth")
