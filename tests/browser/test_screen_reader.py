"""The screen reader: the board's structure, and the announcement of changes."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host
from .test_questions import give, table

pytestmark = pytest.mark.browser

LISTEN = """() => {
  window.said = [];
  for (const id of ["announcement", "alarm"])
    new MutationObserver(() => {
      const text = document.getElementById(id).textContent;
      if (text) said.push(text);
    }).observe(document.getElementById(id), {childList: true, characterData: true, subtree: true});
}"""
UNNAMED = """() => [...document.querySelectorAll("button, a[href], [role=button], dialog[open]")]
  .filter((each) => each.checkVisibility() && !(each.ariaLabel ?? "").trim())
  .filter((each) => !each.textContent.trim() || /^[\\d−+]+$/.test(each.textContent.trim()))
  .filter((each) => !each.closest(".nonland, .is-amount") && !each.hasAttribute("aria-labelledby"))
  .map((each) => each.outerHTML.slice(0, 120))"""


@pytest.fixture
def two(phone: Phones, running: Night) -> tuple[Any, Any]:
    """Ana and Ben at a game of Magic, with nothing more to tell."""
    ana, ben = phone(), phone()
    table(ana, ben, running.site, "magic")
    return ana, ben


def listens(*players: Any) -> None:
    players[0].wait_for_timeout(1500)
    for player in players:
        player.evaluate(LISTEN)


def hears(*players: Any, count: int = 1) -> list[list[str]]:
    """What is announced to each of *players*, at least so many times, and then no more."""
    for player in players:
        player.wait_for_function("n => said.length >= n", arg=count)
    players[0].wait_for_timeout(1500)
    return [player.evaluate("said") for player in players]


def called(player: Any, seat: str) -> str:
    text: str = player.locator(f"#s-{seat} h2").inner_text()
    return text


@pytest.mark.parametrize("system", ["magic", "grand-archive"])
def test_every_seat_and_card_has_its_heading_and_every_control_its_name(
    phone: Phones, running: Night, system: str
) -> None:
    ana = phone()
    ana.goto(Host(ana, running.site).demo(system))
    ana.wait_for_load_state()
    ana.wait_for_timeout(500)
    for cell in ana.locator("#strip [data-choose]").all():
        cell.tap()
        seat = cell.get_attribute("data-choose")
        name = ana.locator(f"#s-{seat} h2").text_content()
        region = ana.get_by_role("region", name=name, exact=True)
        region.get_by_role("heading", name=name, level=2).wait_for()
        for card in region.locator(".card:visible").all():
            text = card.locator(":scope > a").text_content()
            card.get_by_role("heading", name=text, level=3).wait_for()
        assert [] == ana.evaluate(UNNAMED)
        assert "_" not in cell.text_content()


def test_a_number_is_read_with_its_kind_and_holder(two: tuple[Any, Any]) -> None:
    ana, _ = two
    name = called(ana, "ana")
    ana.get_by_role("button", name=f"40 life, {name}").wait_for()
    ana.get_by_role("button", name=f"less life, {name}").tap()
    ana.get_by_role("button", name=f"39 life, {name}").wait_for()
    ana.get_by_role("button", name=f"the monarch, {name}").wait_for()

    ana.locator('.tools [href="log"]').tap()
    log = ana.get_by_role("dialog", name="Log")
    log.get_by_role("button", name=re.compile("^Undo line 1")).wait_for()
    # Its line says one thing, which is no list of one item.
    assert (1, 1) == (log.get_by_role("list").count(), log.get_by_role("listitem").count())


def test_a_burst_is_said_once_with_who_and_how_much(two: tuple[Any, Any]) -> None:
    ana, ben = two
    listens(ana, ben)
    name, other = called(ana, "ana"), called(ben, "ben")
    ana.locator('#cockpit [name="lose-life"]').evaluate("each => [3, 2, 1].map(() => each.click())")
    burst = f"{name}: −3 life, now 37"
    assert [[burst], [burst]] == hears(ana, ben)

    ana.locator('#strip [data-choose="ben"]').tap()
    ana.locator('#s-ben [name="lose-life"]').tap()
    assert [[burst, f"{name}: −1 life, {other}, now 39"]] == hears(ben, count=2)


def test_an_undo_is_said_once(two: tuple[Any, Any]) -> None:
    ana, ben = two
    ana.locator('#cockpit [name="lose-life"]').tap()
    ana.locator("#undo:not([disabled])", has_text="life").wait_for()
    listens(ana, ben)
    ana.locator("#undo").tap()
    for said in hears(ana, ben):
        assert 1 == len(said), said
        assert "life" in said[0]


def test_counters_removed_by_a_rule_are_said_once(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    table(ana, ben, running.site, "grand-archive")
    squire = {"name": "Squire", "types": ["ally"], "base": {"power": 1, "life": 4}}
    give(ana, do="create", **{"as": "squire", **squire})
    give(ana, do="place", on="squire", counter="debuff", amount=2)
    listens(ben)
    give(ana, do="place", on="squire", counter="buff", amount=1)

    assert [["Squire lost 1 buff and 1 debuff counters: they cancel out"]] == hears(ben)


def test_a_question_is_said_once_and_the_keyboard_answers_it(two: tuple[Any, Any]) -> None:
    ana, _ = two
    give(ana, do="place", on="ana", counter="rad", amount=2)
    listens(ana)
    ana.keyboard.press("n")
    ana.locator("#dock .nonland").wait_for()
    ana.wait_for_timeout(1500)
    assert 1 == len([each for each in ana.evaluate("said") if "Mill 2" in each])

    assert ana.evaluate("document.activeElement.name") == "nonland:number"
    ana.keyboard.press("ArrowRight")
    ana.keyboard.press("Enter")
    ana.locator("#dock .nonland").wait_for(state="detached")


def test_keys_turn_choose_undo_and_open(two: tuple[Any, Any]) -> None:
    ana, ben = two
    ana.keyboard.press("-")
    ana.keyboard.press("-")
    ben.locator('#strip [data-hero="ana"]', has_text="38").wait_for()
    ana.keyboard.press("+")
    ben.locator('#strip [data-hero="ana"]', has_text="39").wait_for()
    ana.locator("#undo:not([disabled])", has_text="life").wait_for()
    ana.keyboard.press("u")
    ben.locator('#strip [data-hero="ana"]', has_text="40").wait_for()
    ana.keyboard.press("2")
    ana.locator("#s-ben.is-chosen").wait_for()
    ana.keyboard.press("l")
    ana.locator("#sheet .log").wait_for()
    ana.keyboard.press("Escape")
    ana.keyboard.press("?")
    ana.locator("#sheet .keys").wait_for()


def test_the_focus_stays_when_another_phone_redraws_the_number(two: tuple[Any, Any]) -> None:
    ana, ben = two
    plus = ana.locator('#cockpit [name="gain-life"]')
    number = ana.locator('[id="ana.life"]')
    for own, at in ((plus, "name"), (number, "id")):
        own.focus()
        focused = own.get_attribute(at)
        shown = int(number.inner_text())
        ben.locator('#strip [data-choose="ana"]').tap()
        ben.locator('#s-ana [name="lose-life"]').tap()
        ana.locator('[id="ana.life"]', has_text=str(shown - 1)).wait_for()
        ana.wait_for_timeout(300)
        assert focused == ana.evaluate(f"document.activeElement.{at}")


def test_the_skip_links_lead_to_numbers_and_cards(two: tuple[Any, Any]) -> None:
    ana, _ = two
    for words, place in (("To my numbers", "cockpit"), ("To the cards", "board")):
        link = ana.get_by_role("link", name=words)
        link.focus()
        ana.keyboard.press("Enter")
        ana.keyboard.press("Tab")
        assert ana.evaluate("id => !!document.activeElement.closest('#' + id)", place)


def test_the_numbers_of_a_card_and_the_turn_have_words(phone: Phones, running: Night) -> None:
    host = Host(phone(), running.site)
    page = host.open(host.middle("grand-archive", 2))
    card = page.locator(".seat.is-mine .card").first
    for words in ("level 2", "life 24"):
        card.get_by_role("img", name=words, exact=True).wait_for()
    assert page.get_by_role("group", name="Turn and phase").count()
