"""A server at some distance, Redis say: a proxy that delays everything, and counts what is
published."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from random import Random
from ssl import SSLContext

PUBLISH = b"\r\n$7\r\nPUBLISH\r\n"
RETRANSMITTED = 0.3
"""Seconds after which TCP sends a lost packet again, on a line of 200 ms."""


class Distance:
    """A TCP proxy to *host* that delays each byte by *seconds* on its way there, and back.

    loss: how many of its packets are lost, of 1: one that is takes RETRANSMITTED longer, and what
    follows waits for it. seconds may be changed. tls: for a proxy that speaks it.
    published: how often PUBLISH has come by. turns: how many of the pieces that arrived had one.
    """

    def __init__(
        self, host: str, port: int, seconds: float, tls: SSLContext | None = None, loss: float = 0
    ) -> None:
        self._to, self.seconds, self._tls = (host, port), seconds, tls
        self._loss, self._random = loss, Random(1)
        self.published = self.turns = 0
        self.port = 0
        self._loop = asyncio.new_event_loop()
        listening = threading.Event()
        self._thread = threading.Thread(target=self._run, args=[listening], daemon=True)
        self._thread.start()
        assert listening.wait(10)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self, listening: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        starting = asyncio.start_server(self._carry, "127.0.0.1", 0, ssl=self._tls)
        server = self._loop.run_until_complete(starting)
        self.port = server.sockets[0].getsockname()[1]
        listening.set()
        self._loop.run_forever()
        server.close()
        passing = asyncio.all_tasks(self._loop)
        for each in passing:
            each.cancel()
        self._loop.run_until_complete(asyncio.gather(*passing, return_exceptions=True))
        self._loop.run_until_complete(asyncio.sleep(0))  # what was aborted is closed now
        self._loop.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(*self._to)
        try:
            with suppress(ConnectionError, EOFError, asyncio.CancelledError):  # killed, or closed
                far_writer.write(await self.opening(reader))
                await asyncio.gather(
                    self._pass(reader, far_writer, counted=True),
                    self._pass(far_reader, writer, counted=False),
                )
        finally:
            for each in (writer, far_writer):
                each.transport.abort()

    async def opening(self, reader: asyncio.StreamReader) -> bytes:
        """What goes there first, and at once."""
        return b""

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, counted: bool
    ) -> None:
        due = 0.0
        while data := await reader.read(1 << 20):
            if counted and (found := data.count(PUBLISH)):
                self.published += found
                self.turns += 1
            lost = RETRANSMITTED if self._random.random() < self._loss else 0
            due = max(due, self._loop.time() + self.seconds + lost)
            self._loop.call_at(due, writer.write, data)
        self._loop.call_at(max(due, self._loop.time() + self.seconds), writer.close)
