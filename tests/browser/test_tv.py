"""A big screen in the room shows every tap on a phone by itself, and what it means."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from games.store import demos
from tests.night import Night
from tests.types import Phones

from .tables import CONNECTED, Host, start
from .test_two_phones import give

pytestmark = pytest.mark.browser

TABLETS = [(1366, 1024), (1024, 768), (844, 390), (390, 844), (820, 1180)]
# In the part of the asked seat: what of the question needs scrolling, and marks on a number.
HIDDEN = """() => {
  const box = (each) => each.getBoundingClientRect();
  const part = box(document.getElementById("s-ana"));
  const asked = "#s-ana .prompt :is(h2, label, .is-main, .prompt-why)";
  const controls = document.querySelectorAll(asked);
  const outside = [...controls].filter((each) => {
    const { top, right, bottom, left } = box(each);
    const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !each.closest(".prompt").contains(shown) ||
      left < part.left || right > part.right || top < part.top || bottom > part.bottom;
  });
  const covered = [...document.querySelectorAll("#board > .seat")].filter((seat) => {
    const mark = box(seat.querySelector(".seat-name .seat-mark"));
    const number = seat.querySelector("[data-hero]");
    const range = document.createRange();
    range.selectNodeContents(number);
    const text = box(range);
    const high = 0.7 * parseFloat(getComputedStyle(number).fontSize);
    const middle = (text.top + text.bottom) / 2;
    return mark.left < text.right && mark.right > text.left &&
      mark.top < middle + high / 2 && mark.bottom > middle - high / 2;
  });
  return [...outside, ...covered].map((each) => each.id || each.textContent.trim());
}"""
# What is told stands in sight for three seconds, below where the numbers begin.
BESIDE = """() => {
  const top = (each) => each.getBoundingClientRect().top;
  const told = document.querySelector("#moment .moment");
  const numbers = [...document.querySelectorAll(".tv-tiles [data-hero]")];
  return told && numbers.filter((each) => each.checkVisibility())
    .every((each) => top(each) < top(told));
}"""
# How far what was in sight has jumped since the page was opened: Chromium's layout shift score.
JUMPED = """() => new Promise((resolve) => {
  const score = (list) => list.getEntries().reduce((sum, each) => sum + each.value, 0);
  new PerformanceObserver((list) => resolve(score(list)))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(0), 300);
})"""
# The ends of the numbers' boxes in a row of tiles, and where what stands below them starts.
BOXES = """() => [...document.querySelectorAll(".cell")].map((each) => {
  const number = each.querySelector(".cell-hero").getBoundingClientRect().bottom;
  const bits = [...each.querySelectorAll(".bit:not(.is-sign)")].filter((bit) => bit.offsetHeight);
  return [number, Math.min(...bits.map((bit) => bit.getBoundingClientRect().top))];
})"""
CONTROLS = """() => [...document.querySelectorAll("main button, .tv-column button")]
  .filter((each) => each.checkVisibility()).map((each) => each.outerHTML)"""


def magic(phone: Phones, site: str, seats: int = 4) -> tuple[Any, str]:
    """Ana's phone at a new game of Magic, and the address of its table."""
    ana = phone()
    start(ana, site, "magic", seats, name="")
    return ana, ana.url.split("?")[0]


def big_screen(phone: Phones, ana: Any, address: str, width: int, height: int) -> Any:
    """A television that opened *address* with what Ana's phone may see."""
    screen = phone(width, height)
    screen.context.add_cookies(ana.context.cookies())
    screen.goto(address)
    screen.wait_for_selector("#board", state="attached")
    return screen


def traced(screen: Any, act: Callable[[], None]) -> list[tuple[str, dict[str, Any]]]:
    """The browser's trace of styles and layouts of *screen* during *act* and just after it."""
    page = screen.context.new_cdp_session(screen)
    frame = page.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    wire = screen.context.browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    ended: list[Any] = []
    wire.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    wire.on("Tracing.tracingComplete", lambda traces: ended.append(traces))
    categories = {"includedCategories": ["devtools.timeline"]}
    wire.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": categories})
    act()
    screen.wait_for_timeout(200)
    wire.send("Tracing.end")
    while not ended:
        screen.wait_for_timeout(20)
    wire.detach()
    traces = [(each["name"], each["args"]) for each in events]
    return [
        (name, each) for name, each in traces if each.get("beginData", {}).get("frame") == frame
    ]


def shows(screen: Any, seat: str, number: str) -> None:
    """Wait until that is the one number in sight for *seat*."""
    from playwright.sync_api import expect

    expect(screen.locator(f'[data-hero="{seat}"]:visible')).to_have_text(number)


def test_a_tap_on_a_phone_is_read_across_the_room(phone: Phones, running: Night) -> None:
    ana, table = magic(phone, running.site)
    screen = big_screen(phone, ana, f"{table}tv", 1920, 1080)
    shows(screen, "ana", "40")

    for _tap in range(3):
        ana.locator("#cockpit .is-hero button").first.tap()

    shows(screen, "ana", "37")
    shows(screen, "ben", "40")
    screen.locator('.cell[data-choose="ana"] .delta', has_text="−3").wait_for()
    screen.locator(".latest li", has_text="37").first.wait_for()
    assert [] == screen.evaluate(CONTROLS)
    # While the mouse moves, its one button must not lie over the code to join; then it goes.
    near = screen.locator(".tv-full.is-near")
    assert 0 == near.count()
    screen.mouse.move(300, 300)
    near.wait_for()
    full = screen.locator(".tv-full").bounding_box()
    assert full["x"] + full["width"] <= screen.locator(".tv-column").bounding_box()["x"]
    near.wait_for(state="detached")


def test_a_hit_is_written_into_the_tile_and_stays_in_sight(phone: Phones, running: Night) -> None:
    """Damage changes a champion's tile and panel: not drawn anew, but as a new page has them."""
    host = Host(phone(), running.site)
    address = host.middle("grand-archive", 3)
    host.open(address)
    screen = big_screen(phone, host.page, f"{address}tv", 1920, 1080)
    delta = screen.locator('.cell[data-choose="ben"] .delta')
    host.give(do="place", on="ben-1", counter="damage", amount=2)
    delta.get_by_text("+2").wait_for()
    screen.evaluate("document.querySelectorAll('.cell, .panel *').forEach((e) => (e.same = true))")

    host.give(do="place", on="ben-1", counter="damage", amount=3)
    host.give(do="remove", on="ben-1", counter="enlighten", amount=5)

    delta.get_by_text("−5").wait_for()
    spent = screen.locator('.cell[data-choose="ben"] .bits > [data-kind="enlighten"]')
    assert not spent.is_visible()
    shows(screen, "ben", "14")
    fresh = big_screen(phone, host.page, f"{address}tv", 1920, 1080)
    words = "() => [...document.querySelectorAll('.strip, .panel')].map((e) => e.innerText).join()"
    screen.evaluate("() => document.querySelectorAll('.delta').forEach((e) => e.remove())")
    assert fresh.evaluate(words) == screen.evaluate(words)
    assert screen.evaluate("() => document.getElementById('ben.cell').same")
    assert screen.evaluate("() => document.getElementById('ben-1.damage').same")


def test_a_filled_counter_stays_the_element_that_it_was(phone: Phones, running: Night) -> None:
    """All that a new one shows is written into it: to make one styles the board again."""
    host = Host(phone(), running.site)
    address = host.demo("stars-and-signs")
    host.open(address)
    screen = big_screen(phone, host.page, f"{address}tv", 1920, 1080)
    screen.wait_for_function(CONNECTED)
    counter = screen.locator("#k-c1")
    before = int(counter.locator(".slot-text b").inner_text())
    counter.evaluate("(each) => (each.same = true)")

    host.give(do="fill", on="c1", slots=1)

    counter.locator(".slot-text b", has_text=str(before + 1)).wait_for()
    fresh = big_screen(phone, host.page, f"{address}tv", 1920, 1080)
    drawn = "(each) => each.outerHTML"
    assert fresh.locator("#k-c1").evaluate(drawn) == counter.evaluate(drawn)
    assert counter.evaluate("(each) => each.same")


PLAYED: dict[str, list[dict[str, Any]]] = {
    "magic": [
        {"do": "create", "as": "bear", "name": "Bear", "types": ["creature"], "owner": "ben"},
        {"do": "place", "on": "bear", "counter": "+1/+1", "amount": 2},
        {"do": "move", "object": ["ben-2"], "to": "graveyard"},
        {"do": "place", "on": "ben", "counter": "energy", "amount": 3},
        {"do": "begin-turn", "active": ["ben"]},
        {"do": "move", "object": ["ben-2"], "to": "battlefield"},
        {"do": "lose-life", "seat": "ben", "amount": 60},
        {"do": "undo"},
        {"do": "lose-life", "seat": "ana", "amount": 60},
    ],
    "pokemon": [
        {"do": "place", "on": "ben-4", "counter": "damage", "amount": 10},
        {"do": "afflict", "object": "ben-1", "condition": "burned"},
        {"do": "switch", "object": "ben-4"},
        {"do": "remove", "on": "ben-4", "counter": "damage", "amount": 10},
        {"do": "move", "object": "ben-2", "to": "discard"},
    ],
    "yu-gi-oh": [
        {"do": "create", "as": "wall", "name": "Mystical Wall", "zone": "monster", "owner": "ben"},
        {"do": "move", "object": ["ben-1"], "to": "graveyard"},
        {"do": "correct", "on": "ben-2", "counter": "spell", "to": 0},
        {"do": "flip", "object": "ben-5", "face_down": False},
        {"do": "lose-life", "seat": "ben", "amount": 7000},
    ],
}  # fmt: skip
# What the board says, without what only a screen that saw it happen shows.
BOARD = """() => {
  const live = document.getElementById("live").cloneNode(true);
  for (const each of live.querySelectorAll(".delta, #moment, #moments")) each.remove();
  for (const each of live.querySelectorAll("*")) {
    each.classList.remove("is-hit", "is-lit");
    for (const name of ["style", "class"]) if (!each.getAttribute(name)) each.removeAttribute(name);
  }
  const attributes = (each) => [...each.attributes].map(({ name, value }) => `${name}=${value}`);
  const styled = (each) => !each.startsWith("style=");
  const said = (each) => each.nodeType === Node.TEXT_NODE ? each.data.trim() :
    [each.nodeName, ...attributes(each).filter(styled).sort(), ...[...each.childNodes].map(said)];
  return said(live.querySelector("#strip")).concat(said(live.querySelector("#board")));
}"""


@pytest.mark.parametrize("system", list(PLAYED))
def test_the_patched_board_equals_a_new_page(phone: Phones, running: Night, system: str) -> None:
    host = Host(phone(), running.site)
    address = host.middle(system, 2)
    host.open(address)
    fresh, screen = (big_screen(phone, host.page, f"{address}tv", 1920, 1080) for _each in range(2))
    screen.wait_for_function(CONNECTED)
    card = screen.locator("#o-ben-3")
    card.evaluate("(each) => (each.same = true)")

    for n, command in enumerate(PLAYED[system]):
        host.give(**command)
        screen.wait_for_function(f"() => document.getElementById('seq').dataset.seq > {n}")
        fresh.reload()
        assert fresh.evaluate(BOARD) == screen.evaluate(BOARD), command
    assert card.evaluate("(each) => each.same")


@pytest.mark.parametrize(
    ("system", "seats", "on", "counter", "by"),
    [
        ("magic", 4, "ben", "poison", 1),
        ("grand-archive", 4, "ben-1", "damage", 1),
        ("magic", 2, "ben-2", "+1/+1", 1),
        ("pokemon", 2, "ben-2", "damage", 10),
    ],
)
def test_a_changed_number_lays_out_nothing_but_its_own_box(
    phone: Phones, running: Night, system: str, seats: int, on: str, counter: str, by: int
) -> None:
    """At a quarter of a laptop's speed, all tiles together take longer than a frame."""
    host = Host(phone(), running.site)
    address = host.middle(system, seats)
    host.open(address)
    screen = big_screen(phone, host.page, f"{address}tv", 1920, 1080)
    screen.wait_for_function(CONNECTED)
    number = screen.locator(f'b[id="{on}.{counter}"]')

    def place() -> None:
        now = int(number.text_content()) + by
        host.give(do="place", on=on, counter=counter, amount=by)
        screen.wait_for_function(
            "([id, now]) => document.getElementById(id).textContent === now",
            arg=[f"{on}.{counter}", str(now)],
        )

    place()  # its change gets its place
    screen.wait_for_timeout(4000)  # the change has been read, and the log has been fetched
    place()
    screen.wait_for_timeout(500)

    traces = traced(screen, place)

    layouts = [each["beginData"] for name, each in traces if name == "Layout"]
    assert layouts
    assert [] == [each for each in layouts if not each["partialLayout"]]
    assert max(each["totalObjects"] for each in layouts) < 60
    styled = [each["elementCount"] for name, each in traces if name == "UpdateLayoutTree"]
    assert sum(styled) <= 12


def test_another_line_in_one_tile_keeps_all_numbers_in_a_row(phone: Phones, running: Night) -> None:
    host = Host(phone(), running.site)
    address = host.middle("magic", 3)
    host.open(address)
    screen = big_screen(phone, host.page, f"{address}tv", 1920, 1080)
    (before, *_), *_ = screen.evaluate(BOXES)
    for kind in ("rad", "energy", "experience", "ticket", "acorn"):
        host.give(do="place", on="cleo", counter=kind, amount=100)

    screen.wait_for_function(
        "(before) => document.querySelector('.cell-hero').getBoundingClientRect().bottom < before",
        arg=before - 20,
    )
    boxes = screen.evaluate(BOXES)
    assert 1 == len({number for number, _bits in boxes})
    assert all(number <= bits for number, bits in boxes)


def test_the_turn_the_danger_and_the_seats_that_are_out(phone: Phones, running: Night) -> None:
    ana, table = magic(phone, running.site)
    screen = big_screen(phone, ana, f"{table}tv", 1920, 1080)

    give(ana, do="begin-turn", active=["ben"])
    screen.locator('.cell.is-active[data-choose="ben"]').wait_for()
    screen.locator(".tv-column .phase-word", has_text="’s turn").wait_for()
    give(ana, do="place", on="cleo", counter="poison", amount=4)
    screen.locator('.cell[data-choose="cleo"] .bit[data-kind="poison"] b:visible').wait_for()
    give(ana, do="lose-life", seat="dan", amount=43)

    traces = screen.locator('#moment [data-moment="out"]')
    traces.wait_for()
    assert traces.bounding_box()["height"] >= 0.15 * 1080
    assert 0 == screen.locator("#moment :is(button, a):visible").count()
    out = screen.locator('.cell.is-lost[data-choose="dan"]')
    out.wait_for()
    struck = "(each) => getComputedStyle(each, '::after').content"
    assert "none" != out.locator(".cell-hero").evaluate(struck)
    shows(screen, "dan", "−3")
    for seat in ("ben", "cleo"):
        give(ana, do="lose-life", seat=seat, amount=40)
    screen.locator(".end-says:visible", has_text="wins").wait_for()
    screen.wait_for_function(BESIDE)
    assert 0 == screen.locator("cite:visible").count()
    give(ana, do="correct", on="dan", counter="life", to=5, restore=True)
    screen.locator('.cell[data-choose="dan"] .delta', has_text=re.compile("−35|\\+8")).wait_for()
    shows(screen, "ana", "40")


def test_a_question_stands_in_the_column(phone: Phones, running: Night) -> None:
    host = phone()
    host.goto(running.demo("magic"))
    host.wait_for_selector("#board")
    screen = big_screen(phone, host, f"{host.url.split('?')[0]}tv", 1280, 720)

    screen.locator(".turn-waiting:visible", has_text="Ana").wait_for()
    taken = screen.locator('.cell[data-choose="dan"] .bit-by:visible')
    assert ["A", "Ana", "9"] == taken.inner_text().split()


def test_over_a_stream_the_ground_is_transparent(phone: Phones, running: Night) -> None:
    ana, table = magic(phone, running.site, 2)
    screen = big_screen(phone, ana, f"{table}tv?overlay", 1280, 720)

    ground = "() => getComputedStyle(document.body).backgroundColor"
    assert "rgba(0, 0, 0, 0)" == screen.evaluate(ground)
    assert 0 == screen.locator("#tv-side").count()
    give(ana, do="lose-life", seat="ben", amount=2)
    shows(screen, "ben", "38")


def test_a_phone_flat_on_the_table_counts_for_each_player(phone: Phones, running: Night) -> None:
    ana, table = magic(phone, running.site, 2)
    other = big_screen(phone, ana, f"{table}tv", 1024, 768)
    code = Host(ana, running.site).code(table)
    ana.goto(f"{table}flat")
    ana.wait_for_selector('.seat[data-seat="ben"][data-facing="180"]')
    assert ana.evaluate(JUMPED) < 0.1

    for _tap in range(3):
        ana.locator("#s-ben .is-hero button").first.tap()
    ana.locator("#s-ana .is-hero button").last.tap()

    shows(ana, "ben", "37")
    shows(other, "ben", "37")
    shows(other, "ana", "41")
    give(ana, do="begin-turn", active=["ana"])
    ana.wait_for_selector("#s-ana.is-active")
    ana.get_by_role("button", name="More", exact=True).first.tap()
    ana.get_by_text("The log shows every tap on this screen").wait_for()
    ana.locator(".flat-join", has_text=code).wait_for()
    ana.get_by_role("button", name="Layout 2", exact=True).tap()
    ana.wait_for_selector('.seat[data-seat="ben"][data-facing="270"]')
    ana.reload()
    ana.wait_for_selector('.seat[data-seat="ben"][data-facing="270"]')


def test_a_question_on_the_table_is_answered_in_its_part(phone: Phones, running: Night) -> None:
    host = phone(820, 1180)
    host.goto(running.demo("magic"))
    host.wait_for_selector("#board")
    host.goto(f"{host.url.split('?')[0]}flat")

    question = host.locator("#s-ana .prompt")
    question.wait_for()
    for width, height in TABLETS:
        host.set_viewport_size({"width": width, "height": height})
        host.wait_for_function("() => document.getElementById('board').checkVisibility()")
        assert [] == host.evaluate(HIDDEN), width
    question.locator("label:has(input[type=radio])").first.tap()

    question.wait_for(state="detached")


# Of a score sheet and its end: what lies beyond its own cell, or beyond the screen.
BEYOND = """() => [...document.querySelectorAll(
    ".scores :is(thead .unseen, .score, .sum > :is(b, small)), .end h2"
  )].filter((each) => each.checkVisibility()).filter((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const { left, right, bottom } = range.getBoundingClientRect();
    const cell = (each.closest("td, th") ?? document.body).getBoundingClientRect();
    return left < cell.left - 1 || right > cell.right + 1 || bottom > innerHeight;
  }).map((each) => each.outerHTML)"""


@pytest.mark.parametrize(("ready", "winner"), [("agricola", "wins"), ("rummy-500", "Ben wins.")])
def test_a_whole_score_sheet_is_in_sight_and_says_who_won(
    phone: Phones, running: Night, ready: str, winner: str
) -> None:
    """Twenty-six rows of parts; six players of long names."""
    host = Host(phone(), running.site)
    shown = demos.ready_demo("own-game", ready)
    assert shown
    names = ("Annegret", "Ben", "Cleopatra", "Dan", "Franziska", "Maximilian")
    if ready == "rummy-500":
        six = [each.lower() for each in names]
        shown["given"]["seats"] = {seat: {"counters": {"score": 480}} for seat in six}
        shown["given"]["turn"]["active"] = six
        shown["names"] = dict(zip(six, names, strict=True))
        shown["when"][0]["by"] = six[0]
        shown["when"][1:] = [
            {"do": "answer", "prompt": f"rule-1:{seat}", "number": -n if n else 300, "by": seat}
            for seat, n in zip(six, (5, 0, 15, 20, 25, 300), strict=True)
        ]
        shown["then"] = {}
    address = host.played(shown)
    screen = big_screen(phone, host.page, f"{address}tv", 1920, 1080)

    screen.locator(".end h2:visible", has_text=winner).wait_for()
    assert [] == screen.evaluate(BEYOND)
    if ready == "rummy-500":
        places = screen.locator("#franziska\\.sum small").all_inner_texts()
        assert ["5th", "45"] == places, "and how many are left to 500"
        ahead = screen.locator(".latest li").first.inner_text()
        assert "?" not in ahead, "a question whose answer is told stays away"


# Of what is told, the part that lies over the score sheet.
OVER = """() => {
  const told = document.querySelector("#moment").getBoundingClientRect();
  const sheet = document.querySelector("#scores").getBoundingClientRect();
  return told.width > 0 && told.left < sheet.right && told.top < sheet.bottom;
}"""


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_what_is_told_leaves_the_score_sheet_in_sight(
    phone: Phones, running: Night, size: tuple[int, int]
) -> None:
    """Who is asked stands in the column alone, as long as they are."""
    host = Host(phone(), running.site)
    address = host.fresh("own-game", 2, ready="rummy-500")
    ana = host.open(address)
    screen = big_screen(phone, ana, f"{address}tv", *size)
    screen.wait_for_function(CONNECTED)
    host.give(do="begin-turn")
    screen.locator(".turn-waiting", has_text="Points of this deal?").wait_for()
    host.give(do="answer", prompt="rule-1:ana", number=50)
    host.give(do="answer", prompt="rule-1:ben", number=0)
    screen.locator(".latest li", has_text="Points of this deal?” 0").wait_for()
    assert 0 == screen.locator("#moment .moment").count()
    host.give(do="begin-turn")

    host.give(do="revise", prompt="rule-1:ana", round=1, number=60)

    screen.locator("#moment", has_text="corrected round 1").wait_for()
    assert not screen.evaluate(OVER)
    screen.locator(".latest li", has_text="started round 2").wait_for()
