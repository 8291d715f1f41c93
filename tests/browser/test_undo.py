"""Undo says what it will take; a refused one opens the log at the lines that stand in its way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .test_two_phones import ANA, PLUS, join, shows, start, taps

pytestmark = pytest.mark.browser

GIVE = """async (command) => {
  const token = document.querySelector("#t [name=csrfmiddlewaretoken]").value;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  await fetch("command", { method: "POST", headers, body: JSON.stringify(command) });
}"""


def test_the_button_follows_what_undo_would_take(phone: Callable[..., Any], running: Night) -> None:
    ana, ben = phone(), phone(360, 640)
    join(ben, running.site, start(ana, running.site))
    asked: list[str] = []
    ana.on("request", lambda each: asked.append(each.url) if each.url.endswith("/mine") else None)

    taps(ana, PLUS, 5)
    shows(ana, "#undo span", "+5 Champion")

    assert len(asked) <= 2, "a request for each tap"
    assert "Undo: +5 damage, Champion (Ana) (Ana)" == ana.locator("#undo").get_attribute(
        "aria-label"
    )
    assert ben.locator("#undo").is_disabled()

    # Someone else takes it back: the button must not offer it any more.
    ben.get_by_role("link", name="Log").tap()
    ben.locator(".log [data-does=undo]").first.tap()
    shows(ana, ANA, "0")
    ana.locator("#undo:disabled").wait_for()


def test_a_tap_that_is_undone_at_once_is_the_one_that_goes(
    phone: Callable[..., Any], running: Night
) -> None:
    """The button has no words yet then."""
    ana = phone()
    start(ana, running.site)
    ana.evaluate(GIVE, {"do": "note", "text": "before"})

    ana.locator(PLUS).tap()
    ana.locator("#undo").tap()

    shows(ana, ANA, "0")
    shows(ana, "#undo span", "noted: before")


def test_a_refused_undo_opens_the_log_at_its_lines(
    phone: Callable[..., Any], running: Night
) -> None:
    ana = phone()
    start(ana, running.site)
    create = {"do": "create", "as": "wolf", "name": "Wolf", "types": ["ally"]}
    ana.evaluate(GIVE, create)
    for n in range(30):
        ana.evaluate(GIVE, {"do": "note", "text": f"note {n}"})
    ana.evaluate(GIVE, {"do": "place", "on": "wolf", "counter": "buff", "amount": 1})
    ana.locator("#o-wolf").wait_for()

    ana.get_by_role("link", name="Log").tap()
    ana.locator(".log > li", has_text="Wolf (new)").locator("> [data-does=undo]").tap()

    both = ana.get_by_role("button", name="Take back both")
    both.wait_for()
    marked = ana.locator(".log .is-marked")
    assert 2 == marked.count()
    box, line = both.bounding_box(), marked.first.bounding_box()
    assert box["y"] + box["height"] <= line["y"], "the button covers the line"
    assert line["y"] + line["height"] <= 844

    both.tap()
    ana.locator("#o-wolf").wait_for(state="detached")
    assert not ana.locator("#sheet[open]").count()
