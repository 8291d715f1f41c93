"""Lines that a GM types faster than the network: none is lost, none merged, all in their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from games.store import demos
from tests.night import Night

from .tables import Host

pytestmark = pytest.mark.browser

DUNGEON = {
    "id": "lines", "title": "Lines", "system": "own-game", "when": [], "then": {},
    "definition": demos.ready_games("own-game")["dungeons-and-dragons"],
    "given": {"seats": {"gm": {}, "ana": {}}},
}  # fmt: skip
LATENCY = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1, "latency": 300}


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["laptop", "phone"])
def gm(request: Any, chromium: Any, running: Night) -> Iterator[Any]:
    """A GM at a table of fantasy, far from its server."""
    width, height = request.param
    context = chromium.new_context(
        viewport={"width": width, "height": height}, has_touch=width < 600, service_workers="block"
    )
    page = context.new_page()
    host = Host(page, running.site)
    host.open(host.played(DUNGEON))
    context.new_cdp_session(page).send("Network.emulateNetworkConditions", LATENCY)
    yield page
    context.close()


def types(gm: Any, *lines: str, pace: int = 0) -> None:
    gm.locator("#typed-line").focus()
    for line in lines:
        gm.keyboard.type(line, delay=pace)
        gm.keyboard.press("Enter")


def made(gm: Any, count: int) -> list[str]:
    """The names of the counters in the order of the board, once there are so many."""
    names = gm.locator("#groups .slot-name a")
    names.nth(count - 1).wait_for()
    return [name.strip() for name in names.all_inner_texts()]


def waits(gm: Any, text: str, state: str) -> Any:
    """The line below the field that says *text*."""
    row = gm.locator(f'.typed-lines > li[data-state="{state}"]', has_text=text)
    row.wait_for()
    return row


def test_each_of_three_lines_in_a_row_becomes_its_counter(gm: Any) -> None:
    types(gm, "Zed foe 6", "Rat foe 2 hidden", "Bell clock 4")

    assert "" == gm.locator("#typed-line").input_value()
    assert ["Zed", "Rat", "Bell"] == made(gm, 3)
    gm.wait_for_function("() => !document.querySelector('.typed-lines > li')")


def test_enter_twice_makes_one(gm: Any) -> None:
    types(gm, "Zed foe 6 hidden", "", "Rat foe 2 hidden", "")

    assert ["Zed", "Rat"] == made(gm, 2)
    gm.wait_for_function("() => !document.querySelector('.typed-lines > li')")
    assert ["Zed", "Rat"] == made(gm, 2)


@pytest.mark.sweep
def test_twenty_lines_typed_by_a_quick_hand_become_twenty_counters(gm: Any) -> None:
    names = [f"Imp{chr(97 + n)}" for n in range(20)]
    types(gm, *(f"{name} foe {n + 5}" for n, name in enumerate(names)), pace=60)

    assert names == made(gm, 20)
    assert [f"{n + 5}" for n in range(20)] == [
        text.split("/")[0].strip() for text in gm.locator("#groups .slot-text").all_inner_texts()
    ]


def test_a_refused_line_is_back_in_its_field_with_the_reason(gm: Any) -> None:
    types(gm, "Zed foe 99999")
    gm.locator(".typed-field > .refusal", has_text="slots").wait_for()
    gm.keyboard.press("Enter")  # and again

    gm.locator(".typed-field > .refusal", has_text="slots").wait_for()
    assert "Zed foe 99999" == gm.locator("#typed-line").input_value()
    gm.keyboard.type("Orc foe 5")  # over it: nothing is merged, nothing lost
    assert "Orc foe 5" == gm.locator("#typed-line").input_value()
    waits(gm, "Zed foe 99999", "refused")


def test_a_refused_line_waits_beside_what_is_half_typed(gm: Any) -> None:
    types(gm, "Zed foe 99999", "Bell 4")
    gm.keyboard.type("Orc fo")

    waits(gm, "Zed foe 99999", "refused")
    asked = waits(gm, "Bell 4", "asked")
    assert "Orc fo" == gm.locator("#typed-line").input_value()
    asked.locator(".slot-tile", has_text="Clock").click()
    assert ["Bell"] == made(gm, 1)

    waits(gm, "Zed foe 99999", "refused").get_by_role("button", name="Zed foe 99999").click()
    assert "Zed foe 99999" == gm.locator("#typed-line").input_value()
    waits(gm, "Orc fo", "refused")


def test_a_line_that_was_quicker_than_its_preview_can_be_taken_back_before_it_is_public(
    gm: Any,
) -> None:
    gm.clock.install()
    gm.clock.pause_at(gm.evaluate("Date.now()") + 60_000)
    types(gm, "Zed foe 6")

    shown = waits(gm, "Foe’s hit points · 6 slots", "")
    shown.get_by_role("button", name="Zed foe 6").click()
    assert "Zed foe 6" == gm.locator("#typed-line").input_value()
    gm.clock.resume()
    types(gm, " hidden")
    assert ["Zed"] == made(gm, 1)
    assert gm.locator("#groups .slot .slot-seers", has_text="Only you").count()


def test_lines_on_their_way_outlive_a_reload(gm: Any) -> None:
    types(gm, "Zed foe 6", "Orc foe 59")
    gm.reload()

    assert ["Zed", "Orc"] == made(gm, 2)


def test_a_line_in_the_sheet_is_made_too_however_soon_enter_comes(gm: Any) -> None:
    gm.locator("[data-key=n]").click()
    gm.locator("#slot-line").wait_for()
    gm.locator("#slot-line").focus()
    gm.keyboard.type("Zed foe 6 hidden")
    gm.keyboard.press("Enter")

    assert ["Zed"] == made(gm, 1)
    gm.locator("#sheet").wait_for(state="hidden")
