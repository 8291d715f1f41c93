"""The search of the library on a phone, whose keyboard covers its lower half."""

from __future__ import annotations

import pytest

from tests.night import Night
from tests.types import Phones

pytestmark = pytest.mark.browser

SEEN = """(height) => [...document.querySelectorAll("#found a")].filter(
  (each) => each.getBoundingClientRect().bottom <= height / 2).length"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
def test_hits_stand_between_the_field_and_the_keyboard(
    phone: Phones, running: Night, width: int, height: int
) -> None:
    page = phone(width, height)
    page.goto(f"{running.site}/")
    page.get_by_label("What do you play?").tap()
    page.keyboard.type("dnd")

    page.locator("#found a:has-text('Dungeons & Dragons'):first-child").wait_for()
    assert 0 <= page.locator(".library-search").bounding_box()["y"] <= 16
    assert 2 == page.evaluate(SEEN, height)


def test_a_word_that_is_no_game_leads_to_making_it(phone: Phones, running: Night) -> None:
    page = phone()
    page.goto(f"{running.site}/")
    page.get_by_label("What do you play?").tap()
    page.keyboard.type("Monopoly")
    page.get_by_role("link", name="No, we play").tap()

    page.wait_for_url("**/new?*")
    assert "Monopoly" == page.locator('[name="title"]').input_value()


def test_go_opens_the_game_that_was_typed(phone: Phones, running: Night) -> None:
    page = phone()
    page.goto(f"{running.site}/")
    page.get_by_label("What do you play?").tap()
    page.keyboard.type("mtg")
    page.keyboard.press("Enter")

    page.wait_for_url("**/new?rules=magic*")
    page.get_by_role("heading", name="Magic").wait_for()
