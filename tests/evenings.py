"""Long evenings: games with thousands of entries, at the times at which people play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connections, transaction

from games.models import Game
from games.rules import scenario
from games.rules.state import Refused
from games.store import rows
from games.systems import named_by

BEGAN = datetime(2026, 3, 6, 19, 12, tzinfo=UTC)
CARDS = ("Feral Hydra", "Feral Ghoul", "The Wise Mothman", "Squire", "Walking Ballista")
BATCH = 200


def magic(entries: int, *, seats: tuple[str, ...] = ("ana", "ben", "cleo", "dan")) -> Game:
    """A Magic game with so many entries: turns, taps in bursts, counters, undo and redo."""
    written = {
        "id": "long",
        "title": "A long evening",
        "system": "magic",
        "when": [],
        "then": {},
        "given": {
            "seats": {seat: {"life": 400, "starting_life": 40} for seat in seats},
            "objects": {
                f"{seat}-{n}": {
                    "owner": seat,
                    "name": name,
                    "types": ["creature"],
                    "base": {"power": 2, "toughness": 2},
                    "counters": {"+1/+1": 2},
                }
                for seat in seats
                for n, name in enumerate(CARDS, 1)
            },
            "turn": {"active": [seats[0]]},
        },
    }
    system = named_by(written)[0]
    game = rows.create(
        system,
        scenario.opening(system, written),
        title="A long evening",
        names={seat: seat.capitalize() for seat in seats},
    )
    play(game, entries, _of_magic(seats))
    return game


def play(game: Game, entries: int, commands: Iterator[dict[str, Any]]) -> None:
    """Give *commands* until there are so many entries, two seconds apart; refusals are skipped."""
    played, at = rows.history(game), BEGAN
    connection = connections[game._state.db or "default"]
    while played.number < entries:
        applied = []
        while len(applied) < BATCH and played.number < entries:
            try:
                applied.append((played.give(next(commands)), at))
            except Refused:
                continue
            at += timedelta(seconds=random.Random(played.number).choice((1, 1, 2, 4, 9)))
        with transaction.atomic(using=connection.alias):
            for each, when in applied:
                rows.write(connection, {game.pk: [each]}, when)
        played.saved(played.number)
    game.refresh_from_db()


def _of_magic(seats: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    chance, turn = random.Random(7), 0
    while True:
        seat = seats[turn % len(seats)]
        yield {"do": "begin-turn", "by": seat, "active": [seat]}
        for _each in range(12):
            by, other = chance.choice(seats), chance.choice(seats)
            card = f"{by}-{chance.randint(1, 5)}"
            burst = chance.randint(1, 4)
            kind, lose = chance.choice(("+1/+1", "charge", "shield")), chance.random() < 0.55
            verb = "lose-life" if lose else "gain-life"
            for _tap in range(burst):
                if chance.random() < 0.5:
                    yield {"do": verb, "by": by, "seat": other, "amount": 1}
                else:
                    yield {"do": "place", "by": by, "on": card, "counter": kind, "amount": 1}
            yield {"do": "remove", "by": by, "on": card, "counter": kind, "amount": burst}
            if chance.random() < 0.06:
                yield {"do": "undo", "by": by}
            if chance.random() < 0.02:
                yield {"do": "redo", "by": by}
        turn += 1
