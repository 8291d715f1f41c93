"""Shared screens: totals are legible from 3 m, over any picture, from each side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.store.demos import demos
from tests.night import Night

from .test_tv import HERO, ON_SCREEN

pytestmark = pytest.mark.browser

SYSTEMS = tuple(demo["system"] for demo in demos())
SCREENS = [(1920, 1080), (1280, 720), (844, 390), (390, 844)]
APART = """() => {
  const seats = [...document.querySelectorAll("#board .seat")];
  return seats.every((seat) => {
    const whole = seat.getBoundingClientRect();
    const parts = [...seat.querySelectorAll(".steppers > li, .card")];
    const shown = parts.filter((each) => each.checkVisibility());
    return shown.every((part) => part.getBoundingClientRect().right <= whole.right + 1);
  });
}"""
SMALLEST = """() => {
  const told = [...document.querySelectorAll("#live *")].filter((each) =>
    each.checkVisibility() && !each.closest(".unseen") &&
    [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const sizes = told.map((each) => parseFloat(getComputedStyle(each).fontSize));
  return Math.min(...sizes) / Math.min(innerWidth, innerHeight);
}"""
ALL_LINES = """() => {
  const side = document.getElementById("tv-side");
  const lines = [...side.querySelectorAll(".tv-log li")];
  const bottom = Math.max(...lines.map((each) => each.getBoundingClientRect().bottom));
  return lines.length > 0 && bottom <= innerHeight + 1;
}"""
# What is written, against all that lies under it; behind the overlay is the picture.
FAINT = """(picture) => {
  const parsed = (colour) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((n, i) => n * a + under[i] * (1 - a));
  const ground = (element) => {
    if (element === document.documentElement) return picture;
    return over(parsed(getComputedStyle(element).backgroundColor), ground(element.parentElement));
  };
  const light = (rgb) => rgb
    .map((n) => n / 255)
    .map((n) => (n <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4))
    .reduce((sum, n, i) => sum + n * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (one, other) => {
    const [dim, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dim + 0.05);
  };
  const told = [...document.querySelectorAll("#live *, #tv-side *")].filter((each) =>
    each.checkVisibility() && !each.closest(".unseen, svg") &&
    (each.matches(".steppers li") ||
      [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim())));
  return told.map((each) => {
    const style = getComputedStyle(each, each.matches(".steppers li") ? "::after" : null);
    const under = ground(each);
    return [contrast(over(parsed(style.color), under), under), each.outerHTML.slice(0, 120)];
  }).filter(([found]) => found < 4.5);
}"""


def board_of(phone: Callable[..., Any], night: Night, system: str) -> tuple[Any, str]:
    """The host's phone at the demo of *system*, and its table's address."""
    host = phone()
    host.goto(night.demo(system))
    host.wait_for_selector("#board")
    return host, host.url.split("?")[0]


def settled(screen: Any) -> None:
    screen.wait_for_function("() => document.documentElement.style.getPropertyValue('--tv-type')")
    screen.evaluate("() => document.fonts.ready")
    screen.wait_for_function(ON_SCREEN)


def test_every_demo_is_read_whole_on_every_screen(
    phone: Callable[..., Any], running: Night
) -> None:
    for system in SYSTEMS:
        host, table = board_of(phone, running, system)
        for width, height in SCREENS:
            host.set_viewport_size({"width": width, "height": height})
            host.goto(f"{table}tv")
            settled(host)
            if system in ("grand-archive", "yu-gi-oh", "magic"):
                assert host.evaluate(HERO) >= 0.119, (system, width)
            assert host.evaluate(APART), (system, width)
            assert host.evaluate(SMALLEST) >= 0.018, (system, width)
            host.wait_for_function(ALL_LINES)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_totals_grow_with_the_room_there_is(
    phone: Callable[..., Any], running: Night, seats: int
) -> None:
    host = phone()
    host.goto(f"{running.site}/new?rules=magic")
    host.locator(f'input[name=seats][value="{seats}"]').evaluate("(each) => each.click()")
    host.get_by_role("button", name="Start").tap()
    host.get_by_role("link", name="Go to the table").tap()
    host.wait_for_selector("#board")
    table = host.url.split("?")[0]
    for width, height in SCREENS[1:]:
        host.set_viewport_size({"width": width, "height": height})
        host.goto(f"{table}tv")
        settled(host)
        assert seats == host.locator("#board .seat").count()
        assert host.evaluate(HERO) >= (0.2 if (seats, width) == (2, 1280) else 0.119)
        assert host.evaluate(APART)


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_overlay_is_read_over_snow_and_over_night(
    phone: Callable[..., Any], running: Night, system: str
) -> None:
    host, table = board_of(phone, running, system)
    host.set_viewport_size({"width": 1280, "height": 720})
    host.emulate_media(color_scheme="light", reduced_motion="reduce")
    host.goto(f"{table}tv?overlay&log&qr")
    settled(host)

    assert [] == host.evaluate(FAINT, [255, 255, 255])
    assert [] == host.evaluate(FAINT, [0, 0, 0])


def test_a_big_screen_says_when_it_has_lost_the_table(
    phone: Callable[..., Any], fresh: Night
) -> None:
    host, table = board_of(phone, fresh, "magic")
    host.set_viewport_size({"width": 1280, "height": 720})
    for page in ("tv", "tv?overlay"):
        host.goto(f"{table}{page}")
        settled(host)
    fresh.kill()

    host.locator("#connection", has_text="Connection lost").wait_for()


def test_a_rematch_takes_an_overlay_along_as_an_overlay(
    phone: Callable[..., Any], running: Night
) -> None:
    host, table = board_of(phone, running, "yu-gi-oh")
    screen = phone(1280, 720)
    screen.context.add_cookies(host.context.cookies())
    screen.goto(f"{table}tv?overlay&log")
    settled(screen)

    host.locator("[data-menu]").tap()
    host.get_by_role("link", name="Save or play again").tap()
    host.get_by_text("Play again", exact=True).tap()
    host.get_by_role("button", name="Draw lots for who goes first").tap()

    screen.wait_for_url(lambda url: not url.startswith(table))
    assert screen.url.endswith("/tv?overlay&log")
    screen.locator(".tv-log li").first.wait_for()
    host.wait_for_url(lambda url: not url.startswith(table))
    host.goto(f"{table}?earlier")
    assert 0 == host.locator("#live .steppers button:visible").count()
    host.get_by_role("link", name="Go to the current game").tap()
    host.wait_for_url(lambda url: not url.startswith(table))


# Flat on the table

FLAT = """() => {
  const life = (seat) => seat.querySelector(".seat-head .is-big");
  return [...document.querySelectorAll("#board > .seat")].map((seat) => {
    const part = seat.getBoundingClientRect();
    const total = life(seat).getBoundingClientRect();
    const number = parseFloat(getComputedStyle(life(seat).querySelector("b")).fontSize);
    const inside = total.left >= part.left - 1 && total.right <= part.right + 1 &&
      total.top >= part.top - 1 && total.bottom <= part.bottom + 1;
    return [seat.dataset.facing, inside, number >= 32];
  });
}"""
COVERED = """() => [...document.querySelectorAll("#board .steppers > li:not(.act)")].filter((
  stepper) => {
  const icon = getComputedStyle(stepper, "::before");
  if (!stepper.checkVisibility() || icon.display === "none") return false;
  const start = parseFloat(icon.insetInlineStart) || parseFloat(icon.left);
  const minus = stepper.querySelector("button");
  const drawn = getComputedStyle(minus);
  return start < parseFloat(drawn.paddingLeft) + parseFloat(drawn.fontSize) * 0.6;
}).map((stepper) => stepper.outerHTML.slice(0, 100))"""


def flat_table(phone: Callable[..., Any], running: Night, seats: int) -> tuple[Any, str]:
    host = phone()
    host.goto(f"{running.site}/new?rules=magic")
    host.locator(f'input[name=seats][value="{seats}"]').evaluate("(each) => each.click()")
    host.get_by_role("button", name="Start").tap()
    host.get_by_role("link", name="Go to the table").tap()
    host.wait_for_selector("#board")
    return host, host.url.split("?")[0]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_each_part_shows_its_players_life_and_takes_taps(
    phone: Callable[..., Any], running: Night, seats: int
) -> None:
    host, table = flat_table(phone, running, seats)
    for width, height in SCREENS[1:]:
        host.set_viewport_size({"width": width, "height": height})
        host.goto(f"{table}flat")
        host.wait_for_selector("#board > .seat[data-facing]")
        found = host.evaluate(FLAT)
        assert seats == len(found)
        assert all(inside and readable for _facing, inside, readable in found), (width, found)
        assert {"0", "180"} <= {facing for facing, _inside, _readable in found}
        assert [] == host.evaluate(COVERED)
    host.get_by_text("The log shows every tap on this screen as Ana’s.").wait_for()
    for n, seat in enumerate(host.locator("#board > .seat").all(), start=1):
        for _turn in range(n % 4):
            seat.locator(".flat-turn").tap()
        seat.locator(".is-big button").first.tap()
        expect_life = seat.locator(".is-big b", has_text="19")
        expect_life.wait_for()


def test_a_question_does_not_cover_the_life_of_who_is_asked(
    phone: Callable[..., Any], running: Night
) -> None:
    host, table = board_of(phone, running, "magic")
    host.goto(f"{table}flat")
    host.wait_for_selector("#board > .seat[data-facing] .prompt")

    assert all(inside for _facing, inside, _readable in host.evaluate(FLAT))
    assert [] == host.evaluate(COVERED)
