"""A sheet shows what was asked for last, however late the server answers, if at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .tables import Host

pytestmark = pytest.mark.browser

HOLD = """() => {
  const real = window.fetch;
  const held = [];
  const done = [];
  window.fetch = (address, options) => {
    if (!/objects/.test(address)) return real(address, options);
    const answer = new Promise((go, fail) => {
      held.push(go);
      options.signal.addEventListener("abort", () => fail(options.signal.reason));
    }).then(() => real(address, options));
    done.push(answer.then((given) => given.clone().text()).catch(() => {}));
    return answer;
  };
  window.letGo = async () => {
    for (const go of held.splice(0)) go();
    await Promise.all(done.splice(0));
    for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
    await new Promise((go) => setTimeout(go));
  };
}"""
"""From now on the server answers a sheet about a card when `letGo` says so, and not before."""
OPEN = "() => document.querySelector('#sheet').open"
TITLE = "() => document.querySelector('#sheet-body h2 > span')?.firstChild.textContent.trim()"
TAP = """(name) => [...document.querySelectorAll('.card > a')]
  .find((each) => each.textContent.includes(name)).click()"""


@pytest.fixture
def ana(phone: Callable[..., Any], running: Night) -> Any:
    """Ana's phone, at a game with six cards."""
    host = Host(phone(), running.site)
    return host.open(host.middle("any-game", 2))


def tap(player: Any, card: str) -> None:
    """Tap the name of a card, wherever it is; a sheet may lie over it."""
    player.evaluate(TAP, card)


def test_a_sheet_that_is_closed_while_another_loads_stays_closed(ana: Any) -> None:
    tap(ana, "Rocket")
    ana.wait_for_function(OPEN)
    ana.evaluate(HOLD)
    tap(ana, "Probe")
    ana.keyboard.press("Escape")
    ana.evaluate("() => letGo()")

    assert not ana.evaluate(OPEN)
    tap(ana, "Probe")
    ana.evaluate("() => letGo()")
    assert (True, "Probe") == (ana.evaluate(OPEN), ana.evaluate(TITLE))


def test_of_several_taps_the_last_one_counts(ana: Any) -> None:
    ana.evaluate(HOLD)
    for card in ("Rocket", "Probe", "Lander"):
        tap(ana, card)
        assert not ana.evaluate(OPEN), "nothing is there to be shown"
    ana.evaluate("() => letGo()")

    assert (True, "Lander") == (ana.evaluate(OPEN), ana.evaluate(TITLE))


def test_what_comes_late_leaves_open_what_was_opened_meanwhile(ana: Any) -> None:
    ana.evaluate(HOLD)
    tap(ana, "Rocket")
    ana.locator("[data-menu]").first.tap()
    ana.evaluate("() => letGo()")

    assert ana.locator("#menu").is_visible()
    assert not ana.evaluate(OPEN)


def test_a_sheet_that_opens_in_place_of_a_closed_one_follows_the_table(
    ana: Any, running: Night
) -> None:
    tap(ana, "Rocket")
    ana.wait_for_function(OPEN)
    # In one turn of the browser's loop, which tells of the end of the first only after it.
    ana.evaluate(
        f"(name) => {{ document.querySelector('#sheet').close(); ({TAP})(name); }}", "Probe"
    )
    ana.wait_for_function(OPEN)
    Host(ana, running.site).give(do="place", on="ana-3", counter="heat", amount=1)

    ana.locator("#sheet-body [data-kind=heat] b", has_text="1").wait_for()


def test_without_an_answer_the_sheet_stays_as_it_was_and_says_why(ana: Any) -> None:
    ana.context.set_offline(True)
    tap(ana, "Rocket")

    refusal = ana.locator(".refusal.is-floating")
    refusal.wait_for()
    assert "Connection lost" in refusal.inner_text()
    assert not ana.evaluate(OPEN)
    ana.context.set_offline(False)
    tap(ana, "Rocket")
    ana.wait_for_function(OPEN)
