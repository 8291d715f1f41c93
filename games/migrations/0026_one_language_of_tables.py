"""Tables of Any RPG are tables of their own games with a GM."""

from django.db import migrations

from games.systems.own_game.led import from_set


def forwards(apps, schema_editor):
    using = schema_editor.connection.alias
    games = apps.get_model("games", "Game").objects.using(using).filter(system=from_set.SYSTEM)
    for game in games.iterator():
        _game(game)
    setups = apps.get_model("games", "Setup").objects.using(using).filter(system=from_set.SYSTEM)
    for setup in setups.iterator():
        setup.system, setup.edition = from_set.NOW, from_set.EDITION
        setup.settings = from_set.settings(setup.settings)
        setup.given = from_set.renamed(setup.given)
        setup.save(using=using)


def _game(game):
    game.system, game.edition = from_set.NOW, from_set.EDITION
    game.settings, game.turn = from_set.settings(game.settings), from_set.TURN
    game.save()
    game.opening.state = from_set.opening(game.opening.state)
    game.opening.save()
    game.checkpoints.all().delete()
    game.counted_logs.all().delete()
    for counter in game.slot_counters.all():
        facts = from_set.renamed(counter.facts)
        if facts != counter.facts:
            counter.facts = facts
            counter.save()
    for entry in game.entries.order_by("number").iterator():
        command = from_set.command(entry.command)
        events = [from_set.event(each) for each in entry.events]
        if (command, events) != (entry.command, entry.events):
            entry.command, entry.events = command, events
            entry.save()


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0025_former_names'),
    ]

    operations = [
        migrations.RunPython(forwards, migrations.RunPython.noop),
    ]
