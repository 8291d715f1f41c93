"""Rows as they are, from one database to another of either kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.apps import apps
from django.core.management.color import no_style
from django.db import connections, models
from django.db.models.sql import InsertQuery

T = TypeVar("T")
Models = Sequence[type[models.Model]]

BATCH = 500
"""Rows written by one statement."""
LARGE = {"picture": 10}
"""The same of tables whose rows are large, by the names of their models."""
COUNTED_AGAIN = frozenset({"countedlog"})
"""Tables that hold only what can be worked out again, by the names of their models."""


def kept_models() -> Models:
    """The tables of the games that cannot be derived from others."""
    return [each for each in _all() if each._meta.model_name not in COUNTED_AGAIN]


def replace(source: str, target: str, kinds: Models | None = None) -> None:
    """Replace all games of the database *target* by those of *source*.

    kinds: what else is replaced. The caller holds a transaction in *target*.
    """
    with connections[target].cursor() as cursor:
        for model in (*reversed(_all()), *(kinds or ())):
            cursor.execute(
                f"DELETE FROM {connections[target].ops.quote_name(model._meta.db_table)}"
            )
    copied = [*kept_models(), *(kinds or ())]
    for model in copied:
        everything = model._base_manager.using(source).order_by("pk")
        write(model, everything.iterator(at_once(model)), target)
    with connections[target].cursor() as cursor:
        for statement in connections[target].ops.sequence_reset_sql(no_style(), copied):
            cursor.execute(statement)


def write(model: Any, objects: Iterable[Any], using: str) -> None:
    """Insert *objects* with their keys and times as they are; no default and no clock sets any."""
    fields, ops = model._meta.concrete_fields, connections[using].ops
    for batch in _batches(objects, at_once(model)):
        most = max(1, ops.bulk_batch_size(fields, batch))
        for part in _batches(batch, most):
            # What `Model.save_base(raw=True)` uses, for many rows; `bulk_create` sets new times.
            query = InsertQuery(model)
            query.insert_values(fields, part, raw=True)
            query.get_compiler(using).execute_sql()


def at_once(model: Any) -> int:
    """The rows of *model* that are held in memory at once."""
    return LARGE.get(model._meta.model_name, BATCH)


def _all() -> Models:
    return list(apps.get_app_config("games").get_models())


def _batches(objects: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(objects)
    while batch := list(islice(rest, size)):
        yield batch
