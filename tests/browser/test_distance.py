"""A table whose phones are far away: a line of 200 ms that loses packets, and a worse one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest

from tests.cluster.distance import Distance
from tests.night import Night
from tests.types import Phones

from .tables import join, start
from .test_two_phones import ANA, MINUS, PLUS, SETTLED, look_at, shows, taps

pytestmark = pytest.mark.browser

Line = Callable[[float, float], Distance]
GONE = """() => {
  window.lost = 0;
  const banner = document.getElementById("connection");
  new MutationObserver(() => (window.lost += !banner.hidden)).observe(banner, { attributes: true });
}"""
BY_ITSELF = 20_000


@pytest.fixture
def line(running: Night) -> Iterator[Line]:
    """A line to the night: its seconds in each direction, and its loss."""
    lines: list[Distance] = []

    def led(seconds: float, loss: float) -> Distance:
        port = urlsplit(running.site).port or 0
        lines.append(Distance("127.0.0.1", port, seconds, loss=loss))
        return lines[-1]

    yield led
    for each in lines:
        each.close()


def test_taps_of_both_arrive_over_200_ms_and_two_per_cent_of_loss(
    phone: Phones, line: Line
) -> None:
    site = f"http://localhost:{line(0.1, 0.02).port}"
    ana, ben = phone(), phone(360, 740)
    join(ben, site, start(ana, site))
    look_at(ben, "ana")
    for player in (ana, ben):
        player.evaluate(GONE)

    for _round in range(5):
        taps(ana, PLUS, 6)
        taps(ben, MINUS, 2)

    for player in (ana, ben):
        assert player.wait_for_function(SETTLED)
        shows(player, ANA, "20")
        assert 0 == player.evaluate("window.lost"), "nobody reads that the connection is lost"


def test_a_slow_line_is_said_and_no_longer_once_it_is_quick(phone: Phones, line: Line) -> None:
    far = line(0.3, 0)
    ana = phone()
    start(ana, f"http://localhost:{far.port}")
    note = ana.locator("#far")
    assert not note.is_visible()

    for _tap in range(2):
        taps(ana, PLUS, 1)
        assert ana.wait_for_function(SETTLED)
    note.wait_for()
    assert ana.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ana.screenshot(path="/tmp/far.png")

    far.seconds = 0
    taps(ana, PLUS, 1)
    note.wait_for(state="hidden", timeout=BY_ITSELF)
