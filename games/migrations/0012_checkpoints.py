from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0011_barred")]

    operations = [
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("state", models.BinaryField()),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="checkpoints",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "verbose_name": "checkpoint",
                "verbose_name_plural": "checkpoints",
                "ordering": ["game", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["game", "number"], name="one_checkpoint_of_a_number"
                    )
                ],
            },
        ),
    ]
