"""A game's state as rows and back; the only module that knows both.

Taps are written with plain SQL that SQLite and PostgreSQL both understand, many games in one batch:
the entries, and the parts of the state that changed. Everything else goes through the models.
The fields that a rule system adds to seats, objects, teams and slot counters are stored as JSON
`facts`, so a new system needs no migration.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from operator import attrgetter, is_not
from typing import Any

import orjson
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone
from immutables import Map

from games import models as tables
from games.rules import audiences
from games.rules import history as log
from games.rules.snapshot import as_json, from_json
from games.rules.state import (
    GameObject,
    GameState,
    Note,
    Prompt,
    Seat,
    SlotCounter,
    Turn,
    from_facts,
    plain,
    to_facts,
)
from games.rules.system import Entry, System

from . import checkpoints
from .sql import delete, insert, put, select, update

SEAT_COLUMNS = frozenset({"id", "lost"})
OBJECT_COLUMNS = frozenset({"id", "name", "zone", "owner", "controller", "token", "had"})

BATCH, PAUSE = 40, 0.01
"""Commands in one transaction of `play`, and seconds after it in which others get the database."""

Row = tuple[Any, ...]
Statements = Mapping[str, Sequence[Row]]
"""SQL statement to the rows to execute it with, in the order of execution."""


# Reading


def history(game: tables.Game) -> log.History:
    """The game as it stands, ready for the next command.

    Its log and opening stay in the database; an undo reads as much of them as it needs.
    """
    return log.History(
        game.rules,
        lambda: opening(game),
        state=state(game),
        number=game.number,
        ids=[command_id for (command_id,) in _found(game, COMMAND_IDS)],
        load=lambda after, last: entries(game, after, last),
        kept=lambda before: checkpoints.before(game, before),
        lines=lines(game),
    )


def lines(game: tables.Game) -> Mapping[str, int]:
    """How many entries each audience has heard of; nothing where no one counts lines.

    As of the entry `game.number`, so that it fits whatever was read with it.
    """
    if game.rules.hears is None:
        return {}
    last = game.entries.filter(number=game.number).values_list("heard", flat=True).first()
    heard = audiences.from_json(last) or {}
    return {key: each.line for key, each in heard.items()}


def number_for(
    game: tables.Game, counted: Mapping[str, int], whole: GameState, seat: str | None
) -> int:
    """The number of the last entry as *seat* counts. counted: the `lines`, read before *whole*."""
    if not audiences.counts_lines(game.rules, whole, seat):
        return game.number
    return counted.get(seat or audiences.WATCHERS, game.number)


def _found(game: tables.Game, statement: str) -> list[Row]:
    """The rows of *game*, without the ORM, which would take a quarter of a tap's time for each."""
    with connections[game._state.db or "default"].cursor() as cursor:
        cursor.execute(statement, [game.pk])
        found: list[Row] = cursor.fetchall()
    return found


def state(game: tables.Game) -> GameState:
    """The state that the rows of *game* hold."""
    system = game.rules
    counters: dict[str, dict[str, int]] = {}
    for holder, kind, amount in _found(game, COUNTERS_OF):
        counters.setdefault(holder, {})[kind] = amount
    return GameState(
        seats=seats(game),
        objects={row[0]: _object(system, row) for row in _found(game, OBJECTS_OF)},
        counters=Map(counters),
        slot_counters={
            key: from_facts(system.slot_counter, {"id": key, **orjson.loads(facts)})
            for key, facts in _found(game, SLOT_COUNTERS_OF)
        },
        teams={facts["id"]: from_facts(system.team, facts) for facts in game.teams},
        turn=from_facts(Turn, game.turn) if game.turn else None,
        prompts=tuple(
            Prompt(key, kind, to, source, orjson.loads(facts))
            for key, kind, to, source, facts in _found(game, PROMPTS_OF)
        ),
        result=game.result,
        settings=game.settings,
        settled=game.settled,
        notes={facts["id"]: from_facts(Note, facts) for facts in game.notes},
        scenes=dict(game.scenes),
        standings={facts["id"]: from_facts(system.standing, facts) for facts in game.standings},
    )


def seats(game: tables.Game) -> dict[str, Seat]:
    """The seats as the rules see them, without the rest of the state."""
    return {
        key: from_facts(game.rules.seat, {"id": key, "lost": bool(lost), **orjson.loads(facts)})
        for key, lost, facts in _found(game, SEATS_OF)
    }


def _object(system: System, row: Row) -> GameObject:
    key, name, zone, owner, controller, token, had, facts = row
    shared = {"id": key, "name": name, "zone": zone, "owner": owner, "controller": controller}
    own = {"token": bool(token), "had": orjson.loads(had), **orjson.loads(facts)}
    return from_facts(system.object, {**shared, **own})


def opening(game: tables.Game) -> GameState:
    """The state before the first entry of *game*."""
    return from_json(game.rules, game.opening.state)


def entries(game: tables.Game, after: int = 0, last: int | None = None) -> list[Entry]:
    """The stored log of *game* after entry number *after*, oldest first.

    last: the number of the last one to read; all if none is given.
    """
    found = game.entries.filter(number__gt=after).order_by("number")
    if last is not None:
        found = found.filter(number__lte=last)
    return [
        Entry(number, by, command_id, command, tuple(events), undone_by, audiences.from_json(heard))
        for number, by, command_id, command, events, undone_by, heard in found.values_list(
            "number", "seat", "command_id", "command", "events", "undone_by", "heard"
        )
    ]


def check(game: tables.Game) -> None:
    """Check that the rows and the log of *game* agree. Raises AssertionError."""
    folded, rows = _twice(game)
    for part in GameState.__slots__:
        expected, actual = getattr(folded, part), getattr(rows, part)
        assert expected == actual, f"{part}: the log says {expected!r}, the rows {actual!r}"
        if part in ("seats", "objects", "slot_counters", "teams"):
            assert list(expected) == list(actual), f"the order of {part}"


def _twice(game: tables.Game) -> tuple[GameState, GameState]:
    """The state of *game* as its log says, and as its rows do."""
    game.refresh_from_db()
    stored = entries(game)
    numbers = [entry.number for entry in stored]
    assert numbers == list(range(1, game.number + 1)), f"entries {numbers}, last {game.number}"
    return log.fold(game.rules, opening(game), stored), state(game)


# Writing


def to_json(value: Any) -> str:
    """*value* as JSON text for a column."""
    return orjson.dumps(value).decode()


def create(
    system: System,
    first: GameState,
    *,
    title: str = "",
    names: Mapping[str, str] | None = None,
    using: str = "default",
) -> tables.Game:
    """A new game that begins with the state *first*.

    names: the names of seats by id, "" for none; a seat that is not there is named after its id.
    The seat that acts by default (the GM, or else the first) is the host's.
    """
    host, opening = system.default_by(first), as_json(first)
    named = {key: called(key) for key in first.seats} | dict(names or {})
    game = tables.Game(
        title=title, system=system.name, edition=system.edition, settings=plain(first.settings)
    )
    with transaction.atomic(using=using, savepoint=False):  # few statements: taps wait meanwhile
        game.save(using=using)
        tables.Opening.objects.using(using).create(game=game, state=opening)
        batch = _Batch()
        batch.difference(game.pk, GameState(seats={}), first, None)
        seats = [(named[key], key == host, game.pk, key) for key in first.seats]
        _execute(connections[using], {**batch.statements(), NAME_SEAT: seats})
        game.refresh_from_db(using=using)
    return game


def give(game: tables.Game, commands: Iterable[Mapping[str, Any]]) -> log.History:
    """Give *commands* to a game that no one is playing, and store what they did.

    Raises Refused for the first command that is refused; nothing is stored then.
    """
    played = history(game)
    applied = [played.give(dict(command)) for command in commands]
    connection = connections[game._state.db or "default"]
    with transaction.atomic(using=connection.alias):
        write(connection, {game.pk: applied}, timezone.now())
    game.refresh_from_db()
    return played


def play(game: tables.Game, commands: Iterable[Mapping[str, Any]]) -> None:
    """Give many commands to a new game, and store what they did in batches.

    They are resolved outside of any transaction, and others can write between two batches. Raises
    Refused for the first command that is refused; what came before it is stored then.
    """
    played, connection = history(game), connections[game._state.db or "default"]
    given = iter(commands)
    while part := [dict(command) for command in islice(given, BATCH)]:
        applied = [played.give(command) for command in part]
        when = connection.ops.adapt_datetimefield_value(timezone.now())
        made = statements({game.pk: applied}, when)  # before anyone else has to wait
        with transaction.atomic(using=connection.alias):
            _execute(connection, made)
        played.saved(played.number)
        time.sleep(PAUSE)
    game.refresh_from_db()


def write(
    connection: BaseDatabaseWrapper, batch: Mapping[int, Sequence[log.Applied]], at: datetime
) -> None:
    """Store accepted commands of several games (by primary key), each in the order given.

    The caller holds a transaction, so that all of the batch is stored or nothing.
    Raises IntegrityError if another process has written an entry with the same number.
    """
    when = connection.ops.adapt_datetimefield_value(at)
    _execute(connection, statements(batch, when))


def follow_log(game: tables.Game) -> bool:
    """Write the rows of *game* anew where its log says otherwise; whether it did.

    After an update: where an earlier version kept less of a state, or another rule's.
    """
    folded, stored = _twice(game)
    batch = _Batch()
    batch.difference(game.pk, stored, folded, None)
    connection = connections[game._state.db or "default"]
    with transaction.atomic(using=connection.alias):
        _execute(connection, batch.statements())
    game.refresh_from_db()
    return folded != stored


def statements(batch: Mapping[int, Sequence[log.Applied]], when: Any) -> Statements:
    """What `write` executes, for callers with their own connection; empty if nothing was accepted.

    when: the time of the entries, in the form the database takes.
    """
    collected = _Batch()
    for game, all_applied in batch.items():
        accepted = [applied for applied in all_applied if applied.entry]
        if accepted:
            collected.entries(game, accepted, when)
            touched = _touched(accepted)
            collected.difference(game, accepted[0].before, accepted[-1].after, touched)
    return collected.statements()


def _execute(connection: BaseDatabaseWrapper, all_statements: Statements) -> None:
    with connection.cursor() as cursor:
        for statement, rows in all_statements.items():
            cursor.executemany(statement, rows)


def _touched(accepted: Sequence[log.Applied]) -> frozenset[str] | None:
    """What any of them may have changed; None if that may be anything."""
    if len(accepted) == 1:
        return accepted[0].touched
    together: set[str] = set()
    for applied in accepted:
        if applied.touched is None:
            return None
        together |= applied.touched
    return frozenset(together)


class _Batch:
    """The rows of one transaction, collected by statement."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {statement: [] for statement in STATEMENTS}

    def statements(self) -> Statements:
        return {statement: rows for statement, rows in self.rows.items() if rows}

    def entries(self, game: int, accepted: Sequence[log.Applied], when: Any) -> None:
        new, undone = self.rows[INSERT_ENTRY], self.rows[SAY_UNDONE]
        entry = None
        for applied in accepted:
            entry = applied.entry
            assert entry is not None
            command, events = to_json(entry.command), to_json(entry.events)
            heard = None if entry.heard is None else to_json(audiences.as_json(entry.heard))
            new.append((game, entry.number, entry.by, entry.id, command, events, heard, when))
            if checkpoints.wanted(entry.number, applied.undone or applied.redone):
                state = checkpoints.packed(applied.after)
                self.rows[PUT_CHECKPOINT].append((game, entry.number, state))
            if applied.undone or applied.redone:
                undone.extend((entry.number, game, number) for number in applied.undone)
                undone.extend((None, game, number) for number in applied.redone)
        assert entry is not None
        self.rows[COUNT_ENTRIES].append((entry.number, when, game))

    def difference(
        self, game: int, before: GameState, after: GameState, touched: frozenset[str] | None
    ) -> None:
        """Collect what differs from *before* in *after*. touched: where to look; None is all."""
        if before.counters is not after.counters:
            self._counters(game, before, after, touched)
        if before.seats is not after.seats:
            self._keyed(SEATS, game, before.seats, after.seats, touched)
        if before.objects is not after.objects:
            self._keyed(OBJECTS, game, before.objects, after.objects, touched)
        if before.slot_counters is not after.slot_counters:
            self._keyed(SLOT_COUNTERS, game, before.slot_counters, after.slot_counters, touched)
        if before.prompts is not after.prompts:
            self._prompts(game, after)
        if any(map(is_not, on_the_game(before), on_the_game(after))):
            self.rows[UPDATE_GAME].append(_of_game(after, game))

    def _counters(
        self, game: int, before: GameState, after: GameState, touched: frozenset[str] | None
    ) -> None:
        places = touched if touched is not None else {*before.counters, *after.counters}
        put, taken = self.rows[PUT_COUNTER], self.rows[DELETE_COUNTER]
        for holder in places:
            old, new = before.on(holder), after.on(holder)
            if old is new:
                continue
            for kind, amount in new.items():
                if old.get(kind) != amount:
                    put.append((game, holder, kind, amount))
            taken.extend((game, holder, kind) for kind in old if kind not in new)

    def _keyed(
        self,
        table: _Table,
        game: int,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        touched: frozenset[str] | None,
    ) -> None:
        """For rows with a key and an order: put what differs, delete what is gone."""
        order = {key: place for place, key in enumerate(after)}
        if touched is not None and list(before) == list(after):
            differing = [key for key in touched if key in after and before[key] is not after[key]]
        else:
            was = {key: place for place, key in enumerate(before)}
            differing = [
                key
                for key, place in order.items()
                if was.get(key) != place or before[key] != after[key]
            ]
            gone = (key for key in before if key not in after)
            self.rows[table.delete].extend((game, key) for key in gone)
        self.rows[table.put].extend(
            (game, key, order[key], *table.columns(after[key])) for key in differing
        )

    def _prompts(self, game: int, after: GameState) -> None:
        self.rows[DELETE_PROMPTS].append((game,))
        self.rows[INSERT_PROMPT].extend(
            (game, p.id, p.kind, p.to, p.source, to_json(plain(p.facts)), order)
            for order, p in enumerate(after.prompts)
        )


def called(key: str) -> str:
    """The default name of a seat, made from its id; "" for a co-GM's, which `Seat.name` knows."""
    if key.startswith("co-gm"):
        return ""
    return "GM" if key == "gm" else key.replace("-", " ").capitalize()


# The statements. Each runs at most once in a batch, in the order of STATEMENTS.


@dataclass(frozen=True, slots=True)
class _Table:
    """How rows with a key and an order are written.

    columns: the values of one row, after game, key and order.
    """

    put: str
    delete: str
    columns: Callable[[Any], Row]


def _of_seat(seat: Seat) -> Row:
    return seat.lost, to_json(to_facts(seat, SEAT_COLUMNS)), called(seat.id), False


def _of_object(obj: GameObject) -> Row:
    facts = to_json(to_facts(obj, OBJECT_COLUMNS))
    shared = obj.name, obj.zone, obj.owner, obj.controller, obj.token
    return *shared, to_json(dict(obj.had)), facts


def _of_slot_counter(counter: SlotCounter) -> Row:
    return (to_json(to_facts(counter, {"id"})),)


def _of_game(whole: GameState, game: int) -> Row:
    turn = to_json(to_facts(whole.turn)) if whole.turn else None
    teams = to_json([to_facts(team) for team in whole.teams.values()])
    notes = to_json([to_facts(note) for note in whole.notes.values()])
    settings = to_json(plain(whole.settings))
    scenes = to_json([list(scene) for scene in whole.scenes.items()])
    standings = to_json([to_facts(standing) for standing in whole.standings.values()])
    return turn, teams, whole.result, settings, whole.settled, notes, scenes, standings, game


ON_THE_GAME = "turn teams result settings settled notes scenes standings"
on_the_game = attrgetter(*ON_THE_GAME.split())
COMMAND_IDS = f'{select(tables.Entry, "command_id", "game_id")} AND "command_id" IS NOT NULL'
COUNTERS_OF = select(tables.Counter, "holder kind amount", "game_id")
SEATS_OF = select(tables.Seat, "key lost facts", "game_id", order="order id")
OBJECTS_OF = select(
    tables.GameObject,
    "key name zone owner controller token had facts",
    "game_id",
    order="order id",
)
SLOT_COUNTERS_OF = select(tables.SlotCounter, "key facts", "game_id", order="order id")
PROMPTS_OF = select(tables.Prompt, "key kind to source facts", "game_id", order="order id")
INSERT_ENTRY = insert(tables.Entry, "game_id number seat command_id command events heard at")
PUT_CHECKPOINT = put(tables.Checkpoint, "game_id number", "state")
SAY_UNDONE = update(tables.Entry, "undone_by", "game_id number")
COUNT_ENTRIES = update(tables.Game, "number changed", "id")
UPDATE_GAME = update(tables.Game, ON_THE_GAME, "id")
NAME_SEAT = update(tables.Seat, "given_name host", "game_id key")
PUT_COUNTER = put(tables.Counter, "game_id holder kind", "amount")
DELETE_COUNTER = delete(tables.Counter, "game_id holder kind")
DELETE_PROMPTS = delete(tables.Prompt, "game_id")
INSERT_PROMPT = insert(tables.Prompt, "game_id key kind to source facts order")
SEATS = _Table(
    put(tables.Seat, "game_id key", "order lost facts", fixed="given_name host"),
    delete(tables.Seat, "game_id key"),
    _of_seat,
)
OBJECTS = _Table(
    put(tables.GameObject, "game_id key", "order name zone owner controller token had facts"),
    delete(tables.GameObject, "game_id key"),
    _of_object,
)
SLOT_COUNTERS = _Table(
    put(tables.SlotCounter, "game_id key", "order facts"),
    delete(tables.SlotCounter, "game_id key"),
    _of_slot_counter,
)
STATEMENTS = (
    INSERT_ENTRY,
    PUT_CHECKPOINT,
    SAY_UNDONE,
    COUNT_ENTRIES,
    UPDATE_GAME,
    DELETE_COUNTER,
    PUT_COUNTER,
    SEATS.delete,
    SEATS.put,
    OBJECTS.delete,
    OBJECTS.put,
    SLOT_COUNTERS.delete,
    SLOT_COUNTERS.put,
    DELETE_PROMPTS,
    INSERT_PROMPT,
)
"""Deletions before insertions; a holder's rows do not hang on each other otherwise."""
