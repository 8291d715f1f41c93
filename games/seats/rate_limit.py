"""Limits on what anyone may do who knows no secret: guess codes, make games, and visit.

The 40 random bits of a spoken code are few for a machine. New games and visitors are rows that a
stranger can add; their limits let a convention behind one router in, and end a flood in seconds.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest

from games.rules.values import frozen
from games.store.turns import waiting

MINUTE = 60
MOST_OF_ONE = 20
"""The most wrong codes at once from one address, and a minute."""
MOST_OF_ALL = 300
"""The same of all addresses together."""
MOST_ADDRESSES = 4096
"""Addresses whose tokens are remembered; the one that came longest ago is forgotten first."""


@frozen
class Allowance:
    """So many tokens at once, and so many more each minute."""

    at_once: int
    a_minute: int

    def left(self, tokens: float, seconds: float) -> float:
        """What *tokens* have become after *seconds*."""
        refilled = tokens + seconds * self.a_minute * settings.CROWD / MINUTE
        return min(refilled, self.at_once * settings.CROWD)


class Buckets:
    """A bucket of tokens for each address, and one for all together.

    Each process has its own. COUNTERSITE_CROWD multiplies all of them.
    """

    def __init__(self, one: Allowance, everyone: Allowance) -> None:
        self._one, self._everyone = one, everyone
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, request: HttpRequest, tokens: float = 1.0) -> bool:
        """Take *tokens*; False, and nothing is taken, if there are not so many left."""
        everyone, one = self.left(request)
        everyone -= min(tokens, self._everyone.at_once)
        one -= min(tokens, self._one.at_once)
        if min(everyone, one) < 0:
            return False
        self._keep(request, everyone, one)
        return True

    def spend(self, request: HttpRequest) -> None:
        """Take a token from wherever there is one."""
        everyone, one = self.left(request)
        self._keep(request, max(everyone - 1, 0), max(one - 1, 0))

    def left(self, request: HttpRequest) -> tuple[float, float]:
        """The tokens of all together, and of this address."""
        now = time.monotonic()
        both = ("", self._everyone), (_asking(request), self._one)
        everyone, one = (
            allowance.left(had, now - since)
            for name, allowance in both
            for had, since in [self._buckets.get(name, (float("inf"), now))]
        )
        return everyone, one

    def _keep(self, request: HttpRequest, everyone: float, one: float) -> None:
        now = time.monotonic()
        for name, left in (("", everyone), (_asking(request), one)):
            self._buckets[name] = left, now
            self._buckets.move_to_end(name)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)

    def clear(self) -> None:
        """Fill all buckets."""
        self._buckets.clear()


def network(address: str) -> str:
    """What an address counts as: of IPv6 its /64, in which anyone has many; IPv4 however written.

    Whatever is no address counts as it is.
    """
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(found.ipv4_mapped or ipaddress.IPv6Network((found, 64), strict=False))


def _asking(request: HttpRequest) -> str:
    return network(str(request.META.get("REMOTE_ADDR", "")))


GUESSING = Buckets(Allowance(MOST_OF_ONE, MOST_OF_ONE), Allowance(MOST_OF_ALL, MOST_OF_ALL))
"""Wrong codes."""
MAKING = Buckets(Allowance(1_200, 120), Allowance(4_800, 480))
"""New games; a long file takes several tokens."""
VISITING = Buckets(Allowance(4_800, 600), Allowance(19_200, 2_400))
"""Phones that a game does not know yet."""
SIGNING_IN = Buckets(Allowance(10, 5), Allowance(100, 30))
"""Tries to sign in to the admin."""


BETWEEN = 0.01
"""Seconds between two new games, in which taps get the database."""
_turn = threading.Lock()


@contextmanager
def in_turn() -> Iterator[None]:
    """Write a new game while no other is written here.

    SQLite lets one write and leaves it to chance who is next: of many makers, none waits in line
    behind a tap.
    """
    with waiting():
        _turn.acquire()
    try:
        yield
        with waiting():
            time.sleep(BETWEEN)
    finally:
        _turn.release()


def too_many(request: HttpRequest) -> bool:
    """Whether this address has to wait after too many wrong codes.

    While others guess so much that all together have had enough, whoever has not been wrong lately
    may still try.
    """
    everyone, one = GUESSING.left(request)
    return one < 1 or (everyone < 1 and one < MOST_OF_ONE * settings.CROWD)


def note_wrong(request: HttpRequest) -> None:
    """Count one wrong code."""
    GUESSING.spend(request)
