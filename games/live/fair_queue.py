"""A fair queue for few places: by address, then by table, then by phone, in seconds held."""

from __future__ import annotations

import asyncio
import time

MOST_IDLE = 256
"""Names at one level, beyond which those that neither wait nor are in debt are forgotten."""


class Share:
    """The share of one name: its use in seconds, and its queue.

    now: how much the last one below had used that was given a place. A name that comes, or comes
    back, starts from there: nobody saves up, and nobody gets out of what was used.
    """

    __slots__ = ("below", "held", "now", "queue", "used", "waiting")

    def __init__(self) -> None:
        self.used = self.now = 0.0
        self.held = self.waiting = 0
        self.below: dict[str, Share] = {}
        self.queue: dict[Place, None] = {}

    def of(self, name: str) -> Share:
        """The share of *name* below this one."""
        if name not in self.below and len(self.below) >= MOST_IDLE:
            below = self.below.items()
            self.below = {name: each for name, each in below if each.busy or each.used > self.now}
        share = self.below.setdefault(name, Share())
        if not share.busy:
            share.used = max(share.used, self.now)
        return share

    @property
    def busy(self) -> bool:
        """True if anything is queued or running under this name."""
        return self.waiting + self.held > 0


class Place:
    """A ticket for a place; granted when *given* is done."""

    def __init__(self, shares: list[Share]) -> None:
        self.shares = shares
        self.given: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.since = 0.0


class FairQueue:
    """So many *places*. One address never holds the last one, so that others find one free."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._most_of_address = max(1, places - 1)
        self._root = Share()

    def ask(self, address: str, table: str = "", phone: str = "") -> Place:
        """Queue for a place. Call `leave` in any case, granted or not."""
        shares = [self._root]
        for name in (address, table, phone):
            shares.append(shares[-1].of(name))
        place = Place(shares)
        for share in shares:
            share.waiting += 1
        shares[-1].queue[place] = None
        self._give()
        return place

    def leave(self, place: Place, used: float | None = None) -> None:
        """Charge for *place* and grant it to the next in line; or leave the queue.

        used: the seconds to charge, if they are not all since it was granted.
        """
        given = place.given.done()
        seconds = time.monotonic() - place.since if used is None else used
        for share in place.shares:
            if given:
                share.held -= 1
                share.used += seconds
            else:
                share.waiting -= 1
        if given:
            self._free += 1
        else:
            place.given.cancel()
            del place.shares[-1].queue[place]
        self._give()

    def _give(self) -> None:
        while self._free and (share := self._next()):
            place = next(iter(share.queue))
            del share.queue[place]
            for each in place.shares:
                each.waiting -= 1
                each.held += 1
            self._free -= 1
            place.since = time.monotonic()
            place.given.set_result(None)

    def _next(self) -> Share | None:
        """The phone whose turn it is: at each level the name that holds and has used least."""
        share = self._root
        while share.below:
            most = self._most_of_address
            waiting = [each for each in share.below.values() if each.waiting and each.held < most]
            if not waiting:
                return None
            chosen = min(waiting, key=lambda each: (each.held, each.used))
            share.now = max(share.now, chosen.used)
            share = chosen
        return share if share.queue else None
