"""Ana and Ben play Magic, each with a phone; with Cleo, an evening of Commander."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import join, start, won
from .test_two_phones import look_at, shows, taps

pytestmark = pytest.mark.browser

RAD = '#ana\\.panel li[data-kind="rad"]'


@pytest.fixture
def night_of_two(phone: Phones, running: Night) -> tuple[Any, Any]:
    """Ana has made a game for two, and Ben has joined it."""
    ana, ben = phone(360, 740), phone()
    join(ben, running.site, start(ana, running.site, "magic", 2, "free-for-all"))
    return ana, ben


def begin(player: Any, phase: str) -> None:
    """Begin a phase out of the menu in the header."""
    player.locator(".phase summary").tap()
    player.locator(f'.phases [value="{phase}"]').tap()


def irradiates(ana: Any, times: int) -> None:
    """Rad counters on oneself: the first tap opens the place and counts, as the others do."""
    ana.locator(RAD).tap()
    taps(ana, f'{RAD}.is-open button[name="more"]', times - 1)


def resolves(ana: Any, nonland: int) -> None:
    """Say how many of the milled cards are not lands; the number is the answer."""
    ana.wait_for_timeout(500)  # a tap on what has just come only chooses
    ana.locator("#dock .nonland label").nth(nonland).tap()


def more(ana: Any) -> None:
    """Unfold what one seldom needs of the question."""
    ana.locator("#dock .prompt-more > summary").tap()


def gives(player: Any, what: str, row: str, n: str) -> None:
    """From one's own seat: the sheet, the kind, and an amount in the row of its receiver."""
    player.locator("#strip .cell.is-mine").tap()
    player.locator(".seat.is-mine").get_by_role("link", name="Each opponent…").tap()
    player.locator("#sheet label.chip", has_text=what).tap()
    player.locator(".give-row", has_text=row).get_by_role("button", name=n, exact=True).tap()
    player.locator("#sheet").wait_for(state="hidden")


def test_three_rad_counters_and_two_nonland_cards(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    irradiates(ana, 3)
    shows(ben, '[id="ana.rad"]', "3")
    begin(ana, "precombat-main")
    ben.locator("#next", has_text="Waiting for Ana").wait_for()
    ben.locator(".phase summary").tap()
    ben.get_by_text("Waiting for Ana: How many nonland cards").wait_for()
    assert 0 == ben.locator(".nonland label:visible").count()
    offered = ana.locator(".nonland label > span").all_inner_texts()
    assert [f"{n} → {20 - n} life" for n in range(4)] == [
        " ".join(each.split()) for each in offered
    ]
    assert 0 == ana.locator(".nonland :checked").count()

    resolves(ana, 2)

    for player in (ana, ben):
        shows(player, '[id="ana.life"]', "18")
        shows(player, '[id="ana.rad"]', "1")
        player.locator(".prompt").wait_for(state="detached")
    ben.locator(".phase summary").tap()
    ben.get_by_role("link", name="Log").tap()
    line = ben.locator(".log li", has_text="Ana milled 3 of 3").first
    line.get_by_text("Why?").first.tap()
    line.get_by_text("728.1").first.wait_for()


def test_an_amount_due_follows_the_counters_while_it_waits(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    irradiates(ana, 2)
    begin(ana, "precombat-main")
    ana.locator(".nonland").wait_for()

    gives(ben, "rad", "each opponent", "2")

    assert ben.evaluate("innerWidth") == 390  # someone else's question does not widen the page
    ana.locator(".prompt-asks", has_text="Mill 4. How many").wait_for()
    assert 5 == ana.locator(".nonland label").count()


def test_fewer_milled_asks_whether_the_library_ran_out(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    irradiates(ana, 3)
    begin(ana, "precombat-main")
    ana.locator(".nonland label").nth(1).tap()
    more(ana)
    assert not ana.locator("[data-fewer]").is_visible()
    ana.get_by_label("Fewer were milled").fill("1")
    ana.locator("[data-fewer] input").check()
    ana.locator("#next", has_text="Resolve").tap()

    shows(ben, '[id="ana.rad"]', "2")
    shows(ben, '[id="ana.life"]', "19")


def test_a_countered_trigger_is_gone_and_its_counters_stay(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    irradiates(ana, 3)
    begin(ana, "precombat-main")
    more(ana)
    ana.get_by_role("button", name="It was countered").tap()

    ana.locator(".prompt").wait_for(state="detached")
    shows(ben, '[id="ana.rad"]', "3")


def test_proliferate_is_one_choice_for_players_and_cards(night_of_two: tuple[Any, Any]) -> None:
    ana, ben = night_of_two
    irradiates(ana, 2)
    shows(ben, '[id="ana.rad"]', "2")
    ben.get_by_role("link", name="More of the table").first.tap()
    ben.locator("#sheet").get_by_role("link", name="Proliferate").tap()
    ben.locator(".picks label", has_text="Ana").tap()
    ben.get_by_role("button", name="Proliferate", exact=True).tap()

    shows(ana, '[id="ana.rad"]', "3")


def test_a_format_for_four_brings_its_seats_along(phone: Phones, running: Night) -> None:
    ana = phone()
    ana.goto(f"{running.site}/new?rules=magic")
    ana.get_by_role("radio", name=re.compile("Two-Headed Giant")).check()

    assert ana.locator('input[name="seats"][value="4"]').is_checked()
    ana.get_by_role("button", name="Start").tap()
    ana.wait_for_url("**/share")


def test_one_of_several_commanders_is_told_by_whose_it_is(phone: Phones, running: Night) -> None:
    ana = phone(360, 640)
    ana.goto(f"{running.site}/new?rules=magic")
    ana.get_by_role("radio", name=re.compile("^Commander")).check()
    ana.get_by_role("button", name="Start").tap()
    ana.get_by_role("link", name="Go to the table").tap()
    ana.wait_for_selector("#board")
    ana.wait_for_load_state()

    tally = ana.locator("#cockpit .is-tally a")
    box, marks = tally.bounding_box(), tally.locator("span[data-place]")
    assert 3 == marks.count()
    for mark in marks.all():  # all three are whole, on the narrowest phone too
        each = mark.bounding_box()
        assert box["x"] <= each["x"]
        assert each["x"] + each["width"] <= box["x"] + box["width"]
    assert ana.locator('.tools [href="share"]').is_visible()  # three seats are free
    tally.tap()
    row = ana.locator('.taken li[data-kind="ben-commander"]')
    row.get_by_role("button", name="1 more").tap()
    ana.locator("#sheet [data-close]").first.tap()

    ana.get_by_role("link", name="Log").tap()
    ana.locator(".log", has_text="Player 2’s commander dealt 1 combat").wait_for()


def test_commander_is_for_four_until_the_host_says_how_many(phone: Phones, running: Night) -> None:
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
    irradiates(ana, 2)
    begin(ana, "precombat-main")
    more(ana)
    ana.get_by_role("button", name="It was copied").tap()

    ana.locator(".prompt-place", has_text="1 of 2").wait_for()
    ben.locator("#next", has_text="Waiting for Ana").wait_for()
    ben.locator(".phase summary").tap()
    ben.locator(".turn-waiting", has_text="Ana ×2").wait_for()


def test_x_is_what_was_typed_for_the_player_who_gets_it(night_of_two: tuple[Any, Any]) -> None:
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


def crowns(player: Any, seat: str) -> None:
    """The monarchy is handed on with one tap: on one's own crown, or in another seat's panel."""
    player.locator(f'[id="{seat}.panel"] [data-kind="monarch"] button').tap()


def says(phone: Any, seat: str, sign: str) -> None:
    """Wait until the strip of *phone* shows that sign for *seat*."""
    phone.locator(f'[id="{seat}.cell"] .bit{sign}').wait_for(state="attached")


MONARCH = '[data-kind="monarch"]'
OUT = ".is-out"


def test_an_evening_of_commander(phone: Phones, running: Night) -> None:
    ana, ben, cleo = everyone = [phone() for _ in range(3)]
    ana.goto(f"{running.site}/")
    ana.get_by_role("link", name=re.compile("^Magic")).tap()
    ana.get_by_label("What’s your name?").fill("Ana")
    ana.locator('label:has(input[name="seats"][value="3"])').tap()
    ana.get_by_role("radio", name=re.compile("^Commander")).check()
    ana.get_by_role("button", name="Start").tap()
    code = ana.locator(".share-code b").inner_text()
    ana.get_by_role("link", name="Go to the table").tap()
    for player in (ben, cleo):
        join(player, running.site, code)
    for each in everyone:
        shows(each, '[id="cleo.life"]', "40")

    # Ana casts the commander twice: the second time it costs two more.
    for _ in range(2):
        ana.get_by_role("button", name="Cast").tap()
        ana.get_by_role("button", name="Cast").wait_for(state="detached")
        ana.locator("#o-ana-commander > a").tap()
        ana.locator("#sheet").get_by_role("button", name="command zone").tap()
        ana.locator("#sheet").wait_for(state="hidden")
    for each in (ben, cleo):
        look_at(each, "ana")
        each.locator("#o-ana-commander p", has_text="4").wait_for()

    # The monarchy goes from one to another.
    crowns(ben, "ben")
    says(ana, "ben", MONARCH)
    look_at(ben, "cleo")
    crowns(ben, "cleo")
    for each in everyone:
        says(each, "cleo", MONARCH)
        each.locator(f'[id="ben.cell"] {MONARCH}').wait_for(state="detached")

    # Radiation, asked of Ana alone.
    gives(cleo, "rad", "each opponent", "3")
    shows(ben, '[id="ana.rad"]', "3")
    shows(ana, '[id="ben.rad"]', "3")
    begin(ana, "precombat-main")
    resolves(ana, 2)
    for each in everyone:
        shows(each, '[id="ana.life"]', "38")
        shows(each, '[id="ana.rad"]', "1")

    # A connection drops; what was tapped is sent when it is back, and a reload keeps the seat.
    ben.context.set_offline(True)
    for _ in range(2):
        ben.locator('#cockpit button[name="lose-life"]').tap()
    shows(ben, '[id="ben.life"]', "38")
    ben.context.set_offline(False)
    shows(cleo, '[id="ben.life"]', "38")
    ben.reload()
    assert "ben" == ben.locator("#live").get_attribute("data-seat")

    # 21 combat damage of one commander; undone; and once more.
    def dealt() -> None:
        ben.locator("#cockpit .is-tally a").tap()
        ben.locator("#sheet summary", has_text="Another amount").tap()
        ben.get_by_label("Dealt by").fill("ana-commander")
        ben.get_by_label("How much").fill("21")
        ben.get_by_role("button", name="Deal", exact=True).tap()
        says(ana, "ben", OUT)

    dealt()
    look_at(ana, "ben")
    ana.locator("#s-ben .is-tally [data-place]", has_text="21").first.wait_for()
    ben.locator("#undo").tap()
    ana.locator(f'[id="ben.cell"] {OUT}').wait_for(state="detached")
    dealt()

    # The monarch leaves: Ana, whose turn it is, has won.
    cleo.locator("#s-cleo .seat-name").tap()
    cleo.get_by_text("Concede", exact=True).tap()
    cleo.get_by_role("button", name="Cleo concedes").tap()
    won(everyone, "Ana")
    for each in everyone:
        says(each, "ana", MONARCH)
