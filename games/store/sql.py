"""Statements that SQLite and PostgreSQL both understand, made from a model's table.

The writing ones are for `executemany`: a batch of taps costs one statement per table and no query.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, connections
from django.db.models import Model

T = TypeVar("T")
Row = tuple[Any, ...]


def retried(query: Callable[[], T]) -> T:
    """Run *query*; once more on a new connection if the old one has broken.

    Not for a query within a transaction, of which it would lose the rest.
    """
    try:
        return query()
    except (InterfaceError, OperationalError):
        connections.close_all()
        return query()


def found(statement: str, *values: Any, using: str = "default") -> list[Row]:
    """The rows that *statement* finds, without the ORM, which takes many times as long."""
    with connections[using].cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[Row] = cursor.fetchall()
    return rows


def insert(model: type[Model], columns: str) -> str:
    """Insert a row with these columns."""
    names = columns.split()
    values = ", ".join(["%s"] * len(names))
    return f"INSERT INTO {table(model)} ({_quoted(names)}) VALUES ({values})"


def insertion(row: Model, using: str) -> tuple[str, Row]:
    """The statement that inserts *row*, and its values; what it has for a key is left out."""
    given = [field for field in row._meta.concrete_fields if field.attname != "id"]
    values = [
        field.get_db_prep_save(field.pre_save(row, True), connections[using]) for field in given
    ]
    return insert(type(row), " ".join([str(field.column) for field in given])), tuple(values)


def put(model: type[Model], unique: str, changing: str, fixed: str = "") -> str:
    """Insert a row, or change the row with the same *unique* columns.

    fixed: columns that are only set on insert.
    """
    conflict = _quoted(unique.split())
    changes = ", ".join(f'"{name}" = excluded."{name}"' for name in changing.split())
    row = insert(model, f"{unique} {changing} {fixed}")
    return f"{row} ON CONFLICT ({conflict}) DO UPDATE SET {changes}"


def update(model: type[Model], changing: str, where: str) -> str:
    """Change the rows that have the *where* columns."""
    changes = ", ".join(f'"{name}" = %s' for name in changing.split())
    return f"UPDATE {table(model)} SET {changes} WHERE {_equal(where)}"


def delete(model: type[Model], where: str) -> str:
    """Delete the rows that have the *where* columns."""
    return f"DELETE FROM {table(model)} WHERE {_equal(where)}"


def select(model: type[Model], columns: str, where: str, order: str = "") -> str:
    """Find the columns of the rows that have the *where* columns."""
    found = f"SELECT {_quoted(columns.split())} FROM {table(model)} WHERE {_equal(where)}"
    return f"{found} ORDER BY {_quoted(order.split())}" if order else found


def table(model: type[Model]) -> str:
    """The name of the model's table, quoted."""
    return f'"{model._meta.db_table}"'


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _equal(where: str) -> str:
    return " AND ".join(f'"{name}" = %s' for name in where.split())
