"""The tables of the database, as this version needs them, and as earlier versions left them.

A migration whose name ends with `ONLINE` only adds what the version before can do without: that one
serves on while it runs, and starts on tables that have it. What it replaces is removed a release
later, by a migration for which all processes stop.
"""

from __future__ import annotations

from collections.abc import Collection
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
ONLINE = "_online"
MIGRATIONS = Path(__file__).parents[1] / "migrations"


OLDEST = "0.1.0"
"""The oldest release whose database this version goes on with."""


class OtherVersion(RuntimeError):
    """The tables are a version's that this one cannot follow: a later, or too early a one."""


def update(using: str = "default") -> None:
    """Migrate the database, if anything is missing; an empty one gets all its tables.

    Raises OtherVersion.
    """
    latest(using)
    executor = MigrationExecutor(connections[using])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", database=using, interactive=False, verbosity=0)


def latest(using: str = "default") -> str:
    """The last migration of the games' tables in this database that this version has; "" before
    the first one.

    Raises OtherVersion, if a later version's migrations are there that are not online, or only
    those of before the first one.
    """
    done = {
        name
        for app, name in MigrationRecorder(connections[using]).applied_migrations()
        if app == APP
    }
    last = max(filter(known, done), default="")
    later = max((name for name in done if name > last and not online(name)), default="")
    if later and later < _ours()[0]:
        raise OtherVersion(
            f"These games were last kept by an earlier version of this program ({later}). Install "
            f"version {OLDEST} and run its `migrate` first."
        )
    if later:
        raise OtherVersion(
            f"These games were last kept by a later version of this program ({later}). Install "
            "that version again, or move its database away and restore the backup that it made."
        )
    return last


def outdated(using: str = "default") -> bool:
    """True if the database still has earlier tables of the games. Raises OtherVersion."""
    return bool(pending(using))


def pending(using: str = "default") -> list[str]:
    """The migrations of the games' tables that this database lacks. Raises OtherVersion."""
    last = latest(using)
    return [name for name in _ours() if name > last]


def advice(pending: Collection[str]) -> str:
    """Advice about migrations that a database lacks."""
    while_served = all(map(online, pending))
    stop = "; servers of the version before can stay" if while_served else ", with no server on it"
    return (
        f"The database is not up to date: it lacks {', '.join(pending)}. Run `migrate` first{stop}."
    )


def online(migration: str) -> bool:
    """True if the version before a migration can serve while it runs, and afterwards."""
    return migration.endswith(ONLINE)


def known(migration: str) -> bool:
    """True if this version has that migration of the games' tables."""
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

    Returns whether they were. Raises OtherVersion.
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
