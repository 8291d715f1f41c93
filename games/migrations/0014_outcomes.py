
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0013_watch_links_and_codes_of_setups'),
    ]

    operations = [
        migrations.CreateModel(
            name='Outcome',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='outcome', serialize=False, to='games.game')),
                ('number', models.PositiveIntegerField()),
                ('winners', models.JSONField(blank=True, default=list)),
                ('played', models.JSONField(blank=True, default=dict)),
                ('seconds', models.PositiveIntegerField(default=0)),
                ('turns', models.PositiveIntegerField(default=0)),
                ('ended', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'outcome',
                'verbose_name_plural': 'outcomes',
            },
        ),
        migrations.CreateModel(
            name='CountedLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('audience', models.CharField(blank=True, default='', max_length=40)),
                ('number', models.PositiveIntegerField()),
                ('form', models.PositiveSmallIntegerField()),
                ('data', models.BinaryField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='counted_logs', to='games.game')),
            ],
            options={
                'verbose_name': 'counted log',
                'verbose_name_plural': 'counted logs',
                'constraints': [models.UniqueConstraint(fields=('game', 'audience'), name='one_counted_log_of_an_audience')],
            },
        ),
    ]
