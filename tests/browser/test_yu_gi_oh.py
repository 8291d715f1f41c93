"""Ana and Ben duel, each with a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .fingers import Hand, place
from .tables import join, start
from .test_questions import give
from .test_two_phones import look_at, shows

pytestmark = pytest.mark.browser

LIFE = '[id="ana.life"]'


@pytest.fixture
def duel(phone: Phones, running: Night) -> tuple[Any, Any]:
    """Ana has made a Duel, and Ben sits opposite."""
    ana, ben = phone(), phone(360, 740)
    join(ben, running.site, start(ana, running.site, "yu-gi-oh"))
    said = ana.locator("#strip [data-choose=ben] .cell-name", has_text="Ben")
    said.wait_for(state="attached")
    return ana, ben


def add(player: Any, typed: str, name: str = "") -> None:
    """Add a monster; with a *name*, the known card of that name, in its usual zone."""
    look_at(player, str(player.locator("#live").get_attribute("data-seat")))
    player.locator(".seat.is-mine .add-card").tap()
    player.locator('#sheet [name="name"]').press_sequentially(typed)
    if name:
        player.locator("#sheet .offers .offer", has_text=name).tap()
    player.locator("#sheet [data-add-card]", has_text=name or typed).tap()
    player.locator(".seat.is-mine .card > a", has_text=name or typed).wait_for()


def card(player: Any, name: str) -> Any:
    return player.locator(".card", has=player.locator(f'h3:text-is("{name}")'))


def counted(player: Any, name: str, kind: str) -> Any:
    return card(player, name).locator(f'li[data-kind="{kind}"] b')


def expect_count(player: Any, name: str, kind: str, amount: int) -> None:
    from playwright.sync_api import expect

    expect(counted(player, name, kind)).to_have_text(str(amount))


def sheet_of(player: Any, name: str) -> Any:
    """Open a card's sheet, on either side."""
    seat = card(player, name).locator("xpath=ancestor::section").get_attribute("data-seat")
    look_at(player, str(seat))
    card(player, name).locator("> a").tap()
    player.locator("#sheet h2", has_text=name).wait_for()
    return player.locator("#sheet-body")


def close(player: Any) -> None:
    player.locator("#sheet .sheet-close").tap()


def count_up(player: Any, name: str, kind: str, times: int) -> None:
    """Put counters on in the card's sheet, where also those stand that it has none of yet."""
    plus = sheet_of(player, name).locator(f'.tiles li[data-kind="{kind}"] button[name="own"]')
    for _ in range(times):
        plus.tap()
    close(player)


def open_part(sheet: Any, title: str) -> Any:
    """Open a part of a card's sheet that is folded at first."""
    part = sheet.locator("details", has=sheet.page.locator(f"summary:has-text('{title}')")).last
    part.locator("> summary").tap()
    return part


def pay(player: Any) -> None:
    """Open the sheet that pays with counters, from one's own."""
    look_at(player, str(player.locator("#live").get_attribute("data-seat")))
    player.locator(".seat.is-mine .seat-name").tap()
    player.locator("#sheet").get_by_role("link", name="Pay or take off counters").tap()
    player.locator("#sheet .pay").wait_for()


def test_gateway_to_chaos_loses_its_spell_counters_when_negated(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    add(ben, "gateway to", "Gateway to Chaos")
    count_up(ben, "Gateway to Chaos", "spell", 3)
    expect_count(ana, "Gateway to Chaos", "spell", 3)
    assert "6" == card(ana, "Gateway to Chaos").locator("li").get_attribute("data-most")

    sheet_of(ana, "Gateway to Chaos").get_by_role("button", name="Negate", exact=True).tap()

    expect_count(ben, "Gateway to Chaos", "spell", 0)
    sheet_of(ben, "Gateway to Chaos").locator('.tiles button[name="own"]').tap()
    ben.locator(".refusal", has_text="R8").wait_for()
    close(ana)
    ana.get_by_role("link", name="Log").tap()
    why = ana.locator(".log li", has_text="Gateway to Chaos is negated").first
    why.get_by_text("Why?").tap()
    why.get_by_text("loses its bound counters").wait_for()


def test_snowdust_giant_leaves_its_ice_counters_when_negated(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    add(ana, "Royal Magical", "Royal Magical Library")
    add(ben, "Snowdust Giant")
    sheet = sheet_of(ben, "Royal Magical Library")
    open_part(sheet, "Another counter")
    sheet.locator('form[data-kinds] select[name="source"]').select_option(label="Snowdust Giant")
    sheet.locator('form[data-kinds] [name="amount:number"]').fill("2")
    sheet.locator('form[data-kinds] [name="counter"][list]').fill("Ice Counters")
    sheet.get_by_role("button", name="Put on", exact=True).first.tap()
    expect_count(ana, "Royal Magical Library", "ice", 2)
    close(ben)

    sheet_of(ana, "Snowdust Giant").get_by_role("button", name="Negate", exact=True).tap()

    look_at(ben, "ben")
    ben.locator(".card.is-negated", has_text="Snowdust Giant").wait_for()
    expect_count(ana, "Royal Magical Library", "ice", 2)
    expect_count(ben, "Royal Magical Library", "ice", 2)


def test_a_cost_is_split_over_cards_when_the_rules_ask(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    for name in ("Royal Magical Library", "Magical Exemplar"):
        add(ana, name[:-3], name)
    ana.get_by_role("button", name="Spell resolved", exact=True).tap()
    expect_count(ben, "Magical Exemplar", "spell", 2)
    expect_count(ben, "Royal Magical Library", "spell", 1)

    pay(ana)
    ana.locator('.pay [name="amount:number"]').fill("2")
    ana.get_by_role("button", name="Pay with them").tap()
    ana.locator(".pay .refusal", has_text=re.compile("say how many")).wait_for()
    rows = ana.locator(".split li:not([hidden])")
    rows.filter(has_text="Library").locator("input").fill("1")
    rows.filter(has_text="Exemplar").locator("input").fill("1")
    ana.get_by_role("button", name="Pay with them").tap()

    expect_count(ben, "Magical Exemplar", "spell", 1)
    expect_count(ben, "Royal Magical Library", "spell", 0)


def test_an_unknown_kind_asks_one_question(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    add(ana, "Lantern Dragon")
    sheet = sheet_of(ana, "Lantern Dragon")
    open_part(sheet, "Another counter")
    field = sheet.locator('form[data-kinds] [name="counter"][list]')
    field.fill("Lantern Counter")
    sheet.get_by_role("button", name="Put on", exact=True).first.tap()
    sheet.locator("[data-question]:visible").wait_for()
    sheet.get_by_role("button", name="On any card").tap()
    sheet.locator("[data-ask]").wait_for(state="hidden")

    expect_count(ben, "Lantern Dragon", "lantern", 1)  # what was refused is done


def test_a_placer_puts_its_counters_on_a_chosen_card_with_one_tap(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    add(ana, "alien gre", "Alien Grey")
    add(ben, "Summoned Skull")
    ana.locator(".card", has_text="Summoned Skull").wait_for(state="attached")

    placing = sheet_of(ana, "Alien Grey").locator(".placing")
    placing.get_by_role("button", name="Summoned Skull").tap()

    expect_count(ana, "Summoned Skull", "a", 1)
    expect_count(ben, "Summoned Skull", "a", 1)


def test_a_card_in_the_wrong_zone_is_put_right_with_its_counters(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    add(ana, "Snowdust Giant")
    sheet = sheet_of(ana, "Snowdust Giant")
    plus = sheet.locator('.placing [name="on"]').first
    plus.tap()
    plus.tap()
    open_part(sheet, "Move it")
    right = sheet.locator("form", has_text="Correct its zone")

    right.get_by_role("button", name="Spell & Trap Zone").tap()

    expect_count(ben, "Snowdust Giant", "ice", 2)
    look_at(ben, "ana")
    ben.locator('[data-zone="spell-trap"]', has_text="Snowdust Giant").first.wait_for()
    ana.get_by_role("link", name="Log").tap()
    ana.locator(".log li", has_text="corrected the zone of Snowdust Giant").first.wait_for()


def test_several_cards_are_said_to_hold_a_kind_and_no_longer(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    for name in ("Skull", "Mirror"):
        add(ana, name)
    sheet = ana.locator("#sheet")
    tokens = 'li[data-kind="spell"]'
    slow = {"offline": False, "latency": 200, "downloadThroughput": -1, "uploadThroughput": -1}
    ana.context.new_cdp_session(ana).send("Network.emulateNetworkConditions", slow)

    def several(what: str) -> Any:
        ana.get_by_role("button", name="More", exact=True).tap()
        ana.get_by_role("link", name="Several at once").first.tap()
        sheet.get_by_role("link", name=what, exact=True).tap()
        # A quick finger: the sheet still says to whom the first act would happen.
        sheet.get_by_role("link", name="All my cards").tap()
        for each in (what, "All my cards"):
            sheet.locator("[aria-current=true]", has_text=each).wait_for()
        return sheet.locator("form.several")

    may = several("Can hold")
    may.locator("[name=counter]").fill("spell")
    may.locator('[name="maximum:number"]').fill("3")
    may.get_by_role("button", name="Note").tap()
    sheet.wait_for(state="hidden")
    look_at(ben, "ana")
    for name in ("Skull", "Mirror"):
        ben.locator(".card", has_text=name).locator(tokens).wait_for(state="attached")

    several("No longer holds").get_by_role("button", name="Spell").tap()
    sheet.wait_for(state="hidden")
    for name in ("Skull", "Mirror"):
        ben.locator(".card", has_text=name).locator(tokens).wait_for(state="detached")


ROW = "#cockpit .places"


def amount(hand: Hand, of: str) -> None:
    which = "data-half" if of == "÷2" else f'data-by="{of}"'
    hand.tap(place(hand.phone, f"{ROW} .is-amount > [{which}]"))


def test_1800_life_points_are_lost_in_five_taps(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    hand = Hand(ana)
    for of in ("1000", "500", "100", "100", "100"):
        amount(hand, of)
    shows(ana, LIFE, "6200")
    shows(ben, LIFE, "6200")

    ana.locator("#undo").tap()
    shows(ben, LIFE, "8000")


def test_1800_life_points_of_the_opponent_are_lost_in_five_taps(duel: tuple[Any, Any]) -> None:
    """The target, 1000, 500, and a held 100."""
    ana, ben = duel
    hand = Hand(ana)
    hand.tap(place(ana, f"{ROW} [data-target]"))
    assert "Whose: Ben" == ana.locator(f"{ROW} [data-target]").get_attribute("aria-label")
    assert "−1000, Ben" == ana.locator(f"{ROW} button[data-by='1000']").get_attribute("aria-label")
    amount(hand, "1000")
    amount(hand, "500")
    hand.down(place(ana, f"{ROW} button[data-by='100']"))
    ana.wait_for_function("() => document.querySelector('[data-hero=ben]').textContent === '6200'")
    hand.up()

    shows(ben, '[id="ben.life"]', "6200")
    shows(ben, LIFE, "8000")


def test_a_half_shows_what_it_took_on_ones_own_phone_too(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    amount(Hand(ana), "500")
    shows(ben, LIFE, "7500")
    Hand(ana).tap(place(ana, f"{ROW} [data-half]"))
    shows(ana, LIFE, "3750")
    for where in ("#cockpit .hero .delta", '#strip [data-choose="ana"] .delta'):
        shows(ana, where, "A−4250")  # both taps
    shows(ben, '#strip [data-choose="ana"] .delta', "A−4250")


def test_the_others_see_counters_change_and_a_full_card_says_so(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    name = "Royal Magical Library"
    add(ana, "royal mag", name)
    resolved = ana.get_by_role("button", name="Spell resolved")
    for n in range(1, 4):
        resolved.tap()
        expect_count(ben, name, "spell", n)
    ben.locator('#strip [data-choose="ana"].is-touched').wait_for()
    assert not ana.locator(".refusal.is-floating").count()
    resolved.tap()
    ana.locator(".refusal.is-floating", has_text="All of them are full.").wait_for()


def test_the_sign_of_the_amounts_is_one_toggle_on_each_side(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    look_at(ana, "ben")
    theirs = '[id="s-ben"] .places'
    hand = Hand(ana)
    hand.tap(place(ana, f"{theirs} [data-sign]"))
    hand.tap(place(ana, f"{theirs} button[data-by='500']"))
    shows(ben, '[id="ben.life"]', "8500")
    ana.locator('#strip [data-choose="ben"] .delta', has_text="+500").wait_for()

    amount(hand, "50")  # the sign is the same everywhere
    shows(ben, LIFE, "8050")
    hand.tap(place(ana, f"{ROW} [data-sign]"))
    amount(hand, "÷2")
    shows(ben, LIFE, "4025")
    hand.tap(place(ana, f"{theirs} [data-half]"))
    shows(ben, '[id="ben.life"]', "4250")


def test_life_points_are_exchanged_by_one_tap_in_ones_seat(duel: tuple[Any, Any]) -> None:
    ana, _ben = duel
    ana.locator('#cockpit button[data-by="1000"]').tap()
    for each in duel:
        shows(each, '[data-hero="ana"]', "7000")
    ana.locator(".seat.is-mine .seat-name").tap()
    form = ana.locator("#sheet form:has([name=do][value='exchange-life'])")

    form.get_by_role("button", name="Ben", exact=True).tap()

    for each in duel:
        shows(each, '[data-hero="ana"]', "8000")
        shows(each, '[data-hero="ben"]', "7000")


def test_a_tap_is_a_hundred_and_a_hold_a_thousand(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    minus = "#cockpit .hero button[name=lose-life]"
    Hand(ana).tap(place(ana, minus))
    shows(ben, LIFE, "7900")

    Hand(ana).hold(place(ana, minus), "#cockpit .hero b")
    shows(ben, LIFE, "6900")


def test_the_pad_opens_with_minus(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    ana.locator("#cockpit .hero b").first.tap()
    for key in "1800":
        ana.locator(f'#pad [data-key="{key}"]').tap()
    ana.get_by_role("button", name="Lose 1800 → 6200").tap()

    shows(ben, LIFE, "6200")


def test_a_set_card_keeps_its_name_from_the_other_phone_until_it_is_flipped(
    duel: tuple[Any, Any],
) -> None:
    ana, ben = duel
    ana.locator(".seat.is-mine .add-card").tap()
    ana.locator('#sheet [name="name"]').press_sequentially("Mirror Force")
    ana.locator('#sheet [name="face_down:secret"]').check()
    ana.locator("#sheet [data-add-card]").tap()

    look_at(ben, "ana")
    card(ben, "Set card").wait_for()
    assert "mirror" not in ben.content().lower()
    card(ana, "Mirror Force").locator('button[name="flip-up"]').tap()

    card(ben, "Mirror Force").wait_for()
    assert "o-card-" in str(card(ben, "Mirror Force").get_attribute("id"))


def test_a_monster_has_its_name_beside_its_counters_and_its_numbers(duel: tuple[Any, Any]) -> None:
    _ana, ben = duel
    ben.locator(".seat.is-mine .add-card").tap()
    plus = '#sheet [data-stat="atk"] [data-step="100"]'
    ben.locator(plus).wait_for()
    Hand(ben).hold(place(ben, plus), '#sheet [data-stat="atk"] input')
    ben.locator(plus).tap()
    assert "1100" == ben.locator('#sheet [data-stat="atk"] input').input_value()
    ben.locator('#sheet [data-stat="def"] input').fill("1700")
    ben.locator('#sheet [data-stat="level"] input').fill("4")
    ben.locator('#sheet [name="name"]').press_sequentially("skilled dark")
    ben.locator("#sheet .offers .offer", has_text="Skilled Dark Magician").tap()
    ben.locator("#sheet [data-add-card]", has_text="Skilled Dark Magician").tap()
    name = card(ben, "Skilled Dark Magician").locator("h3")
    alone = name.bounding_box()["width"]

    count_up(ben, "Skilled Dark Magician", "spell", 2)

    assert alone == name.bounding_box()["width"]


def test_both_read_what_an_attack_destroys(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    for player, name, atk in ((ana, "Blue-Eyes", 3000), (ben, "Dark Magician", 2500)):
        number = {"as": name.lower().replace(" ", "-"), "base": {"atk": atk, "def": 2000}}
        give(player, do="create", name=name, zone="monster", **number)
    give(ana, do="begin-turn", active=["ana"])

    sheet_of(ana, "Blue-Eyes").locator(".targets button", has_text="Dark Magician").tap()

    for each in duel:
        each.locator("#moment", has_text="Dark Magician was destroyed").wait_for()
