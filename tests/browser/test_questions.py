"""Questions dock above the cockpit: nothing moves, and the next step gives the answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, join, start
from .test_two_phones import give

pytestmark = pytest.mark.browser

PLACES = """() => [
        '#strip', '#cockpit > .panel', '#undo', '#next',
        '#board .seat.is-chosen .card:nth-last-child(2)',
    ]
    .map((each) => document.querySelector(each).getBoundingClientRect())
    .map(({x, y, width, height}) => [x, y, width, height].map(Math.round))"""
QUIET = "() => document.querySelectorAll('#moment > *, .delta').length === 0"
DOCKED = "#dock .question:first-child .prompt"


def table(ana: Any, ben: Any, site: str, system: str) -> None:
    """Ana makes a game of *system*, and Ben joins it."""
    join(ben, site, start(ana, site, system))


def rad(ana: Any, amount: int = 3) -> None:
    """Cards in the stage, and then the question."""
    for n in range(8):
        made = {"as": f"card-{n}", "name": f"Card {n}", "types": ["creature"]}
        give(ana, do="create", **made, base={"power": 1, "toughness": 1}, zone="battlefield")
    give(ana, do="place", on="ana", counter="rad", amount=amount)


def wither(ana: Any) -> None:
    for n in range(8):
        made = {"as": f"card-{n}", "name": f"Card {n}", "types": ["ally"]}
        give(ana, do="create", **made, base={"power": 1, "life": 2}, zone="field")
    for n, amount in enumerate((2, 1)):
        give(ana, do="place", on=f"card-{n}", counter="wither", amount=amount)


def settled(player: Any) -> list[list[int]]:
    """The places of strip, panel, Undo, next step and a row of the stage, once no moment is
    shown.
    """
    player.wait_for_function(QUIET)
    player.wait_for_timeout(300)
    places: list[list[int]] = player.evaluate(PLACES)
    return places


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)])
@pytest.mark.parametrize("scrolled", ["top", "end"])
def test_rad_moves_nothing(
    phone: Phones, running: Night, size: tuple[int, int], scrolled: str
) -> None:
    ana, ben = phone(*size), phone()
    table(ana, ben, running.site, "magic")
    rad(ana)
    ana.locator("#o-card-7").wait_for()
    if scrolled == "end":
        ana.evaluate("() => document.getElementById('board').scrollTo(0, 99999)")
    before = settled(ana)

    give(ana, do="begin-phase", phase="precombat-main")
    ana.locator(DOCKED).wait_for()

    assert before == settled(ana)
    assert 100 == ana.locator("#dock .prompts").bounding_box()["height"]
    assert "Resolve 3 rad" == ana.locator("#next").inner_text()
    if scrolled == "end":
        ana.evaluate("() => document.getElementById('board').scrollTo(0, 99999)")
        before = settled(ana)
    ana.locator(f"{DOCKED} .nonland label").nth(2).tap()
    ana.locator(DOCKED).wait_for(state="detached")
    assert before == settled(ana)


def test_wither_moves_nothing_and_the_next_step_says_the_answer(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone(360, 640)
    table(ana, ben, running.site, "grand-archive")
    wither(ana)
    ben.locator("#strip [data-choose=ana]").tap()
    ben.locator("#o-card-7").wait_for()
    before, others = settled(ana), settled(ben)

    give(ana, do="begin-phase", phase="main")
    ana.locator(DOCKED).wait_for()

    assert before == settled(ana)
    assert others[:4] == settled(ben)[:4]
    assert 152 == ana.locator("#dock .prompts").bounding_box()["height"]
    ana.locator(".due label").nth(0).tap()
    ana.locator(".due label").nth(3).tap()
    assert "Pay 2, sacrifice 1" == ana.locator("#next").inner_text()
    give(ben, do="place", on="card-0", counter="wither", amount=1)
    ana.locator("#next", has_text="Pay 3, sacrifice 1").wait_for()
    ana.locator("#next").tap()
    ana.locator(DOCKED).wait_for(state="detached")
    assert before[:4] == settled(ana)[:4]


def test_static_counters_are_used_with_one_tap_each_or_kept(phone: Phones, running: Night) -> None:
    ana, ben = phone(360, 640), phone()
    table(ana, ben, running.site, "grand-archive")
    made: dict[str, Any] = {"do": "create", "zone": "field"}
    arcane = {"types": ["ally"], "elements": ["arcane"], "base": {"power": 2, "life": 3}}
    give(ana, **made, **{"as": "tide", "name": "Tide", **arcane})
    for name in ("lamp", "rod"):
        give(ana, **made, **{"as": name, "name": name.title(), "types": ["item"]})
        give(ana, do="place", on=name, counter="static", amount=2)
    give(ben, do="begin-turn", active=["ana"])
    give(ben, do="begin-phase", phase="combat")
    ana.locator(".phase-word", has_text="Combat").wait_for()

    # Ana’s sheet of what is hit has the one who hits chosen, and that it is combat
    ana.locator("#strip [data-choose=ben]").tap()
    ana.locator("#board .seat.is-chosen .card").first.get_by_role("link").first.tap()
    ana.locator("#act-damage > summary").tap()
    ana.get_by_role("button", name="Deal it").tap()
    ana.locator("#strip [data-choose=ana]").tap()
    ana.locator(DOCKED).wait_for()
    assert "1 damage" == ana.locator("#next").inner_text()
    ana.locator("#next").tap()
    ana.locator(DOCKED, has_text="Rod").wait_for()
    ana.get_by_label("Keep it").tap()
    assert "Keep it" == ana.locator("#next").inner_text()
    ana.locator("#next").tap()
    ana.locator(DOCKED).wait_for(state="detached")

    ana.locator("#o-lamp [data-kind=static]", has_text="1").wait_for()
    ana.locator("#o-rod [data-kind=static]", has_text="2").wait_for()
    ben.locator(".panel", has_text="3").wait_for()


def test_others_see_the_question_in_one_line_without_answers(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    table(ana, ben, running.site, "magic")
    rad(ana)
    give(ana, do="begin-phase", phase="precombat-main")
    ben.locator("#strip [data-choose=ana]").tap()

    ben.locator(".board .prompt h2").wait_for()

    assert (
        0
        == ben.locator(
            ":is(.board, #dock) .question :is(input, button, a, summary):visible"
        ).count()
    )
    assert ben.locator(".board .question").bounding_box()["height"] <= 44
    asked = ben.locator("#strip [data-choose=ana] .cell-top .unseen").first.inner_text()
    assert f"Waiting for {asked}" == ben.locator("#next").inner_text()


def test_the_outcome_follows_life_and_the_answers(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    table(ana, ben, running.site, "magic")
    rad(ana)
    give(ana, do="begin-phase", phase="precombat-main")
    life = int(ana.locator("[data-hero=ana]").first.inner_text())
    two = ana.locator(f"{DOCKED} .nonland label").nth(2)
    two.filter(has_text=f"→ {life - 2} life").wait_for()

    give(ben, do="lose-life", seat="ana", amount=3)
    two.filter(has_text=f"→ {life - 5} life").wait_for()
    give(ana, do="mark", on="ana", mark="gains_from_radiation", value=True)
    two.filter(has_text=f"→ {life - 1} life").wait_for()
    give(ana, do="mark", on="ana", mark="cannot_lose_life", value=True)
    two.filter(has_text=f"→ {life - 3} life").wait_for()


def test_a_missing_field_is_said_in_its_place(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    table(ana, ben, running.site, "magic")
    rad(ana)
    give(ana, do="begin-phase", phase="precombat-main")
    ana.locator(DOCKED).wait_for()
    ana.locator("#next.is-missing").tap(force=True)

    ana.locator(f"{DOCKED} .refusal", has_text="Say how many are not lands.").wait_for()
    ana.locator(".prompt-more > summary").tap()
    ana.locator('[name="milled:number"][data-due]').fill("1")
    assert ana.locator(f"{DOCKED} .nonland input").nth(2).is_disabled()
    ana.locator(f"{DOCKED} .nonland label").nth(1).tap()
    ana.locator("#next.is-missing").tap(force=True)
    ana.locator("[data-fewer] input").check()
    ana.locator("#next:not(.is-missing)").tap()
    ana.locator(DOCKED).wait_for(state="detached")


def test_two_questions_come_one_by_one_and_the_keyboard_follows(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone()
    table(ana, ben, running.site, "magic")
    rad(ana)
    ana.locator("#undo:enabled").focus()
    ana.keyboard.press("Shift")
    give(ana, do="begin-phase", phase="precombat-main")
    ana.locator(f"{DOCKED} .nonland input:focus").first.wait_for()
    give(ana, do="copy", prompt="rad:ana")

    ana.locator(".prompt-place:visible", has_text="1 of 2").wait_for()
    assert 1 == ana.locator("#dock .prompt:visible").count()
    ana.keyboard.press("ArrowRight")
    ana.locator("#next:not(.is-missing)").focus()
    ana.keyboard.press("Enter")
    ana.wait_for_function("() => document.querySelectorAll('#dock .prompt').length === 1")
    ana.locator(f"{DOCKED} .nonland input:focus").first.wait_for()
    ana.keyboard.press("Space")
    ana.locator("#next:not(.is-missing)").focus()
    ana.keyboard.press("Enter")
    ana.locator("#undo:focus").wait_for()


def test_why_opens_the_rule(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    table(ana, ben, running.site, "magic")
    rad(ana)
    give(ana, do="begin-phase", phase="precombat-main")
    ana.locator(f"{DOCKED} .prompt-why").tap()

    asked = ana.locator("#sheet [data-asked]")
    asked.wait_for()
    assert "728.1" == asked.inner_text()
    ana.wait_for_function(
        """() => {
            const rule = document.querySelector('#sheet [data-asked]');
            const {top, bottom} = rule.getBoundingClientRect();
            return top > 0 && bottom < innerHeight;
        }"""
    )


def test_names_to_choose_from_stand_whole_and_apart(phone: Phones, running: Night) -> None:
    """Five Benched Pokémon on the smallest phone: a new Active one is chosen by name."""
    host, guest = Host(phone(), running.site), Host(phone(360, 640), running.site)
    names = ("Lillie’s Clefairy ex", "Iron Hands ex", "Galarian Articuno V", "Bidoof", "Manaphy")
    objects = {
        f"p{n}": {"owner": "ben", "hp": 70, "name": name, "zone": "bench" if n else "active"}
        for n, name in enumerate(("Pikachu", *names))
    }
    given = {
        "seats": {"ana": {}, "ben": {}},
        "objects": {"mew": {"name": "Mew", "zone": "active", "hp": 60}, **objects},
        "turn": {"active": ["ana"], "phase": "turn"},
    }
    when = [
        {"do": "damage", "on": ["p0"], "amount": 70, "by": "ana"},
        {"do": "answer", "prompt": "prizes:ana", "by": "ana"},
    ]
    address = host.played(
        {"id": "bench", "title": "Friday", "system": "pokemon", "given": given, "when": when,
         "then": {}, "names": {"ana": "Ana", "ben": "Ben"}}
    )  # fmt: skip
    host.open(address)
    guest.join(address, host, seat="ben")
    ben = guest.page
    choices = ben.locator("#dock .picks-one label")
    choices.first.wait_for()
    boxes = [each.bounding_box() for each in choices.all()]
    assert len(names) == len(boxes)
    assert not ben.evaluate(
        """() => [...document.querySelectorAll("#dock .picks-one span")].filter(
            (each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight
        ).length"""
    )
    for n, one in enumerate(boxes):
        assert one["x"] >= 0
        assert one["x"] + one["width"] <= 360
        for other in boxes[n + 1 :]:
            beside = one["x"] + one["width"] <= other["x"]
            assert beside or one["y"] + one["height"] <= other["y"]

    choices.filter(has_text="Bidoof").tap()
    ben.locator("#next", has_text="Bidoof").tap()
    host.page.locator('#strip [data-choose="ben"]').tap()
    host.page.locator('#s-ben [data-zone="active"] .card', has_text="Bidoof").wait_for()
