"""Entries are keyed by game and number and have no other index; the number of a game has its own row.

Nothing is lost either way. Going back gives entries new ids, in their order.
"""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

COLUMNS = "game_id, number, seat, command_id, command, events, heard, undone_by, at"


def entry(key):
    """The fields of an entry, of which *key* come first."""
    return [
        *key,
        ("number", models.PositiveIntegerField()),
        ("seat", models.CharField(max_length=40)),
        ("command_id", models.CharField(blank=True, max_length=80, null=True)),
        ("command", models.JSONField()),
        ("events", models.JSONField(default=list)),
        ("heard", models.JSONField(blank=True, null=True)),
        ("undone_by", models.PositiveIntegerField(blank=True, null=True)),
        ("at", models.DateTimeField()),
        (
            "game",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="entries",
                to="games.game",
            ),
        ),
    ]


def to_own_row(apps, editor):
    editor.execute(
        "INSERT INTO games_lastentry (game_id, number, changed) SELECT id, number, changed FROM games_game"
    )


def to_games_row(apps, editor):
    for name in ("number", "changed"):
        editor.execute(
            f"UPDATE games_game SET {name} = (SELECT {name} FROM games_lastentry AS own "
            "WHERE own.game_id = games_game.id)"
        )


def copied(source, target):
    """A function of a migration: all entries from one table to another, in order."""

    def copy(apps, editor):
        editor.execute(
            f"INSERT INTO {target} ({COLUMNS}) SELECT {COLUMNS} FROM {source} "
            "ORDER BY game_id, number"
        )

    return copy


class Migration(migrations.Migration):
    dependencies = [("games", "0020_programs")]

    operations = [
        migrations.CreateModel(
            name="LastEntry",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="last_entry",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("number", models.PositiveIntegerField(default=0, verbose_name="last entry")),
                ("changed", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={"verbose_name": "last entry", "verbose_name_plural": "last entries"},
        ),
        migrations.RunPython(to_own_row, to_games_row),
        migrations.AlterModelOptions(
            name="game",
            options={
                "ordering": ["-pk"],
                "verbose_name": "game",
                "verbose_name_plural": "games",
            },
        ),
        migrations.RemoveField("game", "number"),
        migrations.RemoveField("game", "changed"),
        migrations.CreateModel(
            name="KeyedEntry",
            fields=entry(
                [
                    (
                        "pk",
                        models.CompositePrimaryKey(
                            "game_id",
                            "number",
                            blank=True,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    )
                ]
            ),
            options={
                "ordering": ["game", "number"],
                "verbose_name": "entry",
                "verbose_name_plural": "entries",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="entries_count_from_one"
                    ),
                ],
            },
        ),
        migrations.RunPython(
            copied("games_entry", "games_keyedentry"), copied("games_keyedentry", "games_entry")
        ),
        migrations.DeleteModel("Entry"),
        migrations.RenameModel("KeyedEntry", "Entry"),
    ]
