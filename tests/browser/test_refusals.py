"""A refusal of a form stands in that form, whatever form it is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, start

pytestmark = pytest.mark.browser

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
