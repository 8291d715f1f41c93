"""Dice and the clock on two phones: each sees at once what the other does."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import join, start

pytestmark = pytest.mark.browser


def seated(phone: Phones, site: str) -> tuple[Any, Any]:
    """Ana and Ben at a table of any game."""
    ana, ben = phone(), phone(360, 740)
    join(ben, site, start(ana, site, "any-game", 2))
    return ana, ben


def seconds(phone: Any) -> int:
    """The clock's text, in seconds."""
    minutes, rest = phone.locator("#clock [data-time='']").inner_text().split(":")
    return int(minutes) * 60 + int(rest)


def test_a_throw_is_seen_on_the_other_phone_and_gone_again(phone: Phones, running: Night) -> None:
    ana, ben = seated(phone, running.site)

    ana.get_by_role("link", name="Dice").tap()
    sheet = ana.locator("#sheet")
    sheet.get_by_role("radiogroup").get_by_text("2", exact=True).tap()
    sheet.get_by_role("button", name="d6", exact=True).tap()

    banner = re.compile(r"Ana rolled 2d6: [1-6] \+ [1-6] = \d+")
    toast = ben.locator(".chance-result", has_text=banner)
    toast.wait_for()
    ben.locator("#announcement", has_text=banner).wait_for(state="attached")
    ana.locator(".chance-result", has_text=banner).wait_for()
    assert ben.locator(".chance-result").inner_text() == ana.locator(".chance-result").inner_text()
    toast.wait_for(state="detached", timeout=8_000)
    assert ben.locator("#undo").is_visible()


def test_the_countdown_is_the_same_after_a_pause_and_a_reload(
    phone: Phones, running: Night
) -> None:
    ana, ben = seated(phone, running.site)
    assert ben.locator("#clock").count() == 0
    ana.get_by_role("link", name="Dice").tap()
    ana.locator("#sheet").get_by_role("button", name=re.compile(r"^50\b")).tap()
    ben.locator("#clock").wait_for()
    ben.wait_for_function(
        "() => /^49:5/.test(document.querySelector(\"#clock [data-time='']\").textContent)"
    )
    assert abs(seconds(ana) - seconds(ben)) <= 1

    ana.locator("#sheet").get_by_role("button", name="Pause").tap()
    for each in (ana, ben):
        each.locator("#clock.is-paused").wait_for()
    stood = seconds(ben)
    ben.wait_for_timeout(1_500)
    assert seconds(ben) == stood == seconds(ana)

    ben.reload()
    ben.locator("#clock.is-paused").wait_for()
    assert seconds(ben) == stood
    ben.locator("#clock a").tap()
    ben.locator("#sheet").get_by_role("button", name="Resume").tap()
    for each in (ana, ben):
        each.locator("#clock:not(.is-paused)").wait_for()
        each.wait_for_function(
            "([time, stood]) => !document.querySelector(time).textContent.endsWith(stood)",
            arg=["#clock [data-time='']", f"{stood % 60:02}"],
        )
    assert abs(seconds(ana) - seconds(ben)) <= 1


def test_the_end_of_a_round_is_said_once_on_every_phone(phone: Phones, running: Night) -> None:
    ana, ben = seated(phone, running.site)
    ana.get_by_role("link", name="Dice").tap()
    ana.locator("#sheet").get_by_label("Minutes").fill("1")
    ana.locator("#sheet").get_by_role("button", name="Start").tap()
    for each in (ana, ben):
        each.locator("#clock").wait_for()
        # A phone whose own clock is wrong, and jumps to the end of the round.
        each.evaluate(
            """() => {
              const now = Date.now;
              const from = now();
              Date.now = () => now() + (now() - from) * 40;
            }"""
        )
        over = re.compile(r"^(0:00|\+)")
        each.locator("#clock.is-over [data-time='']", has_text=over).wait_for(timeout=15_000)
        each.locator("#alarm", has_text="The round is over.").wait_for(state="attached")

    ben.reload()
    ben.locator("#clock:not(.is-over)").wait_for()
    assert ben.locator("#alarm").inner_text() == ""


def test_a_phone_whose_own_clock_is_wrong_counts_as_the_others_do(
    phone: Phones, running: Night
) -> None:
    ana, ben = seated(phone, running.site)
    ben.context.add_init_script("const now = Date.now; Date.now = () => now() + 3_600_000;")
    ben.reload()
    ana.get_by_role("link", name="Dice").tap()
    ana.locator("#sheet").get_by_role("button", name=re.compile(r"^30\b")).tap()
    for each in (ana, ben):
        each.locator("#clock", has_text="29:5").wait_for()

    assert abs(seconds(ana) - seconds(ben)) <= 1
    assert 1_790 <= seconds(ben) < 1_800


def test_a_note_is_on_the_other_phones_list_until_it_is_struck_off(
    phone: Phones, running: Night
) -> None:
    ana, ben = seated(phone, running.site)
    for each in (ana, ben):
        each.get_by_role("link", name="Dice").tap()
        each.locator("#sheet").get_by_role("link", name="Notes").tap()
        each.get_by_label("A new note").wait_for()

    ana.get_by_label("A new note").fill("Ben owes a coin")
    ana.get_by_role("button", name="Add to the list").tap()
    ben.locator(".notes li", has_text="Ben owes a coin").wait_for()
    ana.get_by_label("A new note").fill("Said once")
    ana.get_by_role("button", name="Only log it").tap()
    ana.wait_for_function("() => !document.querySelector('#sheet [name=text]').value")
    ben.get_by_role("button", name="Cross off").tap()

    ana.locator(".notes").wait_for(state="detached")
    ana.locator("#sheet").get_by_role("button", name="Close").tap()
    ana.get_by_role("link", name="Log").tap()
    log = ana.locator(".log").inner_text()
    assert log.index("crossed off: Ben owes a coin") < log.index("noted: Said once")


def test_a_drawn_seat_begins_and_is_taken_back_with_one_undo(phone: Phones, running: Night) -> None:
    ana, ben = seated(phone, running.site)
    ben.locator(".phase-word", has_text="Ana’s turn").wait_for()
    ana.get_by_role("link", name="Dice").tap()
    ana.locator("#sheet").get_by_text("Other dice, or rolled by hand").tap()
    form = ana.locator("#sheet form", has_text="A player picked at the table")
    form.get_by_label("and start their turn").tap()
    form.get_by_role("button", name="Ben").tap()

    ben.locator(".phase-word", has_text="Ben’s turn").wait_for()
    ben.locator("#moment .moment-says", has_text="You start").wait_for()
    ana.locator("#sheet").get_by_role("button", name="Close").tap()
    ana.locator("#undo").tap()
    ben.locator(".phase-word", has_text="Ana’s turn").wait_for()


def test_two_taps_throw_once_and_no_answer_is_told_in_the_form(
    phone: Phones, running: Night
) -> None:
    ana, ben = seated(phone, running.site)
    posted: list[str] = []
    ana.on("request", lambda asked: posted.append(asked.url) if asked.method == "POST" else None)
    ana.get_by_role("link", name="Dice").tap()
    sheet = ana.locator("#sheet")
    sheet.get_by_role("button", name="d6", exact=True).dblclick()
    ben.locator(".chance-result").wait_for()
    assert 1 == len([each for each in posted if each.endswith("/throw")])

    ana.context.set_offline(True)
    sheet.get_by_role("button", name="Toss a coin").tap()
    told = sheet.locator("form[action$=toss] .refusal", has_text="Connection lost")
    told.wait_for()
    ana.context.set_offline(False)
    sheet.get_by_role("button", name="Toss a coin").tap()
    ben.locator(".chance-result", has_text=re.compile("heads|tails")).wait_for()
    assert "" == sheet.locator("form[action$=toss] .refusal").inner_text()


def test_a_form_that_was_not_sent_outlives_its_page(phone: Phones, running: Night) -> None:
    ana, ben = seated(phone, running.site)
    address = ana.url
    ana.route_web_socket(re.compile("/ws"), lambda line: None)  # it opens, and carries nothing
    ana.reload()
    ana.locator(".add-card:visible").first.tap()
    form = ana.locator("#new-card")
    form.locator("[name=name]").fill("Señal de luz")
    form.locator("[data-add-card]").tap()
    ana.wait_for_function("Object.keys(localStorage).some((key) => key.startsWith('outbox'))")
    ana.goto("about:blank")

    ana.context.new_page().goto(address)
    cards = ben.locator('#board [id^="o-"] > a', has_text="Señal de luz")
    cards.wait_for(state="attached")
    assert 1 == cards.count()
