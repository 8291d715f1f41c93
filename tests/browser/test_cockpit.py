"""The numbers of the design, measured: positions on the page, never pictures.

What must be in sight, how big it is, what may move, how soon something is seen, and how many taps
the everyday acts take.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .fingers import Hand
from .tables import SEATS, Host
from .test_two_phones import shows

pytestmark = pytest.mark.browser
MEASURE = (Path(__file__).parent / "measures.js").read_text()
SIZES = ((390, 844), (360, 640), (844, 390), (820, 1180), (1280, 800))
TABLES = [(system, count) for system, counts in SEATS.items() for count in counts]

# Where something lies that must be in sight and uncovered; null if it is not.
SPOT = """([selector, across, down]) => {
  const each = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
  if (!each) return null;
  const box = each.getBoundingClientRect();
  const [x, y] = [box.left + box.width * across, box.top + box.height * down];
  const top = document.elementFromPoint(x, y);
  const moves = document.getAnimations().some(({effect}) =>
    effect.getComputedTiming().endTime < Infinity && effect.target?.contains(each));
  return !moves && top && (each.contains(top) || top.contains(each)) ? [x, y] : null;
}"""
PLACES = """() => ['[data-strip]', '[data-cockpit]', '[data-cockpit] .hero', '#undo', '#next']
  .map((each) => document.querySelector(each).getBoundingClientRect())
  .map(({x, y, width, height}) => [x, y, width, height])"""
TOP = "(row) => document.querySelector(row).getBoundingClientRect().top"
# Count the frames from when a message comes until what it tells is in sight. On a machine at work
# frames take longer than 16 ms, whatever the board does.
WATCH = """(selector) => {
  window.took = 0;
  let frames = 0, came = false;
  const note = () => (came = true);
  const message = "htmx:ws:before:message:incoming";
  document.addEventListener(message, note, {capture: true, once: true});
  const look = () => {
    const each = document.querySelector(selector);
    const box = each?.getBoundingClientRect();
    const top = box && document.elementFromPoint(box.left + 24, box.top + box.height / 2);
    const seen = top && each.contains(top) && box.top >= 0 && box.bottom <= innerHeight;
    if (came) frames += 1;
    if (seen) took = frames || 1;
    else requestAnimationFrame(look);
  };
  look();
}"""
TOOK = "() => window.took"
# Taps every 50 ms at one place of the screen.
FAST = """([x, y, times]) => new Promise((done) => {
  let left = times;
  const clock = setInterval(() => {
    const target = document.elementFromPoint(x, y);
    const facts = {bubbles: true, clientX: x, clientY: y, pointerId: 9, pointerType: "touch"};
    target.dispatchEvent(new PointerEvent("pointerdown", facts));
    target.dispatchEvent(new PointerEvent("pointerup", facts));
    if (--left) return;
    clearInterval(clock);
    done();
  }, 50);
})"""
WITHIN = 18
"""0.3 s in frames."""
LOSE = '[data-cockpit] .is-hero > [name="lose-life"]'


@pytest.fixture(scope="module")
def seated(seated: Callable[[int], list[Host]]) -> Callable[[int], list[Host]]:
    """The phones of this file want no motion."""

    def phones(count: int) -> list[Host]:
        for host in (hosts := seated(count)):
            host.page.emulate_media(reduced_motion="reduce")
        return hosts

    return phones


class Taps:
    """A finger that taps only what is in sight and stands still: it never scrolls."""

    def __init__(self, page: Any) -> None:
        self.page, self.hand = page, Hand(page)

    def __call__(self, selector: str, across: float = 0.5, down: float = 0.5) -> None:
        spot = self.page.wait_for_function(SPOT, arg=[selector, across, down])
        self.hand.tap(tuple(spot.json_value()))


# In sight


@pytest.mark.parametrize("when", ["fresh", "middle"])
@pytest.mark.parametrize(("system", "count"), TABLES)
def test_all_is_in_sight_and_of_its_size(
    seated: Callable[[int], list[Host]], system: str, count: int, when: str
) -> None:
    (host,) = seated(1)
    page = host.page
    make = host.fresh if when == "fresh" else host.middle
    page.goto(make(system, count))
    page.wait_for_function(
        "document.fonts.status === 'loaded' && document.querySelector('.is-chosen')"
    )

    wrong = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        asked = {"seats": count, "tall": height > 700, "upright": width < 600}
        if found := page.evaluate(MEASURE, asked):
            wrong[width, height] = found
    assert {} == wrong


# At rest


HOLES = """() => {
  const stage = document.getElementById("board").getBoundingClientRect();
  const parts = [...document.querySelectorAll("#board > *, #cockpit")]
    .filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect());
  const holes = [];
  for (let y = stage.top + 8; y < innerHeight; y += 16)
    for (let x = stage.left + 8; x < innerWidth - 16; x += 16)
      if (!parts.some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom))
        holes.push([x, y]);
  return holes;
}"""


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_a_wide_screen_has_no_hole(seated: Callable[[int], list[Host]], count: int) -> None:
    (ana,) = seated(1)
    page = ana.open(ana.middle("magic", count))
    for width, height in ((1280, 800), (820, 1180), (1440, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert [] == page.evaluate(HOLES), (width, height)


def test_the_end_of_the_log_stands_beside_the_seats(seated: Callable[[int], list[Host]]) -> None:
    ana, ben = seated(2)
    address = ana.middle("magic", 4)
    page = ana.open(address)
    assert 0 == page.locator("#table-log:visible").count()
    page.set_viewport_size({"width": 1280, "height": 800})
    log = page.locator("#table-log:visible")
    log.get_by_text("Nothing has happened yet.").wait_for()

    ben.join(address, ana)
    ben.give(do="lose-life", seat="ana", amount=3)

    line = log.locator("li")
    line.wait_for()
    assert ["B", "Ben:"] == line.inner_text().split()[:2]
    assert line.text_content().strip().endswith("Ana lost 3 life, 34 → 31")
    log.get_by_role("link", name="The whole log").click()
    page.locator("#sheet .log").wait_for()


def test_nothing_moves_when_something_comes_or_goes(seated: Callable[[int], list[Host]]) -> None:
    ana, ben = seated(2)
    address = ana.middle("magic", 4)
    ana.open(address)
    ben.join(address, ana)
    for n in range(6):
        ana.give(do="create", name=f"Bear {n}", types=["creature"], **{"as": f"bear-{n}"},
                 base={"power": 2, "toughness": 2}, zone="battlefield", owner="ana")  # fmt: skip
    page, row = ana.page, "#o-ana-5"
    page.locator("#o-bear-5").wait_for()
    page.evaluate("document.getElementById('board').scrollTop = 120")
    before, at = page.evaluate(PLACES), page.evaluate(TOP, row)
    moved: list[tuple[str, float]] = []

    def settled(what: str, shown: str, **command: Any) -> None:
        ben.give(**command)
        page.locator(shown).first.wait_for()
        by = page.evaluate(TOP, row) - at
        if page.evaluate(PLACES) != before or abs(by) > 0.5:
            moved.append((what, by))

    settled("a counter", '#o-ana-4 [data-kind="charge"] >> text=5',
            do="place", on="ana-4", counter="charge", amount=2)  # fmt: skip
    settled("a new kind of counter", '#o-ana-3 [data-kind="charge"]',
            do="place", on="ana-3", counter="charge", amount=1)  # fmt: skip
    settled("a card", "#o-late", do="create", **{"as": "late"}, name="Late", owner="ana",
            types=["artifact"], zone="battlefield")  # fmt: skip
    settled("damage", "[data-cockpit] .delta", do="lose-life", seat="ana", amount=3)
    settled("a moment", '#moment [data-moment="out"]', do="lose-life", seat="dan", amount=40)
    settled("a turn", "[data-cockpit]", do="begin-turn", active=["ana"])
    settled("a question", "#dock .prompt", do="begin-phase", phase="precombat-main")
    settled("an answer", "[data-cockpit]", do="gain-life", seat="ben", amount=1)
    ben.give(do="move", object="late", to="graveyard")
    page.locator("#o-late").wait_for(state="hidden")
    assert page.evaluate(PLACES) == before
    assert [] == moved


# Seen at once


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)])
def test_a_killed_active_or_asked_seat_sees_it_at_once(
    seated: Callable[[int], list[Host]], size: tuple[int, int]
) -> None:
    ana, ben = seated(2)
    address = ana.middle("magic", 4)
    ana.open(address)
    ben.join(address, ana)
    page = ben.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("document.getElementById('board').scrollTop = 9999")

    def seen(selector: str, **command: Any) -> int:
        page.evaluate(WATCH, selector)
        ana.give(**command)
        page.wait_for_function(TOOK)
        found: int = page.evaluate(TOOK)
        return found

    turn = seen('#moment [data-moment="turn"]', do="begin-turn", active=["ben"])
    ana.give(do="place", on="ben", counter="rad", amount=2)
    ana.give(do="begin-turn", active=["cleo"])
    ana.give(do="begin-turn", active=["ben"])
    asked = seen("#dock .prompt", do="begin-phase", phase="precombat-main")
    killed = seen('#moment [data-moment="out"]', do="lose-life", seat="ben", amount=99)

    assert max(turn, asked, killed) <= WITHIN, (turn, asked, killed)


def test_my_turn_is_told_before_a_question_to_someone_else(
    seated: Callable[[int], list[Host]],
) -> None:
    ana, ben = seated(2)
    address = ana.middle("magic", 4)
    ana.open(address)
    ben.join(address, ana)
    ana.give(do="place", on="ana", counter="rad", amount=1)
    ana.give(do="begin-turn", active=["ana"])
    ana.give(do="begin-phase", phase="precombat-main")
    ben.page.locator('#moment [data-moment="asked"]').wait_for()

    ana.give(do="answer", prompt="rad:ana", milled=4, nonland=1)
    ana.give(do="begin-turn", active=["ben"])

    ben.page.locator('#moment [data-moment="turn"]').wait_for(timeout=1500)


def test_over_an_open_sheet_a_moment_comes_from_above(seated: Callable[[int], list[Host]]) -> None:
    ana, ben = seated(2)
    address = ana.middle("magic", 4)
    page = ana.open(address)
    ben.join(address, ana)
    page.locator('.tools [href="log"]').tap()
    page.locator("#sheet[open] .log-pages").wait_for()
    ben.give(do="place", on="ana", counter="rad", amount=2)
    delta = page.locator('#strip [data-choose="ana"] .delta')
    assert "+2" == delta.inner_text().split()[-1]
    assert 1 == delta.locator('[data-kind="rad"]').count(), "+2 of what?"
    ben.give(do="lose-life", seat="dan", amount=40)
    moment = page.locator('#moment [data-moment="out"]')
    moment.wait_for()
    page.wait_for_timeout(200)

    box = moment.bounding_box()
    assert (0, 0, 390) == (box["x"], box["y"], box["width"])
    assert box["height"] <= 844 * 0.15


def test_who_changed_what_is_whole_in_the_narrowest_cell(
    seated: Callable[[int], list[Host]],
) -> None:
    ana, ben = seated(2)
    address = ana.middle("magic", 6)
    page = ana.open(address)
    page.set_viewport_size({"width": 360, "height": 640})
    ben.join(address, ana)
    ben.give(do="place", on="cleo", counter="energy", amount=11)
    delta = page.locator('#strip [data-choose="cleo"] .delta')
    delta.wait_for()

    cell, whole = delta.locator("xpath=ancestor::a").bounding_box(), delta.bounding_box()
    assert cell["x"] <= whole["x"]
    assert whole["x"] + whole["width"] <= cell["x"] + cell["width"]


SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) shifted += each.value;
  }).observe({ type: "layout-shift" });
}"""


@pytest.mark.parametrize("size", SIZES)
def test_moments_and_questions_shift_nothing(
    seated: Callable[[int], list[Host]], size: tuple[int, int]
) -> None:
    (ana,) = seated(1)
    page = ana.open(ana.fresh("magic", 4, preset="commander"))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(SHIFTS)
    ana.give(do="place", on="ana", counter="rad", amount=3)
    ana.give(do="begin-phase", phase="precombat-main")
    page.locator("#dock .prompt").wait_for()
    ana.give(do="lose-life", seat="dan", amount=60)
    page.locator('#moment [data-moment="out"]').wait_for()
    page.locator('#moment [data-moment="out"]').wait_for(state="detached")
    ana.give(do="day-night", to="night")
    ana.give(do="count-spells", seat="ana")
    page.locator('[data-cockpit] .sign[data-kind="spells_cast"]').wait_for()

    assert page.evaluate("shifted") < 0.02, (
        "whoever is out takes their signs along, and nothing else moves"
    )


EACH = """() => [...document.querySelectorAll('[data-cockpit] .places > li')]
  .map((each) => each.getBoundingClientRect()).flatMap(({ left, right }) => [left, right])
  .map(Math.round)"""


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)])
def test_all_signs_of_the_table_are_in_sight(
    seated: Callable[[int], list[Host]], size: tuple[int, int]
) -> None:
    (ana,) = seated(1)
    page = ana.open(ana.middle("magic", 4))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    before, each = page.evaluate(PLACES), page.evaluate(EACH)
    ana.give(do="day-night", to="night")
    ana.give(do="count-spells", seat="ana")
    page.locator('[data-cockpit] .sign[data-kind="night"]').wait_for()
    page.locator('[data-cockpit] .sign[data-kind="spells_cast"]').wait_for()
    ana.give(do="place", on="ana", counter="rad", amount=12)
    ana.give(do="mark", on="ana", mark="initiative")
    page.locator('[data-strip] [data-choose="ana"] [data-kind="initiative"]').wait_for(
        state="attached"
    )

    assert each == page.evaluate(EACH), "the places keep theirs"
    wide = "(row) => [row.scrollWidth <= row.clientWidth, row.offsetHeight]"
    assert [True, 44] == page.locator("[data-cockpit] .places").evaluate(wide)
    assert before == page.evaluate(PLACES)


# Few taps


@pytest.fixture
def commander(seated: Callable[[int], list[Host]]) -> tuple[Any, Taps]:
    """A game of Commander in its middle on the smallest phone, and a finger."""
    (ana,) = seated(1)
    page = ana.open(ana.middle("magic", 4))
    page.set_viewport_size({"width": 360, "height": 640})
    return page, Taps(page)


def test_seven_life_are_seven_taps_or_three_with_the_pad(commander: tuple[Any, Taps]) -> None:
    page, tap = commander
    for _ in range(7):
        tap(LOSE, 0.2)
    shows(page, '[id="ana.life"]', "27")

    tap('[id="ana.life"]')
    assert page.locator("#pad").evaluate("(pad) => pad.scrollHeight <= pad.clientHeight")
    tap('#pad [data-key="7"]')
    tap('#pad [data-pad-do="change"]')
    shows(page, '[id="ana.life"]', "20")


@pytest.mark.parametrize("other", ["ben", "cleo", "dan"])
def test_three_life_of_an_opponent_are_four_taps(commander: tuple[Any, Taps], other: str) -> None:
    page, tap = commander
    before = int(page.locator(f'[id="{other}.life"]').text_content())
    tap(f'[data-choose="{other}"]')
    for _ in range(3):
        tap(f'#s-{other} .is-hero > [name="lose-life"]', 0.2)

    shows(page, f'[id="{other}.life"]', str(before - 3))


ACTS: dict[str, tuple[list[str], str]] = {
    "commander damage": (
        [".is-tally a", '#sheet li[data-kind="ben-1"] > [name="dealt"]'],
        '[id="ana.life"] >> text=33',
    ),
    "poison": (
        ['[data-cockpit] .places [data-kind="poison"] b'], '[id="ana.poison"] >> text=3',
    ),
    "energy, twice": (
        ['[data-cockpit] .places [data-kind="energy"] b',
         '[data-cockpit] .places [data-kind="energy"] [name="more"]'],
        '[id="ana.energy"] >> text=2',
    ),
    "the monarch": (
        ['[data-cockpit] [data-kind="monarch"] button'],
        '[data-cockpit] [data-kind="monarch"] [aria-pressed="true"]',
    ),
    "the initiative": (
        ['[data-cockpit] [data-kind="table"] a', '#sheet [name="initiative"][value="ana"]'],
        '#sheet [name="initiative"][value="ana"][aria-pressed="true"]',
    ),
    "night": (
        ['[data-cockpit] [data-kind="table"] a', '#sheet [name="day-night"][value="night"]'],
        '#sheet [value="night"][aria-pressed="true"]',
    ),
    "the Ring": (
        ['[data-cockpit] [data-kind="table"] a', '#sheet form:has([value="tempt"]) button'],
        "#sheet h3 b >> text=1/4",
    ),
    "storm": (
        ['[data-cockpit] [data-kind="table"] a', '#sheet [name="spell"]'],
        '#sheet [data-of="ana.spells_cast"] >> text=1',
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", ACTS)
def test_an_everyday_act_is_at_most_three_taps(commander: tuple[Any, Taps], what: str) -> None:
    page, tap = commander
    selectors, done = ACTS[what]
    for selector in selectors:
        tap(selector)

    page.locator(done).first.wait_for(state="attached")


@pytest.mark.parametrize(
    ("system", "sort"), [("magic", "Creature"), ("grand-archive", "Ally"), ("yu-gi-oh", "Monster")]
)
def test_a_card_is_on_the_table_in_three_taps_without_a_keyboard(
    seated: Callable[[int], list[Host]], system: str, sort: str
) -> None:
    (ana,) = seated(1)
    page = ana.open(ana.fresh(system, 2))
    page.set_viewport_size({"width": 360, "height": 640})
    tap = Taps(page)
    tap(".seat.is-mine .add-card")
    page.locator("#new-card").wait_for()
    assert page.evaluate("!document.activeElement.matches('input, textarea')")
    tap("#new-card .is-main")

    page.locator(".seat.is-mine .card > a", has_text=sort).first.wait_for()


# Fast


def test_twenty_taps_a_second_on_three_phones_end_right(
    seated: Callable[[int], list[Host]],
) -> None:
    times = 20
    hosts = seated(3)
    address = hosts[0].fresh("magic", 3, preset="commander")
    hosts[0].open(address)
    for host in hosts[1:]:
        host.join(address, hosts[0])
    names = [host.page.locator("#live").get_attribute("data-seat") for host in hosts]
    before = [int(host.page.locator(f'[id="{name}.life"]').text_content())
              for host, name in zip(hosts, names, strict=True)]  # fmt: skip
    begin = (
        f"(given) => {{ window.done = false; ({FAST})(given).then(() => (window.done = true)); }}"
    )
    for host in hosts:
        x, y = host.page.evaluate(SPOT, [LOSE, 0.2, 0.5])
        host.page.evaluate(begin, [x, y, times])
    for host in hosts:
        host.page.wait_for_function("() => window.done", timeout=60_000)

    for host in hosts:
        for name, life in zip(names, before, strict=True):
            shows(host.page, f'[data-hero="{name}"]', str(life - times))
    for host in hosts:
        host.page.wait_for_function("() => !document.querySelector('.is-waiting')")
        for name, life in zip(names, before, strict=True):
            shows(host.page, f'[data-hero="{name}"]', str(life - times))
