"""Numbers that change by themselves: said on a card's sheet, and told once as the turn begins."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, friday
from .test_two_phones import shows

pytestmark = pytest.mark.browser


def switched(player: Any, tick: str) -> None:
    """Switch on what the open sheet offers at once."""
    button = player.locator("#sheet .ticks").get_by_role("button", name=tick)
    button.tap()
    button.and_(player.locator('[aria-pressed="true"]')).wait_for()


def test_the_clocks_of_a_turn_are_each_one_tap_and_told_together(
    phone: Phones, running: Night
) -> None:
    host, guest = Host(phone(), running.site), Host(phone(360, 640), running.site)
    ana, ben = host.page, guest.page
    creature = {"types": ["creature"], "base": {"power": 5, "toughness": 5}, "owner": "ana"}
    given = {
        "seats": {"ana": {"counters": {"experience": 2}}, "ben": {}},
        "objects": {
            "calciderm": {"name": "Calciderm", **creature, "counters": {"time": 1}},
            "remora": {"name": "Mystic Remora", "types": ["enchantment"], "owner": "ana"},
            "mox": {"name": "Mox Tantalite", "types": ["artifact"], "owner": "ana",
                    "zone": "exile", "counters": {"time": 1}},
        },
        "turn": {"active": ["ana"], "phase": "precombat-main"},
    }  # fmt: skip
    address = host.played(friday("magic", given))
    host.open(address)
    guest.join(address, host)
    ben.locator('#strip [data-choose="ana"]').tap()

    upkeep = "at the upkeep, in my turns"
    for holder, tick in (
        ("#o-calciderm > a", f"−1 time {upkeep}; the last one: → graveyard"),
        ("#o-remora > a", f"+1 age {upkeep}"),
        ("#s-ana .seat-name", f"+1 experience {upkeep}"),
        ("#o-mox > a", f"−1 time {upkeep}; the last one: → stack"),
    ):
        if "mox" in holder:
            ana.locator(".pile summary", has_text="exile").tap()
        ana.locator(holder).tap()
        switched(ana, tick)
        ana.keyboard.press("Escape")
        ana.locator("#sheet").wait_for(state="hidden")
    # One of them ends where it began: the same tap.
    ana.locator("#o-remora > a").tap()
    ana.locator('#sheet .ticks [aria-pressed="true"]').first.tap()
    ana.locator('#sheet .ticks [aria-pressed="false"]').first.wait_for()
    ana.keyboard.press("Escape")

    for page, following in ((ana, "Ben"), (ben, "Ana")):
        page.locator("#next", has_text=following).tap()
    told = ben.locator("#moment, .moment", has_text="By itself").first
    for each in ("−1 time (Calciderm) → graveyard", "−1 time (Mox Tantalite) → stack"):
        assert each in told.inner_text()
    assert "Remora" not in told.inner_text()
    shows(ben, '[id="ana.experience"]', "3")
    ben.locator("#undo").tap()
    shows(ana, '[id="ana.experience"]', "2")
    ana.locator("#o-calciderm > a").wait_for()


def test_a_saga_gets_its_lore_by_itself(phone: Phones, running: Night) -> None:
    host, guest = Host(phone(), running.site), Host(phone(360, 640), running.site)
    ana, ben = host.page, guest.page
    saga = {"name": "The Eldest Reborn", "types": ["enchantment"], "counters": {"lore": 1}}
    given = {
        "seats": {"ana": {}, "ben": {}},
        "objects": {"saga": {**saga, "owner": "ana"}},
        "turn": {"active": ["ana"], "phase": "precombat-main"},
    }
    address = host.played(friday("magic", given))
    host.open(address)
    guest.join(address, host)

    ana.locator("#o-saga > a").tap()
    switched(ana, "+1 lore after the draw, in my turns")
    ana.keyboard.press("Escape")
    for page, following in ((ana, "Ben"), (ben, "Ana")):
        page.locator("#next", has_text=following).tap()
    ben.locator("#moment, .moment", has_text="+1 lore (The Eldest Reborn)").first.wait_for()
    ben.locator('#strip [data-choose="ana"]').tap()
    shows(ben, '#o-saga [data-kind="lore"] > b', "2")

    # It is one entry, and one undo.
    ben.locator("#undo").tap()
    shows(ana, '#o-saga [data-kind="lore"] > b', "1")


def test_an_overlord_awakes_when_its_last_end_step_has_passed(
    phone: Phones, running: Night
) -> None:
    host, guest = Host(phone(), running.site), Host(phone(360, 640), running.site)
    ana, ben = host.page, guest.page
    given = {
        "seats": {"ana": {}, "ben": {}},
        "turn": {"active": ["ana"], "phase": "precombat-main"},
    }
    address = host.played(friday("magic", given))
    host.open(address)
    guest.join(address, host)

    # Its name is known, and so is what is printed on it; cast for impending, it is no creature.
    ana.get_by_role("link", name="Add", exact=False).first.tap()
    ana.get_by_label("Name").fill("overlord of the mist")
    ana.get_by_role("option", name="Overlord of the Mistmoors").or_(
        ana.locator("#sheet button", has_text="Overlord of the Mistmoors")
    ).first.tap()
    ana.get_by_role("button", name="Add Overlord of the Mistmoors").tap()
    ana.locator("article", has_text="Overlord of the Mistmoors").locator("> a").tap()
    sheet = ana.locator("#sheet")
    sheet.get_by_role("button", name="Creature", exact=True).tap()
    sheet.locator('[aria-pressed="false"]', has_text="Creature").wait_for()
    sheet.locator('[data-kind="time"] button').last.tap()
    switched(ana, "−1 time at the end step, in my turns")
    ana.keyboard.press("Escape")

    # The turn's one button goes through the end step.
    ana.locator("#next", has_text="Ben").tap()
    ben.locator("#moment, .moment", has_text="−1 time (Overlord of the Mistmoors)").first.wait_for()
    ana.get_by_role("button", name="→ creature").tap()
    ana.get_by_role("button", name="→ creature").wait_for(state="hidden")
    ben.locator('#strip [data-choose="ana"]').tap()
    ben.locator("article", has_text="Overlord").get_by_label("power 6").wait_for()
    assert not ben.get_by_role("button", name="→ creature").count()
    ana.locator("#undo").tap()
    ben.get_by_role("button", name="→ creature").wait_for()
