"""A score sheet that is written by taps on its cells: rounds by one phone, parts by anybody."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.store.test_pad import BIDS

from .conftest import Phone
from .tables import Host

pytestmark = pytest.mark.browser

RUMMY = {
    "title": "Rummy to 500",
    "numbers": [{"kind": "score", "on": "player", "least": -9999, "most": 9999, "big": True}],
    "turns": {"order": "all"},
    "rules": [
        {
            "rule": "A deal",
            "when": {"begins": "round"},
            "do": [
                {
                    "ask": "Points of this deal?",
                    "of": "players",
                    "least": -300,
                    "most": 500,
                    "then": [{"add": "answer", "of": "score", "on": "answerer"}],
                }
            ],
        },
        {
            "rule": "500",
            "when": {"always": "player"},
            "if": [{"number": "score"}, ">=", 500],
            "do": [{"win": "it"}],
        },
    ],
}
WONDERS = {
    "title": "Wonders",
    "numbers": [
        {"kind": "military", "on": "player", "least": -6},
        {"kind": "coins", "on": "player"},
        {"kind": "wonder", "on": "player"},
        {
            "kind": "total",
            "on": "player",
            "big": True,
            "is": {
                "+": [{"number": "military"}, {"/": [{"number": "coins"}, 3]}, {"number": "wonder"}]
            },
        },
    ],
}
ROW = """(n) => {
  const cells = document.querySelectorAll(`#scores tbody tr:nth-child(${n}) td`);
  return [...cells].map((each) => each.innerText);
}"""
WIDE = "document.documentElement.scrollWidth"


def table(definition: dict[str, Any], *seats: str, **counters: Any) -> dict[str, Any]:
    return {
        "id": "sheet", "title": definition["title"], "system": "own-game", "edition": "1",
        "definition": definition, "when": [], "then": {},
        "given": {"seats": {seat: {"counters": counters.get(seat, {})} for seat in seats}},
        "names": {seat: seat.capitalize() for seat in seats},
    }  # fmt: skip


def typed(page: Any, number: str) -> int:
    """Type a number and go on; return how many taps it took."""
    for digit in number:
        page.locator(f'[data-digit="{digit}"]').tap()
    page.locator(".keys-write").tap()
    return len(number) + 1


def test_one_phone_writes_a_round_of_four_in_twelve_taps(phone: Phone, running: Night) -> None:
    host = Host(phone(360, 640), running.site)
    page = host.open(host.played(table(RUMMY, "ana", "ben", "cleo", "dan")))
    page.locator("#next:not([disabled])").tap()
    page.locator("#next", has_text="Write round 1").tap()

    taps = 0
    for row, points in enumerate((("50", "95", "40", "25"), ("45", "60", "85", "10")), 1):
        for place, number in enumerate(points, 1):
            taps += typed(page, number)
            page.wait_for_function(
                f"([row, place, now]) => ({ROW})(row)[place] === now", arg=[row, place - 1, number]
            )
        page.locator(f"#scores tr.is-now:nth-child({row + 1}) .is-open").wait_for()

    assert 24 == taps
    totals = page.locator("#scores tfoot td b").all_inner_texts()
    assert ["95", "155", "125", "35"] == totals
    assert ["3rd", "1st", "2nd", "4th"] == page.locator(
        "#scores tfoot td .sum > small:first-of-type"
    ).all_inner_texts()
    assert 360 == page.evaluate(WIDE)


def test_a_tablet_asks_nobody_beside_the_sheet(phone: Phone, running: Night) -> None:
    """The questions of the others stood there as one word each, in boxes of nothing."""
    host = Host(phone(820, 1180), running.site)
    page = host.open(host.played(table(RUMMY, "ana", "ben", "cleo")))
    host.give(do="begin-turn")
    page.locator("#ben\\.cell\\.r1[data-prompt]").wait_for()

    assert 0 == page.locator(".seat > .prompts").locator("visible=true").count()


def test_the_cell_that_is_written_lies_above_the_sums(phone: Phone, running: Night) -> None:
    seats = ("ana", "ben", "cleo", "dan", "eve", "finn")
    host = Host(phone(360, 640), running.site)
    page = host.open(host.played(table(RUMMY, *seats)))
    for deal in range(11):
        host.give(do="begin-turn")
        for seat in seats:
            host.give(do="answer", prompt=f"rule-1:{seat}", number=deal)
    host.give(do="begin-turn")
    page.locator("#next", has_text="Write round 12").tap()

    for seat in seats:
        page.locator(f"#{seat}\\.cell\\.r12.is-open").wait_for()
        room = """() => document.querySelector("#scores tfoot").getBoundingClientRect().top -
          document.querySelector("#scores .is-open").getBoundingClientRect().bottom"""
        assert page.evaluate(room) >= 0
        typed(page, "5")


def test_a_cell_of_anybody_is_written_and_what_follows_from_it_is_worked_out(
    phone: Phone, running: Night
) -> None:
    host = Host(phone(), running.site)
    start = {"ben": {"military": 5}}
    page = host.open(host.played(table(WONDERS, "ana", "ben", "cleo", **start)))
    page.locator("#cleo\\.cell\\.coins").tap()
    assert "Cleo, coins" == page.locator(".keys-says p > b").inner_text()
    typed(page, "5+4")
    page.locator("#cleo\\.cell\\.F3", has_text="3").wait_for()
    assert ["0", "5", "3"] == page.locator("#scores tfoot td b").all_inner_texts()

    page.locator("#ben\\.cell\\.military").tap()
    page.locator('[data-digit="back"]').tap()
    page.locator('[data-digit="sign"]').tap()
    page.locator('[data-digit="9"]').tap()
    assert page.locator(".keys-write").is_disabled(), "it cannot be below −6"
    page.locator('[data-digit="back"]').tap()
    page.locator('[data-digit="6"]').tap()
    page.locator("[data-keys-close]").tap()
    page.locator("#ben\\.sum", has_text="−6").wait_for()
    page.locator("#undo").tap()
    page.locator("#ben\\.sum", has_text="5").wait_for()


def test_a_number_of_an_earlier_round_is_corrected_in_three_taps_on_all_phones(
    phone: Phone, running: Night
) -> None:
    ana, ben = (Host(phone(), running.site) for _each in range(2))
    page = ana.open(address := ana.played(table(RUMMY, "ana", "ben")))
    ben.join(address, ana, "ben")
    for deal in ((50, 95), (45, 10)):
        ana.give(do="begin-turn")
        for host, seat, points in zip((ana, ben), ("ana", "ben"), deal, strict=True):
            host.give(do="answer", prompt=f"rule-1:{seat}", number=points)
    page.locator("#ana\\.sum", has_text="95").wait_for()
    ben.page.wait_for_function("() => !document.querySelector('#moment').children.length")

    page.locator("#ana\\.cell\\.r1").tap()
    page.locator('[data-step="10"]').tap()
    assert page.locator(".keys-says b", has_text="Ana, round 1: 50 → 60").count()
    assert "95 → 105, level with Ben" == page.locator(".keys-says p > span").inner_text()
    page.locator(".keys-write").tap()

    ben.page.locator(".moment", has_text="Ana corrected round 1").wait_for()
    for each in (page, ben.page):
        each.locator("#ana\\.cell\\.r1.is-hit", has_text="60").wait_for()
        above = """() => {
          const of = (which) => document.querySelector(which).getBoundingClientRect();
          return Math.abs(of('#scores tfoot').bottom - of('#moment').top) <= 1;
        }"""
        each.wait_for_function(above)
        each.locator("#ana\\.sum", has_text="105").wait_for()
    page.locator("#undo").tap()
    ben.page.locator("#ana\\.sum", has_text="95").wait_for()

    ana.give(do="begin-turn")  # a round that is counted by hand, without answers
    for seat in ("ana", "ben"):
        ana.give(do="void", prompt=f"rule-1:{seat}")
    ana.give(do="place", on="ana", counter="score", amount=20)
    ana.give(do="begin-turn")
    page.locator("#ana\\.cell\\.r3[data-round]", has_text="20").tap()
    page.locator('[data-step="5"]').tap()
    assert "115 → 120" == page.locator(".keys-says p > span").inner_text()
    page.locator(".keys-write").tap()
    for each in (page, ben.page):
        each.locator("#ana\\.cell\\.r3", has_text="25").wait_for()
        each.locator("#ana\\.sum", has_text="120").wait_for()


def test_the_heads_stand_above_their_columns_and_light_for_no_place(
    phone: Phone, running: Night
) -> None:
    host = Host(phone(844, 390), running.site)
    page = host.open(host.played(table(RUMMY, "ana", "ben", "cleo")))
    host.give(do="begin-turn")
    host.give(do="answer", prompt="rule-1:ana", number=50)
    page.locator("#ana\\.sum", has_text="50").wait_for()

    middles = """(all) => all.map((each) => {
      const { left, right } = each.getBoundingClientRect();
      return Math.round((left + right) / 20);
    })"""
    heads = page.locator("#strip .cell")
    assert page.locator("#scores tfoot td").evaluate_all(middles) == heads.evaluate_all(middles)
    shadows = heads.evaluate_all("(all) => all.map((each) => getComputedStyle(each).boxShadow)")
    assert {"none"} == {*shadows}


def test_a_guest_goes_home_by_a_tap_on_their_head_and_a_watcher_sees_the_totals(
    phone: Phone, running: Night
) -> None:
    host, guest, last, watcher = (Host(phone(), running.site) for _each in range(4))
    ana = host.open(address := host.played(table(RUMMY, "ana", "ben", "cleo")))
    code = host.code(address)
    ben = guest.sit_down(code, seat="ben")
    last.sit_down(code, seat="cleo")
    host.give(do="begin-turn")
    low = watcher.watch(code).locator("#ben\\.sum > small").last.bounding_box()
    bar = watcher.page.locator(".arrival").bounding_box()
    assert low["y"] + low["height"] <= bar["y"]

    ben.locator('#strip [data-choose="ben"]').tap()
    ben.locator("#sheet summary", has_text="Concede").tap()
    ben.get_by_role("button", name="Ben concedes").tap()

    for page in (ana, watcher.page):
        page.locator("#ben\\.sum", has_text="has left").wait_for()


def test_a_bid_is_a_tick_on_all_other_phones_until_everybody_has_bid(
    phone: Phone, running: Night
) -> None:
    ana, ben = (Host(phone(), running.site) for _each in range(2))
    page = ana.open(address := ana.played(table(BIDS, "ana", "ben")))
    ben.join(address, ana, "ben")
    ana.give(do="begin-turn")
    page.locator("#ana\\.cell\\.r1[data-prompt]").tap()
    typed(page, "7")

    page.locator("#ana\\.cell\\.r1.is-own", has_text="7").wait_for()
    ben.page.locator("#ana\\.cell\\.r1.is-done", has_text="✓").wait_for()
    assert "7" not in ben.page.locator("#scores").inner_text()
    assert not page.get_by_text("Answer it first").count(), "no round begins before it is over"
    ben.give(do="answer", prompt="rule-1:ben", number=3)

    for each in (page, ben.page):
        each.wait_for_function(f"({ROW})(1).join() === '7,3'")
