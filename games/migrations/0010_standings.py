from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_what_was_heard'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='standings',
            field=models.JSONField(blank=True, default=list),
        ),
    ]
