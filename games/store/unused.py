"""Games that someone made and no one ever used, and tokens of devices that no game knows."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Count
from django.utils import timezone

from games.models import Game, Renewal, Visitor

KEPT = timedelta(days=30)
"""How long a game without a single entry is kept: time enough to prepare an evening."""


def clear() -> int:
    """Delete the games that no one has used for a month after making them; return how many.

    In those nothing was ever tapped, no one but their maker came, no set-up was saved, and they
    belong to no evening. Call it before the games are served.
    """
    unused = Game.objects.filter(
        last_entry__number=0,
        last_entry__changed__lt=timezone.now() - KEPT,
        followed_by=None,
        follows=None,
        setups=None,
    )
    alone = unused.annotate(phones=Count("visitors")).filter(phones__lte=1)
    ids = list(alone.values_list("pk", flat=True))
    Game.objects.filter(pk__in=ids).delete()
    known = Visitor.objects.values("device_hash")
    Renewal.objects.filter(used=None).exclude(last__in=known).delete()
    return len(ids)
