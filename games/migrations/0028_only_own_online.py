from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0027_webhooks_online")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="only_own",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="game",
            name="asks",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
    ]
