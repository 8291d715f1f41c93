"""All games of this site in one file, and back: for a new machine, or after a bad day.

SQLite is copied as a database, safely even during play. Any other database is written as JSON, one
row a line, after a first line that says what it is; such a file can be restored to any database.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core import serializers
from django.core.management import call_command
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connections, models, transaction

from games.models import Game
from games.models.tokens import hashed
from games.store import rows

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


def backup(path: Path, using: str = "default") -> int:
    """Write all games to *path*, completely or not at all. Returns how many there are."""
    connection = connections[using]
    with _beside(path) as draft:
        if connection.vendor == "sqlite":
            connection.ensure_connection()
            with closing(sqlite3.connect(draft)) as copy:
                connection.connection.backup(copy)
                found: int = copy.execute("SELECT count(*) FROM games_game").fetchone()[0]
        else:
            found = _write_lines(draft, using)
        os.replace(draft, path)
    return found


def restore(path: Path, using: str = "default") -> Sequence[Game]:
    """Replace all games here by those in *path*, once each log has been replayed.

    Returns the games that got new links, because theirs were made with another secret key.
    Raises Unfit.
    """
    with path.open("rb") as file:
        start = file.read(len(SQLITE))
    if start != SQLITE:
        with transaction.atomic(using=using):
            _read_lines(path, using)
            return _checked(using)
    if connections[using].vendor != "sqlite":
        raise Unfit("That is a copy of an SQLite database, but the games here are in another kind.")
    return _take_copy(path, using)


def _models() -> list[type[models.Model]]:
    return list(apps.get_app_config("games").get_models())


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A temporary file in the same folder, readable only by us; deleted afterwards."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _write_lines(path: Path, using: str) -> int:
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
    return found


def _read_lines(path: Path, using: str) -> None:
    try:
        with path.open(encoding="utf-8") as lines:
            head = json.loads(next(lines, ""))
            if type(head) is not dict or head.get("countersite") != SCHEMA:
                raise Unfit("That is not a backup of this program, or it is from a later version.")
            for model in reversed(_models()):
                model._default_manager.using(using).all()._raw_delete(using)
            for row in serializers.deserialize("jsonl", map(_renewed, lines), using=using):
                if row.object._meta.app_label != "games":
                    raise Unfit("That file contains more than games.")
                row.save(using=using)
    except (DeserializationError, DatabaseError, ValueError) as error:
        if isinstance(error, Unfit):
            raise
        raise Unfit(f"That backup is incomplete or damaged: {error}") from None
    if head["games"] != Game.objects.using(using).count():
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


def _take_copy(path: Path, using: str) -> Sequence[Game]:
    own = connections[using]
    with tempfile.TemporaryDirectory(prefix="restore-") as folder:
        name = Path(folder) / "candidate.sqlite3"
        name.write_bytes(path.read_bytes())
        connections.databases[CANDIDATE] = {**own.settings_dict, "NAME": str(name)}
        try:
            # A copy from an older version has older tables.
            call_command("migrate", database=CANDIDATE, verbosity=0)
            renewed = _checked(CANDIDATE)
            own.ensure_connection()
            connections[CANDIDATE].connection.backup(own.connection)
        except DatabaseError as error:
            raise Unfit(f"That copy is damaged: {error}") from None
        finally:
            connections[CANDIDATE].close()
            del connections[CANDIDATE]
            del connections.databases[CANDIDATE]
    return renewed


def _checked(using: str) -> list[Game]:
    """Check each game's rows against its log and renew links that this site's key did not make."""
    renewed = []
    for game in Game.objects.using(using).order_by("pk").iterator():
        try:
            rows.check(game)
        except Exception as error:
            raise Unfit(f"The rows of game {game.slug} do not match its log: {error}") from None
        invite, host = hashed(game.invite_token), hashed(game.host_token)
        if (game.invite_hash, game.host_hash) != (invite, host):
            same: Any = Game.objects.using(using).filter(pk=game.pk)
            same.update(invite_hash=invite, host_hash=host)
            renewed.append(game)
    return renewed
