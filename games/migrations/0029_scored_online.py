from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0028_only_own_online")]

    operations = [
        migrations.AddField(
            model_name="outcome", name="scored", field=models.JSONField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="outcome",
            name="lowest",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
