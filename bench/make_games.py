"""Create games with seats for a benchmark, and print their addresses and tickets as JSON.

make_games.py empty                          just an empty database and a secret key
make_games.py SYSTEM TABLES SEATS OBJECTS    TABLES games, each with SEATS seats and OBJECTS cards,
                                             and the main number of each seat (`HEROES`)
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
    settings = SETTINGS.get(name, {})
    system = find(name).of_table(settings)
    opening = system.opening(system, given(name, seats, objects), settings)
    made = []
    with transaction.atomic():
        for _table in range(tables):
            slug = rows.create(system, opening).slug
            tickets = [ticket(slug, f"seat-{n}") for n in range(seats)]
            made.append({"slug": slug, "tickets": tickets})
    json.dump(made, sys.stdout)


HEROES: dict[str, tuple[str, dict[str, object]]] = {
    "grand-archive": ("objects", {"types": ["champion"], "base": {"life": 999_999, "level": 0}}),
    "pokemon": ("objects", {"zone": "active"}),
    "stars-and-signs": ("slot_counters", {"name": "Hope", "slots": 10, "loop": "same"}),
}
"""By system whose main number is not the seat's own: on what it is, one for each seat."""
POINTS = {"kind": "points", "on": "player", "big": True}
SETTINGS: dict[str, dict[str, object]] = {
    "own-game": {
        "definition": {"title": "Points", "players": {"most": 4}, "numbers": [POINTS], "rules": []}
    }
}
"""By system that a table writes: what this one wrote."""
CARDS: dict[str, dict[str, object]] = {"grand-archive": {"types": ["item"]}}
"""By system: what a card is."""


def given(name: str, seats: int, objects: int) -> dict[str, object]:
    """The opening of a game, as a scenario describes one."""
    players = [f"seat-{n}" for n in range(seats)]
    described: dict[str, dict[str, object]] = {"seats": {player: {} for player in players}}
    if name not in ("stars-and-signs", "pokemon", "own-game"):  # they have no cards for all
        card = {"counters": {"charge": 1}, **CARDS.get(name, {})}
        if name == "yu-gi-oh":
            card |= {"permits": {"charge": {}}}
        described["objects"] = {
            f"o{n}": {**card, "owner": players[n % seats]} for n in range(objects)
        }
    if name in HEROES:
        part, hero = HEROES[name]
        mine = {f"hero-{n}": {**hero, "owner": player} for n, player in enumerate(players)}
        described[part] = {**described.get(part, {}), **mine}
    return {**described}


if __name__ == "__main__":
    main(sys.argv[1:])
