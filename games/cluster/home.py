"""The home of a game: the process to which the proxy leads its phones, among those that live.

It is the one that nginx chooses by `hash $game consistent` (deploy/nginx.conf): each address has
`POINTS` points on a ring, and a game is at home at the next one after its slug's. Rendezvous
hashing would spread the games as evenly, but over other processes than the proxy does. Then what
is at home would be far from its phones.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from zlib import crc32

POINTS = 160


def home(slug: str, addresses: frozenset[str]) -> str:
    """The one of *addresses* ("127.0.0.1:8001", as the proxy lists them) for a game."""
    points, owners = _ring(addresses)
    return owners[bisect_left(points, crc32(slug.encode())) % len(points)]


@lru_cache(maxsize=8)
def _ring(addresses: frozenset[str]) -> tuple[list[int], list[str]]:
    ring: dict[int, str] = {}
    for address in sorted(addresses):
        host, _colon, port = address.rpartition(":")
        base, point = crc32(host.encode() + b"\0" + port.encode()), 0
        for _point in range(POINTS):
            point = crc32(point.to_bytes(4, "little"), base)
            ring.setdefault(point, address)
    points = sorted(ring)
    return points, [ring[each] for each in points]
