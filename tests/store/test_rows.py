"""Rows and log always agree, on both databases, whatever was played."""

from __future__ import annotations

import json
from pathlib import Path
from time import thread_time
from typing import Any

import pytest
from django.db import IntegrityError, connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.models import Entry, Game, Visitor
from games.rules import log, scenario
from games.rules.history import fold
from games.rules.snapshot import as_json, from_json
from games.rules.state import GameState, Prompt, Refused
from games.rules.system import System
from games.store import changes, checkpoints, rows
from games.systems import current, find, named_by
from tests import evenings
from tests.types import Json, Make

BOTH = pytest.mark.django_db(databases="__all__")
SCENARIOS = sorted(Path(__file__).parents[1].glob("scenarios/*.json"))


def place(on: str, counter: str, amount: int = 1, **more: object) -> dict[str, object]:
    return {"do": "place", "on": on, "counter": counter, "amount": amount, **more}


@BOTH
def test_an_opening_comes_back_as_it_was(make_game: Make, both_databases: str) -> None:
    game = make_game(
        objects={"rocket": {"counters": {"fuel": 4}}, "base": {"zone": "aside"}},
        using=both_databases,
    )

    rows.check(game)

    assert ["rocket", "base"] == list(rows.state(game).objects)
    assert {"fuel": 4} == rows.state(game).on("rocket")


@BOTH
def test_a_tap_is_one_entry_and_one_counter(make_game: Make, both_databases: str) -> None:
    game = make_game(using=both_databases)

    rows.give(game, [place("ana", "points", 3, id="a1")])

    assert [("ana", "points", 3)] == list(game.counters.values_list("holder", "kind", "amount"))
    assert [(1, "ana", "a1")] == list(game.entries.values_list("number", "seat", "command_id"))
    rows.check(game)


@BOTH
def test_removed_counters_leave_no_row(make_game: Make, both_databases: str) -> None:
    game = make_game(using=both_databases)

    rows.give(game, [place("ana", "points", 3), {"do": "remove", "on": "ana", "amount": "all"}])

    assert 0 == game.counters.count()
    rows.check(game)


@BOTH
def test_an_undone_entry_says_which_entry_took_it_back(
    make_game: Make, both_databases: str
) -> None:
    game = make_game(using=both_databases)

    rows.give(game, [place("ana", "points"), place("ben", "points"), {"do": "undo", "entry": 1}])

    assert [3, None, None] == [entry.undone_by for entry in rows.entries(game)]
    rows.check(game)


@BOTH
def test_a_redone_entry_stands_again(make_game: Make, both_databases: str) -> None:
    game = make_game(using=both_databases)
    rows.give(game, [place("ana", "points"), {"do": "undo"}])

    rows.give(game, [{"do": "redo"}])

    assert [None, None, None] == [entry.undone_by for entry in rows.entries(game)]
    rows.check(game)


@BOTH
def test_objects_keep_the_order_in_which_they_were_made(
    make_game: Make, both_databases: str
) -> None:
    game = make_game(objects={"zebra": {}, "ape": {}}, using=both_databases)

    rows.give(game, [{"do": "create", "as": "newt"}, {"do": "create", "as": "bee"}])
    rows.give(game, [{"do": "undo", "entry": 1}, {"do": "create", "as": "cat"}])
    rows.give(game, [{"do": "redo", "entry": 1}])

    assert ["zebra", "ape", "newt", "bee", "cat"] == list(rows.state(game).objects)
    rows.check(game)


@BOTH
def test_the_turn_and_its_undo_are_stored(make_game: Make, both_databases: str) -> None:
    game = make_game(using=both_databases)

    rows.give(game, [{"do": "begin-turn", "active": ["ben", "cleo"]}])
    assert ("ben", "cleo") == rows.state(game).turn.active

    rows.give(game, [{"do": "undo"}])
    assert ("ana",) == rows.state(game).turn.active
    rows.check(game)


@BOTH
def test_a_game_of_many_batches_equals_its_log(make_game: Make, both_databases: str) -> None:
    """One batch goes to two games at once, as in the journal."""
    games = [make_game(using=both_databases) for _ in range(2)]
    histories = [rows.history(game) for game in games]
    for amount in range(1, 4):
        batch = {
            game.pk: [history.give(place("ana", "points", amount)), history.give({"do": "undo"})]
            for game, history in zip(games, histories, strict=True)
        }
        with transaction.atomic(using=both_databases):
            rows.write(connections[both_databases], batch, timezone.now())

    for game in games:
        rows.check(game)
        assert 6 == game.number


@BOTH
def test_two_processes_cannot_both_write_one_number(make_game: Make, both_databases: str) -> None:
    game = make_game(using=both_databases)
    one, other = rows.history(game), rows.history(game)
    connection = connections[both_databases]
    rows.write(connection, {game.pk: [one.give(place("ana", "points"))]}, timezone.now())

    with pytest.raises(IntegrityError), transaction.atomic(using=both_databases):
        rows.write(connection, {game.pk: [other.give(place("ben", "points"))]}, timezone.now())

    rows.check(game)


@BOTH
def test_an_id_that_was_accepted_stays_known_after_loading(
    make_game: Make, both_databases: str
) -> None:
    game = make_game(using=both_databases)
    rows.give(game, [place("ana", "points", id="tap-1")])

    rows.give(game, [place("ana", "points", id="tap-1")])

    assert 1 == game.number
    rows.check(game)


def test_a_refused_command_stores_nothing_of_its_batch(game: Game) -> None:
    with pytest.raises(Refused):
        rows.give(game, [place("ana", "points"), place("dan", "points")])

    assert 0 == Entry.objects.count()
    rows.check(game)


def test_names_of_seats_are_kept_beside_the_rules(make_game: Make) -> None:
    rules = find("any-game")
    opening = scenario.opening(rules, {"given": {"seats": {"ana": {}, "seat-2": {}}}})

    game = rows.create(rules, opening, names={"ana": "Ana María"})

    assert ["Ana María", "Seat 2"] == [seat.name for seat in game.seats.all()]


def test_a_seat_that_comes_late_waits_for_its_player_until_it_is_undone(make_game: Make) -> None:
    game = make_game()

    rows.give(game, [{"do": "add-seat", "as": "dora", "after": "ana"}])

    dora = game.seats.get(key="dora")
    assert (1, "", True, False) == (dora.order, dora.given_name, dora.free, dora.host)
    assert ["Ana", "Ben", "Cleo"] == [name for name in game.given_names.values() if name]
    rows.check(game)

    rows.give(game, [{"do": "undo"}])

    assert ["ana", "ben", "cleo"] == list(game.places)
    rows.check(game)


@pytest.mark.parametrize(("seats", "hosting"), [(["a", "gm"], "gm"), (["a", "b"], "a")])
def test_the_maker_of_a_game_is_its_host_and_sits_as_its_gm_or_first(
    db: None, seats: Any, hosting: Any
) -> None:
    rules = find("stars-and-signs")
    opening = scenario.opening(rules, {"given": {"seats": {key: {} for key in seats}}})
    phone = Visitor(device_hash="a phone", role=Visitor.Role.HOST)
    chosen = {"a": {"colour": 3, "emblem": 4}}

    game = rows.create(rules, opening, looks=chosen, host=phone)

    assert {hosting: True} == {seat.key: seat.host for seat in game.seats.filter(host=True)}
    assert hosting == game.seat_of("a phone").key
    assert "host" == game.admitted("a phone").role
    assert chosen == game.looks
    assert game == Game.objects.hosted_by(game.host_token)
    rows.check(game)


def test_a_rule_change_of_a_seat_keeps_its_name_and_its_phone(game: Game) -> None:
    seat = game.seats.get(key="ben")
    seat.given_name = "Benjamin"
    seat.save(update_fields=["given_name"])
    game.admit("a phone", Visitor.Role.GUEST)
    seat.claim("a phone")
    state = rows.state(game)
    batch = changes.Batch()
    lost = state.with_seat(type(state.seats["ben"])("ben", lost=True))

    batch.difference(game.pk, state, lost, frozenset({"ben"}))
    changes.execute(connections["default"], batch.statements())

    seat.refresh_from_db()
    assert (True, "Benjamin", "a phone") == (seat.lost, seat.name, seat.device_hash)


def test_the_default_seat_is_the_hosts(game: Game) -> None:
    assert ["ana"] == [seat.key for seat in game.seats.filter(host=True)]


def test_check_notices_rows_that_differ_from_the_log(game: Game) -> None:
    game.counters.update(amount=5)

    with pytest.raises(AssertionError, match="counters"):
        rows.check(game)


@BOTH
def test_prompts_come_back_oldest_first_with_their_facts(
    make_game: Make, both_databases: str
) -> None:
    game = make_game(using=both_databases)
    state = rows.state(game)
    waiting = (
        Prompt("zap:ana", "zap", "ana", "game", {"due": {"rocket": 2}}),
        Prompt("ask:ben", "ask", "ben", None, {"rule": "7"}),
    )
    asked = replace(state, prompts=waiting)
    batch = changes.Batch()

    batch.difference(game.pk, state, asked, frozenset())
    changes.execute(connections[both_databases], batch.statements())

    assert waiting == rows.state(game).prompts


def test_every_part_of_a_state_is_stored() -> None:
    """A new part of GameState must be added to snapshot and rows too."""
    known = {"seats", "objects", "counters", "slot_counters", "teams", "turn", "prompts"}
    known |= {"result", "winners", "settings", "settled", "notes", "scenes", "standings", "parts"}

    assert {*GameState.__struct_fields__} == known
    assert known == set(as_json(GameState(seats={})))


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_the_state_after_each_scenario_survives_its_rows(db: None, file: Any) -> None:
    """Covers every field the scenarios use, stored halfway and at the end."""
    for one in map(current, json.loads(file.read_text())):
        if not {"refused_definition", "refused_opening"}.isdisjoint(one["then"]):
            continue
        with transaction.atomic():
            _stored_between(named_by(one)[-1], one)
            transaction.set_rollback(True)


def _stored_between(system: System, one: Json) -> None:
    game = rows.create(system, scenario.opening(system, one))
    history = rows.history(game)
    for command in one["when"]:
        try:
            given = history.give(command)
        except Refused:
            continue
        rows.write(connections["default"], {game.pk: [given]}, timezone.now())
    game.refresh_from_db()
    again = rows.history(game)
    assert history.state == again.state, one["id"]
    assert history.opening == again.opening, one["id"]
    assert history.state == from_json(system, json.loads(json.dumps(as_json(history.state))))
    rows.check(game)


COMMANDS = st.lists(
    st.one_of(
        st.builds(
            place,
            st.sampled_from(["ana", "ben", "o1", "o2"]),
            st.sampled_from(["points", "fuel"]),
            st.integers(0, 3),
        ),
        st.builds(
            lambda on, counter: {"do": "remove", "on": on, "counter": counter, "amount": "all"},
            st.sampled_from(["ana", "o1", "o2"]),
            st.sampled_from(["points", "fuel"]),
        ),
        st.builds(lambda name: {"do": "create", "as": name}, st.sampled_from(["o1", "o2", "o3"])),
        st.builds(
            lambda name, zone: {"do": "move", "object": name, "to": zone},
            st.sampled_from(["o1", "o2"]),
            st.sampled_from(["table", "aside"]),
        ),
        st.builds(lambda entry: {"do": "undo", "entry": entry}, st.integers(1, 12)),
        st.builds(lambda entry: {"do": "redo", "entry": entry}, st.integers(1, 12)),
        st.just({"do": "undo"}),
        st.just({"do": "redo"}),
    ),
    max_size=20,
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(commands=COMMANDS, sizes=st.lists(st.integers(1, 5), min_size=1, max_size=8))
def test_rows_equal_the_log_however_commands_are_batched(
    make_game: Make, commands: Any, sizes: Any
) -> None:
    game = make_game(objects={"o1": {"counters": {"fuel": 2}}})
    history = rows.history(game)
    batch = []
    left = sizes * 20
    for command in commands:
        try:
            batch.append(history.give(command))
        except Refused:
            continue
        if len(batch) >= left[0]:
            rows.write(connections["default"], {game.pk: batch}, timezone.now())
            history.saved(history.number)
            batch, left = [], left[1:]
    rows.write(connections["default"], {game.pk: batch}, timezone.now())

    rows.check(game)
    assert history.state == rows.state(game)


def test_opening_a_game_does_not_read_its_log(game: Game, django_assert_num_queries: Any) -> None:
    rows.give(game, [place("ana", "points", id=f"tap-{number}") for number in range(20)])
    game = Game.objects.get(pk=game.pk)

    with django_assert_num_queries(5) as queries:
        rows.history(game)

    assert not [query for query in queries if "games_entry" in query["sql"]]


def test_opening_a_game_of_ten_thousand_entries_takes_no_longer_than_an_empty_one(
    game: Game,
) -> None:
    empty = min(_seconds_to_open(game) for _ in range(5))
    history = rows.history(game)
    given = [history.give(place("ana", "points", id=f"tap-{number}")) for number in range(10_000)]
    rows.write(connections["default"], {game.pk: given}, timezone.now())
    game.refresh_from_db()

    fastest = min(_seconds_to_open(game) for _ in range(5))

    assert fastest < 2 * empty + 0.001


def _seconds_to_open(game: Game) -> float:
    began = thread_time()
    rows.history(game)
    return thread_time() - began


@pytest.mark.django_db
@pytest.mark.parametrize("back", [1, 60, 280])
def test_an_undo_in_a_long_log_begins_at_a_stored_state_that_still_stands(
    back: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = evenings.magic(900)
    taps = game.entries.filter(undone_by=None, number__lte=900 - back, command__do="lose-life")
    tap = taps.order_by("-number").first()
    read = []

    def watched(fetch: Any) -> Any:
        def noted(game: Game, after: Any = 0, last: Any = None) -> Any:
            read.append(after)
            return fetch(game, after, last)

        return noted

    for name in ("entries", "given", "reversals"):
        monkeypatch.setattr(rows, name, watched(getattr(rows, name)))
    for verb in ("undo", "redo", "undo"):
        rows.give(game, [{"do": verb, "entry": tap.number, "by": tap.seat}])

    assert min(read) >= tap.number - 2 * checkpoints.EVERY
    monkeypatch.undo()
    rows.check(game)


@pytest.mark.django_db
def test_an_old_command_is_undone_without_keeping_the_log_in_memory() -> None:
    game = evenings.magic(900)
    tap = game.entries.filter(undone_by=None, command__do="lose-life").order_by("number")[20]
    history = rows.history(game)
    for verb in ("undo", "redo", "undo"):
        history.give({"do": verb, "entry": tap.number, "by": tap.seat})

    assert 3 == len(history._log._entries)  # the undo, the redo and the undo
    assert history.state == fold(game.rules, history.opening, history.entries)


@pytest.mark.django_db
def test_a_stored_log_is_resolved_again_as_its_entries_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "READ_AT_ONCE", 70)
    game = evenings.magic(200)
    entries = rows.entries(game)

    assert [log.given(game.rules, each) for each in entries] == [*rows.given(game, 0, game.number)]
