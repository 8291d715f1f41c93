"""For everyone: big text, right to left, keyboard only, no motion, no jumps, sounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from countersite import addresses
from games.store.demos import demos
from tests.night import Night
from tests.types import Phones

from .tables import SLOTS, Host, start
from .test_two_phones import ANA, MINUS, PLUS, shows

pytestmark = pytest.mark.browser

FIRST_PORT = 8280
SYSTEMS = tuple(demo["system"] for demo in demos())
SHEETS = (
    ".seat.is-mine .card > a, .slot-name a",
    ".seat.is-mine .seat-name, .party a",
    "[data-cockpit] .hero .is-hero > b",
    ".tools [href=log]",
    ".tools [data-menu]",
)
OUTSIDE = """() => {
  const wide = document.documentElement.clientWidth;
  const scrolls = '.strip, .party, .picks-one, .tabs, .rule-buttons, .unseen, [data-patterns]';
  return [...document.querySelectorAll('body *')]
    .filter((each) => each.checkVisibility() && !each.closest(scrolls))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && (box.right > wide + 1 || box.left < -1))
    .map(([each, box]) => `${each.outerHTML.slice(0, 90)} ${box.left}..${box.right} of ${wide}`);
}"""
SIDES = """() => [...document.querySelectorAll('.steppers li:not(.act), .slot-stepper')]
  .map((each) => [...each.querySelectorAll('button')])
  .filter((pair) => pair.length === 2 && pair.every((each) => each.checkVisibility()))
  .map((pair) => pair.map((each) => each.getBoundingClientRect()))
  .filter(([less, more]) => less.top < more.bottom) // not below it, in a column
  .map(([less, more]) => less.left < more.left)"""
MOVING = """() => [...document.querySelectorAll("*")]
  .flatMap((each) => [null, "::before", "::after"]
  .map((part) => getComputedStyle(each, part))
  .filter((style) => style.animationName !== 'none'
    || style.transitionDuration.split(', ').some((time) => parseFloat(time)))
  .map((style) => `${each.className} ${style.animationName} ${style.transitionDuration}`))"""
SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted += entry.value;
  }).observe({type: 'layout-shift'});
}"""
FOCUS_SEEN = """() => {
  const style = getComputedStyle(document.activeElement);
  return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
}"""
HEARD = """() => {
  window.heard = [];
  document.addEventListener('sounded', (event) => heard.push(event.detail));
}"""
GROUND = "(each) => getComputedStyle(each).backgroundColor"
ON = "() => document.activeElement.matches(%r)"


def demo(page: Any, night: Night, system: str) -> None:
    """Open a table of one's own, at which the demo of *system* has been played, as its host."""
    page.goto(Host(page, night.site).demo(system))
    page.wait_for_load_state()
    if page.locator(".welcome").count():
        page.locator(".welcome button.is-main").click()


@pytest.fixture(scope="module", params=SYSTEMS)
def demo_table(
    request: pytest.FixtureRequest, chromium: Any, running: Night
) -> Iterator[tuple[str, Any]]:
    """A system, and a phone at the demo of it, the same for all tests that only look at it."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        service_workers="block",
    )
    complaints: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    demo(page, running, request.param)
    yield request.param, page
    context.close()
    assert [] == complaints


@pytest.fixture
def at_demo(demo_table: tuple[str, Any]) -> Iterator[Any]:
    """The phone at the demo; what the test has changed of its looks is put back."""
    page = demo_table[1]
    yield page
    page.evaluate(
        """() => {
          for (const each of document.querySelectorAll("dialog[open]")) each.close();
          document.documentElement.removeAttribute("style");
          document.documentElement.removeAttribute("dir");
        }"""
    )
    page.emulate_media(reduced_motion="null")


def outside(page: Any) -> dict[str, list[str]]:
    """Elements cut off at the sides of the board and of each sheet."""
    found = {"board": page.evaluate(OUTSIDE)}
    for selector in SHEETS:
        page.keyboard.press("Escape")
        if page.locator(selector).count():
            page.locator(selector).first.evaluate("(element) => element.click()")
            page.locator("dialog[open]").first.wait_for()
            page.wait_for_timeout(200)
            found[selector] = page.evaluate(OUTSIDE)
    return {where: cut for where, cut in found.items() if cut}


def test_nothing_is_cut_on_a_phone_half_as_wide(at_demo: Any) -> None:
    at_demo.set_viewport_size({"width": 195, "height": 422})
    try:
        assert {} == outside(at_demo)
    finally:
        at_demo.set_viewport_size({"width": 390, "height": 844})


def test_nothing_is_cut_with_letters_twice_as_big(at_demo: Any) -> None:
    at_demo.evaluate("() => { document.documentElement.style.fontSize = '32px'; }")
    assert {} == outside(at_demo)


CUT = """(selector) => [...document.querySelectorAll(selector)]
  .filter((each) => each.checkVisibility() &&
    (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1))
  .map((each) => each.textContent)"""


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)])
def test_words_stay_whole_with_letters_twice_as_big(
    phone: Phones, running: Night, size: tuple[int, int]
) -> None:
    host = Host(phone(*size), running.site)
    page = host.open(host.middle("magic", 4))
    page.evaluate("() => { document.documentElement.style.fontSize = '32px'; }")

    assert "End turn → Ben" == page.locator("#next").inner_text().replace("\n", " ")
    assert [] == page.evaluate(CUT, "#next, .card > a")


def test_amounts_stand_in_even_rows_with_letters_twice_as_big(
    phone: Phones, running: Night
) -> None:
    host = Host(phone(), running.site)
    page = host.open(host.middle("yu-gi-oh", 2))
    page.evaluate("() => { document.documentElement.style.fontSize = '32px'; }")
    boxes = page.locator("[data-cockpit] .places > li").evaluate_all(
        "(all) => all.map((each) => [each.offsetTop, each.offsetWidth])"
    )
    widths = [width for _top, width in boxes]

    assert 2 == len({top for top, _width in boxes})
    assert max(widths) < 1.5 * min(widths), boxes


MINUS_FIRST = """(selector) => [...document.querySelectorAll(selector)]
  .filter((each) => each.checkVisibility() && each.textContent.trim().startsWith("−"))
  .map((each) => {
    const text = document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode();
    const at = text.data.indexOf("−");
    const [minus, digit] = [0, 1].map((n) => {
      const range = document.createRange();
      range.setStart(text, at + n);
      range.setEnd(text, at + n + 1);
      return range.getBoundingClientRect().left;
    });
    return minus < digit;
  })"""


def test_right_to_left_a_number_below_zero_begins_with_its_sign(
    phone: Phones, running: Night
) -> None:
    host = Host(phone(), running.site)
    address = host.middle("magic", 4)
    page = host.open(address)
    host.give(do="lose-life", seat="dan", amount=60)
    numbers = "[data-hero], .end-total"
    page.locator('[data-hero="dan"]', has_text="−48").first.wait_for()
    page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    assert [True] == page.evaluate(MINUS_FIRST, numbers)
    page.goto(f"{address}tv")
    page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    assert [True] == page.evaluate(MINUS_FIRST, numbers)


def test_the_code_to_scan_keeps_its_white_ground(phone: Phones, tmp_path: Path, port: int) -> None:
    machine = tmp_path / "addresses"
    machine.write_text("127.0.0.2")  # one that other phones could reach: else there is no code
    night = Night(tmp_path / "night", port, moving=machine)
    try:
        night.get("/readyz")
        host = Host(phone(1280, 800), f"http://127.0.0.2:{port}")
        host.page.emulate_media(forced_colors="active", color_scheme="dark")
        table = host.fresh("magic", 2)
        for page, frame in (("tv", ".tv-qr > div"), ("share", ".share-qr")):
            host.page.goto(f"{table}{page}")
            ground = host.page.locator(frame).first.evaluate(GROUND)
            assert "rgb(255, 255, 255)" == ground, page
    finally:
        night.kill()


def test_right_to_left_minus_stays_on_the_left(at_demo: Any) -> None:
    at_demo.evaluate("() => { document.documentElement.dir = 'rtl'; }")

    assert {True} == set(at_demo.evaluate(SIDES))
    assert {} == outside(at_demo)


def test_nothing_moves_where_no_motion_is_wanted(at_demo: Any) -> None:
    at_demo.locator(".tools [data-menu]").tap()
    at_demo.locator("#menu[open]").wait_for()
    assert at_demo.evaluate(MOVING), "nothing moves anyhow"
    at_demo.emulate_media(reduced_motion="reduce")

    assert [] == at_demo.evaluate(MOVING)


def test_a_few_taps_by_keyboard_alone(phone: Phones, running: Night) -> None:
    ana = phone()
    start(ana, running.site)

    def to(selector: str) -> None:
        for _ in range(80):
            ana.keyboard.press("Tab")
            if ana.evaluate(ON % selector):
                assert ana.evaluate(FOCUS_SEEN), selector
                return
        raise AssertionError(f"The keyboard does not reach {selector}.")

    ana.evaluate("() => document.activeElement.blur()")
    to(PLUS)
    for _ in range(3):
        ana.keyboard.press("Enter")
    ana.wait_for_function("() => !document.querySelector('.is-waiting')")
    ana.locator(MINUS).wait_for()
    shows(ana, ANA, "3")
    ana.keyboard.press("Shift+Tab")
    ana.keyboard.press("Shift+Tab")
    assert ana.evaluate(ON % MINUS)
    ana.keyboard.press("Space")
    shows(ana, ANA, "2")

    ana.keyboard.press("Tab")
    ana.keyboard.press("Enter")
    ana.locator("#pad[open]").wait_for()
    ana.keyboard.type("+7")
    ana.keyboard.press("Enter")
    ana.locator("#pad[open]").wait_for(state="detached")
    shows(ana, ANA, "9")

    to("[data-menu]")
    ana.keyboard.press("Enter")
    ana.locator("#menu[open]").wait_for()
    for _ in range(30):
        ana.keyboard.press("Tab")
        assert ana.evaluate(
            "() => !!document.activeElement.closest('#menu, html:not(:focus-within)')"
            " || document.activeElement === document.body"
        )
    ana.keyboard.press("Escape")
    assert ana.evaluate(ON % "[data-menu]")


def test_nothing_jumps_while_fifty_taps_arrive(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    code = start(ana, running.site)
    ben.goto(f"{running.site}/")
    ben.get_by_label("Join with a code").fill(code)
    ben.get_by_role("button", name="Join").tap()
    ben.wait_for_selector("#board")
    ben.wait_for_load_state()
    ben.wait_for_timeout(500)
    ben.evaluate(SHIFTS)
    for number in range(50):  # never so much that the champion falls
        ana.locator(MINUS if number > 5 and number % 2 else PLUS).tap()
    ana.wait_for_function("() => !document.querySelector('.is-waiting')")
    shows(ben, ANA, ana.locator(ANA).inner_text())

    assert ben.evaluate("() => window.shifted") < 0.01


def test_a_restart_of_the_server_neither_blanks_nor_moves_the_board(
    phone: Phones, night: Callable[[int], Night]
) -> None:
    port = addresses.free_port("127.0.0.1", FIRST_PORT)
    first = night(port)
    ana = phone()
    start(ana, first.site)
    ana.locator(PLUS).tap()
    ana.wait_for_function("() => !document.querySelector('.is-waiting')")
    ana.evaluate("() => { window.was = document.getElementById('o-ana-champion'); }")
    ana.evaluate(SHIFTS)
    first.kill()
    ana.locator("#connection", has_text="Connection lost").wait_for()
    ana.locator(PLUS).tap()
    second = night(port)
    second.get("/readyz")
    ana.locator("#connection").wait_for(state="hidden", timeout=20_000)
    ana.wait_for_function("() => !document.querySelector('.is-waiting')")

    shows(ana, ANA, "2")
    assert ana.evaluate("() => window.was === document.getElementById('o-ana-champion')")
    assert ana.evaluate("() => window.shifted") < 0.01


def test_a_completion_sounds_once_and_not_where_it_is_switched_off(
    phone: Phones, running: Night
) -> None:
    gm = phone()
    demo(gm, running, "stars-and-signs")
    more = gm.locator(".slot", has_text="Reach the lamp").locator(".slot-stepper button").last
    gm.evaluate(HEARD)
    gm.locator(".group h2").first.tap()  # a first touch gives the page its voice
    for _ in range(4):
        more.tap()
    gm.locator("#banner [data-moment=c1]").wait_for()
    gm.wait_for_timeout(700)
    assert ["complete"] == gm.evaluate("() => window.heard")

    gm.locator("#banner [data-moment=c1] [data-moment-over]").first.tap()
    gm.locator(".tools [data-menu]").tap()
    switch = gm.locator("[data-switch=sound]")
    assert "on" == switch.get_attribute("data-state")
    switch.tap()
    assert ("off", "false") == (
        switch.get_attribute("data-state"), switch.get_attribute("aria-pressed")
    )  # fmt: skip
    gm.evaluate("() => document.dispatchEvent(new CustomEvent('table:refused', {detail: {}}))")
    assert ["complete"] == gm.evaluate("() => window.heard")


WORDS = {
    "grand-archive": ("Ana, 15 left, damage 9",),
    "yu-gi-oh": ("Battle, Ana’s turn", "Ana, life points 6200"),
    "magic": ("The Wise Mothman, power",),
    "stars-and-signs": ("The keeper wakes, Danger, 2 of 5 filled",),
}


def test_the_table_is_there_in_words(demo_table: tuple[str, Any], at_demo: Any) -> None:
    system, page = demo_table
    assert WORDS.keys() <= set(SYSTEMS)
    _reads(page, WORDS.get(system, ()))


def test_a_counter_without_a_picture_is_told_apart_by_two_letters(
    phone: Phones, running: Night
) -> None:
    page = phone()
    host = Host(page, running.site)
    host.open(host.ready_demo("any-game"))

    sign = "(each) => getComputedStyle(each, '::before').content"
    assert '"Fu"' == page.locator(".card [data-kind=fuel]").first.evaluate(sign)
    _reads(page, ("Rocket, fuel 3",))


def _reads(page: Any, words: tuple[str, ...]) -> None:
    """Open the table in words on *page*, and wait for these."""
    page.locator(".tools [data-menu]").tap()
    page.get_by_role("button", name="The table in words").tap()
    page.locator(".in-words li").first.wait_for()
    for said in words:
        page.locator(".in-words li", has_text=said).first.wait_for()
    assert 1 == page.locator("h1").count()


DELTA = """() => {
  const [tile, number, delta] = ['.hero', '.hero .is-hero > b', '.hero .delta']
    .map((each) => document.querySelector(`[data-cockpit] ${each}`).getBoundingClientRect());
  const glyphs = number.top + number.height * 0.82; // below its digits a line has room
  return delta.top >= glyphs && delta.bottom <= tile.bottom
    && delta.left >= tile.left && delta.right <= tile.right;
}"""


@pytest.mark.parametrize("letters", ["16px", "32px"])
def test_a_change_is_told_inside_the_tile_and_below_the_number(
    phone: Phones, running: Night, letters: str
) -> None:
    ana = phone()
    start(ana, running.site)
    ana.evaluate("(size) => { document.documentElement.style.fontSize = size; }", letters)
    for _ in range(3):
        ana.locator(PLUS).tap()
        ana.locator("[data-cockpit] .hero .delta").wait_for()

        assert ana.evaluate(DELTA)


OVERLAPS = """() => {
  const parts = ['.head', '#strip', '#board', '#cockpit > .panel .hero', '#cockpit .places', '#cockpit .acts']
    .map((each) => [each, document.querySelector(each)]).filter(([, each]) => each)
    .map(([name, each]) => [name, each.getBoundingClientRect()]);
  return parts.slice(1).flatMap(([name, box], before) =>
    box.top < parts[before][1].bottom - 1 && box.height ? [`${name} over ${parts[before][0]}`] : []);
}"""  # noqa: E501
ROOM = """() => {
  const board = document.getElementById('board');
  return [board.clientHeight, getComputedStyle(board).overflowY];
}"""


def test_with_letters_twice_as_big_the_parts_stand_below_one_another(
    demo_table: tuple[str, Any], at_demo: Any
) -> None:
    system, page = demo_table
    if system in SLOTS:  # its board scrolls as one page, and a session has no turns
        assert 0 == page.locator("#next").count()
        return
    page.evaluate("() => { document.documentElement.style.fontSize = '32px'; }")

    assert [] == page.evaluate(OVERLAPS)
    height, overflow = page.evaluate(ROOM)
    assert height >= 150
    assert "auto" == overflow
    assert page.locator("#next").bounding_box()["y"] < 844 - 44
