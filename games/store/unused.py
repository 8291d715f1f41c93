"""Games that someone made and nobody ever used, and tokens of devices that no game knows."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from games.models import Game, LastEntry, Renewal, Visitor

KEPT = timedelta(days=30)
"""Retention of a game without a single entry: time enough to prepare an evening."""


def found() -> list[Game]:
    """The games that nobody has used for a month after making them.

    In those nothing was ever tapped, nobody but their maker came, no set-up was saved, and they
    belong to no evening; and no seat of theirs had a screen open for as long.
    """
    since = timezone.now() - KEPT
    unused = Game.objects.filter(
        last_entry__number=0,
        last_entry__changed__lt=since,
        followed_by=None,
        follows=None,
        setups=None,
    ).exclude(seats__seen__gte=since)
    return list(unused.annotate(phones=Count("visitors", distinct=True)).filter(phones__lte=1))


def delete(game: Game) -> bool:
    """Delete a game that was found unused and takes no more commands.

    False if it has been used after all.
    """
    with transaction.atomic():
        if not LastEntry.objects.select_for_update().filter(game=game, number=0).exists():
            return False
        game.delete()
    return True


def forget_tokens() -> None:
    """Delete the tokens of devices that no game knows."""
    known = Visitor.objects.values("device_hash")
    Renewal.objects.filter(used=None).exclude(last__in=known).delete()
