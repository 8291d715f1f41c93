"""Twenty Zombies on two phones: made in a few taps, one row, parted and together again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .fingers import Hand, place
from .tables import Host, friday
from .test_two_phones import SETTLED

pytestmark = pytest.mark.browser

ZOMBIE = {"name": "Zombie", "types": ["creature"], "base": {"power": 2, "toughness": 2}}
HOLD_UNTIL = """([selector, text]) => new Promise((done) => {
  const button = document.querySelector(selector);
  const shown = button.parentElement.querySelector('output');
  const finger = (type) => button.dispatchEvent(new PointerEvent(type, {bubbles: true}));
  finger('pointerdown');
  new MutationObserver((_, observer) => {
    if (shown.textContent !== text) return;
    observer.disconnect();
    finger('pointerup');
    done();
  }).observe(shown, {childList: true});
})"""
"""A finger stays down until the number beside the button is that, however slow the machine is."""
DEAD = "Zombie ×4"
ROWS = """() => [...document.querySelectorAll('.seat[data-seat="ana"] .zone .card')].map((card) => [
  card.querySelector('h3').textContent.trim().replace(/\\s+/g, ' '),
  ...[...card.querySelectorAll('li:not(.is-zero) > b')].map((b) => b.textContent),
].join(' '))"""


def table(**objects: Any) -> dict[str, Any]:
    seats: dict[str, Any] = {"ana": {}, "ben": {}}
    given = {"seats": seats, "objects": {key: {**ZOMBIE, **obj} for key, obj in objects.items()}}
    return friday("magic", given)


def shows(player: Any, *expected: str) -> None:
    """Wait until Ana's cards are shown in these rows."""
    try:
        player.wait_for_function(f"(rows) => String(({ROWS})()) === String(rows)", arg=[*expected])
    except Exception:
        assert [*expected] == player.evaluate(ROWS)
        raise


def seated(phone: Phones, running: Night, **objects: Any) -> tuple[Any, Any]:
    """Ana and Ben at a table with these Zombies of Ana's."""
    ana, ben = Host(phone(), running.site), Host(phone(360, 640), running.site)
    address = ana.played(table(**objects))
    ana.open(address)
    ben.join(address, ana)
    return ana.page, ben.page


def test_twenty_zombies_are_one_row_until_one_of_them_is_unlike(
    phone: Phones, running: Night
) -> None:
    ana, ben = seated(phone, running, dead={"zone": "graveyard"})
    sheet = ana.locator("#sheet")

    ana.locator(".seat.is-mine .add-card").tap()
    sheet.locator(".offers .offer", has_text="Zombie").tap()
    ana.evaluate(HOLD_UNTIL, ['#new-card .copies [data-step="1"]', "× 20"])
    sheet.get_by_role("button", name="Add 20 × Zombie").tap()
    sheet.wait_for(state="hidden")
    for player in (ana, ben):
        shows(player, "Zombie ×20", "Zombie")
    assert ana.get_by_role("link", name="Zombie, 20 of them").count()

    ana.locator(".card > a", has_text="×20").tap()
    sheet.locator('.tiles [data-kind="+1/+1"] button').last.tap()
    for player in (ana, ben):
        shows(player, "Zombie ×20 1", "Zombie")

    sheet.get_by_role("button", name="One", exact=True).tap()
    for _more in range(2):
        sheet.get_by_role("button", name="one more").tap()
    assert "3" == sheet.locator(".stack output").inner_text()
    sheet.get_by_role("button", name="Destroy").tap()
    sheet.wait_for(state="hidden")
    for player in (ana, ben):
        shows(player, "Zombie ×17 1", DEAD)

    ana.locator(".card > a", has_text="×17").tap()
    sheet.get_by_role("button", name="One", exact=True).tap()
    stun = sheet.locator('.tiles [data-kind="stun"]')
    for times in (1, 2):
        stun.locator("button").last.tap()
        for player in (ana, ben):
            shows(player, "Zombie ×16 1", f"Zombie 1 {times}", DEAD)
    sheet.locator(".stack").wait_for(state="hidden")

    ana.keyboard.press("Escape")
    ana.locator("#undo", has_text="+2").tap()
    for player in (ana, ben):
        shows(player, "Zombie ×17 1", DEAD)


def test_taps_at_twenty_a_second_change_each_of_a_row_by_as_many(
    phone: Phones, running: Night
) -> None:
    horde = {f"zombie-{n}": {"counters": {"+1/+1": 1}} for n in range(20)}
    ana, ben = seated(phone, running, **horde)
    hand, number = Hand(ana), '[id="zombie-0.+1/+1"]'

    ana.locator(number).tap()
    plus = '#o-zombie-0 li.is-open [name="more"]'
    ana.locator(plus).wait_for()
    for _tap in range(20):
        hand.tap(place(ana, plus))
        ana.wait_for_timeout(50)
    ana.wait_for_function(SETTLED)
    for player in (ana, ben):
        shows(player, "Zombie ×20 21")
    ana.locator("#undo", has_text="Zombie ×20").wait_for()


def test_a_sheet_goes_on_meaning_those_it_was_opened_for(phone: Phones, running: Night) -> None:
    horde = {f"zombie-{n}": {"counters": {"+1/+1": n // 4}} for n in range(6)}
    ana, ben = seated(phone, running, **horde)
    sheet = ana.locator("#sheet")

    ana.locator(".card > a", has_text="×4").tap()
    plus = sheet.locator('.tiles [data-kind="+1/+1"] button').last
    plus.tap()
    shows(ana, "Zombie ×6 1")
    sheet.get_by_role("button", name="All 6").wait_for()
    assert "4" == sheet.locator(".stack output").inner_text()
    plus.tap()
    for player in (ana, ben):
        shows(player, "Zombie ×4 2", "Zombie ×2 1")


def test_some_of_a_row_attack_and_are_together_again_when_the_turn_ends(
    phone: Phones, running: Night
) -> None:
    ana, ben = seated(phone, running, **{f"zombie-{n}": {} for n in range(20)})
    sheet = ana.locator("#sheet")

    ana.locator(".card > a", has_text="×20").tap()
    sheet.locator(".stack").wait_for()
    ana.evaluate(HOLD_UNTIL, ['.stack [data-step="-1"]', "10"])
    for _less in range(3):
        sheet.get_by_role("button", name="one less").tap()
    sheet.locator("summary", has_text="Its state").tap()
    sheet.get_by_role("button", name="attacking: only until end of turn").tap()
    for player in (ana, ben):
        shows(player, "Zombie ×13", "Zombie ×7")
        assert "attacking" in player.locator(".card", has_text="×7").inner_text()

    ana.keyboard.press("Escape")
    ana.locator("#next").tap()
    for _phase in range(3):
        if ana.locator(".card", has_text="×20").count():
            break
        ana.locator("#next:enabled").tap()
        ana.wait_for_timeout(300)
    for player in (ana, ben):
        shows(player, "Zombie ×20")


def test_a_row_means_each_of_it_without_scripts(phone: Phones, running: Night) -> None:
    ana = Host(phone(), running.site)
    address = ana.played(table(**{f"zombie-{n}": {"counters": {"+1/+1": 1}} for n in range(5)}))
    context = ana.page.context.browser.new_context(
        java_script_enabled=False, storage_state=ana.page.context.storage_state()
    )
    plain = context.new_page()
    plain.goto(address)
    plain.locator('#o-zombie-0 [name="more"]').click()
    assert "2" == plain.locator('[id="zombie-0.+1/+1"]').inner_text()
    assert 1 == plain.locator(".seat .zone .card").count()

    plain.locator("#o-zombie-0 > a").click()
    plain.get_by_role("button", name="One", exact=True).click()
    plain.get_by_role("button", name="Destroy").click()
    assert "×4" in plain.locator(".seat .zone .card").first.inner_text()
    context.close()
