"""Rate limits for strangers: tokens for each address, and for all together."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.models import Model
from django.http import HttpRequest
from django.test import Client

from games.live import imports
from games.models import Game, Visitor
from games.pages import setups
from games.rules.history import Applied, History
from games.rules.scenario import SpecificationError
from games.seats import buckets, rate_limit
from games.seats.buckets import Bucket, Buckets
from games.seats.rate_limit import Limit
from games.store import demos, rows
from games.store.changes import statements
from games.store.sql import insertion

MAGIC = {"rules": "magic", "seats": "2"}


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set the clock."""

    def read(seconds: float) -> None:
        monkeypatch.setattr(time, "monotonic", lambda: seconds)

    read(0)
    for limit in rate_limit.LIMITS:
        limit.clear()
    return read


def asked(address: str) -> HttpRequest:
    request = HttpRequest()
    request.META["REMOTE_ADDR"] = address
    return request


def test_tokens_are_taken_and_refill(at: Callable[[float], None]) -> None:
    limit = Limit((2, 6), (100, 100))
    ana = asked("192.168.1.20")

    assert [True, True, False] == [limit.take(ana) for _n in range(3)]
    at(9)
    assert not limit.take(ana)
    at(10)
    assert [True, False] == [limit.take(ana) for _n in range(2)]
    at(100_000)
    assert [True, True, False] == [limit.take(ana) for _n in range(3)]


def test_an_address_leaves_the_others_theirs_until_all_together_have_had_enough(
    at: Callable[[float], None],
) -> None:
    limit = Limit((2, 6), (3, 6))
    dan, ben = asked("192.168.1.20"), asked("192.168.1.21")

    assert [True, True, False] == [limit.take(dan) for _n in range(3)]
    assert [True, False] == [limit.take(ben) for _n in range(2)]


def test_a_network_of_ipv6_is_one_address(at: Callable[[float], None]) -> None:
    limit = Limit((1, 1), (100, 100))

    assert limit.take(asked("2001:db8::1"))
    assert not limit.take(asked("2001:db8::2:1"))
    assert limit.take(asked("2001:db8:0:1::1"))


def test_an_ipv4_address_is_the_same_however_it_is_written(at: Callable[[float], None]) -> None:
    limit = Limit((1, 1), (100, 100))

    assert limit.take(asked("192.0.2.7"))
    assert not limit.take(asked("::ffff:192.0.2.7"))
    assert limit.take(asked("::ffff:192.0.2.8"))


def test_a_cost_above_a_buckets_size_takes_a_full_one(at: Callable[[float], None]) -> None:
    limit = Limit((2, 1), (100, 100))

    assert [True, False] == [limit.take(asked("a"), 99) for _n in range(2)]


def test_a_crowd_has_a_multiple(at: Callable[[float], None], settings: object) -> None:
    settings.CROWD = 3  # type: ignore[attr-defined]
    limit = Limit((2, 1), (100, 100))

    assert [True] * 6 + [False] == [limit.take(asked("a")) for _n in range(7)]


def test_the_addresses_that_came_long_ago_are_forgotten(
    at: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "MOST_NAMES", 10)
    names = Buckets(2, 1)
    for number in range(99):
        names.of(number).take(2)

    assert 10 == len(names)
    assert [True, False] == [names.of(number).has() for number in (0, 98)]


def test_a_bucket_that_is_full_again_is_forgotten(at: Callable[[float], None]) -> None:
    names = Buckets(40, 4)
    for number in range(1000):
        at(number / 100)
        names.of(number).take(4)

    assert 100 <= len(names) <= 102, "those of the last second, in which four tokens come back"
    assert [40, 36] == [names.of(number).left() for number in (1, 999)]


def test_an_overdrawn_address_gets_through_only_after_a_rest(
    at: Callable[[float], None],
) -> None:
    eager, patient = Bucket(1, 1), Bucket(1, 1)
    tries = []
    for tenth in range(21):
        at(tenth / 10)
        tries.append((eager.spend(), patient.take()))

    assert [(True, True)] == tries[:1]
    assert {False} == {spent for spent, _taken in tries[1:]}
    assert 2 == sum(taken for _spent, taken in tries[1:])
    at(3)
    assert eager.spend()


def test_a_flood_of_wrong_codes_keeps_no_honest_guest_out(
    game: Game, at: Callable[[float], None]
) -> None:
    fresh = Client()
    for number in range(rate_limit.MOST_OF_ALL):
        rate_limit.note_wrong(asked(f"10.0.{number % 15}.1"))

    assert rate_limit.too_many(asked("10.0.3.1"))
    assert 302 == fresh.post("/code", {"code": game.code}).status_code
    assert 404 == fresh.post("/code", {"code": "XXXX-XXXX"}).status_code
    assert 429 == fresh.post("/code", {"code": game.code}).status_code
    at(61)
    assert 302 == fresh.post("/code", {"code": game.code}).status_code


def test_an_address_that_makes_many_games_has_to_wait(
    dan: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.pages.access.MAKING", Limit((2, 1), (9, 1)))

    made = [dan.post("/new", MAGIC).status_code for _n in range(3)]

    assert [302, 302, 429] == made
    assert 2 == Game.objects.count()
    assert "Wait a minute" in dan.post("/new", MAGIC).content.decode()


def test_a_long_file_costs_more_than_a_short_one(
    dan: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.pages.access.MAKING", Limit((4, 1), (9, 1)))
    text = json.dumps(demos.demos()[0])
    long = text + " " * 2 * setups.A_TOKEN

    assert 302 == dan.post("/new/file", {"text": long}).status_code
    assert 302 == dan.post("/new/file", {"text": text}).status_code
    assert 429 == dan.post("/new/file", {"text": text}).status_code


def test_the_storage_of_an_address_in_a_day_is_limited(
    dan: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.pages.access.KEEPING", Limit((2, 0.01), (9, 1)))

    made = [dan.post("/new", MAGIC).status_code for _n in range(3)]

    assert [302, 302, 429] == made


def test_only_phones_that_a_game_does_not_know_have_to_wait(
    game: Game, ana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    visiting = Limit((1, 1), (9, 1))
    monkeypatch.setattr("games.pages.joining.VISITING", visiting)
    link = f"/j/{game.invite_token}"
    before = Visitor.objects.count()

    assert [302, 429] == [Client().get(link).status_code for _n in range(2)]
    assert 302 == ana.get(link).status_code
    assert 302 == Client().get(f"/h/{game.host_token}").status_code
    assert before + 2 == Visitor.objects.count()


@pytest.mark.django_db(transaction=True)
def test_a_file_is_resolved_outside_of_transactions_and_written_in_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = []
    give = History.give

    def given(self: History, raw: dict[str, object]) -> Applied:
        assert not connection.in_atomic_block
        return give(self, raw)

    def written(batch: dict[int, list[Applied]], at: object) -> Any:
        sizes.extend(map(len, batch.values()))
        return statements(batch, at)

    monkeypatch.setattr(History, "give", given)
    monkeypatch.setattr(rows, "statements", written)
    tap = {"do": "place", "on": "ana", "counter": "points", "amount": 1, "by": "ana"}
    file: dict[str, Any] = {
        "id": "long", "title": "Long", "cites": [], "source": "A test", "system": "any-game",
        "given": {"seats": {"ana": {}}}, "then": {},
        "when": [tap] * 600 + [{"do": "undo", "by": "ana"}],
    }  # fmt: skip

    with pytest.raises(SpecificationError):
        imports.imported(json.dumps({**file, "when": [*file["when"], {"do": "nothing"}]}))
    assert not Game.objects.exists(), "what was refused leaves nothing behind"
    sizes.clear()
    game = imports.imported(json.dumps(file))

    assert [*[rows.BATCH] * (600 // rows.BATCH), 1] == sizes
    assert 601 == game.number
    rows.check(game)


def test_a_game_whose_host_cannot_be_seated_is_not_made(
    dan: Client, transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(row: Model, using: str) -> tuple[str, tuple[Any, ...]]:
        if type(row) is Visitor:
            raise OperationalError("database or disk is full")
        return insertion(row, using)

    monkeypatch.setattr(rows, "insertion", full)

    assert 503 == dan.post("/new", MAGIC).status_code
    assert not Game.objects.exists()
