"""The file of a backup: JSON, a line that says what it is and then one row a line.

The first line names the migration after which the rows were read. So any later version can read
them: it gives an empty database the tables of that time, fills them, and migrates.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.core import serializers
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connections, transaction
from django.db.models import CompositePrimaryKey

from games.store import copying, schema

FORM = 1
GZIP = b"\x1f\x8b"
"""The beginning of a file that gzip made."""


DAMAGED = (gzip.BadGzipFile, zlib.error, EOFError)
"""What reading a damaged file raises that gzip made."""


class _Exact(DjangoJSONEncoder):
    """Keeps times to the microsecond; Django would cut them to milliseconds."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


class Unfit(ValueError):
    """The file cannot be restored; nothing has changed."""


def write(path: Path, using: str) -> None:
    """Write the games of a database, whose tables may be older than this version's.

    A file whose name ends with .gz is packed.
    """
    connection, state = connections[using], schema.latest(using)
    models = schema.models_at(state)
    with transaction.atomic(using=using), _created(path) as out:
        if connection.vendor == "postgresql":  # one moment for all tables
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        found = models["game"]._base_manager.using(using).count()
        out.write(json.dumps({"countersite": FORM, "games": found, "tables": state}) + "\n")
        for name, model in models.items():
            if name not in copying.COUNTED_AGAIN:
                everything = model._base_manager.using(using).order_by("pk")
                everything = everything.iterator(copying.at_once(model))
                serializers.serialize("jsonl", everything, stream=out, cls=_Exact)


def read(path: Path, using: str) -> bool:
    """Fill an empty database with the games in *path*, in tables of this version.

    Returns whether an earlier version wrote them. Raises Unfit.
    """
    try:
        with _opened(path) as lines:
            head = json.loads(next(lines, ""))
            if type(head) is not dict or head.get("countersite") != FORM:
                raise Unfit("That is not a backup of this program, or it is from a later version.")
            state = head.get("tables") or _unsaid(path)
            if not schema.known(state):
                raise Unfit(f"That backup is from a later version ({state}). Install that first.")
            models = schema.create(state, using)
            with transaction.atomic(using=using):
                _fill(lines, models, using)
            if head.get("games") != models["game"]._base_manager.using(using).count():
                raise Unfit("Some of the games are missing at the end of that file.")
        return schema.update_games(using)
    except Unfit:
        raise
    except (*DAMAGED, DatabaseError, ValueError, ValidationError, KeyError, TypeError) as error:
        raise Unfit(f"That backup is incomplete or damaged: {error}.") from None


def _created(path: Path) -> IO[str]:
    packed = path.suffix == ".gz"
    return gzip.open(path, "wt", encoding="utf-8") if packed else path.open("w", encoding="utf-8")


def _opened(path: Path) -> IO[str]:
    """The text of a file, packed by gzip or not."""
    with path.open("rb") as file:
        packed = file.read(len(GZIP)) == GZIP
    return gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8")


def _fill(lines: Iterator[str], models: dict[str, Any], using: str) -> None:
    waiting: list[Any] = []
    for line in lines:
        row = json.loads(line)
        app, _dot, name = row["model"].partition(".")
        if app != schema.APP or name not in models:
            raise Unfit(f"That file contains more than games: {row['model']}.")
        full = len(waiting) == copying.at_once(models[name])
        if waiting and (full or type(waiting[0]) is not models[name]):
            copying.write(type(waiting[0]), waiting, using)
            waiting = []
        waiting.append(_object(models[name], row))
    if waiting:
        copying.write(type(waiting[0]), waiting, using)


def _object(model: Any, row: dict[str, Any]) -> Any:
    key = model._meta.pk
    composite = isinstance(key, CompositePrimaryKey)  # its columns are among the fields
    values = {} if composite else {key.attname: key.to_python(row["pk"])}
    for name, value in row["fields"].items():
        try:
            field = model._meta.get_field(name)
        except FieldDoesNotExist as error:
            raise Unfit(f"That backup is incomplete or damaged: {error}.") from None
        values[field.attname] = field.to_python(value)
    return model(**values)


def _unsaid(path: Path) -> str:
    """The tables of a file whose first line does not name them, as the first versions wrote it."""
    with _opened(path) as lines:
        next(lines)
        for line in lines:
            row = json.loads(line)
            if row["model"] == "games.game" and "watch_hash" in row["fields"]:
                return "0014_outcomes"
            if row["model"] == "games.seat" and "name" in row["fields"]:
                return "0005_summary_links"
    return "0006_names_and_looks_of_seats"
