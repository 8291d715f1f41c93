"""Joining a table and keeping a seat, on several phones at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, join, start
from .test_axe import complaints
from .test_two_phones import ANA, PLUS, SETTLED, look_at, shows, taps

pytestmark = pytest.mark.browser

SLEEPS = """
const Line = WebSocket;
window.WebSocket = class extends Line {
  constructor(address) { super(window.asleep ? "ws://127.0.0.1:9/" : address); }
};
"""
HEARD = "window.felt = []; navigator.vibrate = (pattern) => felt.push(pattern)"


def seat(phone: Any) -> str:
    found: str = phone.locator("#live").get_attribute("data-seat")
    return found


def share(phone: Any) -> None:
    """Open the page with the table's link and code, from the menu."""
    phone.locator("[data-menu]").tap()
    phone.locator("#menu [href=share]").tap()
    phone.locator(".share-code").wait_for()


def sits(phone: Any, key: str) -> None:
    """Wait until the page of *phone* is that seat's; "" while it watches."""
    phone.wait_for_selector(f'#live[data-seat="{key}"]')
    phone.wait_for_load_state()


def seats(phone: Any) -> None:
    """Open the sheet of seats from the menu."""
    phone.locator("[data-menu]").tap()
    phone.locator('#menu [href="seats/"]').tap()
    phone.locator("#sheet-body .seat-choices").wait_for()


CONFIG = "htmx.find('#live')._htmx.ws.connection.config"
LINE = "htmx.find('#live')._htmx.ws.connection?.socket"


def sleep(phone: Any) -> None:
    """Drop the connection of *phone*, then its network; its page asks for SLEEPS."""
    phone.wait_for_function(f"() => {LINE}?.readyState === 1")
    phone.evaluate(f"asleep = true; {LINE}.close()")
    phone.wait_for_selector("#connection:not([hidden])")
    phone.context.set_offline(True)


def wake(phone: Any) -> None:
    phone.evaluate("asleep = false")
    phone.context.set_offline(False)


def line(phone: Any, name: str) -> Any:
    """The line of *name* in the open sheet of seats."""
    return phone.locator(".seat-choices li", has=phone.locator(".seat-name", has_text=name))


def as_host(phone: Any, name: str, button: str) -> None:
    seats(phone)
    line(phone, name).get_by_text("As host").tap()
    line(phone, name).get_by_role("button", name=button).tap()


def says_that_it_is(phone: Any, site: str, code: str, name: str) -> None:
    """A newcomer at a full table says in two taps whose phone it is."""
    Host(phone, site).enter(code)
    phone.get_by_role("link", name="Is one of these seats yours?").tap()
    line(phone, name).get_by_role("button", name="That’s my seat").tap()
    phone.locator(".is-waiting-there").wait_for()


def test_a_lost_phone_is_replaced_in_two_taps(phone: Phones, running: Night) -> None:
    ana, ben, new = phone(), phone(360, 740), phone()
    ana.context.add_init_script(HEARD)
    code = start(ana, running.site)
    join(ben, running.site, code)
    says_that_it_is(new, running.site, code, "Ben")
    ana.locator(".seat-request", has_text="A new phone says it’s Ben.").wait_for()
    ana.locator("#alarm", has_text=re.compile("^A new phone says it’s Ben.$")).wait_for(
        state="attached"
    )
    assert [[20, 80, 20, 80, 20]] == ana.evaluate("felt")

    ana.get_by_role("button", name="Let them in").tap()

    sits(new, "ben")
    assert not new.locator(".welcome").count(), "the seat has a name"
    sits(ben, "")
    ben.get_by_text("Another phone is playing as Ben now.").wait_for()
    look_at(new, "ana")
    taps(new, PLUS, 2)
    shows(ana, ANA, "2")
    assert 0 == ana.locator(".seat-request").count()


def test_a_question_stands_before_an_open_sheet(phone: Phones, running: Night) -> None:
    ana, ben, new = phone(), phone(), phone()
    code = start(ana, running.site)
    join(ben, running.site, code)
    ana.locator(".tools [href=log]").tap()
    ana.locator("#sheet[open]").wait_for()
    says_that_it_is(new, running.site, code, "Ben")

    ana.locator("#sheet").get_by_role("button", name="No", exact=True).tap()

    new.get_by_text("The table said no").wait_for()
    ana.locator(".knocks.is-copy").wait_for(state="detached")
    assert ("ben", "", True) == (seat(ben), seat(new), ana.locator("#sheet[open]").is_visible())


def test_a_question_can_be_taken_back(phone: Phones, running: Night) -> None:
    ana, ben, new = phone(), phone(), phone()
    code = start(ana, running.site)
    join(ben, running.site, code)
    says_that_it_is(new, running.site, code, "Ben")
    ana.locator(".seat-request").wait_for()

    new.get_by_role("button", name="Cancel").tap()

    ana.locator(".seat-request").wait_for(state="detached")


def test_the_next_seat_is_host_until_the_host_is_back(
    phone: Phones, night: Callable[..., Night], port: int
) -> None:
    running = night(port, COUNTERSITE_HOST_AWAY="2")
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site))
    address = ana.url
    ana.goto("about:blank")

    ben.locator(".new-host", has_text="Ben is the host until Ana is back.").wait_for(timeout=15_000)
    seats(ben)
    ben.get_by_role("button", name="Lock the table").tap()
    ben.locator(".locked").wait_for(state="attached")
    ana.goto(address)
    ben.locator(".new-host", has_text="Ana is the host now.").wait_for(state="attached")
    assert 0 == ana.get_by_role("button", name="Be host again").count()


def test_a_restart_hands_nothing_on(phone: Phones, night: Callable[..., Night], port: int) -> None:
    first = night(port, COUNTERSITE_HOST_AWAY="10")
    ana, ben = phone(), phone()
    join(ben, first.site, start(ana, first.site))
    first.kill()
    ben.wait_for_selector("#connection:not([hidden])")
    night(port, COUNTERSITE_HOST_AWAY="10").get("/readyz")
    for each in (ana, ben):
        each.wait_for_selector("#connection", state="hidden", timeout=20_000)
    ana.wait_for_timeout(4000)
    seats(ben)

    assert "host" in line(ben, "Ana").inner_text()


def test_the_host_hands_on_from_the_sheet_of_seats(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site))
    as_host(ana, "Ben", "Make Ben the host")

    ben.locator(".new-host", has_text="Ben is the host now.").wait_for()
    line(ana, "Ben").locator(".seat-badge").wait_for()
    assert 0 == ana.get_by_role("button", name="Lock the table").count()


def test_a_locked_table_is_asked(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    code = start(ana, running.site)
    seats(ana)
    ana.get_by_role("button", name="Lock the table").tap()
    ana.get_by_role("button", name="Unlock the table").wait_for()
    ana.keyboard.press("Escape")
    join(ben, running.site, code)
    ben.get_by_text("the table is locked").wait_for()
    ben.get_by_role("link", name="Ask for a seat").tap()
    ben.get_by_role("button", name="Ask for this seat").tap()
    ana.locator(".seat-request", has_text="Someone wants to sit down: Player 2.").wait_for()
    ana.get_by_role("button", name="Let them in").tap()

    sits(ben, "ben")
    ben.locator(".locked").wait_for()
    ben.get_by_label("What’s your name?").fill("Ben")
    ben.locator(".welcome").get_by_role("button", name="OK").tap()
    called(ana, "Ben")


def test_someone_sent_away_learns_it_and_must_ask_for_a_seat(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    code = start(ana, running.site)
    join(ben, running.site, code)
    as_host(ana, "Ben", "Free Ben’s seat")

    ben.get_by_text("The host has freed your seat").wait_for()
    join(ben, running.site, code)
    assert "" == seat(ben)
    ben.get_by_role("button", name="That’s my seat").tap()
    ana.keyboard.press("Escape")
    ana.get_by_role("button", name="Let them in").tap()
    sits(ben, "ben")


def test_a_phone_that_slept_while_it_was_sent_away_is_told_when_it_wakes(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone()
    ben.context.add_init_script(SLEEPS)
    join(ben, running.site, start(ana, running.site))
    sleep(ben)
    as_host(ana, "Ben", "Free Ben’s seat")
    line(ana, "Player 2").get_by_text("free").wait_for()

    wake(ben)

    ben.get_by_text("The host has freed your seat").wait_for()


def test_somebody_watches_and_sits_down_later(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site))
    seats(ben)
    ben.get_by_role("button", name="Just watch").tap()
    sits(ben, "")
    taps(ana, PLUS, 1)
    shows(ben, ANA, "1")
    line = ben.locator(".arrival").bounding_box()
    assert 844 == line["y"] + line["height"], "what it says stands in the cockpit’s place"
    ben.get_by_role("link", name="Take a seat").tap()
    ben.get_by_role("button", name="Sit down here").tap()

    sits(ben, "ben")


def test_a_new_link_lets_the_old_one_in_no_more(phone: Phones, running: Night) -> None:
    ana, ben, dan = phone(), phone(), phone()
    join(ben, running.site, start(ana, running.site))
    share(ana)
    old = ana.locator(".share-link a").first.get_attribute("href")
    ana.get_by_text("New links and code").tap()
    with ana.expect_navigation():
        ana.get_by_role("button", name="Make new ones").tap()
    new = ana.locator(".share-link a").first.get_attribute("href")
    tokens = [re.sub(r"^http://[^/]+", running.site, link) for link in (old, new)]
    dan.goto(tokens[0])
    dan.get_by_text("This link no longer works").wait_for()
    ben.goto(tokens[1])

    sits(ben, "ben")


def test_the_link_is_copied_where_the_browser_can(phone: Phones, running: Night) -> None:
    ana = phone()
    ana.context.grant_permissions(["clipboard-read", "clipboard-write"])
    start(ana, running.site)
    share(ana)
    ana.get_by_role("button", name="Copy the link").tap()
    ana.get_by_role("button", name="Copied").wait_for()

    assert ana.locator(".share-link a").first.get_attribute("href") == ana.evaluate(
        "navigator.clipboard.readText()"
    )


NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', {get: () => undefined})"


def test_no_button_promises_what_the_browser_cannot(phone: Phones, running: Night) -> None:
    ana = phone()
    ana.context.add_init_script(f"{NO_CLIPBOARD}; navigator.share = undefined")
    start(ana, running.site)
    share(ana)

    assert not ana.locator(".share-pass").is_visible()


# A name


def called(phone: Any, name: str) -> None:
    """Wait until Ben's seat has that name."""
    phone.locator("#s-ben h2", has_text=name).wait_for(state="attached")


def test_the_first_tap_on_the_board_takes_the_name_that_is_offered(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone()
    ben.context.add_init_script("localStorage.setItem('name', 'Benedikta')")
    join(ben, running.site, start(ana, running.site), named=False)
    own = PLUS.replace("ana", "ben")
    before = ben.locator(own).bounding_box()
    ben.locator(own).tap()

    shows(ana, ANA.replace("ana", "ben"), "1")
    called(ana, "Benedikta")
    assert before == ben.locator(own).bounding_box()  # nothing moves under the finger
    ben.locator(".welcome").wait_for(state="hidden")
    ben.reload()
    ben.wait_for_selector("#board")
    assert 0 == ben.locator(".welcome").count()


def test_a_name_is_kept_for_the_next_table(phone: Phones, running: Night) -> None:
    ana, ben, cleo = phone(), phone(), phone()
    join(ben, running.site, start(ana, running.site), named=False)
    assert "" == ben.get_by_label("What’s your name?").input_value()
    ben.get_by_label("What’s your name?").fill("Benno")
    ben.get_by_role("button", name="OK").tap()
    called(ana, "Benno")
    assert not ben.locator(".welcome").is_visible()
    assert ["Benno"] == ben.evaluate("JSON.parse(localStorage.getItem('names'))")
    ben.evaluate("localStorage.setItem('names', JSON.stringify(['Benno', 'Ana', 'Cleo']))")
    join(ben, running.site, start(cleo, running.site), named=False)

    assert "Benno" == ben.get_by_label("What’s your name?").input_value()
    ben.goto(f"{running.site}/new?rules=own-game&ready=hearts")
    chips = ben.locator(".known-names button")
    assert ["Benno", "Ana", "Cleo"] == chips.all_inner_texts()
    chips.last.tap()
    assert "Cleo" == ben.get_by_label("What’s your name?").input_value()


def test_an_empty_ok_is_an_answer_too(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site), named=False)
    ben.get_by_role("button", name="OK").tap()
    ben.locator(".welcome").wait_for(state="hidden")
    ben.reload()
    ben.wait_for_selector("#board")

    assert 0 == ben.locator(".welcome").count()
    called(ana, "Player 2")


def test_a_colour_is_chosen_with_one_tap_and_shown_everywhere(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site))
    ben.locator("#s-ben .seat-name").tap()
    ben.locator("#act-profile > summary").tap()
    ben.locator(".looks").get_by_role("button", name="teal").tap()
    ana.locator("#strip [data-choose=ben][data-colour='7']").wait_for()
    ben.locator("h2[data-colour='7']").wait_for()

    assert ben.locator(".looks").get_by_role("button", name="amber (Ana has it)").is_disabled()


# The connection


CLOSED = """(code) => {
  const socket = htmx.find('#live')._htmx.ws.connection.socket;
  const told = new CloseEvent('close', {code});
  socket.addEventListener('close', (event) => event.isTrusted && event.stopImmediatePropagation(), {capture: true});
  socket.close();
  socket.dispatchEvent(told);
}"""  # noqa: E501


def test_taps_without_a_network_outlive_a_reload_and_are_sent_once(
    phone: Phones, night: Callable[..., Night], port: int
) -> None:
    first = night(port)
    site = first.site
    ana, ben = phone(), phone()
    join(ben, site, start(ana, site))
    taps(ana, PLUS, 1)
    shows(ben, ANA, "1")
    address = ben.url
    first.kill()
    ben.wait_for_selector("#connection:not([hidden])")
    look_at(ben, "ana")
    taps(ben, PLUS, 3)
    assert "3" in ben.locator("#connection").inner_text()
    ben.goto("about:blank")
    night(port).get("/readyz")
    ben.goto(address)

    shows(ana, ANA, "4")
    shows(ben, ANA, "4")
    assert ben.wait_for_function(
        "() => !Object.keys(localStorage).some((key) => key.startsWith('outbox'))"
    )
    ben.reload()
    ben.wait_for_selector("#board")
    ben.wait_for_timeout(500)
    assert ["4", "4"] == [each.locator(ANA).inner_text() for each in (ana, ben)]


def test_a_phone_comes_back_at_once_with_its_network(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone()
    ben.context.add_init_script(SLEEPS)
    join(ben, running.site, start(ana, running.site))
    ben.evaluate(f"{CONFIG}.reconnectDelay = {CONFIG}.reconnectMaxDelay = 3_600_000")
    sleep(ben)
    look_at(ben, "ana")
    taps(ben, PLUS, 2)
    shows(ben, ANA, "2")
    wake(ben)

    ben.wait_for_selector("#connection", state="hidden", timeout=1500)
    shows(ana, ANA, "2")


def test_retries_are_capped_and_jittered(phone: Phones, running: Night) -> None:
    ana = phone()
    start(ana, running.site)
    line = ana.evaluate(CONFIG)

    assert (400, 3000, True) == (
        line["reconnectDelay"], line["reconnectMaxDelay"], line["reconnectJitter"] > 0,
    )  # fmt: skip
    assert {1000, 1006, 4511, 4512} <= set(line["reconnectCodes"])


@pytest.mark.parametrize("code", [1000, 1006, 3000])
def test_a_closed_connection_is_reopened_whatever_its_close_code(
    phone: Phones, running: Night, code: int
) -> None:
    ana = phone()
    start(ana, running.site)
    ana.evaluate(CLOSED, code)
    ana.evaluate("dispatchEvent(new Event('online'))")

    ana.wait_for_function(f"() => {LINE}?.readyState === 1")
    taps(ana, PLUS, 1)
    assert ana.wait_for_function(SETTLED)


# For everyone


def test_axe_finds_nothing_where_seats_are_taken_and_asked_for(
    phone: Phones, running: Night
) -> None:
    ana, ben, new = phone(), phone(), phone()
    for each in (ana, ben, new):
        each.emulate_media(reduced_motion="reduce")
    found: dict[str, list[str]] = {}
    code = start(ana, running.site)
    join(ben, running.site, code)
    found["welcome"] = complaints(ben)
    Host(new, running.site).enter(code)
    found["where to sit"] = complaints(new)
    new.get_by_role("link", name="Just watch").tap()
    new.get_by_role("link", name="Is one of them yours?").tap()
    line(new, "Ben").wait_for()
    found["seats, watching"] = complaints(new)
    line(new, "Ben").get_by_role("button", name="That’s my seat").tap()
    new.locator(".is-waiting-there").wait_for()
    found["waiting"] = complaints(new)
    ana.locator(".seat-request").wait_for()
    found["a question"] = complaints(ana)
    seats(ana)
    line(ana, "Ben").get_by_text("As host").tap()
    found["a question over the seats"] = complaints(ana)
    ana.get_by_role("button", name="Let them in").last.tap()
    ben.get_by_text("Another phone is playing").wait_for()
    found["handed on"] = complaints(ben)
    ana.goto(ana.url.partition("?")[0] + "share")
    for closed in ana.locator("details > summary").all():
        closed.tap()
    found["share"] = complaints(ana)

    assert {} == {page: said for page, said in found.items() if said}


def test_a_watcher_is_offered_nothing_to_add(phone: Phones, running: Night) -> None:
    host = Host(phone(), running.site)
    table = host.middle("any-game", 2)
    link = re.search(r'href="[^"]+(/w/[^"]+)"', host.web.get(f"{table}share").text())
    assert link
    watcher = phone(360, 640)
    watcher.goto(running.site + link[1])

    watcher.locator("#s-ana .places b:visible").first.wait_for()
    assert 0 == watcher.get_by_text("Add a counter").locator("visible=true").count()
    host.open(table).get_by_text("Add a counter").locator("visible=true").first.wait_for()


def test_a_name_that_this_phone_knows_sits_down_in_one_tap(phone: Phones, running: Night) -> None:
    host, ben = Host(phone(), running.site), phone(360, 640)
    address = host.fresh("own-game", 4, ready="rummy-500", name="Ana")
    host.open(address)
    ben.goto(running.site)
    ben.evaluate("localStorage.names = JSON.stringify(['Ana', 'Cleo', 'Ben'])")

    Host(ben, running.site).sit_down(host.code(address))
    chips = ben.locator(".welcome .chips button")
    assert ["Cleo", "Ben"] == chips.all_inner_texts(), "Ana sits there already"
    chips.last.tap()

    host.page.locator("#strip", has_text="Ben").wait_for()
    ben.locator(".welcome").wait_for(state="hidden")
    assert ["Ben", "Ana", "Cleo"] == ben.evaluate("JSON.parse(localStorage.names)")
