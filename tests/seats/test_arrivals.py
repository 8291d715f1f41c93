"""Arrivals by plain SQL, compared with the models."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from games.live.table_registry import registry
from games.models import Game, Renewal, Seat, Visitor
from games.seats.arrivals import arrival, game_at, places, renews
from games.store import rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(game: Game, make_game: Any) -> Game:
    """A game with every sort of visitor, and another with the same devices elsewhere."""
    other = make_game()
    for each, keys in ((game, ("ana", "ben", "cleo")), (other, ("ben", "cleo", "ana"))):
        by_key = places(each)
        for role in Visitor.Role.values:
            each.admit(role, role)
        each.admit("ana", Visitor.Role.HOST)
        by_key[keys[0]].claim("ana")
        each.admit("beside", Visitor.Role.GUEST)
        by_key[keys[0]].join("beside")
        each.admit("beside nobody", Visitor.Role.GUEST)
        each.visitors.filter(device_hash="beside nobody").update(beside=keys[2])
        each.admit("stands in", Visitor.Role.GUEST)
        by_key[keys[1]].claim("stands in")
        each.seats.filter(key=keys[1]).update(stands_in=timezone.now())
        each.admit("barred", Visitor.Role.BARRED)
        each.visitors.filter(device_hash="stands in", game=other).update(role="barred")
    return game


def test_an_arrival_is_what_the_models_say(people: Game) -> None:
    devices = {*Visitor.objects.values_list("device_hash", flat=True), "stranger", ""}
    seen = set()
    for game in Game.objects.all():
        for device in devices:
            seat = game.seat_of(device)
            admitted = game.admitted(device) is not None if seat is None else True
            expected = (
                admitted and not game.barred(device),
                seat and seat.key,
                seat is not None and seat.hosting,
            )
            found = arrival(game.slug, device)
            assert found is not None

            assert expected == (found.admitted, found.seat, found.hosting), device
            seen.add(expected)
    assert len(seen) >= 5, seen


def test_nobody_arrives_at_a_game_that_is_not_there(game: Game) -> None:
    assert arrival("nowhere", "ana") is None


def test_the_game_is_that_of_the_models(people: Game) -> None:
    rows.give(people, [{"do": "create", "as": "new", "by": "ana"}])
    found, expected = game_at(people.slug), Game.objects.get(pk=people.pk)

    assert found is not None
    assert (found.number, found.changed) == (1, expected.changed)
    assert vars(found).keys() <= vars(expected).keys()
    for field in Game._meta.concrete_fields:
        name = field.attname
        assert getattr(found, name) == getattr(expected, name), name


def test_there_is_no_game_at_an_address_that_none_has(game: Game) -> None:
    assert game_at("nowhere") is None


def test_the_seats_are_those_of_the_models(people: Game) -> None:
    found, expected = places(people), people.places

    assert [*found] == [*expected]
    for key, seat in found.items():
        for field in Seat._meta.concrete_fields:
            name = field.attname
            assert getattr(seat, name) == getattr(expected[key], name), name
        assert seat.game is people


def test_a_token_renews_until_it_has_been_used(db: None) -> None:
    renewal = Renewal.objects.create(last="a", fresh="b")
    before = renews("a"), renews("b")
    Renewal.objects.filter(pk=renewal.pk).update(used=timezone.now())

    assert (False, True) == before
    assert not renews("b")


def test_a_table_is_opened_with_few_questions(
    people: Game, django_assert_max_num_queries: Any
) -> None:
    """The game, its seats, requests and earlier games, and whether to ask who starts; then its
    state, in five."""
    Game.objects.get(pk=people.pk)
    with django_assert_max_num_queries(11):
        registry.read_table(people.slug)
