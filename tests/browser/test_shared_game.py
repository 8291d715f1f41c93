"""A game that travels as a link: read on another phone, kept there, and played."""

from __future__ import annotations

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host
from .test_axe import complaints

pytestmark = pytest.mark.browser


def test_a_link_is_read_kept_and_played_on_another_phone(phone: Phones, running: Night) -> None:
    ana, ben = phone(), phone(360, 640)
    address = Host(ana, running.site).fresh("own-game", 2)
    ana.goto(f"{address}definition")
    ana.get_by_role("button", name="Share").tap()
    ana.locator("dialog .pass-link").wait_for()
    assert [] == complaints(ana)
    link = ana.locator("dialog .pass-link a").get_attribute("href")
    ana.get_by_role("button", name="Close").tap()
    ana.locator("dialog").wait_for(state="detached")

    asked: list[str] = []
    ben.on("request", lambda request: asked.append(request.url))
    ben.goto(f"{running.site}/game#{link.partition('#')[2]}")
    ben.get_by_text("Nothing has run yet.").wait_for()
    assert not [url for url in asked if link.partition("#")[2] in url.partition("#")[0]]
    ben.get_by_role("button", name="Share").tap()
    ben.locator("dialog .pass-link").wait_for()

    ben.goto(f"{running.site}/")
    ben.locator("#made").get_by_role("link", name="Our game").tap()
    ben.get_by_text("A game you keep on this phone").wait_for()
    ben.get_by_role("button", name="Play").tap()
    ben.get_by_role("heading", name="Invite everyone").wait_for()
