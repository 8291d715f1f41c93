"""A sheet shows what was asked for last, if anything; a form's refusal stands in that form."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, start

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
def ana(phone: Phones, running: Night) -> Any:
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


def test_the_last_of_several_taps_counts(ana: Any) -> None:
    ana.evaluate(HOLD)
    for card in ("Rocket", "Probe", "Lander"):
        tap(ana, card)
        assert not ana.evaluate(OPEN), "nothing is there to be shown"
    ana.evaluate("() => letGo()")

    assert (True, "Lander") == (ana.evaluate(OPEN), ana.evaluate(TITLE))


def test_a_late_answer_leaves_open_a_sheet_opened_meanwhile(ana: Any) -> None:
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


def test_a_sheet_that_is_closed_and_opened_at_once_keeps_what_it_shows(ana: Any) -> None:
    tap(ana, "Rocket")
    ana.wait_for_function(OPEN)
    said = ana.evaluate(
        """async () => {
          const sheet = document.getElementById("sheet");
          const closed = new Promise((go) => sheet.addEventListener("close", go, { once: true }));
          sheet.close();
          document.querySelector("[data-read-aloud]").click();
          await closed;
          return sheet.querySelector(".in-words")?.textContent;
        }"""
    )

    assert said
    assert "Rocket" in said


def test_without_an_answer_the_sheet_stays_as_it_was_and_says_why(ana: Any) -> None:
    ana.context.set_offline(True)
    tap(ana, "Rocket")

    refusal = ana.locator(".refusal.is-floating")
    refusal.wait_for()
    assert "That needs the connection." == refusal.inner_text()
    assert not ana.evaluate(OPEN)
    ana.context.set_offline(False)
    tap(ana, "Rocket")
    ana.wait_for_function(OPEN)


def test_a_refusal_for_want_of_the_connection_goes_once_it_is_back(ana: Any) -> None:
    ana.context.set_offline(True)
    ana.evaluate("() => document.getElementById('live')._htmx.ws.connection.socket.close()")
    ana.get_by_role("link", name="Add", exact=True).first.tap()
    refusal = ana.locator(".refusal.is-floating", has_text="That needs the connection.")
    refusal.wait_for()

    ana.context.set_offline(False)
    refusal.wait_for(state="detached", timeout=6500)


def test_a_seats_sheet_opens_at_its_top_with_its_numbers_and_concede(
    phone: Phones, running: Night
) -> None:
    ana = phone()
    host = Host(ana, running.site)
    host.open(host.middle("magic", 4))
    host.give(do="standing", **{"as": "double"}, seat="ana", name="Emblem", times=2)
    ana.locator("#s-ana .seat-name").tap()
    ana.wait_for_function(OPEN)
    ana.locator("#sheet .sheet-becomes").first.wait_for()
    ana.wait_for_timeout(500)  # what its forms ask the server has come

    assert 0 == ana.evaluate("document.querySelector('#sheet').scrollTop")
    for part in (".steppers", "summary:has-text('Concede')"):
        box = ana.locator(f"#sheet {part}").first.bounding_box()
        assert box["y"] + box["height"] <= 844, part
    assert not ana.locator("#sheet [name=colour]").first.is_visible()
    ana.get_by_text("Name, colour and shape").tap()
    assert ana.locator("#sheet [name=colour]").first.is_visible()


def test_another_counter_of_a_game_without_rules_comes_first(phone: Phones, running: Night) -> None:
    ana = phone(360, 640)
    start(ana, running.site, "any-game", name="")
    ana.get_by_role("link", name="Add a counter").tap()
    form = ana.locator("#sheet #act-place")
    form.wait_for()

    box = form.bounding_box()
    assert box["y"] + box["height"] <= 640, "in sight without scrolling"
    form.locator(".chip", has_text="coins").tap()
    ana.locator("[id='ana.coins']").wait_for(state="attached")


def test_back_closes_what_lies_over_the_table(phone: Phones, running: Night) -> None:
    ana = phone()
    start(ana, running.site, "magic")
    table = ana.url
    length = ana.evaluate("history.length")
    ana.locator(".tools [href=log]").tap()
    ana.wait_for_function(OPEN)
    ana.wait_for_function("() => history.state?.over")
    ana.evaluate("history.back()")
    ana.locator("#sheet").wait_for(state="hidden")
    assert table == ana.url

    # However it is closed, and whatever came after it, there is one entry, and then none.
    ana.locator("[data-menu]").first.tap()
    ana.locator("#menu").get_by_role("link", name="Notes").tap()
    ana.wait_for_function(OPEN)
    assert length + 1 == ana.evaluate("history.length")
    ana.locator("#sheet [data-close]").tap()
    ana.wait_for_function("() => !history.state?.over")
    assert table == ana.url

    ana.locator(".tools [href=log]").tap()
    ana.wait_for_function("() => history.state?.over")
    ana.reload()
    ana.wait_for_function("() => !history.state?.over")
    assert table == ana.url


def test_the_heading_of_a_whole_page_scrolls_away_with_it(phone: Phones, running: Night) -> None:
    host = Host(phone(), running.site)
    host.page.goto(f"{host.fresh('grand-archive', 2)}keep")
    heading, first = host.page.locator("h2").first, host.page.locator(".section").first
    host.page.mouse.wheel(0, 150)
    host.page.wait_for_function("() => scrollY > 100")
    box, below = heading.bounding_box(), first.bounding_box()

    assert box["y"] + box["height"] <= below["y"]


def test_the_tiles_stay_where_they_are_when_the_last_counter_goes(ana: Any) -> None:
    tap(ana, "Rocket")
    ana.wait_for_function(OPEN)
    kinds = "es => es.map((e) => e.dataset.kind)"
    tiles = ana.locator("#sheet-body > .tiles > li[data-kind]")
    before = tiles.evaluate_all(kinds)
    with ana.expect_response(lambda answer: "kept=fuel" in answer.url):
        for _ in range(4):
            tiles.first.locator("button").first.tap()

    tiles.first.locator("b", has_text="0").wait_for()
    ana.wait_for_timeout(600)
    assert "fuel" == before[0]
    assert before == tiles.evaluate_all(kinds)


REFUSED = '<span class="refusal" role="alert">Wait a minute.</span>'


def refuses(page: Any, path: str) -> None:
    """The server answers every POST to *path* as it does when too much comes from one network."""
    page.route(
        f"**/{path}",
        lambda route: (
            route.fulfill(status=429, body=REFUSED, headers={"HX-Retarget": "find .refusal"})
            if route.request.method == "POST"
            else route.continue_()
        ),
    )


def test_a_refused_name_is_said_below_the_field_and_stays_in_it(
    phone: Phones, running: Night
) -> None:
    ben = phone()
    ben.goto(f"{running.site}/")
    Host(ben, running.site).sit_down(start(phone(), running.site))
    refuses(ben, "name")

    ben.get_by_label("What’s your name?").fill("Ben")
    ben.locator(".welcome button").tap()

    ben.locator(".welcome p.refusal", has_text="Wait a minute.").wait_for()
    assert "Ben" == ben.get_by_label("What’s your name?").input_value()


def test_a_refused_seat_is_said_on_the_sheet_and_the_board_stays(
    phone: Phones, running: Night
) -> None:
    ben = phone()
    Host(ben, running.site).sit_down(start(phone(), running.site))
    ben.locator("[data-menu]").tap()
    ben.locator('#menu [href="seats/"]').tap()
    ben.get_by_role("button", name="Just watch").tap()
    ben.wait_for_selector('#live[data-seat=""]')
    refuses(ben, "seats/*/claim")
    before = ben.url

    ben.get_by_role("link", name="Take a seat").tap()
    ben.get_by_role("button", name="Sit down here").first.tap()

    ben.locator("#sheet p.refusal", has_text="Wait a minute.").wait_for()
    assert before == ben.url


def test_a_form_without_a_place_for_it_shows_its_refusal_where_it_is(
    phone: Phones, running: Night
) -> None:
    ben = phone()
    Host(ben, running.site).sit_down(start(phone(), running.site))
    ben.locator(".welcome .refusal").evaluate("each => each.remove()")
    ben.locator(".welcome").evaluate("each => each.setAttribute('hx-target', 'this')")
    ben.route("**/name", lambda route: route.fulfill(status=429, body=REFUSED))

    ben.get_by_label("What’s your name?").fill("Ben")
    ben.locator(".welcome button").tap()

    ben.locator(".refusal.is-floating", has_text="Wait a minute.").wait_for()


def test_the_way_out_stays_where_it_is_while_others_play(phone: Phones, running: Night) -> None:
    host = Host(phone(), running.site)
    ana = host.open(host.fresh("magic", 2))
    host.give(do="lose-life", seat="ben", amount=1)
    ana.locator(".tools [href=log]").tap()
    lines = ana.locator("#sheet .log > li")
    lines.first.wait_for()
    out = ana.locator("#sheet [data-close]")
    out.tap(trial=True)  # it stands still
    before = out.bounding_box()
    host.give(do="lose-life", seat="ana", amount=1)
    lines.nth(1).wait_for()

    assert before == out.bounding_box()
    out.tap()
    ana.locator("#sheet").wait_for(state="hidden")
