"""Limits on what anyone may do who knows no secret: guess codes, make games, and visit.

The 40 random bits of a spoken code are few for a machine. New games and visitors are rows that a
stranger can add; their limits let a convention behind one router in, and end a flood in seconds.
"""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.http import HttpRequest

from .buckets import Bucket, Buckets

MINUTE = 60
A_DAY = 1440
"""Minutes."""
MOST_OF_ONE = 20
"""The most wrong codes at once from one address, and a minute."""
MOST_OF_ALL = 300
"""The same of all addresses together."""

Rate = tuple[float, float]
"""So many at once, and so many more each minute."""


class Limit:
    """A bucket for each address, and one for all together.

    Each process has its own. COUNTERSITE_CROWD multiplies all of them.
    """

    def __init__(self, one: Rate, everyone: Rate) -> None:
        self._rates = one, everyone
        self.clear()

    def take(self, request: HttpRequest, tokens: float = 1.0) -> bool:
        """Take *tokens* from both buckets; False, and nothing is taken, if either has fewer."""
        both = self.of(request)
        return all(each.has(tokens) for each in both) and all(each.take(tokens) for each in both)

    def of(self, request: HttpRequest) -> tuple[Bucket, Bucket]:
        """The bucket of a request's address, and that of all together."""
        address = network(str(request.META.get("REMOTE_ADDR", "")))
        return self._one.of(address), self._everyone

    def clear(self) -> None:
        """Fill all buckets."""
        one, everyone = (
            (at_once * settings.CROWD, a_minute * settings.CROWD / MINUTE)
            for at_once, a_minute in self._rates
        )
        self._one, self._everyone = Buckets(*one), Bucket(*everyone)


def network(address: str) -> str:
    """The key of an address: of IPv6 its /64, in which anyone has many; IPv4 however written.

    Whatever is no address counts as it is.
    """
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(found.ipv4_mapped or ipaddress.IPv6Network((found, 64), strict=False))


GUESSING = Limit((MOST_OF_ONE, MOST_OF_ONE), (MOST_OF_ALL, MOST_OF_ALL))
"""Wrong codes."""
MAKING = Limit((1_200, 120), (4_800, 480))
"""New games; a long file takes several tokens."""
OF_A_DAY = 3_200
KEEPING = Limit((OF_A_DAY, OF_A_DAY / A_DAY), (4 * OF_A_DAY, 4 * OF_A_DAY / A_DAY))
"""The same in a day: a token stands for 64 KiB at most, so 200 MiB of one address."""
OF_A_PICTURE = 8
"""A picture takes as many tokens as half a megabyte of files."""
VISITING = Limit((4_800, 600), (19_200, 2_400))
"""Phones that a game does not know yet."""
SIGNING_IN = Limit((10, 5), (100, 30))
"""Tries to sign in to the admin."""
LIMITS = GUESSING, MAKING, KEEPING, VISITING, SIGNING_IN


def too_many(request: HttpRequest) -> bool:
    """True if this address has to wait after too many wrong codes.

    While others guess so much that all together have had enough, an address that has not
    been wrong lately may still try.
    """
    one, everyone = (bucket.left() for bucket in GUESSING.of(request))
    return one < 1 or (everyone < 1 and one < MOST_OF_ONE * settings.CROWD)


def note_wrong(request: HttpRequest) -> None:
    """Count one wrong code."""
    for bucket in GUESSING.of(request):
        bucket.spend()
