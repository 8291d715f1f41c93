"""Several at once, with one thumb: a change to a group is one line and one undo."""

from __future__ import annotations

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host
from .test_table_tools import seated
from .test_two_phones import shows

pytestmark = pytest.mark.browser


def test_everybody_gets_points_with_one_form_and_one_undo(phone: Phones, running: Night) -> None:
    ana, ben = seated(phone, running.site)

    ana.get_by_role("button", name="More", exact=True).tap()
    ana.get_by_role("link", name="Several at once").tap()
    sheet = ana.locator("#sheet")
    sheet.get_by_text("Choose at least one").wait_for()
    assert not sheet.locator("form.several button.is-main").is_visible()
    sheet.get_by_role("link", name="Everyone").tap()
    sheet.locator("form.several button.is-main").wait_for()
    sheet.get_by_label("Kind").fill("gems")
    sheet.get_by_label("Number").fill("3")
    assert ana.evaluate("document.documentElement.scrollWidth <= innerWidth")
    low = "#sheet-body a, #sheet-body label, #sheet-body button"
    for place in ana.locator(low).all():
        box = place.bounding_box()
        assert box is None or box["height"] >= 44, place.inner_text()
    sheet.locator("form.several button.is-main").tap()

    for seat in ("ana", "ben"):
        ben.locator(f'[id="{seat}.gems"]', has_text="3").wait_for(state="attached")
    ana.locator("#sheet").wait_for(state="hidden")
    ana.locator("#undo").tap()
    for seat in ("ana", "ben"):
        ben.locator(f'[id="{seat}.gems"]').wait_for(state="detached")


def test_a_choice_stays_chosen_while_others_play(phone: Phones, running: Night) -> None:
    ana, ben = seated(phone, running.site)
    ana.get_by_role("button", name="More", exact=True).tap()
    ana.get_by_role("link", name="Several at once").tap()
    sheet = ana.locator("#sheet")
    sheet.locator("label", has_text="Ben").tap()
    sheet.get_by_label("Kind").fill("gems")

    with ana.expect_response("**/several"):  # the sheet follows the table
        ben.locator(".phase summary").tap()
        ben.get_by_role("button", name="End turn → Ben").tap()
    ana.locator('[id="ben.cell"].is-active').wait_for(state="attached")

    assert sheet.locator("label", has_text="Ben").locator("input").is_checked()
    assert not sheet.locator("label", has_text="Ana").locator("input").is_checked()
    assert sheet.get_by_label("Kind").input_value() == "gems"
    sheet.locator("form.several button.is-main").tap()
    ben.locator('[id="ben.gems"]', has_text="1").wait_for()
    assert ben.locator('[id="ana.gems"]').count() == 0


def test_a_chip_places_its_own_kind_on_all_that_are_chosen(phone: Phones, running: Night) -> None:
    ana = phone()
    host = Host(ana, running.site)
    host.open(host.middle("grand-archive", 2))
    ana.goto(f"{ana.url.partition('?')[0]}several?do=place&on=ana-3 ana-4")

    ana.locator(".several .chip[data-kind=bulwark]").tap()

    ana.wait_for_selector("#board")
    for card in ("ana-3", "ana-4"):
        shows(ana, f'[id="{card}.bulwark"]', "1")
    assert not ana.locator('[id="ana-4.buff"]').count()
