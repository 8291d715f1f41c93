"""An evening of three Duels: Ana and Ben duel, Cleo watches, each with a phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .fingers import Hand, place
from .tables import Host, join, start_by_taps, won
from .test_two_phones import look_at, shows
from .test_yu_gi_oh import (
    add,
    card,
    close,
    count_up,
    expect_count,
    open_part,
    pay,
    sheet_of,
)

pytestmark = pytest.mark.browser

MINE = "#cockpit"
RECORD = """() => {
  window.told = [];
  const place = document.getElementById('moment');
  const note = () => told.push(place.textContent.replace(/\\s+/g, ' '));
  new MutationObserver(note).observe(place, {childList: true});
}"""


SAID = "(said) => told.some((all) => said.every((part) => all.includes(part)))"


def all_show(phones: tuple[Any, ...], selector: str, text: str) -> None:
    for each in phones:
        shows(each, selector, text)


def all_count(phones: tuple[Any, ...], name: str, kind: str, amount: int) -> None:
    for each in phones:
        expect_count(each, name, kind, amount)


def tap_in(sheet: Any, button: str) -> None:
    sheet.get_by_role("button", name=button, exact=True).first.tap()


def play_again(ana: Any, phones: tuple[Any, ...]) -> None:
    ended = ana.url.split("/g/")[1].split("/")[0]
    shows(ana, "#next", "Play again")
    ana.locator("[data-menu]").tap()
    ana.get_by_role("link", name="Save or play again").tap()
    ana.get_by_role("button", name="Ben goes first, having lost").tap()
    for each in phones:
        each.wait_for_url(lambda url: "/g/" in url and ended not in url)
        each.wait_for_selector("#board")
        each.wait_for_load_state()
        shows(each, '[data-hero="ana"]', "8000")


def spell_counters(table: tuple[Any, ...]) -> None:
    """The first Duel: Spell Counters, and a line that drops."""
    ana, ben, cleo = table
    assert "life points" == ana.locator(f"{MINE} .is-hero").get_attribute("data-word")
    add(ana, "servant of", "Servant of Endymion")
    ana.locator('#s-ana [data-zone="pendulum"] > .card').wait_for()
    add(ana, "magical citadel", "Magical Citadel of Endymion")
    ana.locator('#s-ana [data-zone="field-zone"] > .card').wait_for()
    add(ana, "Magical Exem", "Magical Exemplar")
    for each, number in ((1, 1), (2, 2)):
        ana.get_by_role("button", name="Spell resolved", exact=True).tap()
        all_count(table, "Servant of Endymion", "spell", number)
        all_count(table, "Magical Citadel of Endymion", "spell", number)
        all_count(table, "Magical Exemplar", "spell", 2 * each)

    # A cost of three, split with one thumb.
    pay(ana)
    row = ana.locator(".split li:not([hidden])")
    row.filter(has_text="Exemplar").locator('[data-step="1"]').tap()
    row.filter(has_text="Exemplar").locator('[data-step="1"]').tap()
    row.filter(has_text="Servant").locator('[data-step="1"]').tap()
    assert "3" == ana.locator('.pay [name="amount:number"]').input_value()
    ana.get_by_role("button", name="Pay with them").tap()
    all_count(table, "Magical Exemplar", "spell", 2)
    all_count(table, "Servant of Endymion", "spell", 1)

    # Two cards come to their thresholds with the same Spell, and everyone reads of both.
    for colour in ("Dark", "Red"):
        add(ben, f"Skilled {colour}", f"Skilled {colour} Magician")
        count_up(ben, f"Skilled {colour} Magician", "spell", 2)
        all_count(table, f"Skilled {colour} Magician", "spell", 2)
    for each in table:
        each.evaluate(RECORD)
    ben.get_by_role("button", name="Spell resolved", exact=True).tap()
    for each in table:
        for colour in ("Dark", "Red"):
            said = [f"Skilled {colour} Magician", "has reached 3 spell counters"]
            each.wait_for_function(SAID, arg=said)
    token = card(ben, "Skilled Dark Magician").locator('li[data-kind="spell"]')
    token.tap()
    token.locator('button[name="own"]').tap()
    ben.locator(".refusal", has_text="R16").first.wait_for()

    # Face-down and up again: nothing comes back. Negated: the bound ones go; Ben takes it back.
    sheet = sheet_of(ben, "Skilled Red Magician")
    tap_in(sheet, "Turn face down")
    look_at(cleo, "ben")
    cleo.locator(".card.is-face_down", has_text="Skilled Red Magician").wait_for()
    tap_in(sheet, "Turn face up")
    all_count(table, "Skilled Red Magician", "spell", 0)
    close(ben)
    tap_in(sheet_of(ben, "Magical Exemplar"), "Negate")
    all_count(table, "Magical Exemplar", "spell", 0)
    close(ben)
    ben.locator("#undo").tap()
    all_count(table, "Magical Exemplar", "spell", 4)

    # Counters go from card to card, and a card that left is remembered.
    sheet = sheet_of(ana, "Magical Exemplar")
    open_part(sheet, "Another counter")
    moving = open_part(sheet, "Move counters to another card")
    moving.locator('select[name="to"]').select_option(label="Magical Citadel of Endymion")
    moving.get_by_role("button", name="Move them").tap()
    all_count(table, "Magical Citadel of Endymion", "spell", 4)
    tap_in(ana.locator("#sheet-body"), "Destroy")
    look_at(cleo, "ana")
    cleo.locator("#s-ana .pile", has_text="graveyard").wait_for()
    ana.locator("#sheet[open]").wait_for(state="detached")
    sheet = sheet_of(ana, "Servant of Endymion")
    gone = open_part(sheet, "Counters that another card had")
    gone.get_by_role("button", name="3 spell · Magical Exemplar").tap()
    all_count(table, "Servant of Endymion", "spell", 5)
    close(ana)

    # Ben's line drops; the taps are kept, and sent once.
    ben.context.set_offline(True)
    ben.locator("#connection:not([hidden])").wait_for()
    ben.locator(f'{MINE} button[data-by="1000"]').tap()
    ben.locator(f'{MINE} button[data-by="500"]').tap()
    ben.locator("#connection", has_text="2 kept").wait_for()
    shows(ana, '[data-hero="ben"]', "8000")
    ben.context.set_offline(False)
    all_show(table, '[data-hero="ben"]', "6500")
    ben.reload()
    ben.wait_for_load_state()
    shows(ben, f'{MINE} [id="ben.life"]', "6500")
    Hand(ben).hold(place(ben, f'{MINE} button[name="gain-life"]'), '[id="ben.life"]')
    all_show(table, '[data-hero="ben"]', "7500")
    ben.locator(f'{MINE} button[name="halve-life"]').tap()
    all_show(table, '[data-hero="ben"]', "3750")
    for _ in range(4):
        ben.locator(f'{MINE} button[data-by="1000"]').tap()
    won(table, "Ana")


def ice_on_a_token(table: tuple[Any, ...]) -> None:
    """The second Duel: a token with ice on it, placed by a card that is not on the table."""
    ana, ben, _cleo = table
    look_at(ben, "ben")
    ben.locator(".seat.is-mine .add-card").tap()
    ben.locator('#sheet [name="name"]').fill("Sheep Token")
    open_part(ben.locator("#sheet"), "Elsewhere")
    ben.locator('#sheet [name="token:flag"]').check()
    ben.locator("#sheet [data-add-card]").tap()
    sheet = sheet_of(ana, "Sheep Token")
    open_part(sheet, "Another counter")
    sheet.locator('form[data-kinds] input[name="source"]').fill("Snowdust Giant")
    for number in (1, 2):  # the chip stays where it is for the next tap
        sheet.locator('form[data-kinds] .chip[data-kind="ice"]').tap()
        all_count(table, "Sheep Token", "ice", number)
    close(ana)
    tap_in(sheet_of(ben, "Sheep Token"), "Destroy")
    for each in table:
        card(each, "Sheep Token").wait_for(state="detached")
    ana.locator('#s-ben [id="ben.life"]').tap()
    for key in "8000":
        ana.locator(f'#pad [data-key="{key}"]').tap()
    ana.locator('#pad [data-pad-do="correct"]').tap()
    won(table, "Ana")


def another_phone(table: tuple[Any, ...]) -> None:
    """The third Duel: Cleo's phone takes Ben's seat over, and the log says zones by their names."""
    ana, _ben, cleo = table
    cleo.get_by_text("Is one of them yours?").tap()
    cleo.locator("#sheet li", has_text="Ben").get_by_text("That’s my seat").tap()
    ana.get_by_role("button", name="Let them in").tap()
    cleo.locator(".seat.is-mine .add-card").wait_for()
    add(cleo, "gateway of the", "Gateway of the Six")
    tap_in(sheet_of(cleo, "Gateway of the Six"), "Destroy")
    ana.get_by_role("link", name="Log").tap()
    ana.locator(".log li", has_text="moved from Spell & Trap Zone to graveyard").first.wait_for()
    close(ana)
    for button, life in (("÷2", "4000"), ("÷2", "2000"), ("1000", "1000"), ("1000", "0")):
        ana.locator(f"{MINE} .is-amount button", has_text=button).tap()
        all_show((ana, cleo), '[data-hero="ana"]', life)
    won(table, "Ben")


def test_an_evening_of_three_duels(phone: Phones, running: Night) -> None:
    ana, ben, cleo = table = (phone(), phone(), phone())
    code = start_by_taps(ana, running.site, "Yu-Gi-Oh!")
    join(ben, running.site, code)
    Host(cleo, running.site).watch(code)
    cleo.get_by_text("You’re watching").wait_for()
    cells = cleo.locator("#strip .cell").evaluate_all("all => all.map((each) => each.offsetHeight)")
    assert cells[0] == cells[1], "whose turn it is moves nothing"

    spell_counters(table)
    play_again(ana, table)
    ice_on_a_token(table)
    play_again(ana, table)
    another_phone(table)
