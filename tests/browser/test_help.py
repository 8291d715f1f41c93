"""The rules of a game are found by their words, on the help page and at the table."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host

pytestmark = pytest.mark.browser
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
