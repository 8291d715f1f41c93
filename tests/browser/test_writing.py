"""Writing a game of one's own on a phone: its numbers, a first rule, a trial, and nothing lost."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .test_axe import complaints

pytestmark = pytest.mark.browser

CATAN = "victory points 0 → 10, wood, brick, "
KEPT = "localStorage.getItem('written own-game')"

BEHIND = """(span) => {
  const comma = document.createRange();
  comma.selectNodeContents(span.lastChild);
  const word = [...span.firstChild.getClientRects()].at(-1), after = comma.getBoundingClientRect();
  return after.left >= word.right - 1 && after.top < word.bottom && after.right < innerWidth;
}"""
"""The comma stands in the line in which its word ends."""


class Writer:
    """Somebody who writes a game, and how often they tapped."""

    def __init__(self, page: Any, site: str) -> None:
        self.page = page
        self.taps = 0
        page.goto(f"{site}/new?rules=own-game")

    def tap(self, selector: str) -> None:
        self.taps += 1
        self.page.locator(selector).first.tap()

    def change(self, selector: str, then: str) -> None:
        """Tap what changes the game, and wait until the page shows *then*."""
        self.tap(selector)
        self.page.locator(then).first.wait_for()

    def numbers(self, line: str, last: str = "brick") -> None:
        self.tap("#writing-line")
        self.page.keyboard.type(line)
        self.page.locator(f".typed-chip >> text={last}").wait_for()

    def sentence(self) -> str:
        return " ".join(self.page.locator(".sentence").inner_text().split())


@pytest.fixture
def ana(phone: Phones, running: Night) -> Writer:
    return Writer(phone(), running.site)


def test_a_stranger_plays_without_a_rule_by_two_taps(ana: Writer) -> None:
    ana.numbers(CATAN)
    ana.tap(".new-go .is-main")
    ana.page.wait_for_url("**/share")

    assert 2 == ana.taps
    ana.page.go_back()
    assert ana.page.evaluate(KEPT) is None


def test_a_title_chosen_on_the_home_page_has_a_draft_of_its_own(
    ana: Writer, running: Night
) -> None:
    page, title = ana.page, '[name="title"]'
    storm, other = (f"{running.site}/new?rules=own-game&title={each}" for each in ("Storm", "Reef"))
    page.goto(storm)
    ana.numbers(CATAN)
    page.goto(other)
    page.locator(".alike b.button", has_text="Yes, a GM").wait_for()
    assert "Reef" == page.locator(title).input_value()
    page.goto(storm)
    page.locator(".typed-chip >> text=brick").wait_for()

    assert "Storm" == page.locator(title).input_value()


def test_a_writer_who_goes_on_before_the_line_is_read_finds_each_number_once(ana: Writer) -> None:
    def late(route: Any) -> None:
        time.sleep(0.6)  # longer than the line waits for its next letter
        route.continue_()

    ana.page.route("**/new/write", late)
    ana.tap("#writing-line")
    ana.page.keyboard.type("life 12, ore, ")
    with ana.page.expect_response("**/new/write"), ana.page.expect_response("**/new/write"):
        ana.tap(".writing-add")
    ana.page.locator(".recipes").wait_for()
    ana.page.wait_for_timeout(300)

    assert (0, "") == (
        ana.page.locator(".writing-faults").count(),
        ana.page.locator("[name=numbers]").input_value(),
    )


def test_a_stranger_has_a_first_rule_by_five_taps(ana: Writer) -> None:
    ana.numbers(CATAN)
    ana.change(".writing-add", ".recipes")
    ana.change(".recipes button:has-text('Pay to get')", "#dock .key")
    ana.change("#dock .key:text-is('1')", ".sentence:has-text('for 1 wood')")

    assert "“Buy”, in your turn, for 1 wood: add 1 to victory points." == ana.sentence()
    assert [] == complaints(ana.page)
    ana.change(".dock-done", ".writing-rules li >> nth=1")
    assert 5 == ana.taps


def test_a_comma_stays_behind_its_word(ana: Writer) -> None:
    ana.numbers("life 12, brick, ")
    ana.change("text=Add a sentence", ".recipes")
    ana.change("text=Get some each turn", ".sentence")

    when = ana.page.locator(".sentence > span", has_text="When your turn begins,")
    assert when.evaluate(BEHIND)


def test_a_number_in_a_sentence_is_stepped_first_and_typed_with_enter(ana: Writer) -> None:
    ana.numbers(CATAN)
    ana.change(".writing-add", ".recipes")
    ana.change(".recipes button:has-text('Pay to get')", ".dock-step")
    ana.change(".dock-step [aria-label=more]", ".sentence:has-text('for 4 wood')")
    ana.change(".dock-step [aria-label=less]", ".sentence:has-text('for 3 wood')")
    assert [] == complaints(ana.page)

    ana.page.locator("#dock .dock-typed input").fill("12")
    ana.page.keyboard.press("Enter")
    ana.page.locator(".sentence:has-text('for 12 wood')").wait_for()


def test_a_dead_phone_goes_on_where_it_was(ana: Writer) -> None:
    ana.numbers(CATAN)
    ana.change(".writing-add", ".recipes")
    ana.change(".recipes .is-blank", ".word[aria-expanded]")
    ana.change("#dock .piece:text-is('When …… changes')", ".sentence:has-text('changes')")

    ana.page.reload()

    ana.page.locator(".word.is-gap[aria-expanded]").wait_for()
    assert "When …… changes, ……." == ana.sentence()
    ana.page.keyboard.press("Escape")
    ana.page.locator(".writing-rules em").wait_for()


def test_the_rule_that_fires_lights_up(ana: Writer) -> None:
    ana.numbers("laps to 1, ", "laps")
    ana.change(".cockpit [aria-label^='more laps']", ".is-fired")

    assert "Whoever’s laps reach 1 wins." in ana.page.locator(".is-fired").inner_text()
    assert "Ana wins." == ana.page.locator(".trial .end h2").inner_text()
    assert [] == complaints(ana.page)


def test_a_number_is_typed_into_a_form_of_the_board_and_the_title_stays(ana: Writer) -> None:
    ana.page.goto(f"{ana.page.url}&ready=hearts&open=page")
    ana.page.locator("#writing-title").fill("Ours")
    ana.change(".trial button:has-text('Deal is over')", ".trial .dock .prompt")
    ana.tap(".trial .dock .prompt label:has([value='13'])")
    ana.change(".trial .dock .prompt .is-main", ".trail:has-text('13')")

    assert "Ours" == ana.page.locator("#writing-title").input_value()
    assert "Ours" in ana.page.locator("#writing [name=definition]").input_value()


def test_giving_to_everyone_works_before_a_game_begins(ana: Writer) -> None:
    ana.numbers("life 12, energy 3/6, storm 0/5 table, ", "storm")
    for kind, then in (("life", "13"), ("energy", "4")):
        ana.change(f".cockpit [aria-label='more {kind}, Ana']", f".cockpit b:text-is('{then}')")
    ana.change(".cockpit [aria-label='less energy, Ana']", ".cockpit .place b:text-is('3')")
    ana.change(".trial [data-choose=table]", ".table-part.is-chosen")
    ana.change(".table-part [aria-label^='more storm']", ".table-part b:text-is('1')")

    ana.change(".typed-chip:has-text('energy')", ".writing-sheet .tried b:text-is('3')")
    ana.change(".is-looks [data-look=pips]", ".tried .look.is-pips")
    ana.change(".tried [aria-label^='more energy']", ".tried b:text-is('4')")

    assert [] == complaints(ana.page)
    parts = ana.page.locator(".number-parts")
    assert parts.evaluate("each => each.scrollHeight <= each.clientHeight")


def test_the_unusual_facts_of_a_number_stay_open(ana: Writer) -> None:
    ana.numbers("life 12, energy 3/6, ", "energy")
    ana.change(".typed-chip:has-text('energy')", ".writing-sheet")
    ana.tap(".further > summary")
    ana.change(".further .piece:text-is('1, 5')", ".further summary:has-text('a long press 5')")

    ana.page.locator(".further .piece[aria-pressed=true]:text-is('1, 5')").wait_for()
    ana.change(
        ".further .piece:text-is('no end')", ".bounds input[value='∞'], .bounds b:text-is('∞')"
    )


def test_a_rule_is_written_by_the_keyboard_alone(ana: Writer) -> None:
    keyboard, page = ana.page.keyboard, ana.page
    focused = "document.activeElement.innerText.trim()"

    def onto(text: str) -> None:
        for _step in range(40):
            if page.evaluate(focused).startswith(text):
                return
            keyboard.press("Tab")
        raise AssertionError(f"no way to {text}: {page.evaluate(focused)}")

    def enter(text: str, then: str) -> None:
        onto(text)
        keyboard.press("Enter")
        page.locator(then).first.wait_for()

    page.locator("#writing-line").focus()
    keyboard.type("life 12, ore, ")
    page.locator(".typed-chip >> text=ore").wait_for()
    enter("Add a sentence", ".recipes")
    enter("From the beginning", "#dock .piece")
    page.wait_for_function(f"{focused} === 'When your turn begins'")
    enter("When your turn begins", ".sentence:has-text('When your turn begins')")
    page.wait_for_function(f"{focused} === 'add 1 ……'")
    enter("add 1 ……", ".word.is-gap[aria-expanded]")
    enter("ore", ".sentence:has-text('add 1 ore')")
    page.wait_for_function(f"{focused} === 'Keep this rule'")

    onto("1")
    keyboard.press("Enter")
    page.locator("#dock .key").first.wait_for()
    keyboard.press("4")
    page.locator(".sentence:has-text('add 4 ore')").wait_for()
    keyboard.press("Escape")
    page.locator(".writing-rules li", has_text="add 4 ore").wait_for()
    page.wait_for_function(f"{focused} === 'Add a sentence'")


def test_a_whole_game_is_written_tried_and_begun_by_fifty_taps(ana: Writer) -> None:
    """Storm Mine of docs/own-game.md: six rules, one of them by the goal that was typed."""
    page = ana.page

    def recipe(says: str, *then: tuple[str, str]) -> None:
        ana.change(".writing-add", ".recipes")
        ana.change(f".recipes button:has-text('{says}')", "#dock")
        for piece, sentence in then:
            ana.change(piece, f".sentence:has-text('{sentence}')")

    def piece(says: str) -> str:
        return f"#dock .piece:has-text('{says}')"

    ana.tap("#writing-title")
    page.keyboard.type("Storm Mine")
    page.keyboard.press("Enter")
    assert "writing-line" == page.evaluate("document.activeElement.id")
    ana.numbers("life 12, energy 3/6, ore 0 → 10, storm 0/5 table, ", "storm")
    recipe("Reset each turn")
    ana.change(".dock-done", ".writing-add")
    recipe("Lose at zero")
    ana.change(".dock-done", ".writing-add")
    recipe("Pay to get", ("#dock .key:text-is('1')", "for 1 energy: add 1 ore."))
    ana.change(".dock-done", ".writing-add")
    recipe(
        "From the beginning",
        (piece("When your turn ends"), "When your turn ends"),
        (piece("add 1"), "add 1"),
        (piece("storm"), "add 1 to the table’s storm."),
    )
    ana.change(".dock-done", ".writing-add")
    recipe(
        "From the beginning",
        (piece("as soon as"), "As soon as"),
        (piece("storm is at least"), "storm is at least"),
        ("#dock .key:text-is('5')", "at least 5"),
        (piece("take 1"), "take 1"),
        (piece("life"), "take 1 life from everyone."),
        (".sentence-adds .word:has-text('also')", "from everyone and"),
        (piece("set ……"), "set"),
        (piece("storm"), "take 1 life from everyone and set storm to 0."),
    )
    ana.change(".dock-done", ".writing-add")

    for name in ("Ben", "Ana", "Ben", "Ana", "Ben"):
        ana.change("#step button", f"#step button:has-text('→ {name}')")
    ana.change("#step button", ".trail b >> nth=1")
    lives = page.locator(".trial .cell:not(.is-table) .cell-hero").all_text_contents()
    assert ["11", "11"] == [each.strip() for each in lives]

    page.reload()
    page.locator(".trail b >> nth=1").wait_for()
    ana.tap(".new-go .is-main")
    page.wait_for_url("**/share")
    assert ana.taps <= 50


def test_the_page_stands_where_it_stood_after_a_sheet_and_a_change(ana: Writer) -> None:
    ana.page.goto(f"{ana.page.url}&ready=catan&open=page")
    ana.tap("#more > summary")
    ana.change("#more .options button >> nth=1", "#more .options [aria-pressed]:has-text('rounds')")
    assert ana.page.evaluate("document.getElementById('more').open")

    ana.change(".writing-rules li:nth-child(6) button", ".writing-sheet.is-rule")
    ana.change(".dock-done", ".writing-rules")
    ana.page.wait_for_function("scrollY > 0")
    sentence = ana.page.locator(".writing-rules li:nth-child(6)").bounding_box()
    assert 0 < sentence["y"] < 844
