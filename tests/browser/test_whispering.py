"""Whispers: from a player to the GM and back, and from the GM to some; nobody else reads them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, Table
from .test_gms_hands import shows

pytestmark = pytest.mark.browser


def test_a_player_whispers_and_the_gm_answers_and_tells_two(
    table: Table, phone: Phones, running: Night
) -> None:
    gm, ana, ben = table.gm, table.ana, phone(360, 640)
    address = ana.url.partition("?")[0]
    Host(ben, running.site).join(address, table.hosts[0], seat="ben")

    ana.get_by_role("link", name="Whisper").tap()
    ana.wait_for_function("() => document.activeElement.matches('#sheet textarea')")
    ana.keyboard.type("I palm the key")
    ana.locator("#sheet").get_by_role("button", name="Whisper to the GM").tap()
    ana.locator("#sheet").wait_for(state="hidden")
    gm.locator("#asked .proposal", has_text="Ana whispers to you").locator("time").wait_for()
    note = gm.locator("#notebook .notes > li", has_text="I palm the key")
    note.locator("textarea").fill("Nobody saw it.")
    note.get_by_role("button", name="Answer").click()
    gm.locator("#asked .proposal").wait_for(state="detached")

    ana.goto(f"{address}notes")
    ana.locator(".note-reply", has_text="Nobody saw it.").wait_for()

    gm.locator("#notebook [name='text']").first.fill("A bell, far away")
    form = gm.locator("#notebook .note-new")
    form.get_by_text("Ana", exact=True).click()
    form.get_by_text("Ben", exact=True).click()
    form.get_by_role("button", name="Tell them").click()
    for each in (ana, ben):
        each.goto(f"{address}notes")
        each.locator(".is-received", has_text="A bell, far away").wait_for()
    ben.goto(f"{address}log")
    assert "palm" not in ben.content()
    assert "Nobody saw" not in ben.content()


def test_a_follow_up_waits_on_each_gm_screen_and_is_done_once(table: Table) -> None:
    gm, ana = table.gm, table.ana
    laptop, address = gm.url, ana.url.partition("?")[0]
    gm.goto("about:blank")
    ana.goto(f"{address}slots/action")
    with ana.expect_navigation():
        ana.get_by_role("button", name="Hit").tap()
    for text in ("I palm the key", "Quietly"):
        ana.goto(f"{address}notes")
        ana.get_by_label("A new note").fill(text)
        with ana.expect_navigation():
            ana.get_by_role("button", name="Whisper to the GM").tap()

    gm.goto(laptop)
    tablet = gm.context.new_page()
    tablet.set_viewport_size({"width": 820, "height": 1180})
    tablet.goto(laptop)
    for screen in (gm, tablet):
        screen.locator(".asked-all", has_text="Waiting for you: 3").wait_for()
        cards = screen.locator("#asked .proposal").all_inner_texts()
        assert ["Hit" in cards[0], "palm" in cards[1], "Quietly" in cards[2]] == [True] * 3
    tablet.locator("#asked .proposal", has_text="palm").get_by_role("button", name="Got it").click()
    for screen in (gm, tablet):
        screen.locator(".asked-all", has_text="Waiting for you: 2").wait_for()
        assert "palm" not in screen.locator("#asked").inner_text()
    gm.locator("#asked .proposal", has_text="Hit").get_by_role("button", name="Nothing").click()
    tablet.locator("#asked .proposal", has_text="Hit").wait_for(state="detached")
    assert not tablet.locator(".asked-all").count()
    ana.goto(address)
    assert "Waiting for you" not in ana.content()


def test_a_player_keeps_notes_that_the_gm_is_not_asked_to_read(table: Table) -> None:
    gm, ana = table.gm, table.ana
    ben = table.another("ben")
    ben.goto(f"{table.address}notes")
    before = ben.locator("main").inner_text()
    ana.goto(f"{table.address}notes")
    ana.get_by_label("A new note").fill("The cook is called Bram")
    with ana.expect_navigation():
        ana.get_by_role("button", name="Keep it for me").tap()
    ana.goto(f"{table.address}notes")
    mine = ana.locator(".notes > li", has_text="The cook is called Bram")
    mine.wait_for()

    kept = gm.locator("#notebook .notes-own", has_text="Players’ own notes")
    kept.wait_for()
    assert not gm.locator("#asked .proposal").count()
    assert not gm.get_by_text("The cook is called Bram").first.is_visible()
    ben.reload()
    assert before == ben.locator("main").inner_text()

    mine.get_by_text("Change the text").tap()
    mine.locator("textarea").fill("The cook is called Brom")
    with ana.expect_navigation():
        mine.get_by_role("button", name="Save").tap()
    shows(ana, ".notes", "The cook is called Brom")
    gm.locator("#notebook .notes-own", has_text="Brom").wait_for()
    ben.reload()
    assert before == ben.locator("main").inner_text()
    ana.goto(f"{table.address}notes")
    mine = ana.locator(".notes > li", has_text="The cook is called Brom")
    mine.get_by_role("button", name="Cross off").tap()
    kept.wait_for(state="detached")


def test_a_note_typed_while_the_last_is_on_its_way_is_another_and_for_nobody_yet(
    table: Table,
) -> None:
    gm, held = table.gm, list[tuple[Any, Any]]()

    def hold(socket: Any) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda message: held.append((server, message)))

    gm.route_web_socket(re.compile(""), hold)
    gm.reload()
    form = gm.locator("#notebook .note-new")
    text = form.locator("textarea")
    text.fill("A bell, far away")
    form.get_by_text("Ana", exact=True).click()
    form.get_by_role("button", name="Tell them").click()
    assert "" == text.input_value()
    text.fill("Cleo did it")
    form.get_by_role("button", name="Keep it for me").wait_for()
    for server, message in held:
        server.send(message)

    gm.locator("#notebook", has_text="A bell, far away").wait_for()
    gm.locator("#notebook .note-new.is-waiting").wait_for(state="detached")
    assert "Cleo did it" == text.input_value()


def test_a_refused_note_is_back_with_those_it_was_for(table: Table) -> None:
    gm = table.gm
    form = gm.locator("#notebook .note-new")
    text = form.locator("textarea")
    text.evaluate("(field) => field.removeAttribute('maxlength')")
    text.fill("x" * 2001)
    form.get_by_text("Ana", exact=True).click()
    form.get_by_role("button", name="Tell them").click()

    gm.locator(".refusal.is-floating, #notebook .refusal:not(:empty)").first.wait_for()
    assert 2001 == len(text.input_value())
    assert form.get_by_label("Ana").is_checked()
