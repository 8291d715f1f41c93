"""A game without rules is given rules of its own, and goes on as it stands."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.store import demos, rows
from games.systems import find
from tests.types import Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]


@pytest.fixture
def race() -> Game:
    demo = demos.demo(find("any-game"))
    assert demo
    return demos.played(demo)


@pytest.fixture
def ana(race: Game, sit: Sit) -> Client:
    return sit(race, "ana")


def test_everyone_and_everything_goes_on_with_rules(race: Game, ana: Client, sit: Sit) -> None:
    ben = sit(race, "ben")
    assert 'href="give-rules"' in ana.get(f"/g/{race.slug}/").content.decode()
    page = ana.get(f"/g/{race.slug}/give-rules").content.decode()
    assert "<b>points</b>" in page

    answer = ana.post(f"/g/{race.slug}/give-rules")

    anew = Game.objects.get(pk=race.pk).newest
    assert f"/g/{anew.slug}/change" == answer["Location"]
    assert ("own-game", "Space race: a demo of Any game") == (anew.system, anew.title)
    was, now = rows.state(race), rows.state(anew)
    for holder in (*was.seats, *was.objects):
        kept = {kind: n for kind, n in now.on(holder).items() if n}
        assert {kind: n for kind, n in was.on(holder).items() if n} == kept
    assert was.turn
    assert now.turn
    assert was.turn.active == now.turn.active
    assert "points" == next(
        each["kind"] for each in anew.settings["definition"]["numbers"] if each.get("big")
    )
    assert 200 == ana.get(answer["Location"]).status_code
    assert "ben" == anew.seat_of(anew.places["ben"].device_hash or "").key
    assert anew.slug in ben.get(f"/g/{race.slug}/")["Location"]
    rows.check(anew)


def test_a_second_tap_makes_no_second_game(race: Game, ana: Client) -> None:
    first = ana.post(f"/g/{race.slug}/give-rules")["Location"]
    second = ana.post(f"/g/{race.slug}/give-rules")

    assert second.status_code in (404, 409)
    assert first.split("/")[2] == Game.objects.get(pk=race.pk).newest.slug


def test_only_the_host_gives_rules_and_only_where_there_are_none(
    race: Game, ana: Client, sit: Sit
) -> None:
    assert 403 == sit(race, "ben").post(f"/g/{race.slug}/give-rules").status_code
    magic = find("magic")
    given: dict[str, Any] = {"seats": {"ana": {}, "ben": {}}}
    duel = rows.create(magic, magic.opening(magic, given, {}))
    host = sit(duel, "ana")
    assert 404 == host.post(f"/g/{duel.slug}/give-rules").status_code
    sides = {**given, "teams": {"one": {"seats": ["ana", "ben"]}}}
    anything = find("any-game")
    pair = rows.create(anything, anything.opening(anything, sides, {}))
    assert 404 == sit(pair, "ana").post(f"/g/{pair.slug}/give-rules").status_code
