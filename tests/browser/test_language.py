"""An English and a Spanish phone at one table, and a language chosen by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import join, start
from .test_two_phones import ANA, PLUS, shows, taps

pytestmark = pytest.mark.browser

SPANISH = {"Accept-Language": "es-MX,es;q=0.9,en;q=0.5"}
PHASE = ".phase-word > span"
DAMAGE = '[id="ana.panel"] .is-hero'


def end_turn(player: Any) -> None:
    player.locator(".phase > summary").tap()
    player.locator(".turn-pass").tap()


def test_each_reads_the_table_in_their_own_language(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone(360, 740)
    code = start(ana, running.site)
    ben.context.set_extra_http_headers(SPANISH)
    ben.goto(f"{running.site}/")
    ben.get_by_label("Entrar con un código").fill(code)
    ben.get_by_role("button", name="Entrar").tap()
    ben.wait_for_selector("#board")
    ben.wait_for_load_state()
    ben.locator(".welcome [name=name]").fill("Ben")
    ben.locator(".welcome button").tap()
    ben.locator("#s-ben h2", has_text="Ben").wait_for(state="attached")

    taps(ana, PLUS, 2)
    shows(ben, ANA, "2")
    end_turn(ana)  # the frame that follows is drawn for each language

    shows(ana, PHASE, "Ben’s turn")
    shows(ben, PHASE, "Turno de Ben")
    assert "daño" == ben.locator(DAMAGE).get_attribute("data-word")
    assert ben.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_language_chosen_in_the_menu_stays(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site))
    board = ana.url

    ana.locator("[data-menu]").tap()
    ana.get_by_role("button", name="Español").tap()
    ana.locator("#undo", has_text="Deshacer").wait_for()
    assert board == ana.url
    ana.reload()
    ana.locator("#undo", has_text="Deshacer").wait_for()
    ana.wait_for_load_state()

    end_turn(ben)
    shows(ana, PHASE, "Turno de Ben")
    shows(ben, PHASE, "Ben’s turn")

    ana.goto(f"{running.site}/about")
    ana.get_by_role("button", name="English").tap()
    ana.get_by_role("heading", name="About").wait_for()


def test_the_language_is_chosen_without_a_script(chromium: Any, running: Night) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{running.site}/")

    page.get_by_role("button", name="Español").click()

    page.get_by_role("heading", name="Empezar una partida").wait_for()
    assert f"{running.site}/" == page.url
