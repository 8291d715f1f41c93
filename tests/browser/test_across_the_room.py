"""Shared screens: totals are legible from 3 m, over any picture, from each side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from games.store.demos import demos
from tests.night import Night
from tests.types import Phones

from .tables import CONNECTED, SLOTS, Host
from .test_tv import big_screen, give, magic

pytestmark = pytest.mark.browser

SYSTEMS = tuple(demo["system"] for demo in demos())
CARDS = tuple(system for system in SYSTEMS if system not in SLOTS)
SCREENS = [(1920, 1080), (1280, 720), (1024, 768), (1080, 1920), (844, 390), (390, 844)]
PHONES = [(390, 844), (844, 390), (820, 1180)]
# Each seat's number in sight: its type in hundredths of the screen's shorter side, and whether all
# of it is on its seat's tile.
HEROES = """() => {
  const box = (each) => each.getBoundingClientRect();
  const heroes = [...document.querySelectorAll("[data-hero]")];
  return heroes.filter((each) => each.checkVisibility()).map((hero) => {
    const range = document.createRange();
    range.selectNodeContents(hero);
    const [text, tile] = [box(range), box(hero.closest(".cell"))];
    const middle = (text.top + text.bottom) / 2;
    const inside = text.left >= tile.left && text.right <= tile.right &&
      middle > tile.top && middle < tile.bottom &&
      tile.left >= 0 && tile.top >= 0 && tile.right <= innerWidth && tile.bottom <= innerHeight;
    const size = parseFloat(getComputedStyle(hero).fontSize);
    return [hero.dataset.hero, 100 * size / Math.min(innerWidth, innerHeight), inside];
  });
}"""
APART = """() => {
  const cells = [...document.querySelectorAll(".cell")];
  const tiles = cells.map((each) => each.getBoundingClientRect());
  return tiles.every((one, i) => tiles.slice(i + 1).every((other) =>
    one.right <= other.left || other.right <= one.left ||
    one.bottom <= other.top || other.bottom <= one.top));
}"""
SPILT = """() => [...document.querySelectorAll(".cell, .tv-side, .tv-column")].flatMap((whole) => {
  const frame = whole.getBoundingClientRect();
  return [...whole.querySelectorAll(".cell-name, .bit, .turn, .tv-qr, .tv-qr *")].filter((part) => {
    if (!part.checkVisibility()) return false;
    const box = part.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1 ||
      box.bottom > frame.bottom + 1;
  });
}).map((each) => each.outerHTML.slice(0, 90))"""
SMALLEST = """() => {
  const told = [...document.querySelectorAll("#live *, .tv-column *")].filter((each) =>
    each.checkVisibility() && !each.closest(".unseen, .seat-mark, small") &&
    [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return Math.min(...told.map((each) => parseFloat(getComputedStyle(each).fontSize)));
}"""
SEATED = """(seats) => {
  document.getElementById("table-log").remove();
  for (const parent of [document.getElementById("strip"), document.getElementById("board")]) {
    while (parent.childElementCount > seats) parent.lastElementChild.remove();
    while (parent.childElementCount < seats) parent.append(parent.lastElementChild.cloneNode(true));
  }
  for (const each of document.querySelectorAll("#live, #strip")) each.dataset.seats = seats;
}"""
ORDER = """() => [...document.querySelectorAll(".cell")].map((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return [left + right - document.getElementById("live").clientWidth, top + bottom - innerHeight];
})"""
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
  // A seat's cards and their count lie on its tile.
  const under = (element) =>
    element.matches(".board > .seat")
      ? document.getElementById(`${element.dataset.seat}.cell`)
      : element.parentElement;
  const ground = (element) => {
    if (element === document.documentElement) return picture;
    return over(parsed(getComputedStyle(element).backgroundColor), ground(under(element)));
  };
  const light = (rgb) => rgb
    .map((n) => n / 255)
    .map((n) => (n <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4))
    .reduce((sum, n, i) => sum + n * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (one, other) => {
    const [dim, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dim + 0.05);
  };
  const told = [...document.querySelectorAll("#live *, .tv-column *")].filter((each) =>
    each.checkVisibility() && !each.closest(".unseen, svg") &&
    [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return told.map((each) => {
    const behind = ground(each);
    const colour = over(parsed(getComputedStyle(each).color), behind);
    return [contrast(colour, behind), each.outerHTML.slice(0, 120)];
  }).filter(([found]) => found < 4.5);
}"""


@contextmanager
def looker(chromium: Any, site: str, width: int, height: int) -> Iterator[Host]:
    """A screen that makes tables without drawing their boards; errors on its pages are faults."""
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=width < 600,
        service_workers="block",
    )
    complaints: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield Host(page, site)
    context.close()
    assert [] == complaints


@pytest.fixture(scope="module")
def television(chromium: Any, running: Night) -> Iterator[Host]:
    """The same for all tests that only look at it, each at a table of its own."""
    with looker(chromium, running.site, *SCREENS[0]) as host:
        yield host


@pytest.fixture(scope="module")
def handset(chromium: Any, running: Night) -> Iterator[Host]:
    """As `television`, a phone."""
    with looker(chromium, running.site, *PHONES[0]) as host:
        yield host


@pytest.fixture(scope="module")
def overlay(chromium: Any, running: Night) -> Iterator[Host]:
    """As `television`, a stream's picture, by day."""
    with looker(chromium, running.site, 1280, 720) as host:
        host.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        yield host


def shown(host: Host, address: str) -> Any:
    """The host's page at *address*, a shared screen of a table."""
    host.page.set_viewport_size({"width": SCREENS[0][0], "height": SCREENS[0][1]})
    host.page.goto(address)
    settled(host.page)
    return host.page


def board_of(phone: Phones, night: Night, system: str) -> tuple[Any, str]:
    """The host's phone at the demo of *system*, and its table's address."""
    host = phone()
    host.goto(night.demo(system))
    host.wait_for_selector("#board")
    return host, host.url.split("?")[0]


def settled(screen: Any) -> None:
    screen.wait_for_selector("#board", state="attached")
    screen.evaluate("() => document.fonts.ready")


@pytest.mark.parametrize("system", CARDS)
def test_every_demo_is_read_on_every_screen(television: Host, running: Night, system: str) -> None:
    screen = shown(television, f"{television.enter_by(running.demo(system))}tv")
    for width, height in SCREENS:
        screen.set_viewport_size({"width": width, "height": height})
        settled(screen)
        heroes = screen.evaluate(HEROES)
        seats = screen.locator(".cell:not(.is-table)").count()
        assert seats == len({seat for seat, _size, _inside in heroes}) == len(heroes)
        assert all(inside and size >= 12 for _seat, size, inside in heroes), (width, heroes)
        for box in (each.bounding_box() for each in screen.locator(".cell.is-table").all()):
            assert 0 < box["height"] <= height - box["y"], (width, box)
        assert screen.evaluate(APART), width
        assert [] == screen.evaluate(SPILT), width
        assert screen.evaluate(SMALLEST) >= min(10, 0.018 * height), width


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6, 7, 8])
def test_every_seat_has_a_tile_clockwise(television: Host, seats: int) -> None:
    # New games have 2 to 6 seats; the other arrangements are made of one of those.
    table = television.fresh("magic", min(6, max(2, seats)), name="")
    screen = shown(television, f"{table}tv")
    screen.evaluate(SEATED, seats)
    for width, height in SCREENS:
        screen.set_viewport_size({"width": width, "height": height})
        settled(screen)
        heroes = screen.evaluate(HEROES)
        assert seats == len(heroes)
        least = 12 if seats <= 4 else 7
        assert all(inside and size >= least for _seat, size, inside in heroes), (width, heroes)
        assert screen.evaluate(APART), width
        centres = screen.evaluate(ORDER)
        turns = zip(centres, [*centres[1:], centres[0]], strict=True)
        if seats > 3:  # from each tile to the next the way goes round to the right
            assert all(x * v - y * u >= -1 for (x, y), (u, v) in turns), (width, centres)


def test_four_seats_have_numbers_as_large_as_drawn(television: Host) -> None:
    screen = shown(television, f"{television.fresh('magic', 4, name='')}tv")

    assert all(size * 10.8 >= 270 for _seat, size, _inside in screen.evaluate(HEROES))


APART_IN_TILES = """() => [...document.querySelectorAll(".cell, .seat")].flatMap((tile) => {
  const frame = tile.getBoundingClientRect();
  const told = [...tile.querySelectorAll(".bit, .seat-says, .card > a, .card > p, .card li")]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height > 1);
  const boxes = told.map((each) => [each.className || each.tagName, each.getBoundingClientRect()]);
  const out = boxes.filter(([, box]) =>
    box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1);
  const others = [...document.querySelectorAll(".bit")].filter((each) => !tile.contains(each));
  const over = boxes.filter(([, one]) => others.some((each) => {
    const other = each.checkVisibility() ? each.getBoundingClientRect() : { width: 0 };
    return other.width && one.left < other.right - 1 && other.left < one.right - 1 &&
      one.top < other.bottom - 1 && other.top < one.bottom - 1;
  }));
  return [...out, ...over].map(([name]) => `${tile.id} ${name}`);
})"""
COVERED = """() => {
  const moment = document.querySelector("#moment .moment").getBoundingClientRect();
  return [...document.querySelectorAll("[data-hero]")].filter((each) => each.checkVisibility())
    .filter((each) => {
      const box = each.getBoundingClientRect();
      const middle = (box.top + box.bottom) / 2;
      return middle > moment.top && middle < moment.bottom;
    }).map((each) => each.dataset.hero);
}"""


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_texts_on_a_tile_stay_inside_it_and_apart(television: Host, seats: int) -> None:
    """Each seat has six cards, poison, and damage by every other commander."""
    address = television.middle("magic", seats)
    screen = shown(television, f"{address}tv")

    assert [] == screen.evaluate(APART_IN_TILES)
    television.send(address, do="lose-life", seat="ben", amount=50)
    told = "won" if seats == 2 else "out"  # the last one left has won
    screen.locator(f'#moment [data-moment="{told}"]').wait_for()
    assert bool(screen.evaluate(COVERED)) == (told == "won")


SWAPS = """([seat, digits]) => {
  const times = [];
  for (let n = 0; n < 20; n += 1) {
    const number = document.querySelector(`[data-hero="${seat}"]`);
    const start = performance.now();
    number.textContent = String(10 ** (digits - 1) + n);
    document.body.offsetHeight;
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}"""
ARRANGED = """() => {
  const times = [];
  for (let n = 0; n < 9; n += 1) {
    const start = performance.now();
    const parts = document.querySelectorAll("#live, #strip");
    for (const each of parts) each.dataset.seats = n % 2 ? 4 : 6;
    document.body.offsetHeight;
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}"""


def test_a_changed_number_costs_less_than_a_frame(phone: Phones, running: Night) -> None:
    host = Host(phone(), running.site)
    address = host.demo("magic")
    host.open(address)
    screen = big_screen(phone, host.page, f"{address}tv", 1920, 1080)
    settled(screen)
    screen.wait_for_function(CONNECTED)
    wire = screen.context.new_cdp_session(screen)
    wire.send("Performance.enable")

    def layouts() -> float:
        metrics = wire.send("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "LayoutCount")

    # The best of several, as the machine may be busy; at a quarter of its speed, four times that.
    assert 4 * screen.evaluate(SWAPS, ["ana", 2]) < 8
    assert 4 * screen.evaluate(ARRANGED) < 100
    delta = screen.locator('.cell[data-choose="ben"] .delta')
    host.give(do="lose-life", seat="ben", amount=1)
    delta.get_by_text("−1").wait_for()
    screen.wait_for_timeout(1800)  # until the log has been fetched
    before = layouts()
    host.give(do="lose-life", seat="ben", amount=1)
    delta.get_by_text("−2").wait_for()
    assert layouts() - before <= 2  # nothing asks for a layout between


def test_a_long_list_of_counters_is_on_the_screen_whole(television: Host, running: Night) -> None:
    table = television.enter_by(running.demo("stars-and-signs"))
    screen = shown(television, f"{table}tv")
    whole = """() => {
      const live = document.getElementById("live");
      return live.scrollHeight <= live.clientHeight + 1 && live.scrollWidth <= live.clientWidth + 1;
    }"""
    for width, height in SCREENS:
        screen.set_viewport_size({"width": width, "height": height})
        settled(screen)
        screen.wait_for_function(whole)


CUT_OFF = """() => {
  const live = document.getElementById("live").getBoundingClientRect();
  return [...document.querySelectorAll(".party .cell, .party-name, .party .cell-hero")]
    .filter((each) => {
      const box = each.getBoundingClientRect();
      const tile = each.closest(".cell").getBoundingClientRect();
      return box.right > Math.min(live.right, tile.right) + 1 || box.bottom > live.bottom + 1 ||
        (each.matches(".party-name") && each.scrollWidth > each.clientWidth);
    }).map((each) => each.innerText);
}"""


def test_a_party_of_any_size_is_on_the_screen_whole(television: Host) -> None:
    for seats in (2, 4, 6):
        screen = shown(television, f"{television.fresh('stars-and-signs', seats)}tv")
        for width, height in SCREENS[:4]:
            screen.set_viewport_size({"width": width, "height": height})
            settled(screen)
            screen.wait_for_function(f"() => ({CUT_OFF})().length === 0")
            assert [] == screen.evaluate(CUT_OFF), (seats, width)


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_overlay_is_read_over_snow_and_over_night(
    overlay: Host, running: Night, system: str
) -> None:
    overlay.page.goto(f"{overlay.enter_by(running.demo(system))}tv?overlay&log&qr")
    settled(overlay.page)

    assert [] == overlay.page.evaluate(FAINT, [255, 255, 255])
    assert [] == overlay.page.evaluate(FAINT, [0, 0, 0])


def test_a_big_screen_says_when_it_has_lost_the_table(phone: Phones, fresh: Night) -> None:
    host, table = board_of(phone, fresh, "magic")
    host.set_viewport_size({"width": 1280, "height": 720})
    for page in ("tv", "tv?overlay"):
        host.goto(f"{table}{page}")
        settled(host)
    fresh.kill()

    host.locator("#connection", has_text="Connection lost").wait_for()


def test_a_rematch_takes_an_overlay_along_as_an_overlay(phone: Phones, running: Night) -> None:
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
    screen.locator(".latest li").first.wait_for()
    host.wait_for_url(lambda url: not url.startswith(table))
    host.goto(f"{table}?earlier")
    assert 0 == host.locator("#live .steppers button:visible").count()
    host.get_by_role("link", name="Go to the current game").tap()
    host.wait_for_url(lambda url: not url.startswith(table))


# Flat on the table

PARTS = """() => [...document.querySelectorAll("#board > .seat")].map((seat) => {
  const box = (each) => each.getBoundingClientRect();
  const [part, number] = [box(seat), seat.querySelector("[data-hero]")];
  const range = document.createRange();
  range.selectNodeContents(number);
  const line = box(range);
  const high = 0.7 * parseFloat(getComputedStyle(number).fontSize); // of its figures
  const sideways = Number(seat.dataset.facing) % 180;
  const [x, y] = [(line.left + line.right) / 2, (line.top + line.bottom) / 2];
  const text = sideways
    ? { left: x - high / 2, right: x + high / 2, top: line.top, bottom: line.bottom }
    : { left: line.left, right: line.right, top: y - high / 2, bottom: y + high / 2 };
  const halves = [...seat.querySelectorAll(".is-hero > button")].map(box);
  const area = (each) => each.width * each.height;
  const covered = halves.reduce((sum, each) => sum + area(each), 0) / area(part);
  const short = Math.min(part.width, part.height);
  const [panel, row] = [seat.querySelector(".panel"), seat.querySelector(".places")];
  const middle = (panel.clientHeight + (row?.offsetHeight ?? 0)) / 2;
  return {
    facing: seat.dataset.facing,
    off: number.offsetTop + number.offsetHeight / 2 - middle,
    cut: row ? row.scrollWidth - row.clientWidth : 0,
    number: high / short,
    inside: text.left >= part.left && text.right <= part.right &&
      text.top >= part.top && text.bottom <= part.bottom,
    covered,
    shown: part.left >= -1 && part.top >= -1 &&
      part.right <= innerWidth + 1 && part.bottom <= innerHeight + 1,
  };
})"""
# A tap in a half, away from its chips and from the middle of the table, is its minus or its plus.
HIT = """() => [...document.querySelectorAll("#board > .seat")].every((seat) => {
  const { left, top, width, height } = seat.getBoundingClientRect();
  const under = (x, y) => document.elementFromPoint(left + width * x, top + height * y);
  const at = (x, y) => under(x, y)?.closest("button")?.name;
  const found = new Set([at(0.3, 0.5), at(0.7, 0.5), at(0.5, 0.3), at(0.5, 0.7)]);
  return [...seat.querySelectorAll(".is-hero > button")].every((half) => found.has(half.name));
})"""


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_each_part_is_one_number_between_two_halves(handset: Host, seats: int) -> None:
    ana, table = handset.page, handset.fresh("magic", seats, name="")
    for width, height in PHONES:
        ana.set_viewport_size({"width": width, "height": height})
        ana.goto(f"{table}flat")
        ana.wait_for_selector("#board > .seat[data-facing] [data-hero]")
        ana.evaluate("() => document.fonts.ready")
        parts = ana.evaluate(PARTS)
        assert seats == len(parts)
        assert 2 <= len({part["facing"] for part in parts})
        assert all(part["inside"] and part["shown"] for part in parts), (width, parts)
        assert all(part["number"] >= 0.33 for part in parts), (width, parts)
        assert all(part["covered"] >= 0.6 for part in parts), (width, parts)
        assert all(abs(part["off"]) < 8 for part in parts), (width, parts)
        assert width != 390 or all(part["cut"] <= 1 for part in parts), parts
        assert ana.evaluate(HIT), width


@pytest.mark.parametrize("system", CARDS)
def test_every_demo_can_lie_flat_on_the_table(handset: Host, running: Night, system: str) -> None:
    host, table = handset.page, handset.enter_by(running.demo(system))
    for width, height in PHONES:
        host.set_viewport_size({"width": width, "height": height})
        host.goto(f"{table}flat")
        host.wait_for_selector("#board > .seat[data-facing] [data-hero]")
        host.evaluate("() => document.fonts.ready")
        parts = host.evaluate(PARTS)
        assert all(part["inside"] and part["shown"] for part in parts), (width, parts)


def test_a_moment_stands_in_the_middle_and_faces_its_seat(phone: Phones, running: Night) -> None:
    ana, table = magic(phone, running.site, 3)
    ana.emulate_media(reduced_motion="reduce")
    ana.goto(f"{table}flat")
    ana.wait_for_selector("#board > .seat[data-facing]")

    give(ana, do="lose-life", seat="ben", amount=40)

    moment = ana.locator('#moment [data-moment="out"]')
    moment.wait_for()
    box = moment.bounding_box()
    assert abs(box["x"] + box["width"] / 2 - 195) < 4
    assert abs(box["y"] + box["height"] / 2 - 422) < 4
    assert "90deg" == moment.evaluate("(each) => getComputedStyle(each.parentElement).rotate")
