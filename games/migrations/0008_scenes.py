from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0007_hosts_and_devices'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='scenes',
            field=models.JSONField(blank=True, default=list),
        ),
    ]
