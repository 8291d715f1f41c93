"""Reads the sockets of phones, straight from the kernel."""

from __future__ import annotations

import asyncio
import logging
import select
import time
from collections import deque
from typing import Any

from twisted.internet import reactor
from twisted.internet.main import CONNECTION_DONE, CONNECTION_LOST

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 1024
"""Sockets read in one turn of the loop."""
TURN = 0.003
"""Seconds of a turn that may be spent on reading, before whatever else the loop has to do."""
MOST_AT_A_TIME = 4096
"""Bytes read from a socket in its turn: some forty taps."""


class Reader:
    """Reads the sockets of all direct connections.

    Asyncio and twisted together take longer to deliver a message than the rules take to resolve it.
    Here the loop watches one epoll, which watches the sockets. Everything that is ready is read in
    one turn of the loop, so it also goes to disk in one transaction; what takes too long for one
    turn, such as sockets that send without end, goes on in the next ones, each socket in turn.
    """

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._ready: deque[int] = deque()
        self._open: dict[int, tuple[Any, Any, Any]] = {}

    def add(self, protocol: Any, transport: Any) -> None:
        """Read for *protocol* from now on, in place of twisted."""
        if not self._open:
            asyncio.get_running_loop().add_reader(self._epoll.fileno(), self._read)
        transport.stopReading()
        number = transport.fileno()
        self._open[number] = (transport.socket.recv, protocol, transport)
        self._epoll.register(number, select.EPOLLIN)

    def remove(self, transport: Any) -> None:
        """Stop reading from *transport*, whose socket is still open."""
        number = transport.fileno()
        if self._open.pop(number, None):
            self._epoll.unregister(number)

    def _read(self) -> None:
        ready = self._ready
        if not ready:
            ready.extend([number for number, _event in self._epoll.poll(0, MOST_AT_ONCE)])
        until = time.perf_counter() + TURN
        while ready:
            number = ready.popleft()
            if number not in self._open:
                continue  # closed by a message read just before
            if time.perf_counter() > until:
                ready.appendleft(number)
                return  # the loop comes back, because the epoll is still ready
            receive, protocol, transport = self._open[number]
            try:
                data = receive(MOST_AT_A_TIME)
            except BlockingIOError:
                continue
            except OSError:
                reactor._disconnectSelectable(transport, CONNECTION_LOST, True)
                continue
            if not data:
                reactor._disconnectSelectable(transport, CONNECTION_DONE, True)
                continue
            try:
                protocol.dataReceived(data)
            except Exception:
                logger.exception("A socket broke.")
                transport.abortConnection()


READER = Reader()
