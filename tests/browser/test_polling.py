"""A phone plays even where no socket opens, one dies without saying so, or the line is bad.

A line of 200 ms loses packets; a worse one is slow."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.cluster.distance import Distance
from tests.night import Night
from tests.types import Phones

from .tables import Host, join, start
from .test_two_phones import ANA, MINUS, PLUS, SETTLED, look_at, shows, taps

pytestmark = pytest.mark.browser

NO_SOCKETS = """
const Line = WebSocket;
window.WebSocket = class extends Line {
  constructor() { super("ws://127.0.0.1:9/"); }
};
"""
FIRST_HANGS = """
const Line = WebSocket;
let attempts = 0;
class Hung extends EventTarget {
  readyState = Line.CONNECTING;
  close() { this.readyState = Line.CLOSED; }
}
window.WebSocket = new Proxy(Line, {
  construct: (line, args) => (attempts++ ? new line(...args) : new Hung()),
});
"""


def test_taps_go_by_post_and_the_board_follows(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone(360, 740)
    ben.context.add_init_script(NO_SOCKETS)
    Host(ben, running.site).sit_down(start(ana, running.site), sockets=False)
    look_at(ben, "ana")

    taps(ben, PLUS, 3)
    shows(ana, ANA, "3")
    assert ben.wait_for_function(SETTLED)
    taps(ana, PLUS, 2)
    shows(ben, ANA, "5")


def test_a_connection_that_has_died_is_left_before_anyone_waits(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone(360, 740)
    opened: list[bool] = []

    def through(near: Any) -> None:
        far, number = near.connect_to_server(), len(opened)
        opened.append(True)
        near.on_message(lambda said: far.send(said) if opened[number] else None)
        far.on_message(lambda said: near.send(said) if opened[number] else None)

    ben.route_web_socket(re.compile("/ws"), through)
    Host(ben, running.site).sit_down(start(ana, running.site))
    look_at(ben, "ana")
    shows(ben, ANA, "0")

    opened[:] = [False] * len(opened)  # nothing comes any more, and nobody is told
    died, begun = len(opened), time.monotonic()
    taps(ben, PLUS, 2)
    shows(ana, ANA, "2")

    assert time.monotonic() - begun < 6, "without an answer for two seconds it connects again"
    assert died < len(opened)


def test_a_connection_attempt_without_an_answer_is_repeated(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone(360, 740)
    Host(ben, running.site).sit_down(start(ana, running.site))
    look_at(ben, "ana")
    ben.context.add_init_script(FIRST_HANGS)
    ben.reload()
    look_at(ben, "ana")

    taps(ben, PLUS, 2)
    shows(ana, ANA, "2")


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

    far.seconds = 0
    taps(ana, PLUS, 1)
    note.wait_for(state="hidden", timeout=BY_ITSELF)
