"""The board of a game that has just begun: what lies there, and what its signs are called."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host

pytestmark = pytest.mark.browser

SIGNS = {
    "magic": [
        "poison", "rad", "energy", "commander damage", "the monarch", "More of the table",
        "Each opponent…",
    ],
    "grand-archive": ["level", "enlighten"],
    "yu-gi-oh": ["Whose number changes", "Less; tap it for more"],
    "pokemon": ["Prize cards"],
}  # fmt: skip
IN_SIGHT = """() => [...document.querySelectorAll('.names > li')].every((each) => {
  const box = each.getBoundingClientRect();
  return each.contains(document.elementFromPoint(box.left + 30, (box.top + box.bottom) / 2));
})"""


def opened(page: Any, site: str, system: str, preset: str = "") -> Any:
    host = Host(page, site)
    return host.open(host.fresh(system, 0, preset))


@pytest.mark.parametrize("system", SIGNS)
def test_every_sign_has_its_word_until_one_is_tapped(
    phone: Phones, running: Night, system: str
) -> None:
    page = opened(phone(360, 640), running.site, system, "commander" * (system == "magic"))
    words = page.locator(".names > li")
    words.first.wait_for()
    assert len(SIGNS[system]) == words.count()
    for word in SIGNS[system]:
        assert words.filter(has_text=word).is_visible(), word
    assert page.evaluate(IN_SIGHT)

    page.locator("[data-cockpit] .places > li").first.tap()
    words.first.wait_for(state="hidden")
    page.reload()
    page.locator("[data-cockpit] .hero").wait_for()
    assert 0 == page.locator(".names:visible").count()


def test_a_commander_is_in_sight_from_the_start(phone: Phones, running: Night) -> None:
    page = opened(phone(), running.site, "magic", "commander")
    page.locator(".seat.is-mine .pile[open] .card", has_text="Ana’s commander").wait_for()
    assert 0 == page.locator(".bare:visible").count()


@pytest.mark.parametrize("system", ["yu-gi-oh", "pokemon", "any-game"])
def test_an_empty_board_says_how_a_card_gets_there(
    phone: Phones, running: Night, system: str
) -> None:
    page = opened(phone(), running.site, system)
    page.locator(".bare a:visible", has_text="Add a card").tap()
    page.locator("#sheet #new-card button.is-main:visible").first.tap()
    page.locator(".seat.is-mine .card").first.wait_for()
    page.locator(".bare").first.wait_for(state="hidden")


@pytest.mark.parametrize("seated", [False, True])
def test_help_is_one_tap_away(phone: Phones, running: Night, seated: bool) -> None:
    host = Host(phone(*((1280, 800) if seated else (360, 640))), running.site)
    address = host.middle("magic", 2) if seated else host.fresh("magic", 2)
    page = host.open(address)
    if seated:
        Host(phone(), running.site).join(address, host)
        page.reload()
    page.locator('.tools [aria-label="Help"]').tap()

    page.get_by_role("heading", name="Ten things you do").wait_for()
    pictures = page.locator(".manual img")
    assert 11 == pictures.count()
    for n in range(11):
        pictures.nth(n).scroll_into_view_if_needed()
        page.wait_for_function("(n) => document.images[n].naturalWidth > 0", arg=n)
    page.go_back()
    page.locator("#cockpit .hero").first.wait_for()
