"""Everyone's numbers: rows with their words, and copies that a tap does not draw again."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.history import History
from games.screens import boards
from games.screens.drawing import Drawing
from games.screens.fragments import OOB, Audience, amount
from games.store import demos
from games.systems import find
from tests.page import parsed
from tests.random_games import opened

EVERYBODY = Audience()


def played(name: str, seats: int) -> History:
    """A ready game with so many seats."""
    given: dict[str, Any] = {"seats": {f"seat-{n}": {} for n in range(seats)}}
    definition = demos.ready_games("own-game")[name]
    return opened(find("own-game"), {"id": name, "given": given, "definition": definition})


def rows(history: History) -> list[str]:
    """The words of the rows."""
    page = parsed(boards.board(Drawing(history.system), history.state, None, EVERYBODY))
    heads = [node for node in page.all() if node.attributes.get("scope") == "row"]
    return [" ".join(" ".join(node.text.strip() for node in head.all()).split()) for head in heads]


@pytest.mark.parametrize(("seats", "shown"), [(4, "steel made"), (5, "steel")])
def test_a_number_called_after_another_stands_in_its_row_where_there_is_room(
    seats: int, shown: str
) -> None:
    found = rows(played("terraforming-mars", seats))

    assert shown == found[1]
    assert ("steel made" in found[2:]) == (seats == 5)
    assert "points" not in found, "the strip shows it"


def test_the_tables_own_numbers_stand_below_those_of_the_players() -> None:
    shared = ["temperature", "oxygen", "oceans", "terraformed"]

    assert shared == rows(played("terraforming-mars", 2))[-4:]


def test_one_more_of_the_tables_number_is_followed_in_its_row() -> None:
    history = played("terraforming-mars", 2)
    drawing = Drawing(history.system)
    page = parsed(boards.board(drawing, history.state, None, EVERYBODY))
    given = history.give({"do": "place", "on": "table", "counter": "oceans"})
    page.apply(boards.changes(drawing, given, EVERYBODY))

    copies = [node for node in page.all() if node.attributes.get("data-of") == "table.oceans"]
    assert len(copies) > 1
    assert {"1"} == {node.text for node in copies}


def test_one_more_of_a_number_is_one_number_and_no_table() -> None:
    history = played("star-wars-unlimited", 2)
    kind = rows(history)[0]
    shown = boards.changes(
        Drawing(history.system),
        history.give({"do": "place", "on": "seat-1", "counter": kind}),
        EVERYBODY,
    )

    assert 'id="overview"' not in shown
    now = history.state.count("seat-1", kind)
    assert amount("seat-1", kind, now, OOB) in shown


def test_a_chair_that_was_taken_away_has_no_column() -> None:
    history = played("terraforming-mars", 3)
    history.give({"do": "begin-turn"})
    drawing = Drawing(history.system, {seat: seat for seat in history.state.seats})
    page = parsed(boards.board(drawing, history.state, None, EVERYBODY))
    given = history.give({"do": "sit-out", "seat": "seat-1"})
    page.apply(boards.changes(drawing, given, EVERYBODY))

    columns = [node for node in page.all() if node.attributes.get("scope") == "col"]
    texts = (node.text.strip() for column in columns for node in column.all())
    assert ["seat-0", "seat-2"] == [text for text in texts if text.startswith("seat")]
