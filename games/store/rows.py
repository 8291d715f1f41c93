"""A game's state as rows and back; the only module that knows both.

What commands changed is written by `changes`, with plain SQL, many games in one batch. Everything
else goes through the models.
The fields that a rule system adds to seats, objects, teams and slot counters are stored as JSON
`facts`, so a new system needs no migration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone
from msgspec import json

from games import models as tables
from games.rules import history as log
from games.rules import secrecy
from games.rules.commands import Command
from games.rules.entry import TURNS, Entry, views_from_json
from games.rules.log import Given, Stored, Unread, is_turn, readable
from games.rules.snapshot import as_json, from_json
from games.rules.state import (
    GameObject,
    GameState,
    Note,
    Prompt,
    Refused,
    Seat,
    Turn,
    from_facts,
    plain,
)
from games.rules.system import System

from . import checkpoints
from .changes import Batch, Statements, called, execute, execute_on, statements, to_json
from .entries import COLUMNS, decoded
from .sql import Row, found, insert, insertion, select, update

READ_AT_ONCE = 2_000
"""Entries in memory while a long log is resolved again."""
BATCH = 8
"""Commands in one transaction of `play`; taps are saved between two of them."""

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
        ids=lambda after, last: _found(game, COMMAND_IDS, after, last),
        stored=Stored(
            lambda after, last: entries(game, after, last),
            lambda after, last: given(game, after, last),
            lambda after, last: reversals(game, after, last),
        ),
        kept=lambda before: checkpoints.before(game, before),
        lines=lines(game),
    )


def lines(game: tables.Game) -> Mapping[str, int]:
    """The number of entries sent to each audience; nothing where lines are not counted apart.

    As of the entry `game.number`, so that it fits whatever was read with it.
    """
    if not secrecy.private_log(game.rules):
        return {}
    last = game.entries.filter(number=game.number).values_list("heard", flat=True).first()
    heard = views_from_json(last) or {}
    return {key: each.line for key, each in heard.items()}


def count(game: tables.Game) -> secrecy.Count:
    """The state of *game*, and how far its audiences have come.

    The numbers are read before the state: a newer state is merely sent twice to a screen, an older
    one would stay.
    """
    counted = lines(game)
    return secrecy.Count(game.rules, state(game), game.number, counted)


def number_for(game: tables.Game, seat: str | None) -> int:
    """The number of the last entry as *seat* counts."""
    return count(game).of(seat) if secrecy.private_log(game.rules) else game.number


def _found(game: tables.Game, statement: str, *more: Any) -> list[Row]:
    return found(statement, game.pk, *more, using=game._state.db or "default")


def state(game: tables.Game) -> GameState:
    """The state that the rows of *game* hold."""
    system = game.rules
    counters: dict[str, dict[str, int]] = {}
    for holder, kind, amount in _found(game, COUNTERS_OF):
        counters.setdefault(holder, {})[kind] = amount
    return GameState(
        seats=seats(game),
        objects={row[0]: _object(system, row) for row in _found(game, OBJECTS_OF)},
        counters=counters,
        slot_counters={
            key: from_facts(system.components.slot_counter, {"id": key, **json.decode(facts)})
            for key, facts in _found(game, SLOT_COUNTERS_OF)
        },
        teams={facts["id"]: from_facts(system.components.team, facts) for facts in game.teams},
        turn=from_facts(Turn, game.turn) if game.turn else None,
        prompts=tuple(
            Prompt(key, kind, to, source, json.decode(facts))
            for key, kind, to, source, facts in _found(game, PROMPTS_OF)
        ),
        result=game.result,
        winners=tuple(game.winners),
        settings=game.settings,
        settled=game.settled,
        notes={facts["id"]: from_facts(Note, facts) for facts in game.notes},
        scenes=dict(game.scenes),
        standings={
            facts["id"]: from_facts(system.components.standing, facts) for facts in game.standings
        },
        parts=game.parts,
    )


def seats(game: tables.Game) -> dict[str, Seat]:
    """The seats as the rules see them, without the rest of the state."""
    return {
        key: from_facts(
            game.rules.components.seat, {"id": key, "lost": bool(lost), **json.decode(facts)}
        )
        for key, lost, facts in _found(game, SEATS_OF)
    }


def _object(system: System, row: Row) -> GameObject:
    key, name, zone, owner, controller, token, had, facts = row
    shared = {"id": key, "name": name, "zone": zone, "owner": owner, "controller": controller}
    own = {"token": bool(token), "had": json.decode(had), **json.decode(facts)}
    return from_facts(system.components.object, {**shared, **own})


def opening(game: tables.Game) -> GameState:
    """The state before the first entry of *game*."""
    return from_json(game.rules, game.opening.state)


def entries(game: tables.Game, after: int = 0, last: int | None = None) -> list[Entry]:
    """The stored log of *game* after entry number *after*, oldest first.

    last: the number of the last one to read; all if none is given.
    """
    upto = log.MOST_ENTRIES if last is None else last
    return [decoded(*row) for row in _found(game, ENTRIES, after, upto)]


def reversals(game: tables.Game, after: int, last: int) -> Iterator[Entry]:
    """What turns others among the entries of *game* after number *after*, up to *last*."""
    for row in _found(game, NAMING_TURNS, after, last):
        entry = decoded(*row)
        if is_turn(entry):
            yield entry


def given(game: tables.Game, after: int, last: int) -> Iterator[Given]:
    """The entries of *game* after number *after*, up to *last*, to resolve them again.

    Most commands are like one before but for the id, so each sort is decoded and read only once.
    """
    system, read = game.rules, dict[tuple[str, str], Command | Unread | Refused | None]()
    for start in range(after, last, READ_AT_ONCE):
        if len(read) > READ_AT_ONCE:
            read.clear()
        end = min(start + READ_AT_ONCE, last)
        for number, by, command_id, text, undone_by in _found(game, COMMANDS, start, end):
            # Ids are unique, so that two texts which are then the same differed in nothing else.
            sort = by, text.replace(f'"{command_id}"', "", 1) if command_id else text
            if sort not in read:
                raw = json.decode(text)
                read[sort] = None if raw["do"] in TURNS else readable(system, raw, by)
            yield number, by, undone_by, read[sort]


def check(game: tables.Game) -> None:
    """Check that the rows and the log of *game* agree. Raises AssertionError."""
    folded, rows = _twice(game)
    for part in GameState.__struct_fields__:
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


def create(
    system: System,
    first: GameState,
    *,
    title: str = "",
    names: Mapping[str, str] | None = None,
    looks: Mapping[str, Mapping[str, int]] | None = None,
    host: tables.Visitor | None = None,
    using: str = "default",
) -> tables.Game:
    """A new game that begins with the state *first*.

    names, looks: of seats by id, as `Game` gives them; a seat without a name is called after its
    id, one whose name is "" waits for its player. host: the device that gets the seat of the host,
    who is the GM, or else the first; it has not been saved yet.
    """
    game = tables.Game(
        title=title, system=system.name, edition=system.edition, settings=plain(first.settings)
    )
    game.hash_links()
    insert_game, values = insertion(game, using)
    connection, batch = connections[using], Batch()
    batch.difference(NEW, GameState(seats={}), first, None)
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    made: Statements = {
        INSERT_LAST_ENTRY: [(NEW, 0, now)],
        INSERT_OPENING: [(NEW, to_json(as_json(first)))],
        **batch.statements(),
        FURNISH_SEAT: list(_furnished(system, first, names or {}, looks or {}, host)),
    }
    # Taps wait for this, and for nothing else of it.
    with transaction.atomic(using=using, savepoint=False), connection.cursor() as cursor:
        cursor.execute(f"{insert_game} RETURNING id", values)
        (key,) = cursor.fetchone()
        execute_on(cursor, {each: _with_key(key, rows) for each, rows in made.items()})
        if host is not None:
            host.game_id = key
            cursor.execute(*insertion(host, using))
    return tables.Game.objects.using(using).get(pk=key)


def _furnished(
    system: System,
    first: GameState,
    names: Mapping[str, str],
    looks: Mapping[str, Mapping[str, int]],
    host: tables.Visitor | None,
) -> Iterator[Row]:
    """The columns of a new game's seats that the rules do not know."""
    hosting = system.seating.default_by(first)
    if hosting not in first.seats:
        hosting = next(iter(first.seats), "")
    for key in first.seats:
        chosen = looks.get(key, {})
        yield (
            names.get(key, called(key)),
            key == hosting,
            chosen.get("colour"),
            chosen.get("emblem"),
            host.device_hash if host and key == hosting else None,
            NEW,
            key,
        )


def _with_key(key: int, rows: Iterable[Row]) -> list[Row]:
    """*rows* of a new game, whose key is known now."""
    return [tuple([key if value is NEW else value for value in row]) for row in rows]


def give(game: tables.Game, commands: Iterable[Mapping[str, Any]]) -> log.History:
    """Give *commands* to a game that nobody is playing, and store what they did.

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
            execute(connection, made)
        played.saved(played.number)
    game.refresh_from_db()


def write(
    connection: BaseDatabaseWrapper, batch: Mapping[int, Sequence[log.Applied]], at: datetime
) -> None:
    """Store accepted commands of several games (by primary key), each in the order given.

    The caller holds a transaction, so that all of the batch is stored or nothing.
    Raises IntegrityError if another process has written an entry with the same number.
    """
    when = connection.ops.adapt_datetimefield_value(at)
    execute(connection, statements(batch, when))


def follow_log(game: tables.Game) -> bool:
    """Write the rows of *game* anew where its log says otherwise; whether it did.

    After an update: where an earlier version kept less of a state, or another rule's.
    """
    folded, stored = _twice(game)
    batch = Batch()
    batch.difference(game.pk, stored, folded, None)
    connection = connections[game._state.db or "default"]
    with transaction.atomic(using=connection.alias):
        execute(connection, batch.statements())
    game.refresh_from_db()
    return folded != stored


TURNING = " OR ".join(f"""CAST("command" AS TEXT) LIKE '%%"{verb}"%%'""" for verb in TURNS)
COMMAND_IDS = (
    f'{select(tables.Entry, "command_id number", "game_id")} AND "number" > %s AND "number" <= %s '
    'AND "command_id" IS NOT NULL ORDER BY "number"'
)
ENTRIES, NAMING_TURNS = (
    f'{select(tables.Entry, COLUMNS, "game_id")} AND "number" > %s AND "number" <= %s'
    f'{named} ORDER BY "number"'
    for named in ("", f" AND ({TURNING})")
)
COMMANDS = (
    f"{select(tables.Entry, 'number seat command_id command undone_by', 'game_id')} "
    'AND "number" > %s AND "number" <= %s ORDER BY "number"'
)
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
INSERT_LAST_ENTRY = insert(tables.LastEntry, "game_id number changed")
INSERT_OPENING = insert(tables.Opening, "game_id state")
FURNISH_SEAT = update(
    tables.Seat, "given_name host chosen_colour chosen_emblem device_hash", "game_id key"
)
NEW: Any = object()
"""Stands for the key of a new game until the database has given it one."""
