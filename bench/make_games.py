"""Create games with seats for a benchmark, and print their addresses and tickets as JSON.

make_games.py empty                          just an empty database and a secret key
make_games.py SYSTEM TABLES SEATS OBJECTS    TABLES games, each with SEATS seats and OBJECTS cards
"""

from __future__ import annotations

import json
import sys

from countersite import first_run


def main(arguments: list[str]) -> None:
    first_run.prepare([])
    import django
    from django.core.management import call_command

    django.setup()
    if arguments == ["empty"]:
        call_command("migrate", verbosity=0)
        return
    from django.db import transaction

    from games.live.socket import ticket
    from games.store import rows
    from games.systems import find

    name, tables, seats, objects = arguments[0], *map(int, arguments[1:])
    system = find(name)
    opening = system.opening(system, given(seats, objects), {})
    made = []
    with transaction.atomic():
        for _table in range(tables):
            slug = rows.create(system, opening).slug
            tickets = [ticket(slug, f"seat-{n}") for n in range(seats)]
            made.append({"slug": slug, "tickets": tickets})
    json.dump(made, sys.stdout)


def given(seats: int, objects: int) -> dict[str, object]:
    """The opening of a game, as a scenario describes one."""
    return {
        "seats": {f"seat-{n}": {} for n in range(seats)},
        "objects": {
            f"o{n}": {"types": ["item"], "counters": {"charge": 1}, "owner": f"seat-{n % seats}"}
            for n in range(objects)
        },
    }


if __name__ == "__main__":
    main(sys.argv[1:])
