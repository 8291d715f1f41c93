"""The log on a phone, files, set-ups and the next game."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from games.rules import scenario
from games.systems import named_by
from tests.night import Night
from tests.types import Phones

from .tables import Host, join, middle, start
from .test_two_phones import ANA, PLUS, begin, look_at, shows, taps

pytestmark = pytest.mark.browser


def test_back_to_a_line_takes_all_that_followed_on_every_phone(
    phone: Phones, running: Night
) -> None:
    from playwright.sync_api import expect

    ana, ben = phone(), phone(360, 740)
    join(ben, running.site, start(ana, running.site))
    taps(ana, PLUS, 3)
    shows(ben, ANA, "3")
    begin(ana, "materialize")
    look_at(ben, "ana")
    taps(ben, PLUS, 2)
    shows(ana, ANA, "5")

    ben.get_by_role("link", name="Log").tap()
    line = ben.locator(".log > li", has_text="3 damage")
    line.locator(".log-to summary").tap()
    line.get_by_role("button", name="Undo all 2 lines above").tap()

    shows(ana, ANA, "3")
    ben.locator(".log > li.is-undone").nth(1).wait_for()
    first = ben.locator(".log > li").first
    assert "took back lines" in first.inner_text()

    for left in (1, 0):  # the older one first
        ben.locator('.log > li.is-undone [data-does="redo"]').last.tap()
        expect(ben.locator(".log > li.is-undone")).to_have_count(left)
    shows(ana, ANA, "5")


def at_a_long_table(phone: Phones, running: Night) -> Any:
    """A phone at a table with 200 notes in its log."""
    ana = phone()
    host = Host(ana, running.site)
    notes = [{"do": "note", "text": f"word {n}"} for n in range(200)]
    return host.open(host.played({**middle("any-game", 2), "when": notes}))


def searched(page: Any) -> tuple[Any, Any]:
    """Go on to earlier lines by scrolling, then search; the lines, and the box to type in."""
    from playwright.sync_api import expect

    lines = page.locator(".log > li")
    first = lines.count()
    page.locator(".log-earlier a").scroll_into_view_if_needed()
    expect(lines.nth(first)).to_be_attached()

    search = page.get_by_role("searchbox", name="Search the log")
    search.press_sequentially("word 150", delay=30)
    expect(lines).to_have_count(1)
    return lines, search


def test_the_log_is_searched_as_one_types_and_goes_on_as_one_scrolls(
    phone: Phones, running: Night
) -> None:
    from playwright.sync_api import expect

    ana = at_a_long_table(phone, running)

    ana.get_by_role("link", name="Log").tap()
    lines, search = searched(ana)
    expect(lines.locator("mark")).to_have_text("word 150".split())
    expect(search).to_be_focused()
    assert "word 150" == search.input_value()
    search.fill("")
    expect(lines.first).to_contain_text("word 199")


def test_the_log_as_a_page_of_its_own_is_read_as_the_sheet_is(
    phone: Phones, running: Night
) -> None:
    from playwright.sync_api import expect

    ana = at_a_long_table(phone, running)
    ana.goto(ana.url + "log")

    lines, search = searched(ana)
    expect(search).to_be_focused()
    ana.reload()
    expect(lines).to_have_count(1)
    assert "word 150" == search.input_value()

    ana.context.set_offline(True)
    search.fill("word 1")
    expect(ana.get_by_role("alert")).to_contain_text("doesn’t answer")
    ana.context.set_offline(False)
    search.fill("")
    expect(lines.first).to_contain_text("word 199")
    expect(ana.locator(".refusal")).to_be_empty()


def keeps(phone: Any) -> None:
    """Open "Save or play again" from the menu."""
    phone.locator("[data-menu]").tap()
    phone.get_by_role("link", name="Save or play again").tap()
    phone.get_by_role("heading", name="Save or play again").wait_for()


def test_playing_again_takes_every_screen_along(phone: Phones, running: Night) -> None:
    ana, ben, watcher = phone(), phone(360, 740), phone(1280, 720)
    code = start(ana, running.site)
    join(ben, running.site, code)
    ana.goto(ana.url + "share")
    link = ana.locator(".share-link a").first.inner_text()
    ana.get_by_role("link", name="Go to the table").tap()
    path = re.sub(r"^https?://[^/]+", "", link)
    watcher.goto(f"{running.site}{path}?watch")
    watcher.wait_for_selector("#board")
    taps(ana, PLUS, 2)
    for each in (ben, watcher):
        shows(each, ANA, "2")
    last = ana.url

    keeps(ana)
    ana.get_by_text("Play again", exact=True).tap()
    ana.get_by_role("button", name="Ana goes first, as last time").tap()

    for each in (ana, ben, watcher):
        each.wait_for_url(lambda url: "/g/" in url and url.split("?")[0] != last)
        shows(each, ANA, "0")
    assert 1 == len({each.url.split("?")[0] for each in (ana, ben, watcher)})
    assert ["ana", "ben", ""] == [
        each.locator("#live").get_attribute("data-seat") for each in (ana, ben, watcher)
    ]
    look_at(ben, "ana")
    taps(ben, PLUS, 3)
    for each in (ana, watcher):
        shows(each, ANA, "3")


def test_an_evening_is_kept_in_files_and_behind_a_link(phone: Phones, running: Night) -> None:
    ana = phone()
    start(ana, running.site)
    taps(ana, PLUS, 4)
    shows(ana, ANA, "4")
    ana.wait_for_function("() => document.querySelectorAll('.is-waiting').length === 0")
    keeps(ana)

    with ana.expect_download() as log:
        ana.get_by_role("link", name="The log as text").tap()
    with ana.expect_download() as file:
        ana.get_by_role("link", name="The whole game as a file").tap()
    assert "4 damage" in log.value.path().read_text(encoding="utf-8")
    kept = file.value.path().read_text(encoding="utf-8")
    (written,) = json.loads(kept)
    assert [] == scenario.check(written, named_by(written)[0])

    ana.get_by_role("textbox", name="Name").fill("Two champions")
    ana.get_by_role("button", name="Save the set-up").tap()
    ana.get_by_role("heading", name="Two champions").wait_for()
    link = ana.url

    ben = phone(360, 740)
    ben.goto(link)
    ben.get_by_role("button", name="Start with this").tap()
    ben.get_by_role("link", name="Go to the table").tap()
    shows(ben, ANA, "4")

    ben.goto(f"{running.site}/new/file")
    ben.get_by_label("or paste it").fill(kept[:-5])
    ben.get_by_role("button", name="Start").tap()
    ben.get_by_role("alert").filter(has_text="No game was started").wait_for()
    assert kept[:-5] == ben.get_by_label("or paste it").input_value()
    ben.get_by_label("or paste it").fill(kept)
    ben.get_by_role("button", name="Start").tap()
    ben.get_by_role("link", name="Go to the table").tap()
    shows(ben, ANA, "4")
