"""How often a spoken code may be guessed: its 40 random bits are few for a machine."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest

MINUTE = 60
MOST_OF_ONE = 20
"""Wrong codes a minute from one address."""
MOST_OF_ALL = 300
"""Wrong codes a minute from everywhere."""
EVERYWHERE = "guesses"


def too_many(request: HttpRequest) -> bool:
    """Whether so many codes were wrong within a minute that this address has to wait."""
    counted = cache.get_many([EVERYWHERE, _from(request)])
    one, everywhere = counted.get(_from(request), 0), counted.get(EVERYWHERE, 0)
    return bool(one >= MOST_OF_ONE or everywhere >= MOST_OF_ALL)


def note_wrong(request: HttpRequest) -> None:
    """Count one wrong code."""
    for key in (EVERYWHERE, _from(request)):
        if not cache.add(key, 1, MINUTE):
            try:
                cache.incr(key)
            except ValueError:  # its minute ended this instant
                cache.add(key, 1, MINUTE)


def _from(request: HttpRequest) -> str:
    return f"{EVERYWHERE}:{request.META.get('REMOTE_ADDR', '')}"
