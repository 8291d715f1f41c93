"""The search of the library, whose keyboard covers half of a phone, and that of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host

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


SHOWN = "[data-findable] :is(dt, dd, li, p, h2, h3):visible"


def finds(page: Any, typed: str) -> list[str]:
    page.locator("[data-find] input").fill(typed)
    return [text for each in page.locator(SHOWN).all_inner_texts() if (text := each.strip())]


def test_typed_words_are_found_in_a_rule_or_its_heading(phone: Phones, running: Night) -> None:
    page = phone(360, 640)
    page.goto(f"{running.site}/help/magic")
    everything = finds(page, "")

    found = finds(page, "STUN untap")
    assert any(text.startswith("A tap on the sign") for text in found)
    assert "122.1d" in found
    assert len(found) < len(everything) / 5
    assert 0 == page.locator("section:visible:not(:has(dt:visible, li:visible, p:visible))").count()
    assert not page.get_by_text("Nothing here says that.").is_visible()

    assert [] == finds(page, "zzz")
    assert page.get_by_text("Nothing here says that.").is_visible()
    assert everything == finds(page, "")


def test_the_rules_of_a_table_are_found_in_their_sheet(phone: Phones, running: Night) -> None:
    host = Host(phone(), running.site)
    page = host.open(host.fresh("grand-archive", 2))
    page.locator("[data-menu]").tap()
    page.locator("#menu [href=rules]").tap()
    page.locator("#sheet [data-find]").wait_for()

    found = finds(page, "buff 4")
    assert "Buff 4" in found
    assert "Wither 1" not in found
