"""The tables of the database, as this version needs them, and as earlier versions left them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from django.core.management import call_command
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

APP = "games"
MIGRATIONS = Path(__file__).parents[1] / "migrations"


class Newer(RuntimeError):
    """The tables were made by a later version, which alone can read them."""


def update(using: str = "default") -> None:
    """Migrate the database, if anything is missing; an empty one gets all its tables.

    Raises Newer.
    """
    latest(using)
    executor = MigrationExecutor(connections[using])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", database=using, interactive=False, verbosity=0)


def latest(using: str = "default") -> str:
    """The last migration of the games' tables in this database; "" before the first one.

    Raises Newer.
    """
    done = MigrationRecorder(connections[using]).applied_migrations()
    last = max((name for app, name in done if app == APP), default="")
    if last and not known(last):
        raise Newer(
            f"These games were last kept by a later version of this program ({last}). Install that "
            "version again, or move its database away and restore the backup that it made."
        )
    return last


def outdated(using: str = "default") -> bool:
    """Whether the database still has earlier tables of the games. Raises Newer."""
    return latest(using) != max(_ours())


def known(migration: str) -> bool:
    """Whether this version has that migration of the games' tables."""
    return migration in _ours()


def models_at(migration: str) -> dict[str, Any]:
    """The models that match the tables after that migration, by their names in lower case."""
    there = _loader().project_state((APP, migration)).apps
    return {str(each._meta.model_name): each for each in there.get_app_config(APP).get_models()}


def create(migration: str, using: str) -> dict[str, Any]:
    """Give an empty database the games' tables as they were after that migration, at once.

    Returns their models.
    """
    connection, models = connections[using], models_at(migration)
    with connection.schema_editor() as editor:
        for model in models.values():
            editor.create_model(model)
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    for name in _ours():
        if name <= migration:
            recorder.record_applied(APP, name)
    return models


def update_games(using: str) -> bool:
    """Migrate only the games' tables of a database that has nothing else, if they are outdated.

    Returns whether they were. Raises Newer.
    """
    if not outdated(using):
        return False
    call_command("migrate", APP, database=using, interactive=False, verbosity=0)
    return True


@cache
def _loader() -> MigrationLoader:
    return MigrationLoader(None)


def _ours() -> list[str]:
    """The names of our migrations, in order; read without importing them, at each start."""
    return sorted(name for _finder, name, _package in iter_modules([str(MIGRATIONS)]))
