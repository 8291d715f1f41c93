"""A device's token is renewed whenever it comes to a seat or asks for one.

A copy of the cookie made before that, or one that was set, is a stranger's afterwards: the last
token is nobody's as soon as the new one has been used. Two answers at once bring the same new
token, which is derived from the last one; so it does not matter which of them the phone keeps.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import connection, transaction
from django.utils import timezone

from games.models import Game, Renewal, Seat, Visitor, hold
from games.models.tokens import hashed, next_device
from games.store.sql import found, select, update

from . import arrivals

REMEMBERED = timedelta(hours=1)
"""Retention of a used renewal, to recognise a request that was under way meanwhile."""


def renewed(token: str) -> str:
    """The token that takes the place of *token*."""
    last = hashed(token)
    fresh = next_device(last)
    Renewal.objects.get_or_create(last=last, defaults={"fresh": hashed(fresh)})
    return fresh


def use(known: str) -> tuple[str, list[Game]] | None:
    """Let the token with the hash *known* take the place of its last one, if it is a new one.

    Returns the hash of the last one and the device's games; None if there is nothing to do.
    """
    if not arrivals.renews(known):
        return None
    now, last = timezone.now(), Renewal.objects.get(fresh=known).last
    when = connection.ops.adapt_datetimefield_value(now)
    with transaction.atomic(), connection.cursor() as cursor:  # plain SQL: taps wait meanwhile
        games = [key for (key,) in found(GAMES_OF, last)]
        hold(*games)
        cursor.execute(USE, [when, known])
        if not cursor.rowcount:
            return None  # of two first uses, one does it
        cursor.execute(HAND_VISITS, [known, last])
        cursor.executemany(HAND_SEAT, [(known, key, last) for key in games])
    Renewal.objects.filter(used__lt=now - REMEMBERED).delete()
    return last, list(Game.objects.filter(pk__in=games))


def over(token: str) -> bool:
    """True if another token took the place of *token* within the last hour."""
    return Renewal.objects.filter(last=hashed(token)).exclude(used=None).exists()


GAMES_OF = select(Visitor, "game_id", "device_hash")
USE = f'{update(Renewal, "used", "fresh")} AND "used" IS NULL'
HAND_VISITS = update(Visitor, "device_hash", "device_hash")
HAND_SEAT = update(Seat, "device_hash", "game_id device_hash")
