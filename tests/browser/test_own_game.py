"""An own game on two phones: one tap pays a price, rounds fill the sheet, a link brings it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.store import demos
from tests.laws import SCENARIOS
from tests.night import Night
from tests.types import Phones

from .conftest import Phone
from .tables import Host
from .test_axe import complaints

pytestmark = pytest.mark.browser


OUTSIDE = """[...document.querySelectorAll('.is-digits > .bit > b')].filter((each) => {
  const { top, bottom, right } = each.getBoundingClientRect();
  const box = each.closest('.bits').getBoundingClientRect();
  return top < box.top - 1 || bottom > box.bottom + 1 || right > box.right + 1;
}).map((each) => each.dataset.of)"""

SHORT = """[...document.querySelectorAll('.seat > .panel > .places > li')].filter((each) => {
  const word = getComputedStyle(each, '::after'), whole = document.createElement('span');
  if (word.display === 'none') return false;
  whole.style.cssText = `position:absolute;font:${word.font};letter-spacing:${word.letterSpacing}`;
  whole.textContent = word.content.slice(1, -1);
  each.append(whole);
  const wide = whole.offsetWidth;
  whole.remove();
  return wide > parseFloat(word.width) + 1;
}).map((each) => each.dataset.kind)"""
COVERED = """[...document.querySelectorAll('.seat > .panel')].flatMap((panel) => {
  const kinds = [...panel.querySelectorAll('.places > li')];
  const wide = kinds.filter((each) => each.scrollWidth > each.clientWidth);
  const cut = wide.map((each) => each.dataset.kind);
  const number = panel.querySelector('.is-hero > b');
  const high = 0.7 * parseFloat(getComputedStyle(number).fontSize);
  const sideways = panel.parentElement.dataset.facing % 180;
  const along = (each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return sideways ? [left, right] : [top, bottom];
  };
  const [from, to] = along(number), middle = (from + to) / 2;
  const [start, end] = along(panel.querySelector('.places'));
  const over = start < middle + high / 2 && end > middle - high / 2;
  return over ? [...cut, 'the main number'] : cut;
})"""


def scenario(name: str, seats: dict[str, Any], **turn: Any) -> dict[str, Any]:
    """A ready game with these *seats*."""
    definition = demos.ready_games("own-game")[name]
    given = {"seats": seats, **({"turn": turn} if turn else {})}
    return {
        "id": name, "title": definition["title"], "system": "own-game", "edition": "1",
        "definition": definition, "given": given, "when": [], "then": {},
        "names": {seat: seat.capitalize() for seat in seats},
    }  # fmt: skip


def two(phone: Any, site: str, described: dict[str, Any]) -> tuple[Any, Any]:
    """Ana and Ben at the table of a scenario."""
    ana, ben = Host(phone(), site), Host(phone(360, 640), site)
    address = ana.played(described)
    ana.open(address)
    ben.sit_down(ana.code(address))
    return ana.page, ben.page


def test_a_tile_pays_its_price_and_the_other_phone_sees_it(phone: Phone, running: Night) -> None:
    seats = {
        "ana": {"counters": {"brick": 2, "wood": 2}},
        "ben": {"counters": {"road length": 5, "longest road": 1}},
        "cleo": {},
    }
    ana, ben = two(phone, running.site, scenario("catan", seats, active=["ana"]))

    ana.locator("#ana\\.stage .rule-button", has_text="Road").locator("button").tap()
    ben.wait_for_function(
        "() => document.querySelector('[data-of=\"ana.wood\"]').textContent === '1'"
    )
    ana.locator('.cockpit [name=more][value="ana.ore"]').tap()
    ben.wait_for_function(
        "() => document.querySelector('[data-of=\"ana.ore\"]').textContent === '1'"
    )

    switch = ana.locator("#ana\\.stage .is-shared", has_text="longest road")
    assert "Ben" in switch.inner_text()
    assert ana.locator("#ana\\.hero\\.goal").inner_text() == "8 to go"
    wide = ana.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390

    television = ana.context.new_page()
    television.set_viewport_size({"width": 1920, "height": 1080})
    television.goto(f"{ana.url.partition('?')[0]}tv")
    television.locator("#strip [data-of='ana.cards']").wait_for()
    outside = television.evaluate(OUTSIDE)
    assert [] == outside, "numbers of the strip that a tile of the big screen cuts off"


def test_a_round_is_answered_by_taps_and_fills_the_sheet(phone: Phone, running: Night) -> None:
    ana, ben = two(phone, running.site, scenario("hearts", {"ana": {}, "ben": {}, "cleo": {}}))
    ana.locator("#next").tap()
    ana.locator("#ana\\.stage .rule-button", has_text="Deal is over").locator("button").tap()

    for page, points in ((ben, 10), (ana, 13)):
        page.locator(f'.dock .picks-one label:has([value="{points}"])').tap()
        page.locator("#next:not([aria-disabled=true])").tap()
        page.wait_for_selector(".dock .picks-one", state="detached")

    row = "[...document.querySelectorAll('#scores .is-now td')].map((each) => each.innerText)"
    ben.wait_for_function(f"() => String({row}) === '13,10,'")


def test_a_question_to_six_leaves_the_sheet_in_sight(phone: Phone, running: Night) -> None:
    seats: dict[str, Any] = {each: {} for each in ("ana", "ben", "cleo", "dan", "eve", "finn")}
    host = Host(phone(360, 640), running.site)
    ana = host.open(host.played(scenario("hearts", seats)))
    ana.locator("#next").tap()
    ana.locator("#ana\\.stage .rule-button", has_text="Deal is over").locator("button").tap()
    ana.locator(".dock .picks-one").wait_for()

    asked = ana.locator(".dock .prompt").bounding_box()
    sheet = ana.locator("#scores").bounding_box()
    assert asked
    assert sheet
    assert sheet["y"] + sheet["height"] <= asked["y"]
    word = ana.locator("#undo span", has_text="Points of the deal")
    assert word.evaluate("each => each.scrollHeight <= each.clientHeight")


def test_a_turn_of_one_piece_says_whose_it_is_and_no_phase(phone: Phone, running: Night) -> None:
    seats: dict[str, Any] = {"ana": {}, "ben": {}, "cleo": {}}
    ana, ben = two(phone, running.site, scenario("catan", seats, active=["ana"]))
    assert ["Ana’s turn", "round 1"] == ben.locator(".phase-word").inner_text().splitlines()
    ana.locator("#next", has_text="End turn → Ben").tap()
    ben.locator(".phase-word", has_text="Ben’s turn").wait_for()

    drafts = ana.context.new_page()
    drafts.set_viewport_size({"width": 360, "height": 640})
    drafts.goto(f"{running.site}/new?rules=own-game")
    counts = drafts.locator(".choices.is-row span").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().top)"
    )
    assert (8, 1) == (len(counts), len(set(counts)))


def test_the_word_of_a_number_alone_stands_beside_its_sign(phone: Phone, running: Night) -> None:
    page = phone()
    page.goto(f"{running.site}/new?rules=own-game&title=Friday")
    page.locator("#writing-line").fill("points, silver 3")
    number = page.locator(".cockpit .is-columns-1 .places > li:not(.is-further):visible")
    placed = number.evaluate("(each) => getComputedStyle(each, '::after').alignSelf")

    assert "center" == placed


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_six_columns_on_a_phone_have_room_for_their_words(
    phone: Phone, running: Night, size: tuple[int, int]
) -> None:
    host = Host(phone(*size), running.site)
    cases = json.loads((SCENARIOS / "own-game-library.json").read_text("utf-8"))
    six = next(case["definition"] for case in cases if case["id"] == "lib-daggerheart-02")
    table = scenario("catan", {"ana": {}, "ben": {}})
    ana = host.open(host.played({**table, "definition": six}))
    ana.locator(".cockpit .is-columns-6").wait_for()

    assert [] == ana.evaluate(SHORT.replace(".seat > .panel", ".cockpit > .panel"))
    outside = """(all) => all.filter((each) => {
      const column = each.parentElement.getBoundingClientRect();
      const number = each.getBoundingClientRect();
      return number.left < column.left + 20 || number.right > column.right;
    }).map((each) => each.parentElement.dataset.kind)"""
    numbers = ana.locator(".cockpit .places > li:not(.is-further) > b:visible")
    assert [] == numbers.evaluate_all(outside), "its coin and its number are wider than a column"


def test_five_seats_with_long_numbers_show_them_all_on_a_small_phone(
    phone: Phone, running: Night
) -> None:
    numbers = {"brick": 12, "wood": 11, "ore": 10}
    long = {"ana": {"counters": numbers}, "ben": {"counters": numbers}, "cleo": {}}
    host = Host(phone(360, 640), running.site)
    ana = host.open(host.played(scenario("catan", {**long, "dan": {}, "eve": {}})))
    for game in ("catan", "one-piece"):
        seats = long if game == "catan" else {"ana": {}, "ben": {}}
        ana.goto(f"{host.played(scenario(game, seats))}flat")
        ana.locator(".is-laid").wait_for()
        assert [] == ana.evaluate(COVERED), game
        assert [] == ana.evaluate(SHORT), game


def test_a_type_without_an_icon_leaves_no_hole_for_one(phone: Phone, running: Night) -> None:
    wide = "all => all.map((each) => each.getBoundingClientRect().width)"
    found = {}
    for name in ("arkham-horror", "magic"):
        host = Host(phone(), running.site)
        table = (
            host.fresh("magic", 2) if name == "magic" else host.played(scenario(name, {"ana": {}}))
        )
        page = host.open(table)
        page.locator(".add-card").first.tap()
        page.locator("#new-card .sort").first.wait_for()
        found[name] = {*page.locator(".sorts > .sort > .shape").evaluate_all(wide)}

    assert {"arkham-horror": {0}, "magic": {20}} == found


POINTS = {
    "title": "Rummy",
    "numbers": [
        {"kind": "score", "on": "player", "big": True, "least": -999},
        {"kind": "deals won", "on": "player"},
    ],
    "turns": {"order": "all"},
    "rules": [
        {
            "rule": "Round is over",
            "when": {"pressed": "Round is over", "on": "table"},
            "do": [
                {
                    "ask": "How many points?",
                    "of": "players",
                    "least": -999,
                    "then": [{"add": "answer", "of": "score", "on": "answerer"}],
                }
            ],
        }
    ],
}
BOX = (
    "(each) => { const { width, height } = each.getBoundingClientRect(); return [width, height]; }"
)


def test_points_are_lost_by_a_key_on_phones_without_a_minus(phone: Phone, running: Night) -> None:
    described = scenario("hearts", {"ana": {}, "ben": {}}, active=["ana", "ben"])
    ana, ben = two(phone, running.site, {**described, "definition": POINTS})
    ana.locator("[name=press]").locator("visible=true").first.tap()
    for page, first in ((ana, "key"), (ben, "digits")):
        field, key = page.locator("#dock input[type=number]"), page.locator("#dock .plus-minus")
        assert all(side >= 44 for side in key.evaluate(BOX))
        if first == "key":
            key.tap()
        field.press_sequentially("50")
        if first == "digits":
            key.tap()
        assert "-50" == field.input_value()
        page.locator("#next:not([disabled])", has_text="Write").tap()

    ana.locator(".scores tfoot td", has_text="−50").nth(1).wait_for()
    assert ["−50", "−50"] == ana.locator(".scores tfoot td").all_inner_texts()


def test_a_link_is_read_kept_and_played_on_another_phone(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone(360, 640)
    address = Host(ana, running.site).fresh("own-game", 2)
    ana.goto(f"{address}definition")
    ana.get_by_role("button", name="Share").tap()
    ana.locator("dialog .pass-link").wait_for()
    assert [] == complaints(ana)
    link = ana.locator("dialog .pass-link a").get_attribute("href")
    ana.get_by_role("button", name="Close").tap()
    ana.locator("dialog").wait_for(state="detached")

    asked: list[str] = []
    ben.on("request", lambda request: asked.append(request.url))
    ben.goto(f"{running.site}/game#{link.partition('#')[2]}")
    ben.get_by_text("Nothing has run yet.").wait_for()
    assert not [url for url in asked if link.partition("#")[2] in url.partition("#")[0]]
    ben.get_by_role("button", name="Share").tap()
    ben.locator("dialog .pass-link").wait_for()

    ben.goto(f"{running.site}/")
    ben.locator("#made").get_by_role("link", name="Our game").tap()
    ben.get_by_text("A game you keep on this phone").wait_for()
    ben.get_by_role("button", name="Play").tap()
    ben.get_by_role("heading", name="Invite everyone").wait_for()
