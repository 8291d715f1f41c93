"""Whose turn it is to compute.

Python runs one thread at a time. A table in the loop lets go of it each time it reads a socket,
writes one or waits for the disk, and must then wait for every thread that computes. So of all the
pages that are asked for only few are computed at once, those of each asker in turn; whatever a
page waits for meanwhile is no computing.

Even so each page that is computed beside a tap holds it up by some milliseconds. Who asks for more
than people do waits until it is rare (`Paced`): nobody is refused for it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_turn: ContextVar[Turn | None] = ContextVar("turn", default=None)


class Lane:
    """Lets so many compute at once. Belongs to one event loop. Thousands of phones have one."""

    __slots__ = ("_free", "_queues")

    def __init__(self, most: int) -> None:
        self._free = most
        self._queues: dict[str, deque[asyncio.Future[Turn]]] = {}

    def ask(self, name: str) -> asyncio.Future[Turn]:
        """A turn, once there is one. Whoever asks must end it, or `withdraw`."""
        asked: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        if self._free > 0:
            self._free -= 1
            asked.set_result(Turn(self))
        else:
            self._queues.setdefault(name, deque()).append(asked)
        return asked

    def withdraw(self, asked: asyncio.Future[Turn]) -> None:
        """Do without a turn that was asked for, and perhaps given, and did not begin."""
        if asked.done():
            self.leave()
        else:
            asked.cancel()

    def leave(self) -> None:
        """Let the next compute: one of the asker whose last one was longest ago."""
        self._free += 1
        while self._queues and self._free > 0:
            name = next(iter(self._queues))
            queue = self._queues.pop(name)
            first = queue.popleft()
            if queue:
                self._queues[name] = queue
            if not first.done():
                self._free -= 1
                first.set_result(Turn(self))

    def enter(self) -> None:
        """Compute again, without waiting for it; who comes next waits the longer."""
        self._free -= 1


class Paced(Lane):
    """Lets so many begin at once, and so many more each second, those of each asker in turn."""

    __slots__ = ("_at_once", "_every", "_refilling")

    def __init__(self, at_once: int, a_second: float) -> None:
        super().__init__(at_once)
        self._at_once, self._every = at_once, 1 / a_second
        self._refilling = False

    def ask(self, name: str) -> asyncio.Future[Turn]:
        """Leave to begin, once there is some. It need not be ended."""
        asked = super().ask(name)
        self._refill()
        return asked

    def _refill(self) -> None:
        if not self._refilling and self._free < self._at_once:
            self._refilling = True
            asyncio.get_running_loop().call_later(self._every, self._refilled)

    def _refilled(self) -> None:
        self._refilling = False
        self.leave()
        self._refill()


class Turn:
    """One page's leave to compute; it may be ended, and interrupted, in any thread."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane
        self._loop = asyncio.get_running_loop()

    def begin(self) -> None:
        """Make it known to `waiting`, in the thread that computes."""
        _turn.set(self)

    def end(self) -> None:
        """Let the next compute."""
        self._loop.call_soon_threadsafe(self._lane.leave)

    def again(self) -> None:
        """Go on computing."""
        self._loop.call_soon_threadsafe(self._lane.enter)


@contextmanager
def waiting() -> Iterator[None]:
    """Let other pages compute while this one waits for something that is not the processor."""
    turn = _turn.get()
    if turn is None:
        yield
        return
    turn.end()
    try:
        yield
    finally:
        turn.again()
