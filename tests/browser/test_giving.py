"""Items change hands: given in two taps, asked for in two, with a secret that stays the GM's."""

from __future__ import annotations

from typing import Any

import pytest

from .tables import SESSION, Table
from .test_axe import complaints

pytestmark = pytest.mark.browser

PACK = {
    "type": "inventory", "slots": 3, "owner": "ana", "name": "Assets", "order": 1,
    "items": [{"name": "Rope", "size": 2}], "item_texts": {"Rope": "thirty metres"},
}  # fmt: skip
BAG = {"type": "inventory", "slots": 2, "owner": "ben", "name": "Assets", "order": 2}
CRATE = {"type": "inventory", "slots": 3, "name": "Crate", "order": 3,
         "items": [{"name": "Idol", "size": 1}]}  # fmt: skip
MEMORIES = {"type": "inventory", "slots": 5, "owner": "ben", "name": "Memories", "order": 1,
            "role": "memories", "on_full": "release"}  # fmt: skip
HEROES = {
    f"{each}-despair": {"name": "Despair", "type": "danger", "slots": 10, "owner": each,
                        "role": "despair", "order": 9}
    for each in ("ana", "ben")
}  # fmt: skip
HOARD = {"type": "inventory", "slots": 4, "name": "§ZQHOARD", "order": 4, "visibility": "hidden"}
EVENING = {
    **SESSION,
    "given": {
        "seats": {"gm": {}, "ana": {}, "ben": {}},
        "slot_counters": {
            "pack": PACK,
            "bag": BAG,
            "crate": CRATE,
            "hoard": HOARD,
            "past": MEMORIES,
            **HEROES,
        },
    },
}


def shows(page: Any, selector: str, text: str) -> None:
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_contain_text(text)


def test_an_item_changes_hands_and_keeps_its_secret(table: Table) -> None:
    gm, ana = table.gm, table.ana
    address = ana.url.partition("?")[0]
    gm.locator("#k-crate .inventory a", has_text="Idol").click()
    gm.locator("#sheet .item-list summary", has_text="Describe").click()
    gm.locator("#sheet [name=secret]").fill("§ZQCURSED each night")
    gm.locator("#sheet form:has([name=secret]) button", has_text="Save").click()
    shows(gm, "#sheet .item-secret", "§ZQCURSED")
    assert [] == complaints(gm)

    ana.goto(f"{address}slots/crate")
    assert "§ZQ" not in ana.content()
    ana.get_by_role("button", name="Ask for it").tap()
    shows(gm, "#board", "Ana")
    gm.get_by_role("button", name="Allow").first.click()
    shows(gm, "#k-pack", "Idol")

    ana.goto(f"{address}slots/pack")
    shows(ana, ".item-list", "Idol")
    shows(ana, ".item-list", "thirty metres")
    rope = ana.locator(".item-list > li", has_text="Rope")
    rope.locator("summary", has_text="Give").tap()
    takers = rope.locator("[name=to]").all_inner_texts()
    assert [taker.split()[-4] for taker in takers] == ["Ben", "Crate"], "no hidden inventory"
    rope.locator("[name=to]", has_text="Ben").tap()
    shows(gm, "#k-bag", "Rope")
    shows(ana, "body", "Assets")
    assert "Rope" not in gm.locator("#k-pack").inner_text()
    assert "§ZQ" not in ana.content()


def test_an_item_that_is_tapped_is_given_by_the_next_tap(table: Table) -> None:
    """Its sheet hid whom it may go to behind a third."""
    gm = table.gm
    gm.set_viewport_size({"width": 390, "height": 844})
    gm.locator("#k-crate .inventory a", has_text="Idol").tap()
    gm.locator("#sheet [data-item=Idol] [name=to]", has_text="Ben").tap()

    shows(gm, "#k-bag", "Idol")
    assert "Idol" not in gm.locator("#k-crate").inner_text()


UNFOLD = "() => document.querySelectorAll('#groups details').forEach((e) => (e.open = true))"


def test_an_item_is_dragged_from_card_to_card_and_a_players_is_asked_for(table: Table) -> None:
    gm, ana = table.gm, table.ana
    gm.set_viewport_size({"width": 1280, "height": 1200})
    rope = gm.locator("#k-pack .inventory a", has_text="Rope")
    gm.evaluate(UNFOLD)
    rope.drag_to(gm.locator("#k-bag"))
    shows(gm, "#k-bag", "Rope")
    shows(gm, "#undo", "Rope put into Ben’s Assets")
    gm.locator("#undo").click()
    shows(gm, "#k-pack", "Rope")

    ana.set_viewport_size({"width": 1280, "height": 900})
    ana.evaluate(UNFOLD)
    ana.locator("#k-crate .inventory a", has_text="Idol").drag_to(ana.locator("#k-pack"))
    shows(ana, "#asked", "Idol")
    assert "Idol" in ana.locator("#k-crate").inner_text(), "a player takes nothing unasked"
    gm.get_by_role("button", name="Allow").first.click()
    shows(ana, "#k-pack", "Idol")
    assert "§ZQ" not in ana.content()


def test_an_item_is_given_by_keyboard(table: Table) -> None:
    gm = table.gm
    gm.evaluate(UNFOLD)
    gm.locator("#k-pack .inventory a", has_text="Rope").focus()
    gm.keyboard.press("Enter")
    taker = gm.locator("#sheet button[name=to]", has_text="Ben")
    taker.wait_for()  # its choice is open, as it was the item that was chosen
    taker.focus()
    gm.keyboard.press("Enter")
    shows(gm, "#k-bag", "Rope")


def test_an_item_is_dragged_onto_a_seat_of_the_party(table: Table) -> None:
    """It goes into the seat's first inventory that keeps what it holds, if there is room."""
    gm, ana = table.gm, table.ana
    gm.set_viewport_size({"width": 1280, "height": 1200})
    gm.evaluate(UNFOLD)
    bens = gm.locator("#party .cell", has_text="Ben")
    idol = gm.locator("#k-crate .inventory a", has_text="Idol")
    idol.drag_to(bens)
    shows(gm, "#k-bag", "Idol")
    assert "Idol" not in gm.locator("#k-crate").inner_text()

    gm.locator("#k-pack .inventory a", has_text="Rope").drag_to(bens)
    shows(gm, "body", "Rope needs 2 slots; Assets has 1 left.")
    shows(gm, "#k-pack", "Rope")
    gm.locator("#undo").click()
    shows(gm, "#k-crate", "Idol")

    table.hosts[0].give(do="edit", on="bag", visibility="known")
    ana.wait_for_selector("#k-bag.is-masked", state="attached")
    assert 0 == ana.locator("#groups [data-bag=ben]").count(), "it says that it is an inventory"


def test_an_empty_inventory_draws_its_places_and_offers_one(table: Table) -> None:
    gm = table.gm
    free = gm.locator("#k-hoard .is-free")
    assert [4, 1] == [free.count(), free.locator("a").count()]
    assert free.evaluate_all("(all) => all.every((each) => each.checkVisibility())")
    assert 1 == gm.locator("#k-hoard .inventory").get_by_role("listitem").count()

    gm.locator("#k-hoard .slot-name a").click()
    shows(gm, "#sheet h2", "§ZQHOARD")
    assert "When full:" not in gm.locator("#sheet").inner_text(), "that is far away"
