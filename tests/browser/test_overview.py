"""Everyone's numbers in an own game: whole words at every size, and taps on anybody's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.ready import DRAWN, READY

from .conftest import Phone
from .tables import Host
from .test_own_game import scenario, two

pytestmark = pytest.mark.browser

SEATS = ("ana", "ben", "cleo", "dan", "eve", "finn")
MUNCHKIN = {
    "title": "Munchkin",
    "numbers": [
        {"kind": "level", "on": "player", "start": 1, "most": 10, "big": True},
        {"kind": "gear", "on": "player", "most": 99},
        {
            "kind": "strength",
            "on": "player",
            "is": {"+": [{"number": "level"}, {"number": "gear"}]},
        },
    ],
}
FAULTS = """() => {
  const table = document.querySelector('.overview');
  const wide = (each) => each.scrollWidth > each.clientWidth + 1;
  const parts = [...table.querySelectorAll('tbody th, .overview-cell')];
  const cut = parts.filter(wide).map((each) => each.textContent.trim());
  const page = wide(document.documentElement) ? ['the page scrolls sideways'] : [];
  return [...cut, ...page, ...(wide(table) ? ['the table scrolls sideways'] : [])];
}"""
BESIDE = """() => {
  const middle = (each) => {
    const { left, right } = each.getBoundingClientRect();
    return (left + right) / 2;
  };
  const row = [...document.querySelectorAll('.overview tbody tr:first-child td')].map(middle);
  const heads = [...document.querySelectorAll('#strip .cell:not(.is-table)')].map(middle);
  return Math.max(...row.map((each, n) => Math.abs(each - heads[n])));
}"""

TOLD = """() => {
  const cell = document.getElementById('ben.cell');
  const [mark, letter] = ['.seat-mark', '.bit'].map((each) => cell.querySelector(`.delta ${each}`));
  const end = (each) => each.getBoundingClientRect().bottom;
  const cut = Math.round(end(mark) - end(cell.querySelector('.cell-bits')));
  return [getComputedStyle(letter, '::before').content, Math.max(0, cut)];
}"""
"""The letter of the number that has changed in Ben's cell, and how much of the mark is cut."""


def sizes(name: str) -> list[int]:
    """How many sit at a ready game whose words are looked at: of a line, most; of a GM, none.

    A game of one number has it in the cockpit alone.
    """
    game, players = READY[name], READY[name].get("players", {})
    if "gm" in game or len(game.get("numbers", ())) < 2:
        return []
    possible = [n for n in (2, 4, 6) if players.get("least", 1) <= n <= players.get("most", 12)]
    return possible if name in DRAWN else possible[-1:]


def cell(page: Any, row: str, column: int) -> Any:
    """The numbers of that row in that column, the first of which is 1."""
    rows = page.locator(".overview tbody tr", has_text=row)
    return rows.locator(".overview-cell").nth(column - 1)


@pytest.mark.sweep
@pytest.mark.parametrize("count", [2, 4, 6])
def test_words_and_numbers_are_whole_in_every_ready_game(
    phone: Phone, running: Night, count: int
) -> None:
    host = Host(phone(), running.site)
    page = host.page
    for name in (each for each in READY if count in sizes(each)):
        address = host.played(scenario(name, {seat: {} for seat in SEATS[:count]}))
        for language in ("en", "de", "es"):
            chosen = {"name": "django_language", "value": language, "url": running.site}
            page.context.add_cookies([chosen])
            page.goto(address)
            for width, height in ((390, 844), (360, 640), (844, 390)):
                page.set_viewport_size({"width": width, "height": height})
                assert [] == page.evaluate(FAULTS), (name, language, width)


def test_a_tap_on_anybodys_number_puts_it_into_the_dock(phone: Phone, running: Night) -> None:
    seats: dict[str, Any] = {"ana": {}, "ben": {"counters": {"steel": 4}}, "cleo": {}}
    ana, ben = two(phone, running.site, scenario("terraforming-mars", seats))
    cockpit = ana.locator("#cockpit").bounding_box()
    cell(ana, "steel", 2).tap()

    line = ana.locator("#picked")
    assert ["steel", "made"] == line.locator("li > span").all_inner_texts()
    assert cockpit == ana.locator("#cockpit").bounding_box()
    line.get_by_role("button", name="more steel made, Ben").tap()
    line.get_by_role("button", name="less steel, Ben").tap()
    for page in (ana, ben):
        page.wait_for_function(
            "() => document.querySelector('[data-of=\"ben.steel_made\"]').textContent === '1'"
        )
        assert ["3", "1"] == cell(page, "steel", 2).locator("b").all_inner_texts()

    line.get_by_role("button", name="3 steel, Ben").tap()
    ana.locator("#pad[open] .pad-what", has_text="Ben · steel").wait_for()
    ana.locator("#pad [data-close]").tap()
    ana.locator("#cockpit .hero").tap()
    ana.locator("#picked").wait_for(state="hidden")


def test_a_tap_on_a_number_of_the_table_puts_it_into_the_dock(phone: Phone, running: Night) -> None:
    seats: dict[str, Any] = {"ana": {}, "ben": {}, "cleo": {}}
    ana, ben = two(phone, running.site, scenario("terraforming-mars", seats))
    temperature = cell(ana, "temperature", 1)
    before = int(temperature.inner_text().replace("−", "-"))
    assert f"{temperature.inner_text()} temperature, The table" == temperature.get_attribute(
        "aria-label"
    )
    temperature.tap()

    ana.locator("#picked").get_by_role("button", name="more temperature").tap()
    for page in (ana, ben):
        page.wait_for_function(
            "n => Number(document.querySelector('.overview [data-of=\"table.temperature\"]')"
            ".textContent.replace('−', '-')) > n",
            arg=before,
        )
    assert ana.locator("#picked .seat-mark").count() == 0


def test_a_number_that_follows_is_not_a_button(phone: Phone, running: Night) -> None:
    described = {
        **scenario("catan", {"ana": {}, "ben": {}}), "id": "munchkin", "definition": MUNCHKIN,
    }  # fmt: skip
    host = Host(phone(), running.site)
    ana = host.open(host.played(described))

    assert "0 gear, Ben" == cell(ana, "gear", 2).get_attribute("aria-label")
    assert cell(ana, "strength", 2).get_attribute("role") is None
    cell(ana, "gear", 2).press("Enter")
    ana.keyboard.press("Tab")
    ana.keyboard.press("Tab")
    ana.keyboard.press("Enter")
    ana.wait_for_function(
        "() => document.querySelector('[data-of=\"ben.strength\"]').textContent === '2'"
    )
    ana.keyboard.press("Escape")
    assert "0 gear, Ben" != ana.evaluate("document.activeElement.getAttribute('aria-label')")
    ana.locator("#picked").wait_for(state="hidden")


@pytest.mark.parametrize("count", [2, 4])
def test_the_cells_of_the_strip_are_the_heads_of_the_columns(
    phone: Phone, running: Night, count: int
) -> None:
    host = Host(phone(360, 640), running.site)
    seats: dict[str, Any] = {each: {} for each in SEATS[:count]}
    page = host.open(host.played(scenario("terraforming-mars", seats)))
    page.locator(".overview-cell[role=button]").first.wait_for()

    assert page.evaluate(BESIDE) < 3
    assert 0 == page.locator("#strip .is-in-overview .bit:visible").count()


def test_a_game_of_one_number_has_no_table_of_it(phone: Phone, running: Night) -> None:
    host = Host(phone(), running.site)
    page = host.open(host.played(scenario("hearts", {"ana": {}, "ben": {}, "cleo": {}})))

    assert not page.locator("#overview").is_visible()


def test_a_change_in_the_strip_says_which_number_and_cuts_nobodys_mark(
    phone: Phone, running: Night
) -> None:
    seats: dict[str, Any] = {"ana": {}, "ben": {}}
    ana, ben = two(phone, running.site, scenario("terraforming-mars", seats))
    cell(ana, "steel", 2).tap()

    ana.locator("#picked").get_by_role("button", name="more steel, Ben").tap()
    ben.locator("#strip .delta .bit").wait_for()

    assert ['"S"', 0] == ben.evaluate(TOLD)
