"""Retention of games: for ever, unless the site or the host of an evening says otherwise."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from games.models import DEMO_DAYS, Game

CHOICES = (7, 30, 365)
"""Days after the last tap that a host may choose, if the site does not delete sooner."""


def days(game: Game) -> int | None:
    """Days from its last tap until *game* is deleted; None for never.

    The site's days are the most; a host may choose fewer.
    """
    return min((each for each in (game.keep_days, settings.KEEP_DAYS) if each), default=None)


def choices() -> list[int]:
    """Those of `CHOICES` that make a difference here."""
    return [each for each in CHOICES if not settings.KEEP_DAYS or each < settings.KEEP_DAYS]


def overdue() -> list[Sequence[Game]]:
    """The evenings whose time is over. All games of an evening go together, by its last tap."""
    now = timezone.now()
    chosen = Q(keep_days__isnull=False, last_entry__changed__lt=now - timedelta(days=DEMO_DAYS))
    if settings.KEEP_DAYS:
        chosen |= Q(last_entry__changed__lt=now - timedelta(days=settings.KEEP_DAYS))
    found: list[Sequence[Game]] = []
    for game in Game.objects.filter(chosen, followed_by=None):
        evening, kept = game.evening, days(game)
        last = max(each.changed for each in evening)
        if kept is not None and last < now - timedelta(days=kept):
            found.append(evening)
    return found


def delete(games: Collection[Game]) -> None:
    """Delete *games* with everything that belongs to them: rows, log, seats, links.

    SQLite overwrites with zeros what it would otherwise leave in its file. Set-ups stay: they were
    saved to start other games.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")
    with transaction.atomic():
        Game.objects.filter(pk__in=[game.pk for game in games]).delete()
