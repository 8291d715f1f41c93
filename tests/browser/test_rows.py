"""Rows of counters, cards on demand, and the notes folded away: how much of a table is in sight."""

from __future__ import annotations

from typing import Any

import pytest

from .tables import COUNTERS, SESSION, Table
from .test_gms_hands import shows

pytestmark = pytest.mark.browser

MORE: dict[str, dict[str, Any]] = {
    "s1": {"name": "The stairs give way", "type": "danger", "filled": 3, "visibility": "known",
           "scene": "Lighthouse", "order": 5},
    "s2": {"name": "The village drowns", "type": "defeat", "slots": 10, "visibility": "hidden",
           "scene": "Lighthouse", "order": 6},
    "s3": {"name": "Signal the ship", "slots": 5, "filled": 3, "temporary": 1,
           "scene": "Lighthouse", "order": 7},
    "s4": {"name": "Who cut the keeper’s rope and why", "type": "danger", "slots": 8,
           "scene": "Lighthouse", "order": 8},
    "a1": {"name": "Through the hatch", "scene": "Attic", "order": 9},
    "a2": {"name": "Her brother’s ghost", "type": "danger", "slots": 8, "visibility": "hidden",
           "scene": "Attic", "order": 10},
}  # fmt: skip
GIVEN = {**SESSION["given"], "scenes": {"Attic": "prepared"}}
SCENE = {key: {**each, **({} if each.get("owner") else {"scene": "Lighthouse"})}
         for key, each in COUNTERS.items()}  # fmt: skip
EVENING = {**SESSION, "given": {**GIVEN, "slot_counters": {**SCENE, **MORE}}}
WHOLE = """() => {
  const board = document.getElementById("board").getBoundingClientRect();
  return [...document.querySelectorAll("#groups .slot")]
    .filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect())
    .filter(({ top, bottom, width }) => width && top >= board.top - 1 && bottom <= board.bottom + 1)
    .length;
}"""
OVERLAPS = """() => [...document.querySelectorAll("#groups .slot")].flatMap((slot) => {
  const parts = [".slot-name :is(a, span)", ".slot-stepper > span", ".slot-text", ".slot-seers"]
    .map((part) => slot.querySelector(part))
    .filter((part) => part?.checkVisibility())
    .map((part) => {
      const words = document.createRange();
      words.selectNodeContents(part);
      return [part.className || part.textContent, words.getBoundingClientRect()];
    })
    .filter(([, { width }]) => width);
  return parts.flatMap(([name, one], at) =>
    parts.slice(at + 1)
      .filter(([, two]) =>
        Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 &&
        Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 2)
      .map(([other]) => `${slot.id}: ${name} and ${other}`));
})"""


def test_six_counters_are_in_sight_beside_a_moment_on_a_gm_s_phone(table: Table) -> None:
    """As cards, one was."""
    gm = table.gm
    gm.set_viewport_size({"width": 390, "height": 844})
    gm.locator("#k-s3 .slot-stepper button").last.click()
    gm.locator("#k-s3 .slot-stepper button").last.click()
    gm.locator("#k-s3 .slot-stepper button").last.click()

    shows(gm, "#banner .moment", "Signal the ship")
    gm.wait_for_timeout(300)  # the moment has slid up
    assert gm.evaluate(WHOLE) >= 6
    for width in (390, 360):
        gm.set_viewport_size({"width": width, "height": 640})
        assert [] == gm.evaluate(OVERLAPS)
        assert width == gm.evaluate("document.documentElement.scrollWidth")


def test_a_rows_readers_are_two_taps_on_a_phone_and_the_player_has_it_then(table: Table) -> None:
    gm = table.gm
    gm.set_viewport_size({"width": 390, "height": 844})
    box = gm.locator("#k-s2 .slot-seers").bounding_box()
    gm.touchscreen.tap(box["x"] + 8, box["y"] + 8)
    gm.locator("#sheet .slot-who").get_by_role("button", name="All", exact=True).tap()

    shows(gm, "#k-s2 .slot-seers", "All")
    table.ana.locator("#k-s2").wait_for()


def test_a_row_is_one_line_on_a_laptop(table: Table) -> None:
    heights = table.gm.evaluate(
        """[...document.querySelectorAll("#groups .slot")]
          .filter((each) => each.checkVisibility() && !each.querySelector(".slot-flag, .inventory"))
          .map((each) => each.clientHeight)"""
    )

    assert len(heights) > 9
    assert set(heights) == {44}
    assert [] == table.gm.evaluate(OVERLAPS)


def test_cards_are_one_switch_away_and_this_device_remembers_it(table: Table) -> None:
    gm = table.gm

    def height() -> float:
        found: float = gm.locator("#k-c1").bounding_box()["height"]
        return found

    assert height() < 60
    gm.get_by_role("button", name="More").click()
    switch = gm.locator("#menu [data-rows]")
    assert ("true", "on") == (
        switch.get_attribute("aria-pressed"),
        switch.get_attribute("data-state"),
    )
    switch.click()
    gm.locator("#menu [data-close]").click()
    assert height() > 120
    table.ana.locator("#own").get_by_role("button", name="Fill one slot of Despair").tap()
    table.hosts[0].give(do="create", name="The fog", scene="Lighthouse", **{"as": "fog"})
    gm.locator("#k-fog").wait_for()
    assert height() > 120, "the board was drawn anew, in rows"
    gm.reload()
    gm.locator("#k-c1").wait_for()
    assert height() > 120

    gm.get_by_role("button", name="More").click()
    switch.click()
    gm.locator("#menu [data-close]").click()
    assert height() < 60
    assert gm.evaluate("localStorage.getItem('slots:counters')") is None, "rows are as usual again"


def test_folded_notes_leave_their_place_to_a_second_scene(table: Table) -> None:
    gm = table.gm

    def left(selector: str) -> float:
        found: float = gm.locator(selector).bounding_box()["x"]
        return found

    gm.locator("#notebook").get_by_role("button", name="Fold").click()
    assert not gm.locator("#notebook").is_visible()
    assert left("#k-a1") > 600 > left("#k-c1"), "the scenes are not beside each other"
    assert [] == gm.evaluate(OVERLAPS)
    gm.locator("#k-a1 .slot-name a").click()
    shows(gm, "#sheet h2", "Through the hatch")
    sheet, row = (gm.locator(each).bounding_box() for each in ("#sheet", "#k-a1"))
    assert row["x"] + row["width"] <= sheet["x"], "the sheet covers what it is about"
    gm.keyboard.press("Escape")

    gm.reload()
    gm.locator("#k-c1").wait_for()
    assert not gm.locator("#notebook").is_visible()
    gm.locator(".tools").get_by_role("button", name="Notes").click()
    assert gm.locator("#notebook").is_visible()
