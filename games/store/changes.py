"""Changes by commands, as SQL statements and their rows.

Taps are written with plain SQL that SQLite and PostgreSQL both understand, many games in one batch:
the entries, and the parts of the state that changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, is_not
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from msgspec import Struct, json

from games import models as tables
from games.rules import history as log
from games.rules.entry import views_as_json
from games.rules.state import GameObject, GameState, Seat, SlotCounter, plain, to_facts

from . import checkpoints
from .sql import Row, delete, insert, put, update

SEAT_COLUMNS = frozenset({"id", "lost"})
OBJECT_COLUMNS = frozenset({"id", "name", "zone", "owner", "controller", "token", "had"})

Statements = Mapping[str, Sequence[Row]]
"""SQL statement to the rows to execute it with, in the order of execution."""


def to_json(value: Any) -> str:
    """*value* as JSON text for a column."""
    return json.encode(value).decode()


def statements(batch: Mapping[int, Sequence[log.Applied]], when: Any) -> Statements:
    """The statements of `write`, for callers with a connection; empty if nothing was accepted.

    when: the time of the entries, in the form the database takes.
    """
    collected = Batch()
    for game, all_applied in batch.items():
        accepted = [applied for applied in all_applied if applied.entry]
        if accepted:
            collected.entries(game, accepted, when)
            touched = _touched(accepted)
            collected.difference(game, accepted[0].before, accepted[-1].after, touched)
    return collected.statements()


class Gap(RuntimeError):
    """Entries that do not follow the last one that is stored."""


def execute(connection: BaseDatabaseWrapper, all_statements: Statements) -> None:
    """Execute them. Raises Gap, and the caller's transaction must not be kept then."""
    with connection.cursor() as cursor:
        execute_on(cursor, all_statements)


def execute_on(cursor: Any, all_statements: Statements, placeholder: str = "%s") -> None:
    """As `execute`, on a cursor whose driver wants that *placeholder*."""
    for statement, rows in all_statements.items():
        sql = statement if placeholder == "%s" else statement.replace("%s", placeholder)
        cursor.executemany(sql, rows)
        if statement is COUNT_ENTRIES and cursor.rowcount != len(rows):
            raise Gap("The log has another last entry than the one these follow.")


def _touched(accepted: Sequence[log.Applied]) -> frozenset[str] | None:
    """The ids that any of them may have changed; None for all."""
    if len(accepted) == 1:
        return accepted[0].touched
    together: set[str] = set()
    for applied in accepted:
        if applied.touched is None:
            return None
        together |= applied.touched
    return frozenset(together)


class Batch:
    """The rows of one transaction, collected by statement."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {statement: [] for statement in STATEMENTS}

    def statements(self) -> Statements:
        return {statement: rows for statement, rows in self.rows.items() if rows}

    def entries(self, game: int, accepted: Sequence[log.Applied], when: Any) -> None:
        new, undone = self.rows[INSERT_ENTRY], self.rows[SAY_UNDONE]
        entry = accepted[0].entry
        assert entry is not None
        last = entry.number - 1
        for applied in accepted:
            entry = applied.entry
            assert entry is not None
            command, events = to_json(entry.command), to_json(entry.events)
            heard = None if entry.views is None else to_json(views_as_json(entry.views))
            new.append((game, entry.number, entry.by, entry.id, command, events, heard, when))
            if checkpoints.wanted(entry.number, applied.undone or applied.redone):
                state = checkpoints.packed(applied.after)
                self.rows[PUT_CHECKPOINT].append((game, entry.number, state))
            if applied.undone or applied.redone:
                undone.extend((entry.number, game, number) for number in applied.undone)
                undone.extend((None, game, number) for number in applied.redone)
        self.rows[COUNT_ENTRIES].append((entry.number, when, game, last))

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
        if before.settings is not after.settings:
            self.rows[UPDATE_SETTINGS].append((to_json(plain(after.settings)), game))

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
            for kind in old:
                if kind not in new:
                    taken.append((game, holder, kind))

    def _keyed(
        self,
        table: _Table,
        game: int,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        touched: frozenset[str] | None,
    ) -> None:
        """For rows with a key and an order: put what differs, delete what is gone."""
        keys = list(after)
        place_of: Callable[[str], int]
        if touched is not None and list(before) == keys:
            differing = [key for key in touched if key in after and before[key] is not after[key]]
            place_of = keys.index  # of the few that differ
        else:
            order = {key: place for place, key in enumerate(keys)}
            place_of = order.__getitem__
            was = {key: place for place, key in enumerate(before)}
            differing = [
                key
                for key, place in order.items()
                if was.get(key) != place or before[key] != after[key]
            ]
            gone = (key for key in before if key not in after)
            self.rows[table.delete].extend((game, key) for key in gone)
        self.rows[table.put].extend(
            (game, key, place_of(key), *table.columns(after[key])) for key in differing
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


class _Table(Struct, frozen=True):
    """The upsert of rows with a key and an order.

    columns: the values of one row, after game, key and order.
    """

    put: str
    delete: str
    columns: Callable[[Any], Row]


def _of_seat(seat: Seat) -> Row:
    """A seat that is new waits for its player, who says a name; `rows.create` names the first."""
    return seat.lost, to_json(to_facts(seat, SEAT_COLUMNS)), "", False


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
    scenes = to_json([list(scene) for scene in whole.scenes.items()])
    standings = to_json([to_facts(standing) for standing in whole.standings.values()])
    won = whole.result, to_json(whole.winners)
    parts = to_json(plain(whole.parts))
    return turn, teams, *won, whole.settled, notes, scenes, standings, parts, game


ON_THE_GAME = "turn teams result winners settled notes scenes standings parts"
on_the_game = attrgetter(*ON_THE_GAME.split())
INSERT_ENTRY = insert(tables.Entry, "game_id number seat command_id command events heard at")
PUT_CHECKPOINT = put(tables.Checkpoint, "game_id number", "state")
SAY_UNDONE = update(tables.Entry, "undone_by", "game_id number")
COUNT_ENTRIES = update(tables.LastEntry, "number changed", "game_id number")
UPDATE_GAME = update(tables.Game, ON_THE_GAME, "id")
UPDATE_SETTINGS = update(tables.Game, "settings", "id")
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
    UPDATE_SETTINGS,
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
