from django.db import migrations, models


def forget_the_question(apps, schema_editor):
    """A host who comes back is host again without being asked."""
    visitors = apps.get_model("games", "Visitor").objects.using(schema_editor.connection.alias)
    visitors.filter(news="host").update(news="", about="")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_names_and_looks_of_seats"),
    ]

    operations = [
        migrations.RunPython(forget_the_question, migrations.RunPython.noop),
        migrations.AddField(
            model_name='game',
            name='host_link',
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='seat',
            name='stands_in',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='visitor',
            name='beside',
            field=models.CharField(blank=True, default='', max_length=40),
        ),
        migrations.AddField(
            model_name='visitor',
            name='kind',
            field=models.CharField(blank=True, choices=[('', 'device'), ('phone', 'phone'), ('tablet', 'tablet'), ('computer', 'computer')], default='', max_length=10),
        ),
        migrations.AddField(
            model_name='visitor',
            name='sat',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='visitor',
            name='news',
            field=models.CharField(blank=True, choices=[('asking', 'asks for a seat'), ('refused', 'was refused'), ('late', 'was not answered'), ('freed', 'its seat was freed by the host'), ('handed', 'another device has its seat now'), ('removed', 'another device of its seat took it off')], default='', max_length=10),
        ),
    ]
