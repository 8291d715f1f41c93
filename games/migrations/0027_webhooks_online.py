from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0026_one_language_of_tables")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="webhook",
            field=models.CharField(blank=True, db_default="", default="", max_length=500),
        ),
    ]
