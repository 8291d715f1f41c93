"""Who won is kept with the result; `migrate` then lets each table follow its log.

States that were kept beside the logs do not have it, and are made again. Nothing is lost either way.
"""

from __future__ import annotations

from django.db import migrations, models


def forget_states(apps, editor):
    apps.get_model("games", "Checkpoint").objects.using(editor.connection.alias).filter(
        game__result__isnull=False
    ).delete()


class Migration(migrations.Migration):
    dependencies = [("games", "0021_one_key_of_entries")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="winners",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.RunPython(forget_states, migrations.RunPython.noop),
    ]
