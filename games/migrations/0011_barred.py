from django.db import migrations, models

ROLES = [("host", "host"), ("guest", "guest"), ("watcher", "watcher"), ("barred", "barred")]


class Migration(migrations.Migration):
    dependencies = [("games", "0010_standings")]

    operations = [
        migrations.AlterField(
            "visitor", "role", models.CharField(choices=ROLES, default="guest", max_length=10)
        ),
        migrations.RemoveConstraint("visitor", "a_known_role"),
        migrations.AddConstraint(
            "visitor",
            models.CheckConstraint(
                condition=models.Q(role__in=[role for role, _name in ROLES]), name="a_known_role"
            ),
        ),
    ]
