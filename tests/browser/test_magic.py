"""Ana and Ben play Magic, each with a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .test_two_phones import join, shows, taps

pytestmark = pytest.mark.browser

RAD = '#s-ana li[data-kind="rad"] button[name="more"]'


@pytest.fixture
def night_of_two(phone: Callable[..., Any], running: Night) -> tuple[Any, Any]:
    """Ana has made a game for two, and Ben has joined it."""
    ana, ben = phone(360, 740), phone()
    ana.goto(f"{running.site}/")
    ana.get_by_role("link", name="Magic").tap()
    ana.get_by_role("button", name="Start").tap()
    code = ana.locator(".share-code b").inner_text()
    ana.get_by_role("link", name="Go to the table").tap()
    ana.wait_for_selector("#board")
    join(ben, running.site, code)
    for player in (ana, ben):
        player.wait_for_load_state()
    return ana, ben


def begin(player: Any, phase: str) -> None:
    player.locator(f'.phases [value="{phase}"]').tap()


def gives(player: Any, what: str, row: str, n: str) -> None:
    """Three taps: the sheet, the kind, and an amount in the row of whoever gets it."""
    player.get_by_role("link", name="Each opponent…").tap()
    player.locator("#sheet label.chip", has_text=what).tap()
    player.locator(".give-row", has_text=row).get_by_role("button", name=n, exact=True).tap()
    player.locator("#sheet").wait_for(state="hidden")


def test_three_rad_counters_and_two_nonland_cards(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    taps(ana, RAD, 3)
    shows(ben, '[id="ana.rad"]', "3")
    begin(ana, "precombat-main")
    ben.get_by_text("Waiting for Ana: radiation").wait_for()
    assert 0 == ben.locator(".nonland label:visible").count()
    assert ["0", "1", "2", "3"] == ana.locator(".nonland span").all_inner_texts()
    assert 0 == ana.locator(".nonland :checked").count()

    ana.locator(".nonland label").nth(2).tap()
    ana.get_by_role("button", name="Resolve: lose life and rad").tap()

    for player in (ana, ben):
        shows(player, '[id="ana.life"]', "18")
        shows(player, '[id="ana.rad"]', "1")
        player.locator(".prompt").wait_for(state="detached")
    ben.get_by_role("link", name="Log").tap()
    line = ben.locator(".log li", has_text="Ana milled 3 of 3").first
    line.get_by_text("Why?").first.tap()
    line.get_by_text("728.1").first.wait_for()


def test_what_is_due_follows_the_counters_while_it_waits(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    taps(ana, RAD, 2)
    begin(ana, "precombat-main")
    ana.locator(".nonland").wait_for()

    gives(ben, "rad", "each opponent", "2")

    assert ben.evaluate("innerWidth") == 390  # someone else's question does not widen the page
    ana.get_by_text("Mill 4 cards").wait_for()
    assert 5 == ana.locator(".nonland label").count()


def test_fewer_milled_asks_whether_the_library_ran_out(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    taps(ana, RAD, 3)
    begin(ana, "precombat-main")
    ana.locator(".nonland label").nth(1).tap()
    assert not ana.locator("[data-fewer]").is_visible()
    ana.get_by_text("Fewer were milled").tap()
    ana.locator('.prompt [name="milled:number"]').fill("1")
    ana.locator("[data-fewer] input").check()
    ana.get_by_role("button", name="Resolve: lose life and rad").tap()

    shows(ben, '[id="ana.rad"]', "2")
    shows(ben, '[id="ana.life"]', "19")


def test_a_countered_trigger_is_gone_and_its_counters_stay(
    night_of_two: tuple[Any, Any],
) -> None:
    ana, ben = night_of_two
    taps(ana, RAD, 3)
    begin(ana, "precombat-main")
    ana.locator(".prompt").wait_for()
    ben.get_by_role("button", name="It was countered").tap()

    ana.locator(".prompt").wait_for(state="detached")
    shows(ben, '[id="ana.rad"]', "3")


def test_proliferate_is_one_choice_for_players_and_cards(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    taps(ana, RAD, 2)
    shows(ben, '[id="ana.rad"]', "2")
    ben.get_by_role("link", name="Proliferate").tap()
    ben.locator(".picks label", has_text="Ana").tap()
    ben.get_by_role("button", name="Proliferate", exact=True).tap()

    shows(ana, '[id="ana.rad"]', "3")


def test_a_format_for_four_brings_its_seats_along(
    phone: Callable[..., Any], running: Night
) -> None:
    ana = phone()
    ana.goto(f"{running.site}/new?rules=magic")
    ana.get_by_role("radio", name=re.compile("Two-Headed Giant")).check()

    assert ana.locator('input[name="seats"][value="4"]').is_checked()
    ana.get_by_role("button", name="Start").tap()
    ana.wait_for_url("**/share")


def test_one_of_several_commanders_is_told_by_whose_it_is(
    phone: Callable[..., Any], running: Night
) -> None:
    ana = phone()
    ana.goto(f"{running.site}/new?rules=magic")
    ana.get_by_role("radio", name=re.compile("^Commander")).check()
    ana.get_by_role("button", name="Start").tap()
    ana.get_by_role("link", name="Go to the table").tap()
    ana.wait_for_selector("#board")
    ana.wait_for_load_state()

    ana.get_by_role("link", name="Commander", exact=True).first.tap()
    row = ana.locator(".taken li", has_text="Commander (Ben)")
    row.get_by_role("button", name="1 more").tap()
    ana.locator("#sheet [data-close]").first.tap()

    ana.get_by_role("link", name="Log").tap()
    ana.locator(".log", has_text="Commander (Ben) dealt 1 combat damage to Ana").wait_for()


def test_commander_is_for_four_until_the_host_says_how_many(
    phone: Callable[..., Any], running: Night
) -> None:
    ana = phone()
    ana.goto(f"{running.site}/new?rules=magic")
    commander = ana.get_by_role("radio", name=re.compile("^Commander"))
    commander.check()
    assert ana.locator('input[name="seats"][value="4"]').is_checked()

    ana.locator('label:has(input[name="seats"][value="3"])').tap()
    ana.get_by_role("radio", name=re.compile("Duel")).check()
    commander.check()

    assert ana.locator('input[name="seats"][value="3"]').is_checked()


def test_a_copied_trigger_asks_twice(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    taps(ana, RAD, 2)
    begin(ana, "precombat-main")
    ana.get_by_role("button", name="It was copied").tap()

    ana.locator(".prompt").nth(1).wait_for()
    ben.locator(".turn-waiting li").nth(1).wait_for()


def test_x_is_what_was_typed_for_whoever_gets_it(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    ana.get_by_role("link", name="Each opponent…").tap()
    ana.locator('#sheet [name="x"]').fill("13")
    ana.locator(".give-row", has_text="each player").get_by_role("button", name="X").tap()

    for player in (ana, ben):
        shows(player, '[id="ana.life"]', "7")
        shows(player, '[id="ben.life"]', "7")

    ben.get_by_role("link", name="Each opponent…").tap()
    ben.get_by_text("another kind").tap()
    ben.locator('#sheet [name="typed"]').fill("Muster")
    ben.locator(".give-row", has_text="Ana").get_by_role("button", name="2", exact=True).tap()
    shows(ana, '[id="ana.muster"]', "2")


def test_the_game_begins_anew_with_two_taps_and_can_be_taken_back(
    night_of_two: tuple[Any, Any],
) -> None:
    ana, ben = night_of_two
    gives(ana, "lose life", "each opponent", "4")
    shows(ana, '[id="ben.life"]', "16")
    ben.locator("[data-menu]").tap()
    ben.get_by_role("link", name="Totals, restart").tap()
    ben.get_by_text("Restart the game").tap()
    ben.get_by_role("button", name=re.compile("Restart:")).tap()
    shows(ana, '[id="ben.life"]', "20")

    ben.get_by_role("button", name="Undo").tap()
    shows(ana, '[id="ben.life"]', "16")
