"""Two tabs of one phone at one table: each sends its own taps, and none is lost."""

from __future__ import annotations

from json import loads
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import start
from .test_installed import wait_until_kept
from .test_two_phones import ANA, PLUS, SETTLED, shows, taps

pytestmark = pytest.mark.browser

EMPTY = "() => !Object.keys(localStorage).some((key) => key.startsWith('outbox'))"
ACCEPTED = """() => {
  window.accepted = [];
  const note = ({detail}) => accepted.push(detail.command.id);
  document.addEventListener('table:accepted', note);
}"""


def note(page: Any) -> set[str]:
    """The ids of the commands that *page* sends from now on, by socket or by HTTP."""
    sent: set[str] = set()
    page.on(
        "websocket", lambda line: line.on("framesent", lambda sends: sent.add(loads(sends)["id"]))
    )
    return sent


def tab(first: Any) -> Any:
    """Another tab of that phone."""
    return first.context.new_page()


def come(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#board")
    page.wait_for_load_state()


@pytest.fixture
def one(phone: Phones, running: Night) -> Any:
    """The first tab, at a table of its own."""
    first = phone(worker=True)
    start(first, running.site)
    return first


def test_each_tab_sends_its_own_taps_once_over_a_reload(one: Any) -> None:
    other = tab(one)
    sent = [note(each) for each in (one, other)]
    for each in (one, other):
        come(each, one.url)
        wait_until_kept(each, "&amp;seat=ana")
    one.context.set_offline(True)
    taps(one, PLUS, 2)
    taps(other, PLUS, 3)

    one.reload()

    shows(one, ANA, "2")
    shows(other, ANA, "3")
    for each in (one, other):
        each.evaluate(ACCEPTED)
    one.context.set_offline(False)
    for each in (one, other):
        shows(each, ANA, "5")
        each.wait_for_function(SETTLED)
    other.wait_for_function(EMPTY)
    assert sent == [set(each.evaluate("accepted")) for each in (one, other)]
    assert [2, 3] == [len(ids) for ids in sent]


def test_a_tab_that_is_closed_hands_its_taps_over(one: Any) -> None:
    other = tab(one)
    come(other, one.url)
    wait_until_kept(other, "&amp;seat=ana")
    one.context.set_offline(True)
    other.reload()  # a line that was open when the network went may still carry a tap
    taps(one, PLUS, 2)
    taps(other, PLUS, 1)

    other.close()
    one.context.set_offline(False)

    shows(one, ANA, "3")
    one.wait_for_function(EMPTY)
    one.wait_for_function(SETTLED)


def test_a_phone_that_comes_back_sends_what_its_tabs_left(one: Any) -> None:
    other, address = tab(one), one.url
    come(other, address)
    one.context.set_offline(True)
    taps(one, PLUS, 2)
    taps(other, PLUS, 1)
    one.goto("about:blank")
    other.close()

    one.context.set_offline(False)
    third = tab(one)
    come(third, address)

    shows(third, ANA, "3")
    third.wait_for_function(EMPTY)
