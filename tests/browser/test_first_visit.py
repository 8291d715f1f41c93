"""The first visit of a board: what it loads, how soon a tap counts, and that nothing jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from games.store.demos import demos
from tests.night import Night
from tests.types import Phones

from .fingers import Hand
from .tables import CONNECTED, Host

pytestmark = pytest.mark.browser

REQUESTS = 15
BYTES = 146_500
READY = 2.5
"""Seconds on a phone of 2020 at 1.6 Mbit/s."""
LATE = 2 * READY
"""A machine that runs tests may take twice as long."""
SHIFT = 0.01
TAPS = 20
SLOW = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
HERO = """(() => {
  const stepper = document.querySelector('[data-cockpit] .hero');
  const buttons = stepper?.querySelectorAll('button[form="t"]') ?? [];
  return { number: stepper?.querySelector('b'), more: [...buttons].at(-1) };
})()"""
"""My main number, and what adds to it."""
SPOT = """(() => {
  if (window.leaving) return null;
  const more = [...document.querySelectorAll('[data-cockpit] .hero button[form="t"]')].at(-1);
  const box = more?.getBoundingClientRect();
  const at = box && [box.left + box.width * 0.8, box.top + box.height / 2];
  return at && document.elementFromPoint(...at) === more ? at : null;
})()"""
"""The point to tap, once it is in sight; before the style sheet has come it lies elsewhere. None
while a tap without scripts leads to the next page."""
COUNTS = """
addEventListener("click", ({ target }) => {
  if (target.closest('[data-cockpit] .hero button[form="t"]'))
    sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1;
}, { capture: true });
addEventListener("submit", (event) => (window.leaving = !event.defaultPrevented));
"""
"""Counts the taps that have reached the number, on this page and those that it leads to."""
TAPPED = "(before) => Number(sessionStorage.taps ?? 0) > before"

WATCH = f"""
window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => ({{
  value: entry.value,
  of: entry.sources.map(({{ node }}) => node?.id || node?.className || node?.nodeName).join(),
}})))).observe({{ type: 'layout-shift', buffered: true }});
addEventListener('submit', (event) => event.preventDefault()); // a tap before the scripts
let first = null;
const trying = setInterval(() => {{
  const {{ number, more }} = {HERO};
  if (!more) return;
  first ??= number.textContent;
  if (number.textContent === first) more.click();
  if (number.textContent === first) return;
  window.ready = performance.now() / 1000;
  clearInterval(trying);
}}, 50);
"""
"""Taps until one counts, and says when that was; keeps every shift of the layout."""


@pytest.fixture
def first_visit(chromium: Any) -> Iterator[Any]:
    """A page of a phone that has never been here, slow if asked; errors on it fail the test.

    eager: the test taps by itself, and the page's own forms go where they lead.
    """
    complaints: list[str] = []
    contexts: list[Any] = []

    def new(*, slow: bool, eager: bool = False) -> tuple[Any, dict[str, str], dict[str, float]]:
        context = chromium.new_context(
            viewport={"width": 390, "height": 844},
            has_touch=True,
            is_mobile=True,
            service_workers="block",
        )
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(COUNTS if eager else WATCH)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        asked: dict[str, str] = {}
        sizes: dict[str, float] = {}
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")

        def begun(event: Any) -> None:
            if event["request"]["url"].startswith("http"):
                asked[f"{event['requestId']} {'redirectResponse' in event}"] = event["request"][
                    "url"
                ]

        def ended(event: Any) -> None:
            sizes[event["requestId"]] = event["encodedDataLength"]

        wire.on("Network.requestWillBeSent", begun)
        wire.on("Network.loadingFinished", ended)
        if slow:
            wire.send("Network.emulateNetworkConditions", SLOW)
            wire.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        return page, asked, sizes

    yield new
    for context in contexts:
        context.close()
    assert [] == complaints


def settle(page: Any) -> None:
    """Wait until a tap has counted and everything is loaded."""
    page.wait_for_function("() => window.ready", timeout=60_000)
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("system", sorted({demo["system"] for demo in demos()}))
def test_a_first_visit_asks_for_little(
    first_visit: Callable[..., Any], running: Night, system: str
) -> None:
    page, asked, sizes = first_visit(slow=False)
    page.goto(running.demo(system))
    page.wait_for_load_state("networkidle")
    if page.locator("[data-cockpit] .hero button").count():
        settle(page)

    assert len(asked) <= REQUESTS, "\n".join(asked.values())
    assert 50_000 < sum(sizes.values()) < BYTES


@pytest.mark.parametrize("page_of_the_game", ["flat", "tv", "log", "share", "objects/hydra"])
def test_other_pages_run_without_an_error(
    first_visit: Callable[..., Any], running: Night, page_of_the_game: str
) -> None:
    page, asked, _sizes = first_visit(slow=False)
    page.goto(running.demo("magic"), wait_until="networkidle")  # its icon comes last
    asked.clear()
    answer = page.goto(page.url.split("?")[0] + page_of_the_game, wait_until="networkidle")

    assert 200 == answer.status
    assert len(asked) <= REQUESTS, "\n".join(asked.values())


def test_a_tap_counts_soon_on_a_slow_phone(first_visit: Callable[..., Any], running: Night) -> None:
    first_visit(slow=False)[0].goto(running.demo("magic"))  # the server has done it before
    took: list[float] = []
    while len(took) < 6 and min(took, default=LATE) >= LATE:  # the machine may be busy meanwhile
        page, _asked, _sizes = first_visit(slow=True)
        page.goto(running.demo("magic"), wait_until="commit")
        settle(page)
        took.append(page.evaluate("window.ready"))
        page.close()

    assert min(took) < LATE, took


@pytest.mark.parametrize(("system", "slow"), [("grand-archive", True), ("magic", False)])
def test_an_eager_finger_loses_no_tap(
    first_visit: Callable[..., Any], running: Night, system: str, slow: bool
) -> None:
    """It taps from the first moment at which there is something to tap, scripts or not."""
    from playwright.sync_api import Error, expect

    page, _asked, _sizes = first_visit(slow=slow, eager=True)
    address = Host(page, running.site).fresh(system, 2)
    hand = Hand(page)
    page.goto(address, wait_until="commit")
    taps = 0
    while taps < 5:
        with suppress(Error):  # the tap before has just led to a new page
            if at := page.evaluate(SPOT):
                hand.tap(at)
                page.wait_for_function(TAPPED, arg=taps, timeout=2000)
            taps = page.evaluate("() => Number(sessionStorage.taps ?? 0)")
    number = page.locator("#strip [data-hero=ana]")
    total = str({"grand-archive": 0, "magic": 40}[system] + taps)

    expect(number).to_have_text(total, timeout=30_000)
    page.wait_for_function(CONNECTED)
    page.wait_for_function("() => !document.querySelector('.is-waiting')")
    page.reload()
    expect(number).to_have_text(total)


def test_nothing_jumps(first_visit: Callable[..., Any], running: Night) -> None:
    page, _asked, _sizes = first_visit(slow=True)
    page.goto(running.demo("magic"), wait_until="commit")
    settle(page)
    for _ in range(TAPS):
        page.evaluate(f"{HERO}.more.click()")
        page.wait_for_timeout(60)
    page.wait_for_timeout(1500)
    shifts = page.evaluate("window.shifts")

    assert sum(shift["value"] for shift in shifts) < SHIFT, shifts


def test_a_crowd_at_the_door_is_one_question_at_a_time(phone: Phones, running: Night) -> None:
    """It never covers the board, and a tap on one that was answered does not answer the next."""
    ana = phone(360, 640)
    host = Host(ana, running.site)
    address = host.fresh("any-game", 2)
    host.open(address)
    code, path = host.code(address), address.removeprefix(running.site)
    for _ in range(3):
        asks = Host(phone(), running.site)
        asks._post("/code", at="/", code=code)
        asks._post(f"{path}seats/ana/request", at=f"{path}seats/")
    request = ana.locator("#sidebar .seat-request:visible")
    more = request.get_by_text("2 more are asking.")
    more.wait_for()
    ana.wait_for_timeout(600)  # until the last one that came has been read

    assert 1 == request.count()
    assert ana.locator(".seat-requests").bounding_box()["height"] < 130
    ana.evaluate(
        """() => {
          const no = () => [...document.querySelectorAll('#sidebar .seat-request [value="no"]')]
            .find((each) => each.checkVisibility());
          const first = no();
          first.click();
          const again = setInterval(() => {
            if (no() === first) return;
            no().click();
            clearInterval(again);
          }, 10);
        }"""
    )
    request.get_by_text("1 more is asking.").wait_for()
    ana.wait_for_timeout(600)
    request.get_by_role("button", name="No to all").tap()
    request.wait_for(state="detached")
