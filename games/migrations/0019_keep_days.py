from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0017_renewals")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="keep_days",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
    ]
