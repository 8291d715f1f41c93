"""Whispers: from a player to the GM and back, and from the GM to some; no one else reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.night import Night

from .tables import Host
from .test_slots_layout import SESSION, Table

pytestmark = pytest.mark.browser


@pytest.fixture
def table(chromium: Any, running: Night) -> Iterator[Table]:
    made = Table(chromium, running, SESSION)
    yield made
    made.close()


def test_a_player_whispers_and_the_gm_answers_and_tells_two(
    table: Table, phone: Callable[..., Any], running: Night
) -> None:
    gm, ana, ben = table.gm, table.ana, phone(360, 640)
    address = ana.url.partition("?")[0]
    Host(ben, running.site).join(address, table.hosts[0], seat="ben")

    ana.goto(f"{address}notes")
    ana.get_by_label("A new note").fill("I palm the key")
    ana.get_by_role("button", name="Whisper to the GM").tap()
    gm.locator(".banner .moment", has_text="Ana whispers to you").wait_for()
    note = gm.locator("#notebook .notes > li", has_text="I palm the key")
    note.locator("textarea").fill("Nobody saw it.")
    note.get_by_role("button", name="Answer").click()

    ana.goto(f"{address}notes")
    ana.locator(".note-reply", has_text="Nobody saw it.").wait_for()

    gm.locator("#notebook [name='text']").first.fill("A bell, far away")
    form = gm.locator("#notebook .note-new")
    form.get_by_text("Ana", exact=True).click()
    form.get_by_text("Ben", exact=True).click()
    form.get_by_role("button", name="Tell them").click()
    for each in (ana, ben):
        each.goto(f"{address}notes")
        each.locator(".is-told", has_text="A bell, far away").wait_for()
    ben.goto(f"{address}log")
    assert "palm" not in ben.content()
    assert "Nobody saw" not in ben.content()
