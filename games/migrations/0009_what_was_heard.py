from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0008_scenes")]

    operations = [
        migrations.AddField("entry", "heard", models.JSONField(blank=True, null=True)),
    ]
