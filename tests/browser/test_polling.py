"""A phone plays even where no socket opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .tables import Host, start
from .test_two_phones import ANA, PLUS, SETTLED, look_at, shows, taps

pytestmark = pytest.mark.browser

NO_SOCKETS = """
const Line = WebSocket;
window.WebSocket = class extends Line {
  constructor() { super("ws://127.0.0.1:9/"); }
};
"""


def test_taps_go_by_post_and_the_board_follows(phone: Callable[..., Any], running: Night) -> None:
    ana, ben = phone(), phone(360, 740)
    ben.context.add_init_script(NO_SOCKETS)
    Host(ben, running.site).sit_down(start(ana, running.site), sockets=False)
    look_at(ben, "ana")

    taps(ben, PLUS, 3)
    shows(ana, ANA, "3")
    assert ben.wait_for_function(SETTLED)
    taps(ana, PLUS, 2)
    shows(ben, ANA, "5")
