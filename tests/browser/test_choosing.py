"""A board wipe chosen on the stage, and a player who is out and back: a second phone watches."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .fingers import Hand, place
from .tables import Host, friday

pytestmark = pytest.mark.browser

BEAR = {"types": ["creature"], "base": {"power": 2, "toughness": 2}}
KINDS = ["+1/+1", "charge", "oil", "shield", "stun", "time"]
GIVEN = {
    "seats": {"ana": {"life": 1}, "ben": {}},
    "objects": {
        "bear": {"name": "Bear", "owner": "ana", "counters": dict.fromkeys(KINDS, 1), **BEAR},
        "forest": {"name": "Forest", "owner": "ana", "types": ["land"]},
        **{f"wolf-{n}": {"name": "Wolf", "owner": "ben", **BEAR} for n in range(3)},
    },
    "turn": {"active": ["ana"], "phase": "precombat-main"},
}


def seated(phone: Phones, running: Night) -> tuple[Any, Any]:
    ana, ben = Host(phone(), running.site), Host(phone(), running.site)
    address = ana.played(friday("magic", GIVEN))
    ana.open(address)
    ben.join(address, ana)
    return ana.page, ben.page


def test_a_board_wipe_is_chosen_on_the_stage(phone: Phones, running: Night) -> None:
    ana, ben = seated(phone, running)
    ana.locator('[id="ben.cell"]:not(.is-free)').wait_for()
    ana.wait_for_timeout(300)  # Ben has sat down, and nothing moves any more
    assert 110 < ana.locator("#o-bear > a").bounding_box()["width"]  # beside six kinds of counters
    hand = Hand(ana)
    hand.down(place(ana, "#o-bear > a"))
    ana.locator("#o-bear.is-picked").wait_for()
    hand.up()
    ana.locator(".choosing [data-count]", has_text="1").wait_for()
    assert not ana.locator("#sheet[open]").count()
    ana.locator("#o-forest > a").tap()
    ana.locator("#o-forest > a").tap()  # and not the land
    ana.locator('#strip [data-choose="ben"]').tap()
    ana.locator("#s-ben .card > a").tap()
    ana.locator(".choosing [data-count]", has_text="4").wait_for()
    ana.locator(".choosing [data-do=move]").tap()
    ana.locator("#sheet button", has_text="graveyard").tap()

    for player in (ana, ben):
        player.locator("#s-ben .pile", has_text="graveyard").wait_for(state="attached")
        assert ["Forest"] == player.locator("#board .cards > .zone h3").all_inner_texts()
    assert not ana.locator(".choosing, .is-picked").count()
    ana.locator("#undo").tap()
    ben.locator("#board .zone .card h3", has_text="×3").wait_for()


def test_a_seat_that_is_back_in_the_game_is_not_shown_as_out(phone: Phones, running: Night) -> None:
    ana, ben = seated(phone, running)
    ana.locator('#cockpit button[name="lose-life"]').tap()
    ben.locator("#moment .moment", has_text="Ana is out").wait_for()
    ben.locator('#strip [data-choose="ana"]').tap()
    ben.locator("#s-ana .seat-name").tap()
    ben.locator("#sheet [name='life:number']").fill("5")
    ben.get_by_role("button", name="Correct and bring back").tap()

    for player in (ana, ben):  # “Ben wins” still waited to be told
        player.locator("#moment", has_text="Ana is back").wait_for(timeout=2500)
        assert not player.locator(".end-says").count()


@pytest.mark.parametrize("size", [(844, 390), (360, 640)])
def test_a_lost_seat_is_told_below_the_strip_of_a_small_phone(
    phone: Phones, running: Night, size: tuple[int, int]
) -> None:
    ana = Host(phone(*size), running.site)
    seats = {"ana": {}, **{seat: {"life": 1} for seat in ("ben", "cleo", "dan")}}
    page = ana.open(ana.played(friday("magic", {"seats": seats, "objects": {}})))
    lose = {"do": "lose-life", "amount": 1}
    ana.give(do="together", steps=[{**lose, "seat": seat} for seat in ("ben", "cleo")])
    page.locator("#moment", has_text="is out").wait_for()
    page.wait_for_timeout(400)
    strip, moment = (page.locator(each).bounding_box() for each in ("#strip", "#moment .moment"))
    assert strip["y"] + strip["height"] <= moment["y"]


def test_a_guest_who_never_said_a_name_reads_that_they_are_out(
    phone: Phones, running: Night
) -> None:
    """The question for the name lay over it on a small phone."""
    ana, ben = Host(phone(), running.site), Host(phone(360, 640), running.site)
    cleo = Host(phone(), running.site)
    address = ana.fresh("magic", 3)
    ana.open(address)
    for guest in (ben, cleo):
        guest.join(address, ana)
    ben.page.locator("#who-starts").wait_for()  # takes room, too

    ana.give(do="lose-life", seat="ben", amount=40)

    ben.page.locator("#moment .moment", has_text="You’re out").wait_for()
    assert not ben.page.locator(".bare").is_visible(), "nobody who is out is asked for cards"
    ben.page.wait_for_timeout(300)  # it has come in
    assert ben.page.locator("#moment strong").first.evaluate(
        """(e) => {
          const { left, top } = e.getBoundingClientRect();
          return e.contains(document.elementFromPoint(left + 8, top + 8));
        }"""
    )
    ana.give(do="lose-life", seat="cleo", amount=40)
    ana.page.locator(".end-says .moment-rule").first.tap()
    ana.page.locator("#sheet [data-asked]", has_text="704.5a").wait_for()
