"""Ana and Ben duel, each with a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .test_two_phones import join, shows

pytestmark = pytest.mark.browser


@pytest.fixture
def duel(phone: Callable[..., Any], running: Night) -> tuple[Any, Any]:
    """Ana has made a Duel, and Ben sits opposite."""
    ana, ben = phone(), phone(360, 740)
    ana.goto(f"{running.site}/")
    ana.get_by_role("link", name="Yu-Gi-Oh!").tap()
    ana.get_by_role("button", name="Start").tap()
    code = ana.locator(".share-code b").inner_text()
    ana.get_by_role("link", name="Go to the table").tap()
    ana.wait_for_selector("#board")
    join(ben, running.site, code)
    for player in (ana, ben):
        player.wait_for_load_state()
    return ana, ben


def add(player: Any, typed: str, name: str = "", zone: str = "monster") -> None:
    """Add a card; with a *name*, the offered one of that name."""
    player.locator(".seat.is-mine .add-card").tap()
    player.locator('#sheet [name="name"]').press_sequentially(typed)
    if name:
        player.locator("#known button", has_text=name).tap()
    player.locator(f'#sheet label:has([name="zone"][value="{zone}"])').tap()
    player.get_by_role("button", name="Add", exact=True).tap()
    player.locator(".seat.is-mine .card > a", has_text=name or typed).wait_for()


def card(player: Any, name: str) -> Any:
    return player.locator(".card", has=player.locator(f'a:text-is("{name}")'))


def counted(player: Any, name: str, kind: str) -> Any:
    return card(player, name).locator(f'li[data-kind="{kind}"] b')


def expect_count(player: Any, name: str, kind: str, amount: int) -> None:
    from playwright.sync_api import expect

    expect(counted(player, name, kind)).to_have_text(str(amount), timeout=10_000)


def sheet_of(player: Any, name: str) -> Any:
    card(player, name).locator("> a").tap()
    player.locator("#sheet h2", has_text=name).wait_for()
    return player.locator("#sheet-body")


def close(player: Any) -> None:
    player.locator("#sheet .sheet-close").tap()


def test_gateway_to_chaos_loses_its_spell_counters_when_negated(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    add(ben, "gateway to", "Gateway to Chaos", "field-zone")
    plus = card(ben, "Gateway to Chaos").locator('li[data-kind="spell"] button[name="own"]')
    for _ in range(3):
        plus.tap()
    expect_count(ana, "Gateway to Chaos", "spell", 3)
    assert "6" == card(ana, "Gateway to Chaos").locator("li").get_attribute("data-most")

    sheet_of(ana, "Gateway to Chaos").get_by_role("button", name="negated", exact=True).tap()

    expect_count(ben, "Gateway to Chaos", "spell", 0)
    plus.tap()
    ben.locator(".refusal", has_text="R8").wait_for()
    close(ana)
    ana.get_by_role("link", name="Log").tap()
    why = ana.locator(".log li", has_text="Gateway to Chaos: negated").first
    why.get_by_text("Why?").tap()
    why.get_by_text("loses its bound counters").wait_for()


def test_snowdust_giant_leaves_its_ice_counters_when_negated(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    add(ana, "Royal Magical", "Royal Magical Library")
    add(ben, "Snowdust Giant")
    sheet = sheet_of(ben, "Royal Magical Library")
    sheet.locator('form[data-kinds] select[name="source"]').select_option(label="Snowdust Giant")
    sheet.locator('form[data-kinds] [name="amount:number"]').fill("2")
    sheet.locator('form[data-kinds] [name="counter"][list]').fill("Ice Counters")
    sheet.get_by_role("button", name="Place", exact=True).first.tap()
    expect_count(ana, "Royal Magical Library", "ice", 2)
    close(ben)

    sheet_of(ana, "Snowdust Giant").get_by_role("button", name="negated", exact=True).tap()

    ben.locator(".card.is-negated", has_text="Snowdust Giant").wait_for()
    expect_count(ana, "Royal Magical Library", "ice", 2)
    expect_count(ben, "Royal Magical Library", "ice", 2)


def test_a_cost_is_split_over_cards_when_the_rules_ask(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    for name in ("Royal Magical Library", "Magical Exemplar"):
        add(ana, name, name)
    ana.get_by_role("button", name="A Spell resolved").tap()
    expect_count(ben, "Magical Exemplar", "spell", 2)
    expect_count(ben, "Royal Magical Library", "spell", 1)

    ana.get_by_role("link", name="Pay or take off").tap()
    ana.locator('.pay [name="amount:number"]').fill("2")
    ana.get_by_role("button", name="Pay as a cost").tap()
    ana.locator(".pay .refusal", has_text=re.compile("say how many")).wait_for()
    rows = ana.locator(".split li:not([hidden])")
    rows.filter(has_text="Library").locator("input").fill("1")
    rows.filter(has_text="Exemplar").locator("input").fill("1")
    ana.get_by_role("button", name="Pay as a cost").tap()

    expect_count(ben, "Magical Exemplar", "spell", 1)
    expect_count(ben, "Royal Magical Library", "spell", 0)


def test_an_unknown_kind_asks_one_question(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    add(ana, "Myriaday Dragon")
    sheet = sheet_of(ana, "Myriaday Dragon")
    field = sheet.locator('form[data-kinds] [name="counter"][list]')
    field.fill("Myriad Counter")
    sheet.get_by_role("button", name="Place", exact=True).first.tap()
    sheet.locator("[data-question]:visible").wait_for()
    sheet.get_by_role("button", name="On any card").tap()
    sheet.locator("[data-ask]").wait_for(state="hidden")
    field.fill("Myriad Counter")
    sheet.get_by_role("button", name="Place", exact=True).first.tap()

    expect_count(ben, "Myriaday Dragon", "myriad", 1)


def test_life_points_are_halved_and_held(duel: tuple[Any, Any]) -> None:
    ana, ben = duel
    ana.get_by_role("button", name="÷2").first.tap()
    shows(ben, '[id="ana.life"]', "4000")

    minus = ana.locator('.seat.is-mine button[name="lose-life"]').first
    minus.dispatch_event("pointerdown", {"pointerId": 1, "button": 0})
    ana.wait_for_timeout(700)
    minus.dispatch_event("pointerup", {"pointerId": 1, "button": 0})

    shows(ben, '[id="ana.life"]', "3900")


def test_a_set_card_keeps_its_name_from_the_other_phone_until_it_is_flipped(
    duel: tuple[Any, Any],
) -> None:
    ana, ben = duel
    ana.locator(".seat.is-mine .add-card").tap()
    ana.locator('#sheet [name="name"]').press_sequentially("Mirror Force")
    ana.locator('#sheet [name="face_down:secret"]').check()
    ana.get_by_role("button", name="Add", exact=True).tap()

    card(ben, "Set card").wait_for()
    assert "mirror" not in ben.content().lower()
    card(ana, "Mirror Force").locator('button[name="flip-up"]').tap()

    card(ben, "Mirror Force").wait_for()
    assert "o-card-" in str(card(ben, "Mirror Force").get_attribute("id"))
