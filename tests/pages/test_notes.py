"""Notes: on the list for everyone, in the log, and the GM's own for nobody else."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Game
from games.screens.boards import log_lines
from games.store import rows
from tests.seats.phones import give
from tests.types import Make, Sit

pytestmark = pytest.mark.django_db(transaction=True)


def sheet(client: Client, game: Game) -> str:
    return client.get(f"/g/{game.slug}/notes").content.decode()


def test_everybody_reads_the_list_and_strikes_off(game: Game, ana: Client, ben: Client) -> None:
    assert give(game, ana, do="note", text="Ben owes <b>a coin</b>", **{"as": "n1"}) == 204
    assert "Ben owes &lt;b&gt;a coin&lt;/b&gt;" in sheet(ben, game)

    assert give(game, ben, do="strike", item="n1") == 204
    assert "a coin" not in sheet(ana, game)
    said = [part.text for line in log_lines(game, "ana") for part in line.parts]
    assert said == ["noted: Ben owes <b>a coin</b>", "crossed off: Ben owes <b>a coin</b>"]


def test_without_a_script_it_is_a_form(game: Game, ana: Client) -> None:
    ana.post(f"/g/{game.slug}/command", {"do": "note", "text": " Look it up ", "as": "note-1a2b"})
    ana.post(f"/g/{game.slug}/command", {"do": "note", "text": "Said once", "as": ""})

    page = sheet(ana, game)
    assert "Look it up" in page
    assert "Said once" not in page
    assert log_lines(game, "ana")[-1].parts[0].text == "noted: Said once"


def test_written_text_is_not_read_as_a_place_for_names(game: Game, ana: Client) -> None:
    give(game, ana, do="note", text="{ana} rolls {#} %(n)s")

    assert log_lines(game, "ana")[-1].parts[0].text == "noted: (ana) rolls (#) %(n)s"


def test_the_list_has_an_end(game: Game, ana: Client) -> None:
    for n in range(100):
        rows.give(game, [{"do": "note", "text": f"note {n}", "as": f"n{n}"}])

    assert give(game, ana, do="note", text="one more", **{"as": "more"}) == 422
    assert give(game, ana, do="note", text="one more") == 204


def test_a_note_survives_its_rows_and_an_undo(game: Game) -> None:
    rows.give(game, [{"do": "note", "text": "kept", "as": "n1"}, {"do": "note", "text": "x"}])
    rows.check(game)
    rows.give(game, [{"do": "undo", "entry": 1}])
    rows.check(game)

    assert rows.state(game).notes == {}


def test_a_watcher_reads_notes_and_cannot_write_them(game: Game, ana: Client, dan: Client) -> None:
    give(game, ana, do="note", text="for all", **{"as": "n1"})
    dan.get(f"/j/{game.invite_token}")

    page = sheet(dan, game)
    assert "for all" in page
    assert "/command" not in page
    assert give(game, dan, do="note", text="mine") == 403


def test_a_note_may_have_many_lines_and_the_log_file_keeps_its_own(game: Game, ana: Client) -> None:
    ana.post(f"/g/{game.slug}/command", {"do": "note", "text": "one\r\n2. two", "as:new": "note"})

    assert "one\n2. two" in sheet(ana, game)
    assert "noted: one 2. two" in ana.get(f"/g/{game.slug}/log.md").content.decode()


def test_only_the_gm_is_offered_a_secret(
    make_game: Make, sit: Sit, ana: Client, game: Game
) -> None:
    session = make_game("stars-and-signs", seats={"gm": {}, "ana": {}})
    master, player = sit(session, "gm"), sit(session, "ana")
    give(session, master, do="note", text="The butler lies", secret=True, **{"as": "n1"})

    assert "secret:flag" in sheet(master, session)
    assert "The butler lies" in sheet(master, session)
    assert "The butler lies" in master.get(f"/g/{session.slug}/log").content.decode()
    for client, table in ((player, session), (ana, game)):
        assert "secret:flag" not in sheet(client, table)
        assert "butler" not in sheet(client, table)
    give(session, master, do="note", text="Behind you", to=["ana"], **{"as": "n2"})
    assert "From the GM" in sheet(player, session)
    assert give(session, player, do="note", text="Who?", answers="n2", **{"as": "n3"}) == 204
    assert "Who?" in sheet(master, session)
    give(session, master, do="strike", item="n2")
    assert "(1)" in master.get(f"/g/{session.slug}/tools").content.decode()
    assert "(1)" not in player.get(f"/g/{session.slug}/tools").content.decode()
    assert give(session, player, do="note", text="psst", secret=True) == 422
