"""A table with a GM for any game, by one line of what each player counts."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.store import demos
from games.systems.own_game import fault
from games.systems.own_game.led import one_line

ANY = demos.ready_games("own-game")["any-rpg"]


def begun(line: str, title: str = "Mörk Borg") -> Any:
    return one_line.begun({"counts": line, "title": title}, ANY)[0]


def refused(line: str) -> tuple[Any, Any]:
    return one_line.begun({"counts": line}, ANY)


# fmt: off
LINES = [
    # typed                track (type, look, slots, counts, filled)       whose
    ("hp 8",               ("hp", "bar", 8, "down", 0),                    "kit"),
    ("omens 2",            ("omens", "boxes", 2, "down", 0),               "kit"),
    ("energy 3/6",         ("energy", "boxes", 6, "down", 3),              "kit"),
    ("stress 0/9",         ("stress", "boxes", 9, "up", 0),                "kit"),
    ("SAN 55",             ("san", "bar", 55, "down", 0),                  "kit"),
    ("alarm 0/6 table",    ("alarm", "boxes", 6, "up", 0),                 "shared"),
    ("danger",             ("danger", "boxes", 5, "up", 0),                "kit"),
    ("gm 3",               ("gm-track", "boxes", 3, "down", 0),            "kit"),
]
# fmt: on


@pytest.mark.parametrize(("line", "track", "whose"), LINES, ids=[each[0] for each in LINES])
def test_what_has_an_amount_is_a_track(line: str, track: Any, whose: str) -> None:
    written = begun(line)
    (own,) = written["gm"][whose]
    made = written["gm"]["types"][0]

    assert fault(written) is None
    assert track == (*map(made.get, ("type", "look", "size", "counts")), own.get("filled", 0))
    assert own["type"] == made["type"]


def test_what_has_no_amount_is_a_number_and_foes_are_known_in_words() -> None:
    written = begun("hp 8, silver")
    foe = next(each for each in written["gm"]["types"] if each["type"] == "foe")

    assert [{"kind": "silver", "on": "player"}] == written["numbers"]
    assert "known" == foe["visibility"]
    assert "Mörk Borg" == written["title"]


@pytest.mark.parametrize("line", ["points 0 → 10", "ghoul: damage", "total = a + b"])
def test_a_line_for_tables_without_a_gm_is_refused(line: str) -> None:
    written, faults = refused(line)

    assert written is ANY
    assert ["is counted at tables without a GM only"] == [each.facts["why"] for each in faults]


def test_more_than_a_table_can_have_is_refused() -> None:
    written, faults = refused(", ".join(f"a{n} 3" for n in range(20)))

    assert written is ANY
    assert ["gm.kit"] == [each.facts["place"] for each in faults]


def test_a_table_for_any_game_is_made_by_its_name_and_one_line(db: None, client: Client) -> None:
    fields = {"rules": "own-game", "ready": "any-rpg", "seats": "3", "title": "Mörk Borg"}
    client.post("/new", {**fields, "counts": "hp 8, omens 2, silver"})
    game = Game.objects.get()
    refused = client.post("/new", {**fields, "counts": "points 0 → 10"})

    assert "Mörk Borg" == game.title
    assert 422 == refused.status_code
    assert "“points 0 → 10”: is counted at tables without a GM only" in refused.content.decode()
    page = client.get("/new?rules=own-game&ready=any-rpg&title=M%C3%B6rk+Borg").content.decode()
    assert 'name="title" value="Mörk Borg"' in page
    assert 'name="counts"' not in client.get("/new?rules=own-game&ready=fate").content.decode()
