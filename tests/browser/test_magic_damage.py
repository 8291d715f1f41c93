"""Damage, tapped creatures and stun counters in Magic, on two phones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, join, middle
from .test_one_phone import Taps
from .test_two_phones import shows

pytestmark = pytest.mark.browser


def fight() -> dict[str, Any]:
    """Ana and Ben with two creatures each, in Ana's turn."""
    return {
        "id": "fight", "title": "Friday", "system": "magic", "when": [], "then": {},
        "names": {"ana": "Ana", "ben": "Ben"},
        "given": {
            "seats": {"ana": {}, "ben": {}},
            "turn": {"active": ["ana"], "phase": "combat"},
            "objects": {
                "knight": {"name": "Vampire Nighthawk", "owner": "ana", "types": ["creature"],
                           "base": {"power": 2, "toughness": 3}},
                "bear": {"name": "Bear", "owner": "ana", "types": ["creature"],
                         "base": {"power": 2, "toughness": 2}, "counters": {"stun": 1}},
                "wall": {"name": "Wall", "owner": "ben", "types": ["creature"],
                         "base": {"power": 0, "toughness": 4}},
            },
        },
    }  # fmt: skip


def test_an_attack_is_tapped_dealt_and_untapped(phone: Phones, running: Night) -> None:
    host, guest = Host(phone(), running.site), Host(phone(360, 640), running.site)
    ana, ben = host.page, guest.page
    address = host.played(fight())
    host.open(address)
    guest.join(address, host)

    # A tap on the sign of a card taps it, for everyone.
    for card in ("knight", "bear"):
        ana.locator(f"#o-{card} > a").tap(position={"x": 12, "y": 28})
        ana.locator(f"#o-{card}.is-tapped").wait_for()
    ben.locator('#strip [data-choose="ana"]').tap()
    ben.locator("#o-knight.is-tapped").wait_for()

    # Whom it hits is one tap on its sheet; its power and its lifelink are known.
    ana.locator("#o-knight > a").tap()
    ana.locator("#sheet .deals").get_by_role("button", name="Ben").tap()
    shows(ben, '[data-hero="ben"]', "18")
    shows(ben, '[data-hero="ana"]', "22")

    # What is lethal kills, where the table plays so: this one does not.
    for _ in range(2):
        ana.locator("#o-knight > a").tap()
        ana.locator("#sheet .deals summary", has_text="a permanent").tap()
        ana.locator("#sheet .deals").get_by_role("button", name="Wall").tap()
        ana.locator("#sheet").wait_for(state="hidden")
    ben.locator('#strip [data-choose="ben"]').tap()
    ben.locator("#o-wall.is-lethal").wait_for()

    # As Ana's next turn begins one untaps, and one loses its stun counter instead.
    ana.locator("#next", has_text="Ben").tap()
    ben.locator("#next", has_text="Ana").tap()
    ana.locator("#o-knight:not(.is-tapped)").wait_for()
    ana.locator('#o-bear.is-tapped:not(:has([data-kind="stun"]))').wait_for()


def test_who_is_attacked_says_what_blocks_on_their_own_phone(phone: Phones, running: Night) -> None:
    host, guest = Host(phone(), running.site), Host(phone(360, 640), running.site)
    ana, ben = host.page, guest.page
    address = host.played(fight())
    host.open(address)
    guest.join(address, host)

    ana.locator("a[href^='acts/combat'] >> visible=true").tap()
    ana.locator(".fighter[data-id=knight]").tap()
    ana.locator("#next", has_text="Attack Ben with 1").tap()
    ben.locator("#dock label:has([name='blocks.wall'][value=knight])").tap()
    says = ben.locator("#dock .command-preview", has_text="2 damage to Wall")
    says.get_by_text("20 → 22").wait_for()
    ben.locator("#next", has_text="Block with 1").tap()

    ana.locator("#o-knight.is-tapped").wait_for()
    shows(ana, '[data-hero="ana"]', "22")
    shows(ana, '[data-hero="ben"]', "20")


def test_combat_is_a_mode_of_the_board_and_takes_the_taps_that_are_drawn(
    phone: Phones, running: Night
) -> None:
    """An attack with three: 7 taps, or 5 with All; a block with one: 3; one Undo for all of it."""
    host, ben = Host(phone(), running.site), phone(360, 640)
    ana = host.page
    address = host.played({**middle("magic", 4), "settings": {"creatures_die": True}})
    host.open(address)
    join(ben, running.site, host.code(address), seat="ben")
    hand, other = Taps(ana), Taps(ben)
    acted = ana.locator("#o-ana-2").bounding_box()

    hand.tap("a[href^='acts/combat']")
    row = ana.locator(".fighter[data-id=ana-2]").bounding_box()
    assert acted["width"] - 2 <= row["width"], "the whole row is the target"
    for card in ("ana-1", "ana-2", "ana-5"):
        hand.tap(f".fighter[data-id={card}]")
    hand.tap(".fight [name=whom][value=cleo]")
    lives = ana.locator(".fight .targets")
    lives.get_by_text("40 → 33").wait_for()
    assert "27\n→ 20" in lives.inner_text(), "what it would be if all attacked him"
    assert ana.locator('#strip .is-target[data-choose="cleo"]').count()
    hand.tap("#next", has_text="Attack Cleo with 3")
    ana.locator("#next", has_text="Deal the damage").wait_for()
    ana.wait_for_timeout(600)  # until then a tap there is the second one of a double tap
    hand.tap("#next", has_text="Deal the damage")
    ana.locator("#cleo\\.cell", has_text="33").wait_for()
    assert 7 == hand.taken()

    # One Undo, of the blocks that were said for Cleo, too.
    ana.locator("#undo", has_text="attack").tap()
    ana.locator("#cleo\\.cell", has_text="40").wait_for()
    hand.tap("a[href^='acts/combat']")
    hand.tap("[data-all]")
    hand.tap(".fight [name=whom][value=ben]")
    hand.tap("#next", has_text="Attack Ben with 3")
    assert 4 == hand.taken(), "and the last is Ana’s or Ben’s, whoever is quicker"
    ana.locator("#dock .question").wait_for()
    assert not ana.locator(".moment", has_text="is asked").count(), "she sees the question"
    other.tap("#dock .blocking:has([value=ana-1]) .blocked")
    blocker = ben.locator("#dock label:has([name='blocks.ben-2'][value=ana-1])")
    lay = blocker.bounding_box()
    other.tap("#dock label:has([name='blocks.ben-2'][value=ana-1])")
    assert lay["y"] == blocker.bounding_box()["y"], "what is tapped stays under the finger"
    ben.locator("#dock [data-event=moved]", has_text="Hapatra").wait_for()
    other.tap("#next", has_text="Block with 1")
    ben.locator("#ben\\.cell", has_text="22").wait_for()
    assert 3 == other.taken()
    assert not ana.locator("#dock .question").count()


def test_attackers_part_and_what_cannot_attack_says_why(phone: Phones, running: Night) -> None:
    host = Host(phone(), running.site)
    game = middle("magic", 4)
    game["given"]["objects"]["ana-5"]["tapped"] = True
    ana = host.open(host.played(game))
    hand = Taps(ana)
    hand.tap("a[href^='acts/combat']")
    assert "tapped" in ana.locator(".fighter[data-id=ana-5]").inner_text()
    assert not ana.locator(".fighter[data-id=ana-5] input").count()

    # The strip is whom, too. What was tapped before goes along, then each stays with its own.
    hand.tap('#strip [data-choose="ben"]')
    hand.tap(".fighter[data-id=ana-1]")
    hand.tap('#strip [data-choose="cleo"]')
    hand.tap(".fighter[data-id=ana-2]")
    ana.locator("#next", has_text="Attack Ben with 1, Attack Cleo with 1").wait_for()
    with ana.expect_response("**/acts/combat*"), ana.expect_response("**/preview*"):
        host.give(do="lose-life", seat="dan", amount=1)
    ana.locator("#dan\\.cell", has_text="11").wait_for()
    ana.locator(".fight .targets", has_text="11").wait_for()
    assert "Attack Ben with 1, Attack Cleo with 1" == ana.locator("#next").inner_text()

    # Another sheet lies over the board as ever.
    hand.tap("a[href='log']")
    ana.locator("#sheet:modal .log").wait_for()
    ana.locator("#sheet .sheet-close").tap()
    ana.locator("#sheet").wait_for(state="hidden")

    hand.tap("a[href^='acts/combat']")
    hand.tap(".acts .fight-leaves")
    ana.locator("#sheet").wait_for(state="hidden")
    ana.locator("#next", has_text="End turn").wait_for()
    assert not ana.locator("#strip .is-target, .acts .fight-leaves").count()


def test_numbers_double_and_move_and_life_becomes_another(phone: Phones, running: Night) -> None:
    host, guest = Host(phone(), running.site), Host(phone(360, 640), running.site)
    ana, ben = host.page, guest.page
    game = fight()
    game["given"]["objects"]["bear"]["counters"] = {"+1/+1": 3, "shield": 1}
    game["given"]["seats"]["ben"] = {"life": 7}
    address = host.played(game)
    host.open(address)
    guest.join(address, host)

    # Twice as many: a tap on the number, and one beside its plus, or on its pad.
    bear = ana.locator('#o-bear [data-kind="+1/+1"] > b')
    bear.tap()
    twice = ana.locator("#o-bear").get_by_role("button", name="Double")
    box = twice.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    twice.tap()
    ben.locator('#strip [data-choose="ana"]').tap()
    shows(ben, '#o-bear [data-kind="+1/+1"] > b', "6")
    bear.tap()
    ana.get_by_role("button", name="Double 6 → 12").tap()
    shows(ben, '#o-bear [data-kind="+1/+1"] > b', "12")
    ana.locator('#strip [data-choose="ana"]').tap()
    twice.wait_for(state="detached")
    ana.wait_for_timeout(500)  # until then a tap there is still meant for the open number

    # All counters of every kind, on another card.
    ana.locator("#o-bear > a").tap()
    ana.locator("#act-move-all > summary").tap()
    ana.locator("#act-move-all").get_by_role("button", name="Vampire Nighthawk").tap()
    shows(ben, '#o-knight [data-kind="+1/+1"] > b', "12")
    shows(ben, '#o-knight [data-kind="shield"] > b', "1")

    # Life totals are exchanged; then one becomes a number.
    ana.locator("#s-ana .seat-name").tap()
    ana.locator("#act-set-life").get_by_role("button", name="Ben").tap()
    shows(ben, '[data-hero="ana"]', "7")
    shows(ben, '[data-hero="ben"]', "20")
    ana.locator("#s-ana .seat-name").tap()
    ana.locator("#act-set-life").get_by_role("button", name="10", exact=True).tap()
    shows(ben, '[data-hero="ana"]', "10")


def test_the_last_counter_is_taken_off_and_nothing_opens(phone: Phones, running: Night) -> None:
    """The minus is gone before the browser makes the click of the tap on it."""
    host, guest = Host(phone(), running.site), Host(phone(360, 640), running.site)
    ana, ben = host.page, guest.page
    address = host.played(fight())
    host.open(address)
    guest.join(address, host)
    ben.locator('#strip [data-choose="ana"]').tap()

    ana.locator('#o-bear [data-kind="stun"] > b').tap()
    ana.locator('#o-bear [data-kind="stun"] button[name="less"]').tap()
    ben.locator('#o-bear:not(:has([data-kind="stun"]))').wait_for()
    ana.wait_for_timeout(500)  # long enough for a sheet
    assert not ana.locator("#sheet[open]").count()


def test_an_open_number_covers_only_its_own_row_and_closes_by_itself(
    phone: Phones, running: Night
) -> None:
    host = Host(phone(), running.site)
    game = fight()
    game["given"]["objects"]["knight"] |= {"tapped": True, "counters": {"+1/+1": 4}}
    for n in range(2):
        bear = {"name": f"Bear {n}", "owner": "ana", "types": ["creature"]}
        game["given"]["objects"][f"bear-{n}"] = bear
    host.open(host.played(game))
    ana = host.page
    places = "() => [...document.querySelectorAll('#board .card')].map((each) => each.offsetTop)"
    closed = ana.evaluate(places)
    counter = ana.locator('#o-knight [data-kind="+1/+1"] > b')
    counter.tap()
    ana.locator("#o-knight li.is-open").wait_for()
    assert closed == ana.evaluate(places)

    ana.locator("#o-bear-0 > a").tap()
    ana.locator("#sheet h2", has_text="Bear 0").wait_for()
    assert not ana.locator("li.is-open").count()
    ana.keyboard.press("Escape")
    ana.locator("#sheet").wait_for(state="hidden")
    ana.wait_for_timeout(500)  # until then a tap there is still meant for the open number

    counter.tap()
    ana.locator("#o-knight li.is-open").wait_for()
    ana.locator("#o-knight li.is-open").wait_for(state="detached")
