from django.db import migrations, models

from games.models.tokens import derived, hashed, new_code


def give_links_and_codes(apps, schema_editor):
    """Give each game its watch link, and each set-up its code."""
    using = schema_editor.connection.alias
    Game = apps.get_model("games", "Game")
    for game in Game.objects.using(using).only("pk", "slug", "invitation").iterator():
        token = derived("watch", f"{game.slug} {game.invitation}")
        Game.objects.using(using).filter(pk=game.pk).update(watch_hash=hashed(token))
    Setup = apps.get_model("games", "Setup")
    for pk in Setup.objects.using(using).values_list("pk", flat=True):
        Setup.objects.using(using).filter(pk=pk).update(code=new_code())


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_checkpoints"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="watch_hash",
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name="setup",
            name="code",
            field=models.CharField(editable=False, max_length=8, null=True),
        ),
        migrations.RunPython(give_links_and_codes, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="game",
            name="watch_hash",
            field=models.CharField(editable=False, max_length=64, unique=True),
        ),
        migrations.AlterField(
            model_name="setup",
            name="code",
            field=models.CharField(default=new_code, editable=False, max_length=8, unique=True),
        ),
        migrations.RemoveConstraint(model_name="visitor", name="a_known_role"),
        migrations.AlterField(
            model_name="visitor",
            name="role",
            field=models.CharField(
                choices=[
                    ("host", "host"),
                    ("guest", "guest"),
                    ("watcher", "watcher"),
                    ("onlooker", "onlooker"),
                    ("barred", "barred"),
                ],
                default="guest",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="visitor",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["host", "guest", "watcher", "onlooker", "barred"])),
                name="a_known_role",
            ),
        ),
    ]
