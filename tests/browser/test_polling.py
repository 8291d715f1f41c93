"""A phone plays even where no socket opens, or one dies without saying so."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, start
from .test_two_phones import ANA, PLUS, SETTLED, look_at, shows, taps

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
