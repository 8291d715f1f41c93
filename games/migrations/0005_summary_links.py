"""The tables of the oldest release whose backups are restored: its five migrations as one."""

import django.db.models.deletion
import games.models.tokens
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(default=games.models.tokens.new_slug, editable=False, max_length=16, unique=True)),
                ('code', models.CharField(default=games.models.tokens.new_code, editable=False, max_length=8, unique=True)),
                ('title', models.CharField(blank=True, max_length=80)),
                ('invitation', models.PositiveIntegerField(default=1)),
                ('invite_hash', models.CharField(editable=False, max_length=64, unique=True)),
                ('host_hash', models.CharField(editable=False, max_length=64, unique=True)),
                ('system', models.CharField(max_length=40)),
                ('edition', models.CharField(max_length=40)),
                ('settings', models.JSONField(blank=True, default=dict, verbose_name='house rules')),
                ('number', models.PositiveIntegerField(default=0, verbose_name='last entry')),
                ('turn', models.JSONField(blank=True, null=True)),
                ('teams', models.JSONField(blank=True, default=list)),
                ('result', models.CharField(blank=True, max_length=40, null=True)),
                ('settled', models.BooleanField(default=False)),
                ('locked', models.BooleanField(default=False)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('changed', models.DateTimeField(auto_now=True, db_index=True)),
                ('host_since', models.DateTimeField(blank=True, null=True)),
                ('followed_by', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='follows', to='games.game')),
                ('clock', models.JSONField(blank=True, null=True)),
                ('notes', models.JSONField(blank=True, default=list)),
                ('summary_link', models.PositiveIntegerField(default=1)),
            ],
            options={
                'verbose_name': 'game',
                'verbose_name_plural': 'games',
                'ordering': ['-changed'],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('seat', models.CharField(max_length=40)),
                ('command_id', models.CharField(blank=True, max_length=80, null=True)),
                ('command', models.JSONField()),
                ('events', models.JSONField(default=list)),
                ('undone_by', models.PositiveIntegerField(blank=True, null=True)),
                ('at', models.DateTimeField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='games.game')),
            ],
            options={
                'verbose_name': 'entry',
                'verbose_name_plural': 'entries',
                'ordering': ['game', 'number'],
                'constraints': [models.UniqueConstraint(fields=('game', 'number'), name='one_entry_of_a_number'), models.UniqueConstraint(fields=('game', 'command_id'), name='a_command_happens_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='entries_count_from_one')],
            },
        ),
        migrations.CreateModel(
            name='Counter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('holder', models.CharField(max_length=45)),
                ('kind', models.CharField(max_length=40)),
                ('amount', models.PositiveIntegerField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='counters', to='games.game')),
            ],
            options={
                'verbose_name': 'counter',
                'verbose_name_plural': 'counters',
                'ordering': ['game', 'holder', 'kind'],
                'constraints': [models.UniqueConstraint(fields=('game', 'holder', 'kind'), name='one_row_of_a_kind_on_a_holder'), models.CheckConstraint(condition=models.Q(('amount__gte', 1), ('amount__lte', 999999)), name='amount_within_bounds')],
            },
        ),
        migrations.CreateModel(
            name='GameObject',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=40)),
                ('name', models.CharField(max_length=80)),
                ('zone', models.CharField(max_length=40)),
                ('owner', models.CharField(max_length=40)),
                ('controller', models.CharField(max_length=40)),
                ('token', models.BooleanField(default=False)),
                ('had', models.JSONField(blank=True, default=dict, verbose_name='counters before it last changed zones')),
                ('facts', models.JSONField(blank=True, default=dict)),
                ('order', models.PositiveIntegerField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='game_objects', to='games.game')),
            ],
            options={
                'verbose_name': 'object',
                'verbose_name_plural': 'objects',
                'ordering': ['game', 'order', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('game', 'key'), name='one_object_of_a_key')],
            },
        ),
        migrations.CreateModel(
            name='Prompt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=160)),
                ('kind', models.CharField(max_length=40)),
                ('to', models.CharField(max_length=40)),
                ('source', models.CharField(blank=True, max_length=40, null=True)),
                ('facts', models.JSONField(blank=True, default=dict)),
                ('order', models.PositiveIntegerField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='prompts', to='games.game')),
            ],
            options={
                'verbose_name': 'prompt',
                'verbose_name_plural': 'prompts',
                'ordering': ['game', 'order', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('game', 'key'), name='one_prompt_of_a_key')],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=40)),
                ('name', models.CharField(max_length=80)),
                ('order', models.PositiveSmallIntegerField()),
                ('device_hash', models.CharField(blank=True, max_length=64, null=True)),
                ('seen', models.DateTimeField(blank=True, null=True)),
                ('host', models.BooleanField(default=False)),
                ('facts', models.JSONField(blank=True, default=dict)),
                ('lost', models.BooleanField(default=False)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.game')),
            ],
            options={
                'verbose_name': 'seat',
                'verbose_name_plural': 'seats',
                'ordering': ['game', 'order', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('game', 'key'), name='one_seat_of_a_key'), models.UniqueConstraint(fields=('game', 'device_hash'), name='one_seat_of_a_device_in_a_game')],
            },
        ),
        migrations.CreateModel(
            name='SlotCounter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=40)),
                ('facts', models.JSONField(blank=True, default=dict)),
                ('order', models.PositiveIntegerField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='slot_counters', to='games.game')),
            ],
            options={
                'verbose_name': 'slot counter',
                'verbose_name_plural': 'slot counters',
                'ordering': ['game', 'order', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('game', 'key'), name='one_slot_counter_of_a_key')],
            },
        ),
        migrations.CreateModel(
            name='Opening',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='opening', serialize=False, to='games.game')),
                ('state', models.JSONField()),
            ],
            options={
                'verbose_name': 'opening',
                'verbose_name_plural': 'openings',
            },
        ),
        migrations.CreateModel(
            name='Visitor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device_hash', models.CharField(max_length=64)),
                ('role', models.CharField(choices=[('host', 'host'), ('guest', 'guest'), ('watcher', 'watcher')], default='guest', max_length=10)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='visitors', to='games.game')),
                ('about', models.CharField(blank=True, default='', max_length=40)),
                ('asked', models.DateTimeField(blank=True, null=True)),
                ('news', models.CharField(blank=True, choices=[('asking', 'asks for a seat'), ('refused', 'was refused'), ('late', 'was not answered'), ('freed', 'its seat was freed by the host'), ('handed', 'another device has its seat now'), ('host', 'someone else is host now')], default='', max_length=10)),
                ('sent_away', models.BooleanField(default=False)),
            ],
            options={
                'verbose_name': 'visitor',
                'verbose_name_plural': 'visitors',
                'ordering': ['game', 'at'],
                'constraints': [models.UniqueConstraint(fields=('game', 'device_hash'), name='one_visitor_of_a_device'), models.CheckConstraint(condition=models.Q(('role__in', ['host', 'guest', 'watcher'])), name='a_known_role')],
            },
        ),
        migrations.CreateModel(
            name='Setup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(default=games.models.tokens.new_device, editable=False, max_length=32, unique=True)),
                ('title', models.CharField(blank=True, max_length=80)),
                ('system', models.CharField(max_length=40)),
                ('edition', models.CharField(max_length=40)),
                ('settings', models.JSONField(blank=True, default=dict)),
                ('given', models.JSONField()),
                ('names', models.JSONField(blank=True, default=dict)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='setups', to='games.game')),
            ],
            options={
                'verbose_name': 'set-up',
                'verbose_name_plural': 'set-ups',
                'ordering': ['-created'],
            },
        ),
    ]
