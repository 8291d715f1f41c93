"""Stored entries, read fast: a page of a log may need thousands of them.

JSON comes as text and is decoded here, which takes a quarter of the time of Django's JSON fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from msgspec import json

from games import models as tables
from games.rules.entry import Entry, views_from_json

from .sql import Row


def texts(found: QuerySet[tables.Entry], columns: str) -> Iterator[Row]:
    """These columns of the entries *found*, oldest first; JSON columns as they are stored."""
    names = columns.split()
    cast = {f"{name}_text": Cast(name, TextField()) for name in names if name in JSON}
    shown = [f"{name}_text" if name in JSON else name for name in names]
    rows: Iterator[Row] = iter(found.annotate(**cast).order_by("number").values_list(*shown))
    return rows


def decoded(
    number: int,
    by: str,
    command_id: str | None,
    command: str,
    events: str,
    undone_by: int | None,
    heard: str | None,
) -> Entry:
    """The entry with these `COLUMNS`."""
    views = None if heard is None else views_from_json(json.decode(heard))
    facts = tuple(json.decode(events))
    return Entry(number, by, command_id, json.decode(command), facts, undone_by, views)


def timed(found: QuerySet[tables.Entry]) -> Iterator[tuple[Entry, datetime]]:
    """The entries *found*, oldest first, with their times.

    They do not say by which entry they were undone, which is not known at their moment.
    """
    for number, by, command_id, command, events, heard, at in texts(
        found, "number seat command_id command events heard at"
    ):
        yield decoded(number, by, command_id, command, events, None, heard), at


JSON = frozenset({"command", "events", "heard"})
COLUMNS = "number seat command_id command events undone_by heard"
