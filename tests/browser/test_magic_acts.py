"""The everyday acts of Magic on two phones: each a tap on a sheet, seen on the other phone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, join, start
from .test_two_phones import give, look_at, shows

pytestmark = pytest.mark.browser
PICTURES = os.environ.get("PICTURES", "")
"""A folder for pictures of the sheets, to look at."""


@pytest.fixture
def commander(phone: Phones, running: Night) -> tuple[Any, Any]:
    """Ana has made a game of Commander for four, and Ben has joined it."""
    ana, ben = phone(), phone(360, 640)
    join(ben, running.site, start(ana, running.site, "magic", 4, "commander"))
    return ana, ben


def opens(player: Any, address: str) -> Any:
    """Open a sheet as any link of the board does; return it."""
    player.evaluate(
        """address => {
          const link = document.createElement("a");
          link.href = address;
          link.dataset.sheet = "";
          document.body.append(link);
          link.click();
          link.remove();
        }""",
        address,
    )
    sheet = player.locator("#sheet")
    sheet.locator("h2").first.wait_for()
    return sheet


WATCH = """(selector) => {
  window.shown = [];
  const look = () => {
    const shown = document.querySelector(selector)?.textContent;
    if (shown && shown !== window.shown.at(-1)) window.shown.push(shown);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Keeps every number that is shown there, one after another."""


BROKEN = """(text) => [...text.textContent.matchAll(/\\S+/g)].some(({0: word, index}) => {
  const range = document.createRange();
  range.setStart(text.firstChild, index);
  range.setEnd(text.firstChild, index + word.length);
  return range.getClientRects().length > 1;
})"""
"""True if a word is on two lines."""


def picture(player: Any, name: str) -> None:
    for scheme in ("light", "dark") if PICTURES else ():
        player.emulate_media(color_scheme=scheme)
        player.wait_for_timeout(200)
        player.screenshot(path=Path(PICTURES) / f"{name}-{scheme}.png")


def test_whose_a_card_is_and_its_button_are_whole_beside_its_numbers(
    phone: Phones, running: Night
) -> None:
    host, bear = Host(phone(360, 640), running.site), {"types": ["creature"], "owner": "ben"}
    stats = {"base": {"power": 2, "toughness": 2}, "controller": "ana", "marked": 1}
    out = {"phased_out": True, "counters": {"+1/+1": 1}, "name": "Bear of the North"}
    given = {"seats": {"ana": {}, "ben": {}}, "turn": {"active": ["ana"]}, "objects": {
        "stolen": {**bear, **stats}, "out": {**bear, **stats, **out, "owner": "ana", "marked": 0},
    }}  # fmt: skip
    told = {
        "id": "rows",
        "title": "Rows",
        "system": "magic",
        "given": given,
        "when": [],
        "then": {},
    }
    page = host.open(host.played(told))

    box = {
        name: page.locator(f'[id="stolen.stats"] > {name}').first.bounding_box() for name in "ib"
    }
    assert box["i"]["y"] + box["i"]["height"] <= box["b"]["y"] + 2
    button = page.locator("#o-out .act button, #o-out .act > *").first
    assert button.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_commander_damage_is_a_tap_on_its_row(commander: tuple[Any, Any]) -> None:
    ana, ben = commander
    sheet = opens(ana, "acts/commander")
    row = sheet.locator('.taken li[data-kind="ben-commander"]')
    ana.evaluate(WATCH, '#sheet [data-of="ana.ben-commander"]')
    for _ in range(3):
        row.get_by_role("button", name="1 more").tap()
        ana.wait_for_timeout(250)
    shows(ana, '#sheet [data-of="ana.ben-commander"]', "3")
    ana.wait_for_timeout(600)
    assert ["0", "1", "2", "3"] == ana.evaluate("window.shown"), "a number under a finger flickers"
    shows(ben, '[id="ana.life"]', "37")
    picture(ana, "commander")

    row.get_by_role("button", name="1 less").tap()
    shows(ana, '#sheet [data-of="ana.ben-commander"]', "2")
    shows(ben, '[id="ana.life"]', "38")

    sheet.locator('a[href$="acts/commander?seat=ben"]').tap()
    other = sheet.locator('.taken li[data-kind="ana-commander"]')
    other.get_by_role("button", name="1 more").tap()
    shows(ben, '[id="ben.life"]', "39")
    for button in sheet.locator(".taken button:visible").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44


def test_the_sheet_of_the_table_hands_on_and_counts(commander: tuple[Any, Any]) -> None:
    ana, ben = commander
    sheet = opens(ana, "acts/table")
    picture(ana, "table-at-rest")
    sheet.locator('[name="crown"][value="ben"]').tap()
    sheet.locator('[name="crown"][value="ben"][aria-pressed="true"]').wait_for()
    sheet.locator('[name="day-night"][value="night"]').tap()
    for _ in range(3):
        sheet.get_by_role("button", name="1 spell more").tap()
    shows(ana, '#sheet [data-of="ana.spells_cast"]', "3")
    sheet.get_by_role("button", name="Undercity").tap()
    sheet.get_by_role("button", name="Lost Well").tap()
    sheet.get_by_role("button", name="Arena").wait_for()
    sheet.get_by_role("button", name="The Ring tempts").tap()
    sheet.locator("h3 b", has_text="1/4").wait_for()

    theirs = opens(ben, "acts/table")
    theirs.locator('[name="crown"][value="ana"]').tap()
    sheet.locator('[name="crown"][value="ana"][aria-pressed="true"]').wait_for()
    assert 1 == sheet.locator('[name="crown"][aria-pressed="true"]').count()
    assert "true" == theirs.locator('[value="night"]').get_attribute("aria-pressed")
    picture(ana, "table")
    picture(ben, "table-small")
    assert 360 == ben.evaluate("document.documentElement.scrollWidth")

    theirs.locator("summary", has_text="Planechase").tap()
    theirs.get_by_role("button", name="Roll the planar die").tap()
    ana.locator("#chance", has_text="rolled the planar die").wait_for(state="attached")
    picture(ben, "planechase")


def test_a_drain_is_one_tap_of_the_sheet(commander: tuple[Any, Any]) -> None:
    ana, ben = commander
    give(ana, do="place", on=["cleo", "dan"], counter="energy", amount=1)  # they play, too
    sheet = opens(ana, "acts/give")
    picture(ana, "give")
    sheet.locator(".drain").first.get_by_role("button", name="2", exact=True).tap()
    sheet.wait_for(state="hidden")
    for seat, life in (("ana", "42"), ("ben", "38"), ("cleo", "38")):
        shows(ben, f'[id="{seat}.life"]', life)

    sheet = opens(ana, "acts/give")
    sheet.get_by_role("button", name="1 more", exact=True).tap()
    sheet.locator(".drain").last.get_by_role("button", name="X").tap()
    sheet.wait_for(state="hidden")
    for seat, life in (("ana", "60"), ("ben", "32")):
        shows(ben, f'[id="{seat}.life"]', life)


def sieges(ana: Any, *names: str) -> None:
    """Each loses its last defense counter, and asks its controller."""
    for name in names:
        key = name.lower().replace(" ", "-")
        printed = {"types": ["battle"], "base": {"defense": 3}}
        give(ana, do="create", **{"as": key}, name=name, zone="battlefield", **printed)
        give(ana, do="damage", on=[key], amount=3)


def test_a_defeated_siege_is_cast_by_its_form(commander: tuple[Any, Any]) -> None:
    ana, ben = commander
    sieges(ana, "Zendikar")
    question = ana.locator('#dock .question[data-kind="siege"]')
    question.wait_for()
    picture(ana, "siege")
    typed = question.get_by_label("Name of the other face")
    assert "Zendikar, other face" == typed.input_value()
    typed.fill("")
    ana.locator("#next", has_text="Cast it").dispatch_event("click")
    question.locator(".refusal", has_text="Say what the other face is called.").wait_for()

    typed.fill("Awakened Skyclave")
    question.locator(".chips label", has_text="creature").tap()
    question.get_by_label("power").fill("4")
    question.get_by_label("toughness").fill("5")
    picture(ana, "siege-filled")
    ana.locator("#next", has_text="Cast it").tap()
    question.wait_for(state="detached")
    for player in (ana, ben):
        shows(player, "#o-zendikar h3", "Awakened Skyclave")
        shows(player, '#o-zendikar [data-stat="power"]', "4")
        shows(player, '#o-zendikar [data-stat="toughness"]', "5")
        assert "creature" == player.locator("#o-zendikar").get_attribute("data-type")
    picture(ben, "siege-cast")


def test_a_known_siege_is_cast_in_one_tap_and_keeps_no_number_of_the_battle(
    commander: tuple[Any, Any],
) -> None:
    ana, ben = commander
    sieges(ana, "Invasion of Ravnica")
    question = ana.locator('#dock .question[data-kind="siege"]')
    ana.locator("#next", has_text="Cast it").tap()
    question.wait_for(state="detached")
    card = "#o-invasion-of-ravnica"
    for player in (ana, ben):
        shows(player, f"{card} h3", "Guildpact Paragon")
        shows(player, f'{card} [data-stat="toughness"]', "5")
        assert not player.locator(f'{card} [data-kind="defense"]').count()


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)])
def test_a_defeated_siege_is_exiled_or_countered_by_its_menu(
    phone: Phones, running: Night, size: tuple[int, int]
) -> None:
    """The menu lies over what else the table asks, such as who starts, and below the header."""
    ana, ben = phone(*size), phone()
    join(ben, running.site, start(ana, running.site, "magic", 2))
    sieges(ana, "Ikoria", "Alara")
    ana.locator(".who-starts").wait_for()
    for answered, left, pile in (
        ("Exile it, and don’t cast it", "Alara", "exile"),
        ("It was countered", "", "graveyard"),
    ):
        question = ana.locator('#dock .question[data-kind="siege"]').first
        question.locator(".prompt-more > summary").tap()
        picture(ana, f"siege-menu-{size[0]}-{pile}")
        question.get_by_role("button", name=answered).tap()
        if left:
            ana.locator("#dock .question:first-child", has_text=left).wait_for()
        ben.locator("#s-ana .pile", has_text=pile).wait_for(state="attached")
    ana.locator("#dock .question").wait_for(state="detached")


def test_a_tap_on_the_stats_harms_nobody_and_lethal_damage_kills(
    commander: tuple[Any, Any],
) -> None:
    ana, ben = commander
    printed = {"types": ["creature"], "base": {"power": 2, "toughness": 2}}
    name = "Vampire Nighthawk"
    give(ana, do="create", **{"as": "bear"}, name=name, zone="battlefield", **printed)
    row, more = ana.locator("#o-bear"), ana.get_by_role("button", name=f"more damage, {name}")
    height = row.bounding_box()["height"]
    assert row.locator("> p").bounding_box()["width"] >= 44
    row.locator("> p").tap()
    more.wait_for()
    assert "0" == ana.locator('[id="bear.marked"]').inner_text()
    box = more.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    more.tap()
    shows(ben, '[id="bear.marked"]', "1")
    assert 0 == row.locator(".act").count()
    assert height == row.bounding_box()["height"]
    picture(ana, "bear")

    more.tap()
    for player in (ana, ben):
        player.locator(".pile #o-bear").wait_for(state="attached")
    moment = ana.locator("#moment .moment")
    moment.get_by_text("Vampire Nighthawk died").wait_for()
    moment.get_by_text("2 damage on 2 toughness").wait_for()
    picture(ana, "bear-died")
    ana.locator("#undo").tap()
    ben.locator(".seat #o-bear:not(.pile *)").wait_for(state="attached")
    shows(ben, '[id="bear.marked"]', "1")


def test_a_creature_whose_state_is_indestructible_stays(commander: tuple[Any, Any]) -> None:
    ana, ben = commander
    printed = {"types": ["creature"], "base": {"power": 2, "toughness": 2}}
    give(ana, do="create", **{"as": "bear"}, name="Bear", zone="battlefield", **printed)
    sheet = opens(ana, "objects/bear")
    sheet.locator("summary", has_text="Its state").tap()
    sheet.get_by_role("button", name="indestructible", exact=True).tap()
    sheet.locator('.marks [aria-pressed="true"]').wait_for()
    picture(ana, "bear-sheet")
    for _ in range(3):
        sheet.locator('button[name="damage"]').tap()
    shows(ben, '[id="bear.marked"]', "3")
    ben.locator('#strip [data-choose="ana"]').tap()
    ben.locator("#o-bear.is-lethal").wait_for()


def test_a_commander_that_died_goes_to_the_command_zone_in_one_tap(
    commander: tuple[Any, Any],
) -> None:
    ana, ben = commander
    facts = {"types": ["creature"], "base": {"power": 2, "toughness": 2}}
    give(ana, do="describe", object=["ana-commander"], **facts)
    give(ana, do="cast", object="ana-commander")
    give(ana, do="damage", on=["ana-commander"], amount=2)
    ana.locator(".pile[open]", has_text="graveyard").wait_for()  # as the command zone was
    ana.get_by_role("button", name="→ command zone").tap()
    ben.locator(".pile", has_text="command zone").locator("#o-ana-commander").wait_for(
        state="attached"
    )


def test_a_question_of_one_creature_is_one_tap_either_way(commander: tuple[Any, Any]) -> None:
    ana, ben = commander
    champion = {"types": ["creature"], "base": {"power": 1, "toughness": 1}, "known": True}
    give(ana, do="create", name="Champion of the Parish", **{"as": "champion"}, **champion)
    look_at(ben, "ana")
    for name, says in (("thalia", "On Champion of the Parish"), ("bear", "Not this time")):
        give(ana, do="create", name=name.title(), types=["creature"], **{"as": name})
        ben.locator(".turn-waiting", has_text="Who gets it?").wait_for(state="attached")
        ana.get_by_role("button", name=says).and_(ana.locator(":visible")).first.tap()
        ana.locator(".question").wait_for(state="detached")
        shows(ben, '#o-champion [data-kind="+1/+1"] b', "1")
