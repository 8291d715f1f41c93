"""The summary is read by finger and by arrow keys, and fits the narrowest phone."""

from __future__ import annotations

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host

pytestmark = pytest.mark.browser


def test_the_cursor_reads_all_charts_by_finger_and_by_keys(phone: Phones, running: Night) -> None:
    ana = phone(320, 640)
    host = Host(ana, running.site)
    taps = [
        {"do": "lose-life", "seat": "ana", "amount": 2000, "by": "ben"},
        {"do": "lose-life", "seat": "ben", "amount": 500, "by": "ana"},
        {"do": "lose-life", "seat": "ana", "amount": 1000, "by": "ben"},
    ]
    table = host.played(
        {
            "id": "duel", "title": "Duel", "system": "yu-gi-oh", "when": taps, "then": {},
            "given": {"seats": {"ana": {}, "ben": {}}}, "names": {"ana": "Ana", "ben": "Ben"},
        }
    )  # fmt: skip
    ana.goto(f"{table}summary")
    slider = ana.get_by_role("slider", name="Read the values at a time")
    values = ana.locator(".chart-value")

    assert 320 == ana.evaluate("document.documentElement.scrollWidth")
    assert "line 3, Ana 5000, Ben 7500" == slider.get_attribute("aria-valuetext")
    slider.focus()
    for key, said in (
        ("ArrowLeft", "6000 7500"),
        ("ArrowLeft", "6000 8000"),
        ("Home", "8000 8000"),
    ):
        slider.press(key)
        assert set(said.split()) == set(values.all_text_contents()), key
    assert ana.locator(".chart-reading").first.inner_text() == "line 0"

    ana.locator("h1").tap()
    assert {"5000", "7500"} == set(values.all_text_contents())
    plot = ana.locator(".chart-plot").bounding_box()
    ana.touchscreen.tap(plot["x"] + plot["width"] / 2, plot["y"] + 90)
    assert {"6000", "8000"} == set(values.all_text_contents())
    gutter = ana.locator(".chart-gutter").bounding_box()
    for tick in ana.locator(".chart-gutter text").all():
        assert tick.bounding_box()["x"] >= gutter["x"]


def test_letters_twice_as_large_widen_only_the_tables(phone: Phones, running: Night) -> None:
    """Text for screen readers in a table stays in it too."""
    ana = phone(360, 640)
    seats = ("ana", "ben", "cleo", "dan")
    taps = [
        {"do": "lose-life", "seat": seat, "amount": 120, "by": by}
        for seat in seats
        for by in seats
        if by != seat
    ]
    table = Host(ana, running.site).played(
        {
            "id": "four", "title": "Four", "system": "magic", "when": taps, "then": {},
            "given": {"seats": {seat: {"life": 400} for seat in seats}},
            "names": {seat: seat.capitalize() for seat in seats},
        }
    )  # fmt: skip
    ana.goto(f"{table}summary")
    ana.evaluate("document.documentElement.style.fontSize = '200%'")

    dealt = ana.get_by_role("region", name="Who dealt what")
    assert dealt.evaluate("(each) => each.scrollWidth > each.clientWidth")
    assert 360 == ana.evaluate("document.documentElement.scrollWidth")
