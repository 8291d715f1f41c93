"""How often one may dial a socket, or behave as no phone does, before the door stays shut.

A handshake costs as much as many taps: who the phone is comes from the database, and it is sent a
whole board. Phones dial again after a while; what dials without a pause is told nothing.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from itertools import islice
from typing import Any

from django.conf import settings
from django.http import parse_cookie

DIALS, DIALS_A_SECOND = 40, 4
"""Handshakes of one device or program at once, and in a second: all its tabs dial again after a
restart, and again."""
FAULTS, FAULTS_A_SECOND = 60, 4
"""Of an address: handshakes that were refused and sockets that were cut off, at once and in a
second. After that few of its new connections are read."""
OF_CUT_OFF = 3
"""Faults that a socket counts for that is cut off."""
LET_IN, LET_IN_A_SECOND = 20, 10
"""Connections of such an address that are read at once, and in a second."""
MOST_KEPT = 8192
"""Devices, and addresses, that are remembered; the one that came longest ago is forgotten first."""


class Tokens:
    """A bucket for each name: so many tokens at once, and so many more each second."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self._at_once, self._a_second = at_once, a_second
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        """How many names are remembered."""
        return len(self._left)

    def left(self, name: str) -> float:
        """How many tokens there are."""
        now = time.monotonic()
        left, since = self._left.get(name, (self._at_once, now))
        return min(left + (now - since) * self._a_second, self._at_once)

    def take(self, name: str, tokens: float = 1.0) -> bool:
        """Take *tokens*, or what there is; whether there were so many."""
        left = self.left(name)
        self._left[name] = max(left - tokens, 0), time.monotonic()
        self._left.move_to_end(name)
        # Whoever came longest ago may have all its tokens again: it counts as if it had never come.
        for oldest in list(islice(self._left, 2)):
            if self.left(oldest) >= self._at_once or len(self._left) > MOST_KEPT:
                del self._left[oldest]
        return left >= tokens


class Dialling:
    """Counts handshakes by device, and faults by address.

    by_address: not behind a proxy, whose connections all have one address.
    """

    def __init__(self, by_address: bool) -> None:
        self._by_address = by_address
        self._dials = Tokens(DIALS, DIALS_A_SECOND)
        self._faults = Tokens(FAULTS, FAULTS_A_SECOND)
        self._let_in = Tokens(LET_IN, LET_IN_A_SECOND)

    def reads(self, address: str) -> bool:
        """Whether a new connection of an address is read at all."""
        return self._faults.left(address) >= 1 or self._let_in.take(address)

    def answers(self, address: str, headers: Any) -> bool:
        """Whether a handshake with *headers*, which are read as twisted's, is answered."""
        who = caller(headers)
        if not who or self._dials.take(who):
            return True
        self.fault(address)
        return False

    def fault(self, address: str, count: int = 1) -> None:
        """Note that an address did what phones do not."""
        if self._by_address:
            self._faults.take(address, count)


def caller(headers: Any) -> str:
    """The device or the program of a handshake, as it says itself; "" if it names none."""
    for name in (b"authorization", b"cookie"):
        for value in headers.getRawHeaders(name, ()):
            text = value.decode("latin1")
            who = text if name != b"cookie" else parse_cookie(text).get(settings.DEVICE_COOKIE_NAME)
            if who:
                return str(who)
    return ""
