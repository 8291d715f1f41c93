"""A limit on guesses of a spoken code, whose 40 random bits are few for a machine."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest

MINUTE = 60
MOST_OF_ONE = 20
"""The most wrong codes a minute from one address."""
MOST_OF_ALL = 300
"""The most wrong codes a minute from all addresses together."""
EVERYWHERE = "guesses"


def too_many(request: HttpRequest) -> bool:
    """Whether this address has to wait after too many wrong codes within a minute."""
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
