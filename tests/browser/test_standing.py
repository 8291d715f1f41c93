"""The table does the doubling: Hardened Scales and Doubling Season, with two phones."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from tests.night import Night
from tests.types import Json, Phones

from .tables import Host, friday
from .test_two_phones import join, shows

pytestmark = pytest.mark.browser

BALLISTA = "#o-ballista"
COUNTERS = f'{BALLISTA} li[data-kind="+1/+1"]'
GIVEN: Json = {
    "seats": {"ana": {}, "ben": {}},
    "objects": {
        "ballista": {"name": "Walking Ballista", "types": ["artifact", "creature"], "owner": "ana",
                     "base": {"power": 0, "toughness": 0}, "counters": {"+1/+1": 1}},
        "liliana": {"name": "Liliana", "types": ["planeswalker"], "owner": "ana",
                    "counters": {"loyalty": 4}},
        "bear": {"name": "Bear", "types": ["creature"], "owner": "ana",
                 "base": {"power": 2, "toughness": 2}},
    },
    "turn": {"active": ["ana"], "phase": "precombat-main"},
}  # fmt: skip
MANY = {
    **{f"double-{n}": {"times": 2, "seat": "ana"} for n in range(4)},
    **{f"more-{n}": {"plus": 1, "seat": "ana"} for n in range(6)},
}
BOXES = """(card) => {
  const sides = ({left, right}) => [Math.round(left), Math.round(right)];
  const open = card.querySelector("li.is-open");
  const all = [...open.children, open, card.querySelector(":scope > p")];
  return all.map((each) => sides(each.getBoundingClientRect()));
}"""


@pytest.fixture
def two(phone: Phones, running: Night) -> tuple[Any, Any]:
    """Ana's table with a creature that has a counter, and Ben's phone at it."""
    ana, ben = phone(360, 640), phone()
    seated(ana, ben, running, GIVEN)
    return ana, ben


def seated(ana: Any, ben: Any, running: Night, given: dict[str, Any]) -> None:
    """Put both at a table that begins so."""
    ana.goto(running.site)
    address = Host(ana, running.site).played(friday("magic", given))
    ana.goto(f"{address}share")
    code = ana.locator(".share-code b").inner_text()
    ana.goto(address)
    ana.wait_for_selector("#board")
    join(ben, running.site, code)
    for player in (ana, ben):
        player.wait_for_load_state()


def adds(player: Any, name: str) -> None:
    """Type the whole name of a card and add it, faster than any offer can come."""
    player.locator(".add-card:visible").first.tap()
    player.locator("#new-card [name=name]").fill(name)
    player.locator("[data-add-card]").tap()
    player.locator("#sheet[open]").wait_for(state="detached")
    player.locator("#live .card h3", has_text=name).first.wait_for()


def number(of: str) -> str:
    """The number of a kind on a card, on the board."""
    return f"[id='{of}']"


def places(player: Any) -> list[list[float]]:
    """The position of every card."""
    found: list[list[float]] = player.evaluate(
        "[...document.querySelectorAll('#s-ana .card')].map(each => {"
        "const box = each.getBoundingClientRect();"
        "return [each.id, box.top, box.left, box.width, box.height]})"
    )
    return found


def opens(player: Any, token: str) -> None:
    player.locator(token).tap()
    player.locator(f"{token}.is-open").wait_for()


def test_two_become_six_and_undo_takes_them_back_whole(two: tuple[Any, Any]) -> None:
    ana, ben = two
    adds(ana, "Doubling Season")
    ben.locator("#moment", has_text="twice as many counters on your permanents").wait_for()
    adds(ana, "Hardened Scales")
    ben.locator('#strip [data-choose="ana"]').tap()
    opens(ana, COUNTERS)
    more = ana.locator(f'{COUNTERS} button[name="more"]')
    assert "+4" == more.inner_text()

    ana.locator(f"{COUNTERS} b").tap()
    ana.locator("#pad [data-key='2']").tap()
    order = ana.locator("#pad [data-orders]")
    order.wait_for()
    assert [
        "+2 → 6: +1 Hardened Scales, ×2 Doubling Season",
        "+2 → 5: ×2 Doubling Season, +1 Hardened Scales",
    ] == order.locator("option").all_inner_texts()
    main = ana.locator("#pad [data-pad-do=change]")
    assert "Add 6 → 7" == main.inner_text()
    box = main.bounding_box()
    assert box["y"] + box["height"] <= 640
    lie = places(ana)
    main.tap()
    shows(ana, number("ballista.+1/+1"), "7")
    shows(ben, number("ballista.+1/+1"), "7")
    assert (
        "+6: +1 Hardened Scales, ×2 Doubling Season"
        == ana.locator(f"{BALLISTA} .delta").inner_text()
    )
    assert lie == places(ana)

    ana.locator("#undo, [data-turn-back]").first.tap()
    shows(ana, number("ballista.+1/+1"), "1")
    shows(ben, number("ballista.+1/+1"), "1")
    log = ben.request.get(f"{ben.url.partition('?')[0]}log").text()
    log_text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", log))
    assert (
        "+1/+1 on Walking Ballista: 2 becomes 6 (+1 Hardened Scales, ×2 Doubling Season)"
        in log_text
    )
    assert "616.1" in log_text


def test_a_tap_gives_what_its_plus_says_at_once_and_in_the_other_order(
    two: tuple[Any, Any],
) -> None:
    ana, ben = two
    adds(ana, "Doubling Season")
    adds(ana, "Hardened Scales")
    opens(ana, COUNTERS)
    ana.locator(f'{COUNTERS} button[name="more"]').tap()
    assert "5" == ana.locator("[id='ballista.+1/+1']").inner_text()
    shows(ben, number("ballista.+1/+1"), "5")

    ana.locator(f"{COUNTERS} b").tap()
    ana.locator("#pad [data-key='1']").tap()
    ana.locator("#pad [data-orders]").select_option(index=1)
    assert "Add 3 → 8" == ana.locator("#pad [data-pad-do=change]").inner_text()
    ana.locator("#pad [data-pad-do=change]").tap()
    shows(ben, number("ballista.+1/+1"), "8")


def test_a_loyalty_ability_is_a_cost_unless_one_says_otherwise(two: tuple[Any, Any]) -> None:
    ana, ben = two
    adds(ana, "Doubling Season")
    loyalty = '#o-liliana li[data-kind="loyalty"]'
    opens(ana, loyalty)
    plus = ana.locator(f'{loyalty} button[name="loyalty"]')
    assert "+" == plus.inner_text()
    plus.tap()
    shows(ben, number("liliana.loyalty"), "5")

    ana.locator(f"{loyalty} b").tap()
    ana.locator("#pad [data-key='1']").tap()
    assert ana.locator("#pad [data-cause]").is_checked()
    ana.locator("#pad label:has([data-cause])").tap()
    ana.locator("#pad output", has_text="+1 → 2: ×2 Doubling Season").wait_for()
    ana.locator("#pad [data-pad-do=change]").tap()
    shows(ben, number("liliana.loyalty"), "7")

    ben.locator('#strip [data-choose="ana"]').tap()
    opens(ben, loyalty)
    assert "+2" == ben.locator(f'{loyalty} button[name="loyalty"]').inner_text()
    ben.locator(f'{loyalty} button[name="loyalty"]').tap()
    shows(ana, number("liliana.loyalty"), "9")


def test_any_other_card_takes_two_taps_and_its_sheet_has_a_preview(two: tuple[Any, Any]) -> None:
    ana, _ben = two
    ana.locator("#o-bear > a").tap()
    ana.locator("#act-standing > summary").tap()
    ana.locator("#act-standing button", has_text="twice as many").tap()
    said = ana.locator("#act-standing p", has_text="twice as many +1/+1 counters on your creatures")
    said.wait_for()
    whole = "(each) => each.scrollWidth <= each.clientWidth && each.textContent.includes('twice')"
    assert ana.locator("#act-standing > summary > small").evaluate(whole)
    ana.locator(".sheet-becomes", has_text="+1/+1: +1 → 2 (×2 Bear)").wait_for()
    ana.locator("#act-counter > summary").tap()
    chip = ana.locator('#act-place .chip[value="+1/+1"][data-becomes="2"]')
    chip.wait_for()
    ana.locator("#act-place [name='amount:number']").fill("3")
    ana.locator('#act-place .chip[value="+1/+1"][data-becomes="6"]').wait_for()
    ana.locator("#act-place input[name^=counter]").fill("+1/+1")
    ana.locator("#act-place output", has_text="+3 → 6: ×2 Bear").wait_for()
    ana.locator("#act-place button", has_text="Put on").tap()
    ana.locator(".sheet .tile-word", has_text="+1/+1").first.wait_for()
    shows(ana, number("bear.+1/+1"), "6")


def test_the_order_is_chosen_where_counters_come_in_and_where_they_grow(
    two: tuple[Any, Any],
) -> None:
    ana, ben = two
    adds(ana, "Doubling Season")
    adds(ana, "Hardened Scales")
    ana.locator(".add-card:visible").first.tap()
    new = ana.locator("#new-card")
    new.locator("[name=name]").fill("Ooze")
    new.locator("summary", has_text="Elsewhere").tap()
    new.locator('[name="counters.+1/+1:number"]').fill("2")
    log_text = new.locator("[data-command-preview]")
    log_text.get_by_text(
        "+1/+1 on Ooze: 2 becomes 6 (+1 Hardened Scales, ×2 Doubling Season)"
    ).wait_for()
    new.locator("[data-orders]").select_option(label="×2 Doubling Season, +1 Hardened Scales")
    log_text.get_by_text(
        "+1/+1 on Ooze: 2 becomes 5 (×2 Doubling Season, +1 Hardened Scales)"
    ).wait_for()
    new.locator("[data-add-card]").tap()
    ooze = '.card:has(h3:text-is("Ooze")) li[data-kind="+1/+1"] b'
    ben.locator(ooze, has_text="5").wait_for(state="attached")

    ana.get_by_role("link", name="More of the table").first.tap()
    ana.locator("#sheet").get_by_role("link", name="Proliferate").tap()
    grows = ana.locator('form:has([name="do"][value="proliferate"])')
    grows.locator("label", has_text="Walking Ballista").tap()
    says = grows.locator("[data-command-preview]")
    says.get_by_text("+1/+1 on Walking Ballista: 1 becomes 4 (+1 Hardened Scales, ×2").wait_for()
    grows.locator("[data-orders]").select_option(index=1)
    says.get_by_text("1 becomes 3 (×2 Doubling Season, +1 Hardened Scales)").wait_for()
    grows.get_by_role("button", name="Proliferate").tap()
    shows(ben, number("ballista.+1/+1"), "4")


def test_ten_effects_need_no_order_and_a_large_plus_stays_whole(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(360, 640), phone()
    seated(ana, ben, running, {**GIVEN, "standing": MANY})
    opens(ana, COUNTERS)
    assert "+112" == ana.locator(f'{COUNTERS} button[name="more"]').inner_text()
    ana.locator(f'{COUNTERS} button[name="more"]').tap()
    shows(ana, number("ballista.+1/+1"), "113")
    shows(ben, number("ballista.+1/+1"), "113")

    *parts, whole, stats = ana.locator(BALLISTA).evaluate(BOXES)
    assert whole[0] == parts[0][0]
    assert parts[-1][1] == whole[1] <= stats[0]
    assert all(left[1] <= right[0] for left, right in pairwise(parts))
    assert min(right - left for left, right in (parts[0], parts[-1])) >= 44

    ana.locator(f"{COUNTERS} b").tap()
    ana.locator("#pad [data-key='2']").tap()
    ana.locator("#pad [data-orders]").select_option(index=1)
    assert "Add 38 → 151" == ana.locator("#pad [data-pad-do=change]").inner_text()
    ana.locator("#pad [data-pad-do=change]").tap()
    shows(ben, number("ballista.+1/+1"), "151")


def test_a_kind_without_a_picture_has_its_word(phone: Phones, running: Night) -> None:
    ana, ben = phone(360, 640), phone()
    bear = {**GIVEN["objects"]["bear"], "counters": {"flying": 1, "stun": 1}}
    seated(ana, ben, running, {**GIVEN, "objects": {"bear": bear}})
    says = "(each) => getComputedStyle(each, '::before').content"

    assert '"flying"' == ana.locator('#o-bear li[data-kind="flying"]').evaluate(says)
    assert '""' == ana.locator('#o-bear li[data-kind="stun"]').evaluate(says)


def test_a_lord_counts_for_what_it_names_while_it_is_there_and_asks_what_is_not_known(
    two: tuple[Any, Any],
) -> None:
    ana, ben = two
    for name in ("Llanowar Elves", "Elvish Archdruid"):
        adds(ana, name)
    elf, druid = (
        ana.locator("#live .card", has_text=each) for each in ("Llanowar Elves", "Elvish Archdruid")
    )
    more = "[data-stat=toughness].is-up"
    elf.locator(more).wait_for()
    ben.locator('#strip [data-choose="ana"]').tap()
    ben.locator("#live .card", has_text="Llanowar Elves").locator(more).wait_for()

    ana.locator("#o-bear").get_by_role("link", name="Elf?").tap()
    ana.locator("#sheet").get_by_role("button", name="No", exact=True).tap()
    ana.keyboard.press("Escape")
    ana.locator("#o-bear").get_by_role("link", name="Elf?").wait_for(state="detached")

    druid.locator("a").first.tap()
    ana.locator("#sheet").get_by_role("button", name="Destroy").tap()
    elf.locator(more).wait_for(state="detached")
    shows(ana, "#undo span", "Undo Destroy")
    ana.locator("#undo").tap()
    elf.locator(more).wait_for()
