"""Tables of Any game are tables of their own games without rules."""

from django.db import migrations

from games.systems.own_game.plain import from_any_game


def forwards(apps, schema_editor):
    using = schema_editor.connection.alias
    for name in ("Game", "Setup"):
        kept = apps.get_model("games", name).objects.using(using)
        for each in kept.filter(system=from_any_game.SYSTEM).iterator():
            each.system = from_any_game.NOW
            each.settings = from_any_game.settings(each.settings)
            each.save(using=using)
            if name == "Game":
                opening = each.opening
                opening.state = from_any_game.opening(opening.state)
                opening.save(using=using)
                each.checkpoints.all().delete()
                each.counted_logs.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0029_scored_online'),
    ]

    operations = [
        migrations.RunPython(forwards, migrations.RunPython.noop),
    ]
