from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0014_outcomes")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="keep_days",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
    ]
