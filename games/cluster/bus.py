"""The bus between processes: numbered packets over Redis.

All messages for one process in one turn of the loop are one packet, and the packets of a turn are
one pipeline. While a pipeline is under way, and for `PAUSE` after it began, messages queue for the
next: a slow Redis gets larger packets, not more of them.

Redis guarantees nothing, so lost packets are found by counting: those from each process to each
other one are numbered. A packet that is dropped on the way, by us or by Redis, leaves a gap.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from msgspec import DecodeError, Struct, msgpack

from games.live.measured import QUEUE, ROUND_TRIP
from games.live.outage import REDIS, until

from .messages import Echo, Said

logger = logging.getLogger(__name__)

SILENT = 2.5
"""Seconds without an answer after which a process counts as gone; or Redis, to this process."""
PAUSE = 0.005
"""Seconds between the beginnings of two pipelines, at least."""
AGAIN = 0.25
"""Seconds between two attempts to connect."""
MOST_WAITING = 10_000
"""Most messages queued for Redis; more are dropped, which leaves a gap in the numbers."""
PREFIX = "countersite.2"
"""Prefix of all channels, with the version of the format: others are not subscribed to."""
ALL = f"{PREFIX}.all"
"""The broadcast channel: all processes subscribe to it."""


class Packet(Struct, frozen=True, array_like=True):
    """Messages from one process to another. number: of the packet; 0 if it is for all."""

    sender: str
    number: int
    messages: list[Said]


_packet = msgpack.Decoder(Packet)


def channel_of(process: str) -> str:
    """The channel to which one process subscribes."""
    return f"{PREFIX}.{process}"


class Bus:
    """This process's end of the bus.

    name: this process's. received: called with the sender and each of its messages. missed: called
    with the name of a process of which a packet is missing.
    """

    def __init__(
        self,
        name: str,
        received: Callable[[str, Said], None],
        missed: Callable[[str], None],
    ) -> None:
        # An extra: everything else runs without it.
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        self.name = name
        self.heard_at = time.monotonic()
        """The time when Redis last brought this process its own echo."""
        self.connected = asyncio.Event()
        """Set once Redis has brought it anything."""
        self._received = received
        self._missed = missed
        self.sent_messages = self.dropped = self.gaps = 0
        self._echo_sent: float | None = None
        self._redis: Any = Redis.from_url(
            settings.REDIS,
            retry=Retry(NoBackoff(), 0),
            **settings.REDIS_OPTIONS,
        )
        self._out: defaultdict[str, list[Said]] = defaultdict(list)
        self._waiting = 0
        self._ready = asyncio.Event()
        self._sending = False
        self._left = False
        self._sent: defaultdict[str, int] = defaultdict(int)
        self._got: defaultdict[str, int] = defaultdict(int)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to send and to receive."""
        self.heard_at = time.monotonic()  # nothing was sent before, so nothing has been missed
        self._tasks = [asyncio.ensure_future(work) for work in (self._read(), self._write())]

    def close(self) -> None:
        """Stop sending and receiving."""
        for task in self._tasks:
            task.cancel()

    async def leave(self, seconds: float) -> None:
        """Unsubscribe, then flush the queue."""
        self._left = True
        await until(lambda: not (self._out or self._sending), seconds)

    @property
    def subscribed(self) -> bool:
        """True if this process still receives its own echo from Redis."""
        return time.monotonic() - self.heard_at < SILENT

    def send(self, process: str, message: Said) -> None:
        """Send a message to one process."""
        self._put(channel_of(process), message)

    def probe(self) -> None:
        """Send this process an echo, which shows that Redis works and how long it takes."""
        self._echo_sent = time.monotonic()
        self.send(self.name, Echo())

    def send_to_all(self, message: Said) -> None:
        """Broadcast a message, to this process too. It is not numbered: a loss goes unnoticed."""
        self._put(ALL, message)

    def forget(self, process: str) -> None:
        """Drop the counters of a process that is gone."""
        self._sent.pop(channel_of(process), None)
        self._got.pop(process, None)

    def drop(self) -> None:
        """Drop the queue. The receivers notice the gap in the numbers."""
        self.dropped += self._waiting
        self._packets()

    def _put(self, channel: str, message: Said) -> None:
        if self._waiting >= MOST_WAITING:
            self.drop()
        self._waiting += 1
        self._out[channel].append(message)
        self._ready.set()

    def _packets(self) -> list[tuple[str, bytes]]:
        """The queue as packets, each with its channel."""
        out, self._out = self._out, defaultdict(list)
        self._waiting = 0
        return [(channel, self._packed(channel, messages)) for channel, messages in out.items()]

    def _packed(self, channel: str, messages: list[Said]) -> bytes:
        if channel != ALL:
            self._sent[channel] += 1
        number = 0 if channel == ALL else self._sent[channel]
        return msgpack.encode(Packet(self.name, number, messages))

    async def _write(self) -> None:
        async with self._redis:
            while True:
                await self._ready.wait()
                self._ready.clear()
                begun = time.monotonic()
                self._sending, waiting = True, self._waiting
                try:
                    await self._publish(self._packets())
                    QUEUE.add(waiting)
                    self.sent_messages += waiting
                except Exception as error:
                    REDIS.failed(error)
                    self.dropped += waiting
                    self.drop()  # what is old by then helps nobody
                finally:
                    self._sending = False
                await asyncio.sleep(max(0.0, begun + PAUSE - time.monotonic()))

    async def _publish(self, packets: Iterable[tuple[str, bytes]]) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        for channel, packet in packets:
            pipeline.publish(channel, packet)
        await pipeline.execute()

    async def _read(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as channels:
                    await channels.subscribe(channel_of(self.name), ALL)
                    # This process's own echo comes more often than that.
                    while message := await channels.get_message(timeout=SILENT):
                        if message["type"] == "message":
                            self._heard(message["data"])
                        elif message["data"] == 2:  # both channels
                            self.probe()
            except Exception as error:
                REDIS.failed(error)
            await asyncio.sleep(AGAIN)

    def _heard(self, data: bytes) -> None:
        try:
            packet = _packet.decode(data)
        except DecodeError:
            logger.exception("A packet from another process could not be read.")
            return
        if self._left:
            return
        if packet.number:
            expected, self._got[packet.sender] = self._got[packet.sender] + 1, packet.number
            if packet.number != expected and packet.sender != self.name:
                self.gaps += 1
                self._missed(packet.sender)
        for message in packet.messages:
            if type(message) is Echo:
                self.heard_at = time.monotonic()
                if self._echo_sent is not None:
                    ROUND_TRIP.add(self.heard_at - self._echo_sent)
                    self._echo_sent = None
                self.connected.set()
                REDIS.over()
                continue
            try:
                self._received(packet.sender, message)
            except Exception:
                logger.exception("A message from another process failed.")
