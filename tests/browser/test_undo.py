"""Undo says what it will take; a refused one opens the log at the lines that stand in its way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import GIVE, join, start
from .test_two_phones import shows, taps

pytestmark = pytest.mark.browser

HERO = '[data-hero="ana"]'
HIT = "#cockpit .hero button[name=damage]"
LIFE = "#cockpit .hero button[name=lose-life]"


def test_the_button_follows_what_undo_would_take(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone(360, 640)
    join(ben, running.site, start(ana, running.site))
    asked: list[str] = []
    ana.on("request", lambda each: asked.append(each.url) if each.url.endswith("/mine") else None)

    ana.evaluate(
        "(hit) => { for (let n = 0; n < 5; n++) document.querySelector(hit).click(); }", HIT
    )
    assert "Undo" == ana.locator("#undo span").inner_text()
    shows(ana, "#undo span", "Undo +5 Champion")

    assert len(asked) <= 2, "a request for each tap"
    name = ana.locator("#undo").get_attribute("aria-label")
    assert "Undo: +5 damage, Ana’s champion (Ana)" == name
    ben.locator("#undo:disabled").wait_for()

    # Someone else takes it back: the button must not offer it any more.
    ben.get_by_role("link", name="Log").tap()
    ben.locator(".log > li > [data-does=undo]").first.tap()
    shows(ana, HERO, "0")
    ana.locator("#undo:disabled").wait_for()
    moment = ana.locator('[data-moment="undo"]')
    assert "+5 damage on Ana’s champion: 5 → 0 (Ana)" in moment.inner_text()

    moment.get_by_role("button", name="Redo").tap()
    shows(ben, '[data-hero="ana"]', "5")


def test_a_tap_that_is_undone_at_once_is_the_one_that_goes(phone: Phones, running: Night) -> None:
    """The button has no words yet then."""
    ana = phone()
    start(ana, running.site)
    ana.evaluate(GIVE, {"do": "note", "text": "before"})

    ana.locator(HIT).tap()
    ana.locator("#undo").tap()

    shows(ana, HERO, "0")
    shows(ana, "#undo span", "Undo note")


def test_a_refused_undo_opens_the_log_at_its_lines(phone: Phones, running: Night) -> None:
    ana = phone()
    start(ana, running.site)
    ana.evaluate(GIVE, {"do": "create", "as": "wolf", "name": "Wolf", "types": ["ally"]})
    for n in range(3):
        ana.evaluate(GIVE, {"do": "note", "text": f"note {n}"})
    ana.evaluate(GIVE, {"do": "place", "on": "wolf", "counter": "buff", "amount": 1})
    ana.locator("#o-wolf").wait_for()

    ana.get_by_role("link", name="Log").tap()
    ana.locator(".log > li", has_text="added Wolf").locator("> [data-does=undo]").tap()

    both = ana.get_by_role("button", name="Undo both")
    both.wait_for()
    marked = ana.locator(".log .is-marked")
    assert 2 == marked.count()
    box, line = both.bounding_box(), marked.first.bounding_box()
    assert box["y"] + box["height"] <= line["y"], "the button covers the line"
    assert line["y"] + line["height"] <= 844

    both.tap()
    ana.locator("#o-wolf").wait_for(state="detached")
    assert not ana.locator("#sheet[open]").count()


def three(phone: Phones, site: str, system: str, preset: str = "") -> list[Any]:
    """Ana’s phone and two others at a game of three."""
    phones = [phone(360, 640), phone(), phone()]
    code = start(phones[0], site, system, 3, preset)
    for other in phones[1:]:
        join(other, site, code)
    for seat in ("ben", "cleo"):
        phones[0].locator(f"#strip [data-choose={seat}]:not([data-free])").wait_for()
    return phones


def test_what_the_marks_mean_is_one_line_below_the_number(phone: Phones, running: Night) -> None:
    ana, *_others = three(phone, running.site, "magic", "commander")
    taps(ana, LIFE, 1)
    word = ana.locator("#from .from-word", has_text="commander damage from")
    word.wait_for()

    says, chips = word.bounding_box(), ana.locator("#from").bounding_box()
    assert says["height"] < 24
    assert says["y"] >= chips["y"]


def test_from_whom_is_one_touch_and_never_asked(phone: Phones, running: Night) -> None:
    ana, *_others = three(phone, running.site, "grand-archive")
    taps(ana, HIT, 3)
    chip = ana.get_by_role("button", name="from Ben")
    chip.wait_for()

    assert "from" == ana.locator("#from .from-word").inner_text()
    offer, hero = chip.bounding_box(), ana.locator("#cockpit .hero").bounding_box()
    assert min(offer["width"], offer["height"]) >= 44
    assert offer["y"] + offer["height"] <= hero["y"] + hero["height"] + 0.5
    chip.tap()

    assert ["B", "+3"] == ana.locator("#from").inner_text().split()
    shows(ana, "#undo span", "Undo from Ben")
    ana.locator("#from[hidden]").wait_for(state="attached", timeout=3000)
    ana.get_by_role("link", name="Log").tap()
    ana.locator(".log", has_text="+3 damage on Ana’s champion came from Ben").wait_for()


def test_an_offer_that_is_not_taken_goes_by_itself(phone: Phones, running: Night) -> None:
    ana, *_others = three(phone, running.site, "grand-archive")
    ana.locator(HIT).tap()
    ana.locator("#from:not([hidden])").wait_for()
    ana.locator("#from[hidden]").wait_for(state="attached", timeout=5000)

    assert "Undo +1 Champion" == ana.locator("#undo span").inner_text()


def test_with_two_players_nobody_is_asked_from_whom(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site))
    ana.locator("#strip [data-choose=ben]:not([data-free])").wait_for()
    ana.locator(HIT).tap()
    shows(ana, "#undo span", "Undo +1 Champion")

    assert ana.locator("#from").is_hidden()


def test_in_commander_a_touch_counts_the_loss_as_commander_damage(
    phone: Phones, running: Night
) -> None:
    ana, *_others = three(phone, running.site, "magic", "commander")
    taps(ana, "#cockpit .hero button[name=lose-life]", 3)
    chip = ana.get_by_role("button", name="commander damage from Ben")
    chip.wait_for()
    assert "commander damage from" in ana.locator("#from").inner_text().replace("\n", " ")
    assert chip.bounding_box()["x"] >= 0
    chip.tap()

    shows(ana, HERO, "37")
    shows(ana, "#cockpit .is-tally [data-place='2']", "BBen 3")
    shows(ana, "#undo span", "Undo 3 from Ben")


def test_the_commander_sheet_adds_five_with_one_tap(phone: Phones, running: Night) -> None:
    ana, *_others = three(phone, running.site, "magic", "commander")
    ana.locator("#cockpit .is-tally a").tap()
    ana.get_by_role("heading", name="Ana has taken").wait_for()
    ana.get_by_role("button", name="+5").first.tap()

    shows(ana, HERO, "35")
    shows(ana, ".taken li >> nth=0 >> b", "5")
    ana.locator(".taken li > b").first.tap()
    ana.locator("#pad[open]").wait_for()


def test_the_button_follows_what_another_phone_of_this_seat_did(
    phone: Phones, running: Night
) -> None:
    ana = phone()
    start(ana, running.site)
    ana.locator("#undo:disabled").wait_for()

    # As by another tab: this one did not give it.
    ana.evaluate(GIVE, {"do": "damage", "on": "ana-champion", "amount": 3, "id": "elsewhere"})

    shows(ana, "#undo span", "Undo +3 Champion")
