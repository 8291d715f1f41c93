"""A table with a GM for any game, by one line of what each player counts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.store import demos
from games.systems.own_game import fault
from games.systems.own_game.language.definition import understood
from games.systems.own_game.writing.page import draft
from games.systems.own_game.writing.recipes import recipes

ANY = demos.ready_games("own-game")["any-rpg"]


def begun(line: str, **fields: str) -> Any:
    """The definition after that line was typed, down to its last word."""
    return draft({"numbers": line, "title": "Mörk Borg", **fields}, ANY).settings["definition"]


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
    ("体力 8",              ("n1", "boxes", 8, "down", 0),                  "kit"),
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


def test_what_is_worked_out_and_what_things_have_are_numbers_too() -> None:
    written = begun("hp 8, silver, gold, wealth = silver + 10 × gold, ghoul: damage")

    assert fault(written) is None
    assert ["silver", "gold", "wealth", "damage"] == [each["kind"] for each in written["numbers"]]
    assert [{"type": "ghoul"}] == written["things"]


@pytest.mark.parametrize("line", ["points 0 → 10", "hp 8, points 0 → 10, silver"])
def test_nobody_wins_at_a_table_with_a_gm(line: str) -> None:
    page = draft({"numbers": line}, ANY)
    why = [each.why for each in page.written["typed"] if each.why]

    assert ["nobody wins at a table with a GM"] == why
    assert ["A number of that line cannot be read yet."] == [*page.faults]


def test_what_a_table_has_no_room_for_as_a_track_is_a_number() -> None:
    written = begun(", ".join(f"a{n} 3" for n in range(20)))

    assert fault(written) is None
    assert 8 == len(written["gm"]["kit"])
    assert 12 == len(written["numbers"])


def test_typed_word_by_word_a_line_says_what_it_says_at_once() -> None:
    fields, line = {"title": "Mörk Borg"}, "hp 8, omens 2, silver, alarm 0/6 table"
    for part in line.split(", "):
        page = draft({**fields, "numbers": f"{part},"}, ANY)
        fields = {**page.fields, "numbers": ""}

    assert begun(line) == page.settings["definition"]
    assert ["hp", "omens", "alarm"] == [name for name, _size, _opens in page.written["tracks"]]
    assert {"gm", "ana", "ben"} == page.trial.state.seats.keys()


@pytest.mark.parametrize("text", ["omens 2", "energy 3/6", "stress 0/9", "alarm 0/6 table"])
def test_the_last_track_goes_back_into_letters(text: str) -> None:
    written = begun(f"hp 8, {text}")
    back = draft({"definition": json.dumps(written), "open": "page", "change": '{"back":1}'}, None)

    assert text == back.written["back"]
    assert understood(begun("hp 8")).set == understood(back.settings["definition"]).set


def test_a_track_that_counts_down_ends_at_its_word_or_at_0_and_all_may_hear_it() -> None:
    found = {each.label: each for each in recipes(understood(begun("hp 8, omens 2, stress 0/9")))}
    said = found["At 0, everyone hears it"]

    assert "When a hp is “down”, say “It is at 0.”." == str(said.sentence)
    assert "When an omens reaches 0, say “It is at 0.”." == str(said.others[0].sentence)
    assert ["omens"] == [each.kind for each in said.others]
    rest = found["A rest gives it back"]
    assert "“Rest”: set hp of everyone to its maximum." == str(rest.sentence)
    assert "When a stress is full" in str(found["When it is full, it begins again"].sentence)


def test_a_table_for_any_game_is_made_by_its_name_and_one_line(db: None, client: Client) -> None:
    fields = {"rules": "own-game", "ready": "any-rpg", "seats": "3", "title": "Mörk Borg"}
    client.post("/new", {**fields, "numbers": "hp 8, omens 2, silver"})
    game = Game.objects.get()
    refused = client.post("/new", {**fields, "numbers": "points 0 → 10"})

    assert "Mörk Borg" == game.title
    assert ["gm", "ana", "ben"] == [*game.seats.values_list("key", flat=True)]
    assert 422 == refused.status_code
    page = client.get("/new?rules=own-game&ready=any-rpg&title=M%C3%B6rk+Borg").content.decode()
    assert 'value="Mörk Borg"' in page
    assert 'id="writing-line"' in page
    assert "In the library" not in page
    assert 'id="writing-line"' not in client.get("/new?rules=own-game&ready=fate").content.decode()


def test_the_page_of_a_game_that_is_not_begun_leads_to_one_with_a_gm(
    db: None, client: Client
) -> None:
    asks = "Does someone lead it?"
    page = client.get("/new?rules=own-game&title=Zyrk").content.decode()
    assert asks in page
    assert "ready=any-rpg&amp;title=Zyrk" in page

    for begun in ("rules=own-game&numbers=wood", "rules=own-game&ready=any-rpg"):
        assert asks not in client.get(f"/new?{begun}").content.decode()
