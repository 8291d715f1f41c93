"""All games of this site in one file, and back: for a new machine, or after a bad day.

SQLite is copied as a database, safely even during play. Any other database is written as JSON, one
row a line, after a first line that says what it is; such a file can be restored to any database.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.apps import apps
from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connections, models, transaction

from games.models import CountedLog, Game, Renewal, Visitor
from games.models.tokens import hashed, next_device
from games.store import rows, schema

SCHEMA = 1
SQLITE = b"SQLite format 3\0"
CANDIDATE = "candidate"
"""The name of the database in which a copy is checked before it replaces this one."""


class _Exact(DjangoJSONEncoder):
    """Keeps times to the microsecond; Django would cut them to milliseconds."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


class Unfit(ValueError):
    """The file cannot be restored; nothing has changed."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a backup holds: the number of games, and those that could not be restored, with why."""

    games: int
    unfit: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """What became of the games in a backup.

    renewed: the games with new links, because theirs were made with another secret key. left_out:
    those that were not restored, with why.
    """

    renewed: Sequence[Game] = ()
    left_out: Sequence[str] = ()


def backup(path: Path, using: str = "default") -> Written:
    """Write all games to *path*, completely or not at all, and replay every log in that file."""
    connection = connections[using]
    with _beside(path) as draft:
        if connection.vendor == "sqlite":
            connection.ensure_connection()
            with closing(sqlite3.connect(draft)) as copy:
                connection.connection.backup(copy)
            with _database(using) as candidate:
                shutil.copyfile(draft, candidate.file)
                written = _described(candidate.alias)
        else:
            _write_lines(draft, using)
            with _database(using) as candidate:
                schema.update(candidate.alias)
                with transaction.atomic(using=candidate.alias):
                    _read_lines(draft, candidate.alias)
                written = _described(candidate.alias)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(draft, path)
    return written


def restore(path: Path, using: str = "default", *, skip_unfit: bool = False) -> Restored:
    """Replace all games here by those in *path*, once each log has been replayed.

    An empty database gets its tables. skip_unfit: leave out the games that do not match their log.
    Raises Unfit; nothing has changed then.
    """
    with path.open("rb") as file:
        start = file.read(len(SQLITE))
    if start != SQLITE:
        with _open_lines(path):
            schema.update(using)
        with transaction.atomic(using=using):
            _read_lines(path, using)
            return _checked(using, skip_unfit)
    if connections[using].vendor != "sqlite":
        raise Unfit("That is a copy of an SQLite database, but the games here are in another kind.")
    return _take_copy(path, using, skip_unfit)


def games_here(using: str = "default") -> int:
    """How many games this database has, even if it has no tables yet."""
    if Game._meta.db_table not in connections[using].introspection.table_names():
        return 0
    return Game.objects.using(using).count()


def _models() -> list[type[models.Model]]:
    """What a backup holds: all but what can be counted again from a log."""
    return [each for each in apps.get_app_config("games").get_models() if each is not CountedLog]


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A temporary file in the same folder, readable only by us; deleted afterwards."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _write_lines(path: Path, using: str) -> None:
    connection = connections[using]
    with transaction.atomic(using=using), path.open("w", encoding="utf-8") as out:
        if connection.vendor == "postgresql":  # one moment for all tables
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        found = Game.objects.using(using).count()
        out.write(json.dumps({"countersite": SCHEMA, "games": found}) + "\n")
        for model in _models():
            everything = model._default_manager.using(using).order_by("pk").iterator()
            serializers.serialize("jsonl", everything, stream=out, cls=_Exact)


@contextmanager
def _open_lines(path: Path) -> Iterator[tuple[Any, Iterator[str]]]:
    """How many games a file of lines holds, and its rows. Raises Unfit for whatever is wrong."""
    try:
        with path.open(encoding="utf-8") as lines:
            head = json.loads(next(lines, ""))
            if type(head) is not dict or head.get("countersite") != SCHEMA:
                raise Unfit("That is not a backup of this program, or it is from a later version.")
            yield head.get("games"), map(_renewed, lines)
    except (DeserializationError, DatabaseError, ValueError) as error:
        if isinstance(error, Unfit):
            raise
        raise Unfit(f"That backup is incomplete or damaged: {error}") from None


def _read_lines(path: Path, using: str) -> None:
    with _open_lines(path) as (games, lines):
        for model in reversed(_models()):
            model._default_manager.using(using).all()._raw_delete(using)
        for row in serializers.deserialize("jsonl", lines, using=using):
            if row.object._meta.app_label != "games":
                raise Unfit("That file contains more than games.")
            row.save(using=using)
        if games != Game.objects.using(using).count():
            raise Unfit("Some of the games are missing at the end of that file.")
    connection = connections[using]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)


def _renewed(line: str) -> str:
    """A row as it is written today: up to version 1.1 the given name of a seat was its name."""
    if '"games.seat"' not in line:
        return line
    row = json.loads(line)
    if type(row) is dict and "name" in (fields := row.get("fields", {})):
        fields["given_name"] = fields.pop("name")
    return json.dumps(row)


class _Database(NamedTuple):
    """An SQLite database of its own, for a moment."""

    alias: str
    file: Path


@contextmanager
def _database(using: str) -> Iterator[_Database]:
    """An empty SQLite database in a temporary folder, to try in it what must not go wrong here."""
    with tempfile.TemporaryDirectory(prefix="countersite-") as folder:
        file = Path(folder) / "candidate.sqlite3"
        own = connections[using].settings_dict
        connections.databases[CANDIDATE] = {
            **own,
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(file),
            "OPTIONS": {},
        }
        try:
            yield _Database(CANDIDATE, file)
        finally:
            connections[CANDIDATE].close()
            del connections[CANDIDATE]
            del connections.databases[CANDIDATE]


def _take_copy(path: Path, using: str, skip_unfit: bool) -> Restored:
    own = connections[using]
    with _database(using) as candidate:
        shutil.copyfile(path, candidate.file)
        try:
            # A copy from an older version has older tables.
            schema.update(candidate.alias)
            restored = _checked(candidate.alias, skip_unfit)
            own.ensure_connection()
            # All pages in one transaction: cut short, it changes nothing.
            connections[candidate.alias].connection.backup(own.connection)
        except (DatabaseError, sqlite3.Error) as error:
            raise Unfit(f"That copy could not be taken: {error}.") from None
    return restored


def _described(using: str) -> Written:
    return Written(Game.objects.using(using).count(), tuple(_unfit(using).values()))


def _unfit(using: str) -> dict[int, str]:
    """The games that do not match their log, by primary key: which, and why."""
    found = {}
    for game in Game.objects.using(using).order_by("pk").iterator():
        try:
            rows.check(game)
        except Exception as error:
            found[game.pk] = f"{game.slug} ({game}): {shortened(str(error) or repr(error))}"
    return found


def _checked(using: str, skip_unfit: bool) -> Restored:
    """Check each game's rows against its log and renew links that this site's key did not make."""
    unfit = _unfit(using)
    if unfit and not skip_unfit:
        raise Unfit(
            "These games do not match their log (--skip-unfit leaves them out):\n  "
            + "\n  ".join(unfit.values())
            + "\n"
        )
    Game.objects.using(using).filter(pk__in=unfit).delete()
    _expect_renewals(using)
    renewed = []
    for game in Game.objects.using(using).order_by("pk").iterator():
        made = {
            "invite_hash": hashed(game.invite_token),
            "watch_hash": hashed(game.watch_token),
            "host_hash": hashed(game.host_token),
        }
        if any(getattr(game, field) != value for field, value in made.items()):
            same: Any = Game.objects.using(using).filter(pk=game.pk)
            same.update(**made)
            renewed.append(game)
    return Restored(tuple(renewed), tuple(unfit.values()))


def _expect_renewals(using: str) -> None:
    """Know the devices that came to a seat after the backup, and have their next token since."""
    visitors = Visitor.objects.using(using).order_by("device_hash")
    devices = visitors.values_list("device_hash", flat=True).distinct()
    expected = [Renewal(last=each, fresh=hashed(next_device(each))) for each in devices]
    Renewal.objects.using(using).bulk_create(expected, ignore_conflicts=True, batch_size=400)


def shortened(text: str, most: int = 160) -> str:
    """*text* in one line of at most *most* characters: a log has thousands of numbers."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
