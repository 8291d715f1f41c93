"""An evening on phones without scripts: every tap is a form, every sheet a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import start_by_taps
from .test_two_phones import ANA, PLUS, begin, give, shows

pytestmark = pytest.mark.browser

ANSWERS = "[data-answers] :is(input:not([type=hidden]), label, button)"


def join(ben: Any, site: str, code: str, *, named: bool = True) -> None:
    """Ben sits down by the code; he says the name that goes with his seat's id."""
    ben.goto(f"{site}/")
    ben.get_by_label("Join with a code").fill(code)
    ben.get_by_role("button", name="Join").tap()
    ben.wait_for_selector("#board")
    ben.wait_for_load_state()
    if named and ben.locator(".welcome").count():
        name = ben.locator("#live").get_attribute("data-seat").capitalize()
        ben.get_by_label("What’s your name?").fill(name)
        ben.locator(".welcome button").tap()
        ben.locator(".welcome").wait_for(state="hidden")


@pytest.fixture
def plain_phone(chromium: Any) -> Iterator[Callable[[], Any]]:
    """A new phone with scripts off."""
    contexts = []

    def new() -> Any:
        contexts.append(
            chromium.new_context(
                java_script_enabled=False, viewport={"width": 390, "height": 844}, has_touch=True
            )
        )
        return contexts[-1].new_page()

    yield new
    for context in contexts:
        context.close()


def wither(phone: Any) -> None:
    """A wither counter on the champion, then a main phase: the question what to do about it."""
    phone.locator("#o-ana-champion > a").tap()
    phone.locator("summary", has_text="Another counter").tap()
    phone.get_by_label("or one called").fill("wither")
    phone.get_by_role("button", name="Put on").tap()


def test_an_evening_without_scripts(plain_phone: Callable[[], Any], running: Night) -> None:
    ana, ben = plain_phone(), plain_phone()
    join(ben, running.site, start_by_taps(ana, running.site))
    board = ana.url

    # Ben stands up, looks on, and sits down again
    ben.locator(".is-mine .seat-name").tap()
    ben.get_by_role("button", name="Just watch").tap()
    ben.get_by_role("link", name="Take a seat").tap()
    ben.get_by_role("button", name="Sit down here").tap()
    shows(ben, ".is-mine .seat-name h2", "Player 2")

    # A number of the champion, and back
    for times in ("1", "2"):
        ana.locator(PLUS).tap()
        shows(ana, ANA, times)
    ana.get_by_role("button", name="Undo", exact=True).tap()
    shows(ana, ANA, "1")
    ana.get_by_role("button", name="Redo", exact=True).tap()
    shows(ana, ANA, "2")
    ben.reload()
    shows(ben, ANA, "2")

    # A card comes, is turned on its own page, and goes to the graveyard
    ana.locator(".is-mine .add-card").tap()
    ana.locator(".sort", has_text="Ally").tap()
    ana.locator("#new-card [name=name]").fill("Dungeon Guide")
    ana.locator("[data-add-card]").tap()
    ana.get_by_role("link", name="Dungeon Guide").tap()
    ana.locator('.tiles [data-kind="buff"] button').last.tap()
    shows(ana, ".card:has-text('Dungeon Guide') [data-kind=buff] b", "1")
    ana.get_by_role("link", name="Dungeon Guide").tap()
    ana.get_by_role("button", name="Destroy").tap()
    ana.get_by_text("graveyard 1").tap()
    ana.locator(".pile").get_by_role("link", name="Dungeon Guide").wait_for()

    # A phase asks, the one who is asked answers, and the turn passes
    wither(ana)
    begin(ana, "main")
    ana.locator(".prompt .due label").first.tap()
    ana.locator(".prompt > .is-main").tap()
    ana.locator(".prompt").wait_for(state="detached")
    for _ in range(8):
        if ana.locator("#step button[name=begin-turn]").count():
            break
        ana.locator("#step button").tap()
    ana.locator("#step button").tap()
    ana.locator(".phase-word", has_text="Player 2’s turn").wait_for()

    assert board == ana.url


def test_nothing_that_needs_scripts_is_offered(
    plain_phone: Callable[[], Any], running: Night
) -> None:
    ana = plain_phone()
    start_by_taps(ana, running.site)

    assert 0 == ana.locator("[data-turn-back]:visible, [data-menu]:visible").count()
    ana.get_by_role("link", name="Dice").tap()
    ana.get_by_role("link", name="Notes").tap()
    ana.get_by_label("A new note").fill("Ben owes a drink")
    ana.get_by_role("button", name="Add to the list").tap()
    ana.get_by_role("link", name="Dice").tap()
    ana.get_by_role("link", name="Notes").tap()
    ana.locator(".notes", has_text="Ben owes a drink").wait_for()


def test_answers_are_offered_only_to_the_player_who_is_asked(phone: Phones, running: Night) -> None:
    """Whatever the control looks like: a second button is as much an answer as the next step."""
    ana, ben = phone(), phone()
    join(ben, running.site, start_by_taps(ana, running.site))
    give(ana, do="place", on="ana-champion", counter="wither", amount=1)
    begin(ana, "main")
    ana.locator("#dock .prompt").wait_for()
    ben.locator('#strip [data-choose="ana"]').tap()
    ben.locator(".prompt h2").wait_for()
    for each in (ana, ben):
        each.evaluate(
            """() => document.querySelector('[data-answers] .is-main')
                 .insertAdjacentHTML('beforebegin', '<button name="n" value="0">0</button>')"""
        )

    assert 0 == ben.locator(ANSWERS).locator("visible=true").count()
    assert 1 == ana.locator("[data-answers] button:visible").count()  # the main one is #next
