"""Changing the rules of a running game, with a preview for the host."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.rules.input import packed
from games.screens.boards import log_lines
from games.store import rows
from games.systems import find
from tests.types import Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]
RACE: dict[str, Any] = {
    "title": "Race",
    "players": {"most": 3},
    "things": [{"type": "car"}],
    "numbers": [
        {"kind": "lap", "on": "player", "big": True},
        {"kind": "fuel", "on": "player", "start": 3, "most": 6},
    ],
    "rules": [
        {
            "rule": "Finish",
            "when": {"always": "player"},
            "if": [{"number": "lap"}, ">=", 10],
            "do": [{"win": "it"}],
        }
    ],
}
LONGER: dict[str, Any] = json.loads(json.dumps(RACE).replace('>=", 10]', '>=", 12]'))


@pytest.fixture
def race(db: None) -> Game:
    system = find("own-game").of_table({"definition": RACE})
    given: dict[str, Any] = {
        "seats": {"ana": {}, "ben": {}},
        "objects": {"beetle": {"owner": "ana"}},
    }
    first = system.opening(system, given, {"definition": RACE})
    return rows.create(system, first, title="Race", names={"ana": "Ana", "ben": "Ben"})


@pytest.fixture
def ana(race: Game, sit: Sit) -> Client:
    return sit(race, "ana")


def posted(client: Client, game: Game, **fields: str) -> tuple[int, str]:
    answer = client.post(f"/g/{game.slug}/change", fields)
    return answer.status_code, answer.content.decode()


def held(page: str) -> Any:
    """The definition in the field of the page."""
    return json.loads(unescape(page.partition('name="definition" value="')[2].partition('"')[0]))


def now(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = Game.objects.get(pk=game.pk).settings["definition"]
    return found


def test_a_change_is_said_and_then_made(race: Game, ana: Client) -> None:
    assert RACE == held(ana.get(f"/g/{race.slug}/change").content.decode())

    status, page = posted(ana, race, definition=json.dumps(LONGER))
    assert 200 == status
    assert " reaches 10 wins." in page
    assert " reaches 12 wins." in page
    assert "Everything on the table fits." in page
    assert RACE == now(race)

    status, _page = posted(ana, race, definition=json.dumps(LONGER), do="yes")

    assert (302, LONGER) == (status, now(race))
    (line,) = log_lines(Game.objects.get(pk=race.pk), "ben")
    said = line.parts[0]
    assert "changed the rules" == said.words
    assert "Whoever’s lap reaches 10 wins. → " in said.because
    rows.check(race)


def test_one_undo_brings_the_old_rules_back(race: Game, ana: Client) -> None:
    posted(ana, race, text=packed({**RACE, "title": "Rally"}), do="yes")
    assert "Rally" == now(race)["title"]

    ana.post(f"/g/{race.slug}/command", {"do": "undo"})

    assert RACE == now(race)
    rows.check(race)


def test_earlier_lines_keep_the_words_of_their_rules(race: Game, ana: Client) -> None:
    storm = {
        "rule": "Storm",
        "when": {"changes": "lap"},
        "do": [{"add": 1, "of": "fuel", "on": "it"}],
    }
    posted(ana, race, text=packed({**RACE, "rules": [storm]}), do="yes")
    command = {"do": "place", "on": "ana", "counter": "lap", "amount": 1}
    ana.post(f"/g/{race.slug}/command", json.dumps(command), content_type="application/json")
    before = [each.because for line in log_lines(race, "ana") for each in line.parts]

    posted(ana, race, text=packed(RACE), do="yes")

    lines = log_lines(Game.objects.get(pk=race.pk), "ana")
    assert before == [each.because for line in lines[: len(lines) - 1] for each in line.parts]
    assert "Storm" in before
    for path in ("replay/1", "replay/2", "replay/3", "summary", "tv", "log"):
        assert 200 == ana.get(f"/g/{race.slug}/{path}").status_code, path


def test_numbers_that_no_longer_fit_are_named_before(race: Game, ana: Client) -> None:
    few = {**RACE, "numbers": [RACE["numbers"][0], {**RACE["numbers"][1], "start": 0, "most": 2}]}
    assert "Ana: 3 fuel are above 2 now" in posted(ana, race, text=packed(few))[1]

    without = posted(ana, race, text=packed({**RACE, "numbers": RACE["numbers"][:1]}))[1]
    assert "Ben: 3 fuel stay, but no rule counts them." in without


def test_a_thing_without_a_type_is_no_way_to_change_them(race: Game, ana: Client) -> None:
    bare = packed({**RACE, "things": []})

    status, page = posted(ana, race, text=bare)
    assert 422 == status
    assert "have no place for" in page
    assert 'name="do"' not in page

    assert 422 == posted(ana, race, text=bare, do="yes")[0]
    assert RACE == now(race)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Nothing is changed yet."),
        ({"definition": json.dumps(RACE)}, "Nothing is changed yet."),
        ({"definition": json.dumps({**RACE, "numbers": RACE["numbers"][1:]})}, "is not finished"),
        ({"definition": json.dumps(LONGER), "numbers": "total = ,"}, "cannot be read yet"),
        ({"text": "{}"}, "This game can’t be played"),
        ({"text": "#half"}, "This link is not whole"),
    ],
)
def test_an_empty_or_impossible_change_is_said(
    race: Game, ana: Client, fields: dict[str, str], said: str
) -> None:
    status, page = posted(ana, race, **fields)

    assert 422 == status
    assert said in page
    assert RACE == now(race)


def test_numbers_are_added_as_one_types_them(race: Game, ana: Client) -> None:
    page = posted(
        ana, race, definition=json.dumps(RACE), numbers="oil 2/4, fog 1/5 table", change="{}"
    )[1]

    assert "oil: each player’s, from 0 to 4, starts at 2" in page
    assert "fog: the table’s" in page
    assert 2 == page.count("<ins>")


def test_back_leads_to_what_was_written(race: Game, ana: Client) -> None:
    status, page = posted(ana, race, definition=json.dumps(LONGER), open="page", again="yes")

    assert 200 == status
    assert LONGER == held(page)
    assert RACE == now(race)


def test_only_the_host_changes_them(race: Game, ana: Client, sit: Sit) -> None:
    ben = sit(race, "ben")

    assert 403 == ben.get(f"/g/{race.slug}/change").status_code
    assert 403 == posted(ben, race, text=packed({**RACE, "title": "Mine"}), do="yes")[0]
    given = json.dumps({"do": "change-rules", "definition": {**RACE, "title": "Mine"}})
    answer = ben.post(f"/g/{race.slug}/command", given, content_type="application/json")
    assert answer.status_code in (400, 403, 422)
    assert RACE == now(race)
    assert 'href="change"' not in ben.get(f"/g/{race.slug}/").content.decode()
    assert 'href="change"' in ana.get(f"/g/{race.slug}/").content.decode()
