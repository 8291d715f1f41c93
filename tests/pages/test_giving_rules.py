"""A game without rules is given rules at its table, and goes on as it stands."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.store import demos, rows
from games.systems import find
from tests.types import Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]
GIVEN: dict[str, Any] = {"seats": {"ana": {}, "ben": {}}}


@pytest.fixture
def race() -> Game:
    demo = demos.find("any-game")
    assert demo
    return demos.played(demo)


@pytest.fixture
def ana(race: Game, sit: Sit) -> Client:
    return sit(race, "ana")


def written(client: Client, game: Game) -> dict[str, Any]:
    """The definition with which the page for new rules begins."""
    page = client.get(f"/g/{game.slug}/change").content.decode()
    value = page.partition('name="definition" value="')[2].partition('"')[0]
    found: dict[str, Any] = json.loads(unescape(value))
    return found


def give(client: Client, game: Game, definition: dict[str, Any]) -> int:
    fields = {"definition": json.dumps(definition), "open": "page", "do": ""}
    return client.post(f"/g/{game.slug}/change", fields).status_code


def held(game: Game, holder: str) -> dict[str, int]:
    return {kind: n for kind, n in rows.state(game).on(holder).items() if n}


def test_everyone_and_everything_goes_on_with_rules(race: Game, ana: Client) -> None:
    was = rows.state(race)
    before = {holder: held(race, holder) for holder in (*was.seats, *was.objects)}
    board = ana.get(f"/g/{race.slug}/").content.decode()
    assert "Give this game rules" in board
    assert "Keep these rules" not in board

    definition = written(ana, race)
    kinds = {each["kind"]: each["on"] for each in definition["numbers"]}
    assert {"points": "player", "energy": "player", "fuel": "thing"}.items() <= kinds.items()
    assert ["points"] == [each["kind"] for each in definition["numbers"] if each.get("big")]
    fields = {"definition": json.dumps(definition), "open": "page"}
    assert "nobody can change" not in ana.post(f"/g/{race.slug}/change", fields).content.decode()
    assert 302 == give(ana, race, definition)

    race = Game.objects.get(pk=race.pk)
    now = rows.state(race)
    assert before == {holder: held(race, holder) for holder in (*now.seats, *now.objects)}
    assert was.turn
    assert was.turn == now.turn
    assert {"thing"} == {each.type for each in now.objects.values()}  # type: ignore[attr-defined]
    rows.give(race, [{"do": "begin-turn"}, {"do": "place", "on": "rocket", "counter": "fuel"}])
    turn = rows.state(race).turn
    assert turn
    assert ("cleo",) == turn.active
    assert "Change the rules" in ana.get(f"/g/{race.slug}/").content.decode()
    rows.check(race)


def test_one_undo_leads_back_to_no_rules(race: Game, ana: Client) -> None:
    before = rows.state(race)
    assert 302 == give(ana, race, written(ana, race))
    race = Game.objects.get(pk=race.pk)

    rows.give(race, [{"do": "undo"}, {"do": "begin-turn", "active": ["ana"]}])

    race = Game.objects.get(pk=race.pk)
    assert before.objects == rows.state(race).objects
    assert not race.rules.rulebook.rules
    rows.check(race)


def test_what_a_team_shared_is_a_number_that_it_shares(sit: Sit) -> None:
    team = {"seats": ["ana", "ben"], "shared_counters": True}
    seats = {**GIVEN["seats"], "ana": {"counters": {"points": 3}}}
    plain = find("any-game")
    given = {"seats": seats, "teams": {"one": team}, "ticks": TICK}
    pair = rows.create(plain, plain.opening(plain, given, {}))
    host = sit(pair, "ana")

    definition = written(host, pair)
    assert [{"kind": "points", "on": "player", "shared": True, "big": True}] == definition[
        "numbers"
    ]
    fields = {"definition": json.dumps(definition), "open": "page"}
    said = host.post(f"/g/{pair.slug}/change", fields).content.decode()
    assert "Counters that change by themselves stay, and need a rule for that." in said
    assert 302 == give(host, pair, definition)
    pair = Game.objects.get(pk=pair.pk)
    rows.give(pair, [{"do": "place", "on": "ben", "counter": "points", "by": "ben"}])

    assert [{"points": 4}] * 2 == [held(pair, seat) for seat in ("ana", "ben")]
    assert {} == held(pair, "team:one")
    rows.check(pair)

    assert 302 == give(host, pair, {"title": "None again"})
    pair = Game.objects.get(pk=pair.pk)
    rows.give(pair, [{"do": "place", "on": "ben", "counter": "any word", "by": "ben"}])
    assert {"points": 4, "any word": 1} == held(pair, "ben")
    rows.check(pair)


TICK = {"rent": {"on": "ana", "counter": "points", "begins": "turn", "change": 1}}


def test_only_the_host_gives_rules_and_only_where_tables_write_them(
    race: Game, ana: Client, sit: Sit
) -> None:
    assert 403 == sit(race, "ben").post(f"/g/{race.slug}/change").status_code
    magic = find("magic")
    duel = rows.create(magic, magic.opening(magic, GIVEN, {}))
    assert 404 == sit(duel, "ana").post(f"/g/{duel.slug}/change").status_code
