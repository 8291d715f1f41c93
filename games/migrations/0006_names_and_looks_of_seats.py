from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_summary_links'),
    ]

    operations = [
        migrations.RenameField(
            model_name='seat',
            old_name='name',
            new_name='given_name',
        ),
        migrations.AlterField(
            model_name='seat',
            name='given_name',
            field=models.CharField(blank=True, default='', max_length=80, verbose_name='name'),
        ),
        migrations.AddField(
            model_name='seat',
            name='chosen_colour',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='colour'),
        ),
        migrations.AddField(
            model_name='seat',
            name='chosen_emblem',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='emblem'),
        ),
        migrations.AddField(
            model_name='setup',
            name='looks',
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
