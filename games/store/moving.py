"""All games to another database of either kind: seats, devices, links and codes too.

The copy is one transaction, in which every log is replayed. So a move that is cut short has moved
nothing, and is simply made again. Nothing changes where the games come from.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import DatabaseError, connections
from django.db.migrations.recorder import MigrationRecorder

from games.models import Game
from games.store import backup, schema
from games.store.lines import Unfit

TARGET = "target"
"""The name of the database that the games move to."""


@contextmanager
def target(database: dict[str, Any]) -> Iterator[str]:
    """Know *database* by the name that is yielded, as long as this lasts."""
    own = connections["default"].settings_dict
    options = {name: each for name, each in database["OPTIONS"].items() if name != "pool"}
    empty = dict.fromkeys(("USER", "PASSWORD", "HOST", "PORT"), "")
    connections.databases[TARGET] = {**own, **empty, **database, "OPTIONS": options}
    try:
        yield TARGET
    finally:
        connections[TARGET].close()
        del connections[TARGET], connections.databases[TARGET]


def move(to: str, *, skip_unfit: bool = False) -> backup.Restored:
    """Replace the games of the database *to* by those here, with the accounts of the admin.

    Only into an empty database, or one to which these games were moved before and where nobody has
    played since. The caller holds both. Raises Unfit, schema.OtherVersion; nothing has changed
    then.
    """
    if schema.outdated():
        raise Unfit("The games here are from an earlier version: run `migrate` first.")
    try:
        _refuse_others_tables(to)
        schema.update(to)
        _refuse_other_games(to)
        return backup.replace("default", to, (get_user_model(),), skip_unfit=skip_unfit)
    except DatabaseError as error:
        raise Unfit(f"The games could not be moved: {' '.join(str(error).split())}.") from None


def _refuse_others_tables(to: str) -> None:
    with connections[to].cursor() as cursor:
        there = {each.name for each in connections[to].introspection.get_table_list(cursor)}
    # A table that one of our versions had and another has not is ours all the same.
    strange = {name for name in there if not name.startswith(("games_", "auth_", "django_"))}
    ours = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    if others := sorted(strange - ours - {MigrationRecorder.Migration._meta.db_table}):
        raise Unfit(
            f"That database holds something else too ({', '.join(others[:3])}). Make an empty one "
            "for the games."
        )


def _refuse_other_games(to: str) -> None:
    here = dict(Game.objects.values_list("slug", "last_entry__number"))
    there = list(Game.objects.using(to))
    if others := [game for game in there if game.slug not in here]:
        raise Unfit(
            f"That database holds {len(others)} games that are not here, such as “{others[0]}”. "
            "Name an empty one; or keep those with `backup`, and delete them there."
        )
    if ahead := [game for game in there if game.number > here[game.slug]]:
        raise Unfit(
            f"The games were moved there before, and “{ahead[0]}” was played on there since: it "
            f"has {ahead[0].number} lines, and {here[ahead[0].slug]} here."
        )
