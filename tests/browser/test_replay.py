"""An evening of 500 lines watched again: by slider, by keys, by itself, and from a link."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .tables import Host

pytestmark = pytest.mark.browser

LINES, EACH = 500, 50
"""Each turn is of so many lines: it begins, then its player loads the rocket."""


def evening() -> dict[str, Any]:
    turns = [("ben", "ana")[n % 2] for n in range(LINES // EACH)]
    fuel = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1}
    when: list[dict[str, Any]] = []
    for seat in turns:
        when += [{"do": "begin-turn", "active": [seat], "by": seat}]
        when += [{**fuel, "by": seat}] * (EACH - 1)
    return {
        "id": "evening", "title": "Friday", "system": "any-game", "when": when, "then": {},
        "names": {"ana": "Ana", "ben": "Ben"},
        "given": {
            "seats": {"ana": {}, "ben": {}},
            "objects": {"rocket": {"owner": "ana", "name": "Rocket", "counters": {"fuel": 1000}}},
        },
    }  # fmt: skip


def fuel(line: int) -> str:
    """What the rocket held just after *line*."""
    return str(1000 + line - (line + EACH - 1) // EACH)


def test_an_evening_is_watched_again_by_slider_by_keys_and_from_a_link(
    phone: Callable[..., Any], running: Night
) -> None:
    from playwright.sync_api import expect

    ana, dan = phone(), phone(844, 390)
    sockets: list[Any] = []
    ana.on("websocket", lambda each: sockets.append(each))
    address = Host(ana, running.site).played(evening())

    def at(page: Any, line: int, *, of: str) -> None:
        slider = page.locator("input[type=range]")
        expect(slider).to_have_attribute(
            "aria-valuetext", re.compile(rf"^Line {line}, {of}, \d\d:")
        )
        expect(page.locator('[id="rocket.fuel"]')).to_have_text(fuel(line))

    ana.goto(f"{address}replay?line=214")
    expect(ana.locator("#caption")).to_contain_text("Line 214")
    expect(ana.locator('[id="rocket.fuel"]')).to_have_text(fuel(214))
    for key, line, of in (
        ("ArrowRight", 215, "Ben’s turn 3"),
        ("ArrowLeft", 214, "Ben’s turn 3"),
        ("PageDown", 251, "Ana’s turn 4"),
        ("PageUp", 201, "Ben’s turn 3"),
        ("PageUp", 151, "Ana’s turn 3"),
        ("End", 500, "Ana’s turn 6"),
    ):
        ana.keyboard.press(key)
        at(ana, line, of=of)
    ana.keyboard.press("Home")
    expect(ana.locator("#caption")).to_contain_text("The beginning")

    box = ana.locator("input[type=range]").bounding_box()
    assert box["height"] >= 44
    ana.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(ana.locator("#caption")).to_contain_text(re.compile("Line 2[45]\\d"))
    ana.get_by_role("button", name="Play").tap()
    ana.wait_for_function("() => Number(document.querySelector('[type=range]').value) > 256")
    ana.get_by_role("button", name="Pause").tap()
    line = int(ana.locator("input[type=range]").input_value())
    at(ana, line, of="Ana’s turn 4")
    ana.wait_for_url(re.compile(rf"line={line}$"))
    assert [] == sockets

    # A stranger with the link stands at the same moment, and nothing there can be used.
    link = ana.evaluate("`${document.querySelector('.player').dataset.link}?line=214`")
    dan.goto(running.site + re.sub(r"^https?://[^/]+", "", link))
    expect(dan.locator('[id="rocket.fuel"]')).to_have_text(fuel(214))
    dan.get_by_role("button", name="A step on").tap()
    at(dan, 215, of="Ben’s turn 3")
    assert dan.evaluate("[...document.querySelectorAll('#board > *')].every((each) => each.inert)")
    assert dan.evaluate("document.documentElement.scrollWidth <= innerWidth")
