"""Touch: how numbers respond to real touch events."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.store.demos import demos
from tests.night import Night
from tests.types import Phones

from .fingers import Hand, place
from .tables import join, start
from .test_two_phones import give, look_at, shows

pytestmark = pytest.mark.browser

LIFE = '[id="ana.life"]'
SETTLED = "() => !document.querySelector('.is-waiting')"
STEPPER = "#cockpit .is-hero"
CAPTION = "#cockpit .caption"
LEFT, MIDDLE, RIGHT = 0.12, 0.5, 0.88
SYSTEMS = tuple(demo["system"] for demo in demos())
SEEN = """() => {
  window.seen = [];
  const note = () => seen.push(document.getElementById('ana.rad').textContent);
  const all = {subtree: true, childList: true, characterData: true};
  new MutationObserver(note).observe(document.getElementById('cockpit'), all);
}"""
WHEN = """() => {
  window.when = [];
  const caption = () => document.querySelector('#cockpit .caption .delta')?.textContent ?? '';
  new MutationObserver(() => {
    if (caption() && when.at(-1)?.[0] !== caption()) when.push([caption(), performance.now()]);
  }).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""
"""The cockpit's delta of the last change, and when it appeared."""
MENUS = """() => {
  window.menus = [];
  addEventListener('contextmenu', (event) => menus.push(event.defaultPrevented));
}"""
AWAY = """(hidden) => {
  const is = (name, value) => Object.defineProperty(document, name, {value, configurable: true});
  is('hidden', hidden);
  is('visibilityState', hidden ? 'hidden' : 'visible');
  document.dispatchEvent(new Event('visibilitychange'));
}"""
BUSY = """() => {
  document.addEventListener('pointerup', () => {
    const until = Date.now() + 900;
    while (Date.now() < until);
  });
  document.addEventListener('click', () => (window.clicked = true));
}"""
LIFE_IS = "(most) => Number(document.getElementById('ana.life').textContent) >= most"
NO_PINCH = """() => [...document.querySelectorAll('body *')]
  .map((each) => getComputedStyle(each).touchAction)
  .filter((how) => !['manipulation', 'auto', 'pan-y pinch-zoom'].includes(how))"""
SMALL = """() => {
  const all = 'button, .button, summary, select, input, a[href], .steppers li, label:has(input)';
  const out = '[type=hidden], [type=checkbox], [type=radio], p *, .unseen, .hero [aria-hidden]'
    + ', dialog:not([open]) *';
  const seen = {opacityProperty: true, visibilityProperty: true};
  return [...document.querySelectorAll(all)]
    .filter((each) => !each.matches(out) && each.checkVisibility(seen))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && Math.min(box.height, box.width) < 43.9)
    .map(([each, box]) => `${each.outerHTML.slice(0, 80)} ${box.width}x${box.height}`);
}"""
HALVES = """() => [...document.querySelectorAll('[data-cockpit] .is-hero > button')]
  .map((each) => each.getBoundingClientRect()).map(({width, height}) => [width, height])"""
HIT = """(cell) => [getComputedStyle(cell).getPropertyValue('--by').trim(),
  getComputedStyle(cell).getPropertyValue('--seat').trim()]"""


@pytest.fixture
def site(running: Night) -> str:
    return running.site


def table(phone: Any, site: str, system: str = "magic", seats: int = 2) -> str:
    """Make a game and open its table; return the spoken code."""
    return start(phone, site, system, seats, "free-for-all" if system == "magic" else "")


def opened(hand: Hand, kind: str) -> str:
    """Open one of the cockpit's small numbers, which counts once; return where it is."""
    selector = f'#cockpit .places li[data-kind="{kind}"]'
    if not hand.phone.locator(f"{selector}.is-open").count():
        hand.tap(place(hand.phone, selector))
        hand.phone.locator(f"{selector}.is-open").wait_for()
    return selector


def plus(hand: Hand, kind: str) -> tuple[float, float]:
    """The plus of one of the cockpit's small numbers, opened for it."""
    return place(hand.phone, f"{opened(hand, kind)} button:last-child")


def number(phone: Any, selector: str = LIFE) -> str:
    shown: str = phone.locator(selector).inner_text()
    return shown


def last_line(phone: Any) -> str:
    """The newest line of the log."""
    phone.get_by_role("link", name="Log").tap()
    phone.locator("#sheet .log > li").first.wait_for()
    rows = phone.locator("#sheet .log > li .log-text")
    text: str = max(rows.all(), key=lambda row: _line_number(row)).inner_text()
    phone.locator("#sheet .sheet-close").tap()
    return " ".join(text.split())


def _line_number(row: Any) -> int:
    return int(row.locator("xpath=..").locator(".log-when a").inner_text())


def test_left_is_minus_right_is_plus_and_the_middle_is_the_pad(phone: Phones, site: str) -> None:
    ana = phone()
    table(ana, site)
    hand = Hand(ana)

    hand.tap(place(ana, STEPPER, LEFT))
    shows(ana, LIFE, "19")
    for _ in range(3):
        hand.tap(place(ana, STEPPER, RIGHT))
    shows(ana, LIFE, "22")
    hand.tap(place(ana, LIFE))  # while the last taps are still on their way
    ana.locator("#pad[open]").wait_for()
    ana.wait_for_timeout(300)

    assert "22" == number(ana)
    assert "22 −" == ana.locator(".pad-total").inner_text()


def test_a_tap_counts_when_the_finger_is_lifted(phone: Phones, site: str) -> None:
    ana = phone()
    table(ana, site)
    hand = Hand(ana)

    hand.down(place(ana, STEPPER, LEFT))
    ana.wait_for_timeout(100)
    assert "20" == number(ana)
    hand.up()

    shows(ana, LIFE, "19")


def test_a_tap_counts_once_on_a_phone_that_is_busy_before_it_makes_the_click(
    phone: Phones, site: str
) -> None:
    ana = phone()
    table(ana, site)
    ana.evaluate(BUSY)

    ana.touchscreen.tap(*place(ana, STEPPER, LEFT))
    ana.wait_for_function("window.clicked")

    assert "19" == number(ana)


@pytest.mark.parametrize(("by", "after"), [((12, 0), "19"), ((26, 0), "20"), ((0, 12), "19")])
def test_a_finger_that_moves_does_not_tap(
    phone: Phones, site: str, by: tuple[float, float], after: str
) -> None:
    ana = phone()
    table(ana, site)
    start = place(ana, STEPPER, LEFT)

    Hand(ana).drag(start, by, steps=3)
    ana.wait_for_timeout(300)

    assert after == number(ana)


def test_a_mouse_that_moves_does_not_tap_either(phone: Phones, site: str) -> None:
    ana = phone(1280, 800)
    table(ana, site)
    x, y = place(ana, STEPPER, LEFT)
    ana.mouse.move(x, y)
    ana.mouse.down()
    ana.mouse.move(x + 40, y, steps=4)
    ana.mouse.up()
    ana.wait_for_timeout(200)
    assert "20" == number(ana)

    ana.mouse.click(x, y)
    shows(ana, LIFE, "19")


def test_the_keyboard_turns_numbers_and_opens_the_pad(phone: Phones, site: str) -> None:
    ana = phone(1280, 800)
    table(ana, site)
    ana.locator(f"{STEPPER} button").first.focus()
    ana.keyboard.press("Enter")
    shows(ana, LIFE, "19")
    ana.locator(LIFE).focus()
    ana.keyboard.press("Enter")
    ana.locator("#pad[open]").wait_for()
    ana.keyboard.type("+7")
    ana.keyboard.press("Enter")

    shows(ana, LIFE, "26")
    assert "20 → 26" in last_line(ana)


@pytest.mark.parametrize(("system", "start", "step"), [("magic", 20, 10), ("yu-gi-oh", 8000, 1000)])
def test_a_hold_turns_by_many_and_never_counts_one_as_well(
    phone: Phones, site: str, system: str, start: int, step: int
) -> None:
    ana = phone()
    table(ana, site, system)
    hand = Hand(ana)

    hand.hold(place(ana, STEPPER, LEFT), LIFE)
    shows(ana, LIFE, str(start - step))
    hand.down(place(ana, STEPPER, RIGHT))
    ana.wait_for_function(LIFE_IS, arg=start + step)
    hand.up()
    ana.wait_for_timeout(600)

    assert 0 == (int(number(ana)) - start) % step
    assert int(number(ana)) >= start + step


def test_the_hold_of_a_screen_that_goes_dark_ends(phone: Phones, site: str) -> None:
    ana = phone()
    table(ana, site)
    Hand(ana).down(place(ana, STEPPER, LEFT))
    ana.evaluate(AWAY, True)
    ana.wait_for_timeout(1200)
    ana.evaluate(AWAY, False)

    assert "20" == number(ana)


@pytest.mark.parametrize(
    ("keys", "shown", "after"),
    [
        ("7", "20 − 7 → 13", "13"),
        ("±7", "20 + 7 → 27", "27"),
        ("7±", "20 + 7 → 27", "27"),
        ("±±34", "34 → 34", "34"),
        ("×3", "20 × 3 → 60", "60"),
        ("÷", "20 ÷2 → 10", "10"),
        ("5÷", "20 − 5 ÷2 → 8", "8"),
        ("99", "20 − 99 → −79", "−79"),
    ],
)
def test_the_pad_reckons(phone: Phones, site: str, keys: str, shown: str, after: str) -> None:
    from playwright.sync_api import expect

    ana = phone()
    table(ana, site)
    ana.locator(LIFE).tap()
    do = ana.locator('#pad [data-pad-do="change"]')
    expect(do).to_be_disabled()
    ops = {"±": "sign", "×": "*", "÷": "/2"}
    for key in keys:
        button = f'[data-op="{ops[key]}"]' if key in ops else f'[data-key="{key}"]'
        ana.locator(f"#pad {button}").tap()
    expect(ana.locator(".pad-total")).to_have_text(shown)
    do.tap()

    shows(ana, LIFE, after)
    ana.wait_for_function(SETTLED)
    assert after == number(ana)


def test_taps_in_one_window_are_one_sum_one_line_and_one_undo(phone: Phones, site: str) -> None:
    ana, ben = phone(), phone(360, 740)
    join(ben, site, table(ana, site))
    hand, other = Hand(ana), Hand(ben)
    left, right = place(ana, STEPPER, LEFT), place(ana, STEPPER, RIGHT)

    for _ in range(4):
        hand.tap(left)
        other.tap(place(ben, STEPPER, RIGHT))  # someone else's taps come in between
    hand.tap(right)
    sums = ana.locator(f"{CAPTION} .delta")
    shows(ana, f"{CAPTION} .delta", "A−3")
    ana.wait_for_timeout(2000)
    assert 1 == sums.count()
    sums.wait_for(state="detached", timeout=2000)

    ana.get_by_role("link", name="Log").tap()
    lines = ana.locator("#sheet .log > li .log-text")
    lines.first.wait_for()
    assert 2 == lines.count()
    assert ana.locator("#sheet .log > li", has_text=re.compile("20 → 17")).count() == 1
    ana.locator("#sheet .sheet-close").tap()
    ana.locator("#undo").tap()
    shows(ben, '[data-hero="ana"]', "20")
    shows(ana, '[data-hero="ben"]', "24")


def test_two_numbers_have_a_sum_each(phone: Phones, site: str) -> None:
    ana = phone()
    table(ana, site)
    hand = Hand(ana)
    for kind in ("rad", "poison", "rad", "rad"):
        hand.tap(plus(hand, kind))

    shows(ana, '[id="ana.rad"]', "5")
    shows(ana, '[id="ana.poison"]', "2")
    assert 2 == ana.locator("#cockpit .places > .is-hit").count()
    shows(ana, '#strip [data-choose="ana"] .delta', "A+5")


def test_the_others_see_whose_tap_it_was(phone: Phones, site: str) -> None:
    ana, ben = phone(), phone(360, 740)
    join(ben, site, table(ana, site))
    look_at(ana, "ben")
    for _ in range(3):
        Hand(ana).tap(place(ana, "#s-ben .is-hero", LEFT))
    cell = '#strip [data-choose="ben"]'
    for where in (CAPTION, cell):
        shows(ben, f"{where} .delta", "A−3")

    by, own = ben.locator(cell).evaluate(HIT)
    assert by == ben.locator('#strip [data-choose="ana"]').evaluate(HIT)[1]
    assert by != own
    ben.locator(f"{cell} .delta").wait_for(state="detached", timeout=4500)


def test_a_refused_tap_is_put_right_with_the_reason(phone: Phones, site: str) -> None:
    ana = phone()
    table(ana, site)
    ana.locator(LIFE).tap()
    for key in ('[data-key="2"]', '[data-key="0"]', '[data-pad-do="change"]'):
        ana.locator(f"#pad {key}").tap()
    ana.locator("#cockpit .panel.is-lost").wait_for()
    ana.wait_for_timeout(900)  # at first it takes no tap that was meant for what lay there
    ana.locator("#moment .is-won").tap()
    hand = Hand(ana)
    at = plus(hand, "rad")
    ana.evaluate(SEEN)
    before = ana.locator("#cockpit .hero").bounding_box()
    hand.tap(at)
    ana.wait_for_function("() => document.querySelector('#cockpit .is-refused')")

    shows(ana, '[id="ana.rad"]', "0")
    assert "1" in ana.evaluate("window.seen")
    box = ana.locator(".refusal.is-floating", has_text="out of the game").bounding_box()
    assert abs(box["y"] + box["height"] / 2 - at[1]) < 120
    assert not box["y"] < at[1] < box["y"] + box["height"], "not under the finger"
    assert before == ana.locator("#cockpit .hero").bounding_box()
    assert not ana.locator(".delta", has_text="+1").count()


def test_a_double_tap_does_not_zoom_and_a_pinch_does(phone: Phones, site: str) -> None:
    ana = phone()
    table(ana, site)
    scale = "() => visualViewport.scale"
    hand, at = Hand(ana), place(ana, STEPPER, LEFT)
    hand.tap(at)
    hand.tap(at)
    ana.wait_for_timeout(500)
    assert 1 == ana.evaluate(scale)
    assert "18" == number(ana)
    assert [] == ana.evaluate(NO_PINCH)
    assert "manipulation" == ana.evaluate("getComputedStyle(document.documentElement).touchAction")
    viewport = ana.locator('meta[name="viewport"]').get_attribute("content")
    assert not re.search("maximum-scale|user-scalable", viewport)

    wire = ana.context.new_cdp_session(ana)
    wire.send("Input.synthesizePinchGesture", {"x": 190, "y": 500, "scaleFactor": 1.6})
    assert ana.evaluate(scale) > 1.2


def test_two_fingers_on_two_numbers_both_count(phone: Phones, site: str) -> None:
    ana = phone()
    table(ana, site)
    hand = Hand(ana)
    rad = plus(hand, "rad")
    hand.down(rad, 0)
    hand.down(place(ana, STEPPER, LEFT), 1)
    hand.up(0)
    hand.up(1)

    shows(ana, '[id="ana.rad"]', "2")
    shows(ana, LIFE, "19")


def test_the_first_tap_after_the_dark_counts(phone: Phones, site: str) -> None:
    ana, ben = phone(), phone(360, 740)
    join(ben, site, table(ana, site))
    at = place(ana, STEPPER, LEFT)
    ana.evaluate(AWAY, True)
    ana.wait_for_timeout(800)
    ana.evaluate(AWAY, False)
    Hand(ana).tap(at)

    shows(ana, LIFE, "19")
    shows(ben, '[data-hero="ana"]', "19")


def test_a_long_press_opens_no_menu_and_selects_nothing(phone: Phones, site: str) -> None:
    ana = phone()
    table(ana, site)
    ana.evaluate(MENUS)
    hand = Hand(ana)
    for across in (LEFT, MIDDLE, RIGHT):
        hand.down(place(ana, STEPPER, across))
        ana.wait_for_timeout(900)
        hand.up()
        if ana.locator("#pad[open]").count():
            ana.keyboard.press("Escape")

    assert False not in ana.evaluate("window.menus")
    assert "" == ana.evaluate("getSelection().toString()")


def test_scrolling_that_begins_on_a_number_turns_nothing(phone: Phones, site: str) -> None:
    ana = phone(360, 640)
    table(ana, site)
    for n in range(8):
        give(ana, do="create", **{"as": f"card-{n}", "owner": "ben", "name": f"Card {n}"})
    look_at(ana, "ben")
    ana.locator("#o-card-7").wait_for(state="attached")
    start = place(ana, "#s-ben .is-hero", RIGHT)
    Hand(ana).drag(start, (0, -220), steps=12)
    ana.wait_for_timeout(400)

    assert ana.evaluate("document.getElementById('board').scrollTop") > 80
    assert "20" == number(ana, '[id="ben.life"]')


def test_ten_fast_taps_on_each_of_three_phones_end_right_everywhere(
    phone: Phones, site: str
) -> None:
    ana, ben, cleo = phones = phone(), phone(360, 740), phone()
    code = table(ana, site, seats=3)
    for player in (ben, cleo):
        join(player, site, code)
        look_at(player, "ana")
    hero = '[id="ana.panel"] .is-hero'
    hands = [(Hand(player), place(player, hero, RIGHT)) for player in phones]
    for _ in range(10):
        for hand, at in hands:
            hand.tap(at)

    for player in phones:
        shows(player, LIFE, "50")
    for player in phones:
        player.wait_for_function(SETTLED)
        assert "50" == number(player)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_tap_target_is_big_enough(phone: Phones, running: Night, system: str) -> None:
    ana = phone(360, 740)
    ana.goto(f"{running.site}/")
    assert [] == ana.evaluate(SMALL)
    table(ana, running.site, system)
    assert [] == ana.evaluate(SMALL)
    ana.locator("[data-menu]").tap()
    assert [] == ana.evaluate(SMALL)

    ana.goto(running.demo(system))
    ana.wait_for_selector("#board")
    assert [] == ana.evaluate(SMALL)
    assert all(width >= 160 and height >= 104 for width, height in ana.evaluate(HALVES))


TILES = """() => [...document.querySelectorAll("#cockpit .places > li")]
  .map((each) => [each.dataset.kind, each.getBoundingClientRect().toJSON()])"""


def test_an_open_tile_moves_nothing_and_closes_by_itself_or_with_another_tap(
    phone: Phones, site: str
) -> None:
    ana = phone()
    table(ana, site)
    hand = Hand(ana)
    before = ana.evaluate(TILES)
    rad = opened(hand, "rad")
    assert before == ana.evaluate(TILES), "the neighbours are somewhere else"
    shows(ana, '[id="ana.rad"]', "1")
    hand.tap(place(ana, f"{rad} button:last-child"))
    shows(ana, '[id="ana.rad"]', "2")
    crown = '#cockpit [data-kind="monarch"]'
    hand.tap(place(ana, crown))
    ana.locator(f'{crown} [aria-pressed="true"]').wait_for()
    ana.locator(f"{rad}.is-open").wait_for(state="detached")
    assert "2" == number(ana, '[id="ana.rad"]')

    opened(hand, "rad")
    ana.locator(f"{rad}.is-open").wait_for(state="detached")  # untapped for three seconds
    assert before == ana.evaluate(TILES)


def test_a_hold_says_what_it_has_come_to_and_waits_before_it_repeats(
    phone: Phones, site: str
) -> None:
    ana = phone()
    table(ana, site)
    ana.evaluate(WHEN)
    hand = Hand(ana)
    hand.down(place(ana, STEPPER, LEFT))
    ana.wait_for_function("() => when.length >= 3")
    hand.up()

    changes = ana.evaluate("when.map(([change]) => change)")
    assert ["A−10 → 10", "A−20 → 0", "A−30 → −10"] == changes[:3]
    first, second, third = (at for _change, at in ana.evaluate("when.slice(0, 3)"))
    assert second - first > 800
    assert third - second > 300
