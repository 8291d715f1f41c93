"""Telling somebody something, and asking the GM: what each screen gets, and who may read it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from games.live.table import dated
from games.live.table_registry import registry
from games.models import Game
from games.rules.history import History
from games.screens import boards
from games.screens.boards import log_lines
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.slots import sets, view_models
from games.store import rows
from games.systems import find
from games.tracks.counter import counter_in
from tests.types import Make, Sit

from .test_board import ITS, NAMES, SEATS, SYSTEM, board, session


def sent(history: History, **command: Any) -> dict[str | None, str]:
    """By seat (None for a watcher): what its screens get when *command* is given."""
    given = history.give(command)
    screens = Drawing(SYSTEM, NAMES)
    return {each: boards.changes(screens, given, audience(SYSTEM, each)) for each in (*SEATS, None)}


def asks(history: History, **command: Any) -> str:
    """Ana proposes *command*; the id of her proposal."""
    asked = history.give({"do": "propose", "by": "ana", "command": command})
    return asked.after.prompts[-1].id


def test_a_waiting_action_says_since_when_and_an_items_secret_to_the_gm_alone() -> None:
    idol = {"items": [{"name": "Idol"}], "item_secrets": {"Idol": "It is cursed."}}
    history = session(
        crate={"type": "inventory", "slots": 3, **idol},
        pack={"type": "inventory", "slots": 2, "owner": "ana"},
    )
    wish = {"do": "give", "on": "crate", "item": "Idol", "to": "pack"}
    got = sent(history, do="propose", by="ana", command=wish, at=1_700_000_000)

    assert 'datetime="2023-11-14T22:13:20+00:00"' in got["gm"]
    assert "It is cursed." in got["gm"]
    assert "A word with it" in got["gm"], "there is no number to change"
    assert "cursed" not in "".join(got[seat] for seat in ("ana", "ben", None))


def test_the_server_dates_what_waits_and_what_ends_a_session() -> None:
    assert {"action", "end-session", "note", "propose"} == dated(SYSTEM)
    assert not dated(find("yu-gi-oh")), "where `at` is a number of counters"


# Notes


def test_a_message_of_the_gm_arrives_as_a_moment_and_stays_on_the_list() -> None:
    got = sent(session(), do="note", text="Behind\nyou", to=["ana"], **{"as": "n1"})

    assert 'data-moment="note:n1:' in got["ana"]
    assert "The GM tells you" in got["ana"]
    assert "From the GM" in got["ana"]
    assert "data-moment" not in got["gm"]
    assert "" == got["ben"] == got["cleo"] == got[None]


def test_an_answer_is_a_moment_of_the_gm_and_stands_under_what_it_answers_for_both() -> None:
    history = session()
    sent(history, do="note", text="Behind you", to=["ana", "ben"], **{"as": "n1"})
    got = sent(history, do="note", text="Who?", answers="n1", by="ana", **{"as": "a1"})

    assert "Ana answers you" in got["gm"]
    assert "Ana answers, only you read it" in got["gm"]
    assert "your answer, only the GM reads it" in got["ana"]
    assert "" == got["ben"] == got["cleo"] == got[None]


def test_a_note_told_to_one_more_is_news_for_that_seat_alone() -> None:
    history = session()
    sent(history, do="note", text="Behind you", to=["ana"], **{"as": "n1"})
    got = sent(history, do="amend", item="n1", to=["ana", "ben"])

    assert "The GM tells you" in got["ben"]
    assert "" == got["ana"] == got["cleo"] == got[None]
    gone = sent(history, do="amend", item="n1", to=[])
    assert "From the GM" not in gone["ana"]
    assert "data-moment" not in gone["ana"]


def test_a_corrected_text_is_told_anew() -> None:
    history = session()
    first = sent(history, do="note", text="Left", to=["ana"], **{"as": "n1"})["ana"]
    second = sent(history, do="amend", item="n1", text="Right")["ana"]

    key = re.compile(r'data-moment="([^"]+)"').search
    assert (a := key(first))
    assert (b := key(second))
    assert a[1] != b[1]


def test_a_private_note_of_the_gm_moves_no_other_screen() -> None:
    history = session(c1={})
    for command in (
        {"do": "note", "text": "mine", "as": "n1", "secret": True},
        {"do": "edit", "on": "c1", "gm_note": "mine"},
    ):
        got = sent(history, **command)
        assert "" == got["ana"] == got["ben"] == got["cleo"] == got[None]


def test_the_first_button_of_a_new_note_keeps_it_to_the_gm() -> None:
    """Nothing is ticked, so nothing resets itself; Enter and the first button fail closed."""
    gm, ana = board(session(), "gm"), board(session(), "ana")

    of_gm, of_ana = (each.partition("note-new")[2].partition("</form>")[0] for each in (gm, ana))
    for_me, for_everyone = re.findall(r"<button[^>]*>", of_gm)
    assert 'name="secret:flag"' in for_me
    assert "name=" not in for_everyone
    boxes = re.findall(r'<input type="checkbox" (.*?)>', of_gm)
    some = [f'name="to:list" value="{seat}"' for seat in ("ana", "ben", "cleo")]
    assert [*some, "data-to-all"] == boxes
    assert "checked" not in of_gm
    whisper, keep, for_all = re.findall(r"<button[^>]*>", of_ana)
    assert 'name="whisper:flag"' in whisper
    assert 'name="own:flag"' in keep
    assert "name=" not in for_all
    assert "secret:flag" not in ana
    assert "to:list" not in ana


def test_a_watcher_has_no_notebook_beside_the_board() -> None:
    assert "notebook" not in board(session(), None)


def test_a_co_gm_reads_the_notes_and_the_text_of_counters() -> None:
    history = session(c1={"gm_note": "light"})
    sent(history, do="note", text="dark", secret=True, **{"as": "n1"})
    sent(history, do="appoint", seat="ben")

    assert "dark" in board(history, "ben")
    seen = view_models.counter_view(ITS, history.state, "ben", counter_in(history.state, "c1"))
    assert seen
    assert "light" == seen.counter.gm_note


def test_the_log_says_who_was_told_to_the_gm_and_to_those_who_were(
    transactional_db: None, make_game: Make
) -> None:
    game = make_game("stars-and-signs", seats=SEATS)
    rows.give(game, [
        {"do": "note", "text": "Run", "as": "n1", "to": ["ana", "ben"]},
        {"do": "note", "text": "Where?", "as": "a1", "answers": "n1", "by": "ana"},
    ])  # fmt: skip

    said = {
        seat: [part.text for line in log_lines(game, seat) for part in line.parts]
        for seat in ("gm", "ana", "ben", "cleo", None)
    }
    assert ["told Ana, Ben: Run", "answered: Where?"] == said["gm"]
    assert ["told you: Run", "answered: Where?"] == said["ana"]
    assert ["told you: Run"] == said["ben"]
    assert [] == said["cleo"] == said[None]
    rows.check(game)


def test_a_player_s_own_note_moves_no_other_player_s_screen_and_asks_nobody() -> None:
    history = session()
    got = sent(history, do="note", text="Bram", own=True, by="ana", **{"as": "o1"})

    assert "My notes" in got["ana"]
    assert "Bram" in got["gm"]
    assert 'id="asked"' not in got["gm"]
    assert "data-moment" not in got["gm"]
    assert "" == got["ben"] == got["cleo"] == got[None]


# Proposals


def test_a_player_learns_what_was_allowed_instead_and_why() -> None:
    history = session(c1={"name": "Lamp"})
    prompt = asks(history, do="fill", on="c1", points=20)
    back = sent(history, do="answer", prompt=prompt, reply="Which lamp?")
    got = sent(history, do="answer", prompt=prompt, accept=True, slots=1, reply="It is wet")

    assert "The GM: Which lamp?" in back["ana"]
    assert "" == back["ben"] == back["cleo"] == back[None]
    assert "The GM allowed 1: fill 20 (4 slots) of Lamp" in got["ana"]
    assert "It is wet" in got["ana"]
    assert not any("wet" in got[each] for each in ("ben", "cleo", None))


def test_a_plain_yes_needs_no_notice() -> None:
    history = session(c1={"name": "Lamp"})
    prompt = asks(history, do="fill", on="c1", slots=1)

    assert "allowed" not in sent(history, do="answer", prompt=prompt, accept=True)["ana"]


def test_that_an_item_was_allowed_is_told_to_who_asked() -> None:
    history = session(
        crate={"type": "inventory", "slots": 3, "items": [{"name": "Idol", "size": 1}]},
        pack={"type": "inventory", "slots": 2, "owner": "ana"},
    )
    prompt = asks(history, do="give", on="crate", item="Idol", to="pack")
    got = sent(history, do="answer", prompt=prompt, accept=True)

    assert "The GM allowed it: " in got["ana"]
    assert "Idol" in got["ana"]
    assert not any("allowed" in got[each] for each in ("ben", "cleo", None))


def test_a_proposal_names_its_counter_and_shows_what_was_rolled_before_it() -> None:
    history = session(c1={"name": "Lamp"})
    for die in (10, 5):
        history.give({"do": "roll", "on": "c1", "dice": [die], "by": "ana"})
    asks(history, do="fill", on="c1", dice=[5])
    gm, ana = board(history, "gm"), board(history, "ana")

    assert "Rolled 10, cancelled; 5, asked" in gm
    assert 'href="#k-c1"' in gm
    assert "Lamp <b>0/5</b>" in gm
    assert "Waiting for the GM. Play goes on meanwhile." in ana
    assert 'value="withdraw"' in ana


@pytest.mark.parametrize(
    ("counter", "kept"),
    [("lamp", [[8, 2], 10]), ("oil", [[8, 2], 10]), ("rope", [[8, 2]])],
)
def test_a_cancelled_line_is_shown_too_once_the_gm_would_be_asked(
    transactional_db: None, make_game: Any, sit: Any, counter: str, kept: list[Any]
) -> None:
    """Ana may not fill the lamp, has too little oil, and needs nobody for the rope."""
    oil = {"type": "resource", "owner": "ana", "slots": 1}
    counters = {"lamp": {}, "oil": oil, "rope": {**oil, "slots": 10}}
    game = make_game("stars-and-signs", seats={"gm": {}, "ana": {}}, slot_counters=counters)
    give, ana = async_to_sync(registry.give), sit(game, "ana")
    give(game.slug, {"do": "roll", "on": counter, "dice": [8, 2]}, "ana")
    do = "fill" if counter == "lamp" else "spend"
    for points in (10, 7):
        typed = {"do": do, "how": "typed", "points": points}
        ana.post(f"/g/{game.slug}/slots/{counter}/roll", typed)
    give(game.slug, {"do": "propose", "command": {"do": do, "on": counter, "points": 7}}, "ana")
    (prompt,) = rows.state(Game.objects.get(pk=game.pk)).prompts

    assert kept == prompt.facts["rolled"]
    page = sit(game, "gm").get(f"/g/{game.slug}/").content.decode()
    assert ("; 10 at the table, cancelled; 7 at the table, asked" in page) is (counter != "rope")


def test_a_proposal_comes_before_the_board_and_is_not_among_its_counters() -> None:
    drawn = board(session(), "gm")

    assert drawn.index('id="asked"') < drawn.index('id="board"')


def test_a_proposal_without_a_number_offers_none_and_one_of_despair_offers_points() -> None:
    history = session(bag={"type": "inventory"}, d={"role": "despair"})
    asks(history, do="put", on="bag", item="Rope")
    assert "Allow this many" not in board(history, "gm")

    asks(history, do="suffer", on="d", dice=[9, 4])
    assert 'name="points:number" min="0" max="9999" value="13"' in board(history, "gm")


def test_a_proposal_to_change_a_counter_says_what_it_would_change() -> None:
    history = session(c1={"name": "Whisper"})
    asks(history, do="edit", on="c1", visibility="open", slots=8)
    shown = board(history, "gm")

    assert "change Whisper: who can see it (All), how many slots (8)" in shown
    assert "0 slots" not in shown.partition('id="asked"')[2].partition('id="board"')[0]


def test_a_set_keeps_the_gms_text_and_no_rolls() -> None:
    history = session(c1={"name": "Lamp", "gm_note": "light"})
    history.give({"do": "roll", "on": "c1", "dice": [3], "by": "ana"})

    kept = sets.as_set(ITS, history.state, "gm", "A set")
    laid = session()
    laid.give(sets.from_set(laid.state, json.dumps(kept)))
    (made,) = laid.state.slot_counters
    counter = counter_in(laid.state, made)
    assert ("Lamp", "light", ()) == (counter.name, counter.gm_note, counter.rolls)


# Acting without asking


def test_a_new_session_lets_everyone_fill_progress(db: None, client: Client) -> None:
    client.post("/new", {"rules": "stars-and-signs", "seats": "3", "preset": "session"})

    assert {"permissions": {"progress": {"fill": "everyone"}}} == Game.objects.get().settings
    assert "setting." not in client.get("/new?rules=stars-and-signs").content.decode()


def test_the_gm_settles_for_a_type_what_needs_no_asking(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={"c1": {}})
    gm, ana = sit(game, "gm"), sit(game, "ana")
    assert 'name="acts.fill"' in gm.get(f"/g/{game.slug}/slots/board").content.decode()
    assert "fill-slot" not in _board(ana, game)

    fields = {"do": "allow", "type": "progress", "acts.fill": "everyone", "acts.clear": "owner"}
    assert 302 == gm.post(f"/g/{game.slug}/command", fields).status_code
    assert "fill-slot" in _board(ana, game)
    rows.check(game)


def _board(client: Client, game: Game) -> str:
    """The counters of the board, without the page around them."""
    page = client.get(f"/g/{game.slug}/").content.decode()
    return page.partition('id="groups"')[2].partition('id="cockpit"')[0]


def test_a_counter_can_go_back_to_what_its_type_says_and_its_text_has_many_lines(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    counters = {"c1": {"permissions": {"fill": "gm"}, "gm_note": "He only fears\nthe light"}}
    game = make_game("stars-and-signs", seats=SEATS, slot_counters=counters)
    gm = sit(game, "gm")
    sheet = gm.get(f"/g/{game.slug}/slots/c1").content.decode()
    assert "He only fears\nthe light</textarea>" in sheet

    edit = {"do": "edit", "on": "c1"}
    gm.post(f"/g/{game.slug}/command", {**edit, "permissions.fill": "gm", "permissions:json": "{}"})
    gm.post(f"/g/{game.slug}/command", {**edit, "gm_note": "a\r\nb"})
    facts = game.slot_counters.get().facts
    assert ({}, "a\nb") == (facts["permissions"], facts["gm_note"])


def test_settings_changed_during_the_evening_hold_when_it_is_played_again(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    game = make_game("stars-and-signs", seats=SEATS)
    gm = sit(game, "gm")
    fields = {"do": "allow", "type": "timer", "acts.fill": "everyone"}
    gm.post(f"/g/{game.slug}/command", fields)
    game.seats.filter(key="gm").update(host=True)

    assert 302 == gm.post(f"/g/{game.slug}/again").status_code
    game.refresh_from_db()
    assert {"permissions": {"timer": {"fill": "everyone"}}} == game.newest.settings
