"""Each phone has its language, in which nothing is cut on 360 x 640: other words are longer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from tests.night import Night
from tests.types import Phones

from .tables import Host, friday, join, start
from .test_every_size import DRAWN, USUAL, WHOLE, crowded, touch
from .test_two_phones import ANA, PLUS, shows, taps

pytestmark = pytest.mark.browser
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PAGES = ("", "new?rules=magic", "new?rules=own-game", "new?rules=own-game&ready=catan", "about")
SHEETS = ("log", "share", "rules", "keep", "tools", "several")

HOME = """() => {
  const right = (each) => Math.round(each.getBoundingClientRect().right);
  const tiles = document.querySelectorAll(".systems > li");
  const rows = Map.groupBy(tiles, (each) => each.offsetTop);
  const titles = [...document.querySelectorAll(".systems strong, .games strong")];
  const cut = titles.filter((each) => each.scrollWidth > each.clientWidth + 1);
  return [
    new Set([...rows.values()].map((row) => right(row.at(-1)))).size,
    cut.map((each) => each.textContent),
    right(document.querySelector('.bar [href="/help"]')),
  ];
}"""

BROKEN = """([width, within]) => {
  const broken = [];
  const wide = Math.max(innerWidth, document.documentElement.scrollWidth);
  if (wide > width) broken.push(`${wide} px wide`);
  const text = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (text.nextNode()) {
    if (!text.currentNode.parentElement.closest(within)) continue;
    if (text.currentNode.parentElement.offsetWidth < 2) continue;
    for (const { index, 0: word } of text.currentNode.data.matchAll(/[^\\s\u00ad-]+/g)) {
      const range = document.createRange();
      // The sign of a hyphen, at the end of its line, is of the letter after it.
      range.setStart(text.currentNode, index + (text.currentNode.data[index - 1] === "\u00ad"));
      range.setEnd(text.currentNode, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return broken;
}"""
"""The words within something that are broken where they have no hyphen, and whether the page is
wider than the screen."""
OF_A_BOARD = ".acts :is(button, .button), .names > li"
"""Of the bar and of a legend."""

SHORT = """() => [
  ...[...document.querySelectorAll(".phase-word span, .hero .caption, .cell-called")]
    .filter((each) => each.offsetWidth > 1 && each.scrollWidth > each.clientWidth + 1),
  ...[...document.querySelectorAll(".sum b")]
    .filter((each) => each.getBoundingClientRect().right > innerWidth),
].map((each) => each.textContent.trim())"""
"""The words at the ends of a board that are cut."""


@pytest.fixture(scope="module", params=LANGUAGES)
def host(request: pytest.FixtureRequest, chromium: Any, running: Night) -> Iterator[Host]:
    """A phone that speaks the language."""
    context = touch(chromium)
    context.set_extra_http_headers({"Accept-Language": request.param})
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    yield Host(page, running.site)
    context.close()


def cut(page: Any) -> list[str]:
    page.evaluate(DRAWN)
    found: list[str] = page.evaluate(WHOLE, {"width": 360, "height": 640, "sheet": False})
    return found


@pytest.mark.parametrize("system", dict(USUAL))
def test_a_board_is_whole(host: Host, system: str) -> None:
    page = host.open(host.played(crowded(system, 2)))
    found = [*cut(page), *page.evaluate(BROKEN, [360, OF_A_BOARD])]
    page.set_viewport_size({"width": 844, "height": 390})
    sideways = page.evaluate(BROKEN, [844, OF_A_BOARD])
    page.set_viewport_size({"width": 360, "height": 640})

    assert ([], []) == (found, sideways)


@pytest.mark.parametrize("system", ["grand-archive", "magic", "pokemon", "yu-gi-oh"])
def test_how_long_a_mark_lasts_breaks_no_word(host: Host, system: str) -> None:
    page = host.page
    page.goto(f"{host.middle(system, 2)}objects/ana-1")
    page.locator(".marks > summary").tap()

    assert [] == page.evaluate(BROKEN, [360, ".marks"])


MARKS = ("immune", "ability_used", "cannot_attack", "cannot_retreat")
IN_A_ROW = """(rows) => rows.map((row) => {
  const mark = row.querySelector("em");
  return [row.offsetHeight, mark.scrollWidth > mark.clientWidth && mark.textContent];
})"""


def test_a_pokemons_mark_is_whole_in_a_row_as_high_as_the_others(host: Host) -> None:
    pidgeot = {"name": "Pidgeot ex", "owner": "ana", "zone": "bench", "hp": 280, "prizes": 2}
    mons = {f"p{n}": {**pidgeot, mark: True} for n, mark in enumerate(MARKS)}
    given = {"seats": {"ana": {}, "ben": {}}, "objects": mons, "turn": {"active": ["ana"]}}
    page = host.open(host.played(friday("pokemon", given)))

    assert [[56, False]] * 4 == page.locator("#board .card:has(em)").evaluate_all(IN_A_ROW)


@pytest.mark.parametrize("ready", ["hearts", "skull-king", "agricola", "ticket-to-ride"])
def test_the_words_of_a_ready_game_are_whole(host: Host, ready: str) -> None:
    assert [] == host.open(host.fresh("own-game", ready=ready)).evaluate(SHORT)


def test_a_gms_board_is_whole(host: Host) -> None:
    assert [] == cut(host.open(host.demo("stars-and-signs")))


@pytest.mark.parametrize(
    "game", ["stars-and-signs", "any-rpg", "daggerheart", "blades-in-the-dark"]
)
def test_a_bar_of_slot_counters_breaks_no_word(
    host: Host, chromium: Any, running: Night, game: str
) -> None:
    """With the longest outcomes, and in a turn of one's own: it ran out of the phone."""
    demo = game == "stars-and-signs"
    address = host.demo(game) if demo else host.fresh("own-game", 3, ready=game)
    gm = host.open(address)
    context = touch(chromium)
    language = gm.evaluate("document.documentElement.lang")
    context.set_extra_http_headers({"Accept-Language": language})
    ana = Host(context.new_page(), running.site).sit_down(host.code(address), seat="ana")
    found = {}
    for width, height in ((360, 640), (390, 844), (844, 390), (820, 1180)):
        for name, page in (("GM", gm), ("Ana", ana)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            found[name, width] = page.evaluate(BROKEN, [width, ".acts"])
    context.close()
    gm.set_viewport_size({"width": 360, "height": 640})

    assert {} == {at: broken for at, broken in found.items() if broken}


def test_pages_are_no_wider_than_the_phone(host: Host) -> None:
    table = host.played(crowded("magic", 2))
    wide = {}
    for path in [*PAGES, *(f"{table.lstrip('/')}{sheet}" for sheet in SHEETS)]:
        host.page.goto(f"{host.site}/{path}")
        width = host.page.evaluate("() => document.documentElement.scrollWidth")
        if width > 360:
            wide[path] = width

    assert {} == wide


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1280, 800)])
def test_the_home_page_fills_its_rows_and_cuts_no_title(
    host: Host, width: int, height: int
) -> None:
    host.page.set_viewport_size({"width": width, "height": height})
    host.page.goto(f"{host.site}/")
    ragged, cut_short, help_right = host.page.evaluate(HOME)
    host.page.set_viewport_size({"width": 360, "height": 640})

    assert (1, []) == (ragged, cut_short)
    assert width - 40 < help_right <= width


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
