"""The tables of the database, as this version needs them."""

from __future__ import annotations

from django.core.management import call_command
from django.db import connections
from django.db.migrations.executor import MigrationExecutor


def update(using: str = "default") -> None:
    """Migrate the database, if anything is missing; an empty one gets all its tables."""
    executor = MigrationExecutor(connections[using])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", database=using, interactive=False, verbosity=0)
