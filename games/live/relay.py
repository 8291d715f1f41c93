"""Several processes: how a screen connected to one follows a game that another plays.

The owner of a game is the process that holds its lock in PostgreSQL (`journal`). Every other
process has a `RemoteTable` in its place. Commands go to the owner and frames come back over Redis,
through a Channels layer: one message per process and turn of the loop, never one per seat. At the
owner, a `RemoteConnection` stands for each of those screens, so the table treats them like its own.

Redis guarantees nothing, so lost messages are found by counting. Each side counts what it sends to
the other about one game, and each ping compares the counts. A side that missed something closes its
connections; the phones reconnect, say which number they have, and send unacknowledged commands
again. So Redis may delay, but nothing is lost.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from channels.layers import get_channel_layer

from games.rules.state import Refused
from games.screens.fragments import Audience
from games.store.limits import PROCESS

from .connection import Connection, Frame
from .outage import REDIS, RedisAway, until
from .phrases import packed
from .remote_table import SILENT, RemoteTable
from .table import Table

if TYPE_CHECKING:
    from .journal import Outcome

logger = logging.getLogger(__name__)

PING = 1.0
"""Seconds between two pings, which ask whether the owner lives and nothing was missed."""
LOOK = 0.5
"""Seconds between two looks for silence."""
FORGOTTEN = 10.0
"""Seconds without a ping after which a process's screens count as gone."""
MOST_WAITING = 10_000
"""Messages that may wait for Redis; more are dropped, and the counts show it."""

Message = dict[str, Any]


class Relay:
    """This process's end of the wire.

    table: the local table of a game, if it is played here. call: handles a call to the owner of a
    game.
    """

    def __init__(
        self, table: Callable[[str], Table | None], call: Callable[[Message], None]
    ) -> None:
        self.channel = ""
        self.remote: dict[str, RemoteTable] = {}
        self._table = table
        self._call = call
        self._opening: dict[str, list[Message]] = {}
        self._let_go: dict[str, float] = {}
        self._heard = time.monotonic()
        self._layer = get_channel_layer()
        self._out: deque[tuple[str, bool, Message]] = deque()
        self._ready = asyncio.Event()
        self._peers: dict[tuple[str, str], Peer] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._start: asyncio.Task[None] | None = None
        self._sending = False
        self._left = False

    async def started(self) -> None:
        """Wait until this process can send and receive."""
        if self._start is None or (self._start.done() and self._start.exception()):
            self._start = asyncio.ensure_future(self._begin())
        await asyncio.shield(self._start)

    async def _begin(self) -> None:
        self.channel = await self._layer.new_channel()
        self._heard = time.monotonic()  # nothing was sent before, so nothing has been missed
        for work in (self._read(), self._write(), self._watch()):
            self._tasks.append(asyncio.ensure_future(work))

    @property
    def hears(self) -> bool:
        """Whether Redis still brings this process what it sends to itself."""
        return time.monotonic() - self._heard < SILENT

    def alive(self, processes: Collection[str]) -> None:
        """Give up the games whose owner is not among the *processes* that live."""
        for remote in list(self.remote.values()):
            if remote.owner and remote.owner not in processes:
                remote.give_up()

    async def serve(self, slug: str) -> None:
        """Receive what is sent to the owner of a game; it waits until `opened`.

        Call it before taking the lock: whoever does not get that lock speaks to the owner at once.
        Raises RedisAway.
        """
        self._opening[slug] = []
        self._let_go.pop(slug, None)
        try:
            await self._layer.group_add(f"table.{slug}", self.channel)
        except Exception as error:
            del self._opening[slug]
            REDIS.failed(error)
            raise RedisAway from error

    def opened(self, slug: str) -> None:
        """Handle what has been sent to the owner of a game since `serve`."""
        for message in self._opening.pop(slug, ()):
            self._received(message)

    async def stop_serving(self, slug: str) -> None:
        """Stop playing a game here, and tell the processes that have screens of it.

        Whoever writes to the owner too late is told so too, but only by a process that was the
        owner: until Redis has taken it from the group, another one hears what is not for it.
        """
        if self._opening.pop(slug, None) is None:
            self._let_go[slug] = time.monotonic()
        self.dismiss(slug)
        try:
            await self._layer.group_discard(f"table.{slug}", self.channel)
        except Exception as error:
            REDIS.failed(error)

    def dismiss(self, slug: str) -> None:
        """Tell the processes that have screens of a game that it is no longer played here."""
        for place in [each for each in self._peers if each[1] == slug]:
            self._peers.pop(place).dismiss()

    async def leave(self) -> None:
        """Hear nothing more, and wait until everything that was to be sent has been sent."""
        self._left = True
        await until(lambda: not (self._out or self._sending), PING)

    def send(self, process: str, message: Message) -> None:
        """Send a message to one process."""
        self._put(process, False, message)

    def send_to_owner(self, slug: str, message: Message) -> None:
        """Send a message to the owner of a game; it is lost if there is none."""
        self._put(f"table.{slug}", True, {**message, "slug": slug, "from": self.channel})

    def _put(self, to: str, group: bool, message: Message) -> None:
        if len(self._out) < MOST_WAITING:
            self._out.append((to, group, message))
            self._ready.set()

    def close(self) -> None:
        """Stop sending and receiving."""
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()

    async def _write(self) -> None:
        while True:
            await self._ready.wait()
            self._ready.clear()
            while self._out:
                to, group, message = self._out.popleft()
                send = self._layer.group_send if group else self._layer.send
                self._sending = True
                try:
                    await send(to, message)
                except Exception as error:
                    REDIS.failed(error)
                    self._out.clear()  # what is old by then helps no one; the counts show it
                finally:
                    self._sending = False

    async def _read(self) -> None:
        while True:
            try:
                message = await self._layer.receive(self.channel)
            except Exception as error:
                REDIS.failed(error)
                await asyncio.sleep(PING)
                continue
            try:
                self._received(message)
            except Exception:
                logger.exception("A message from another process failed.")

    async def _watch(self) -> None:
        for look in itertools.count():
            await asyncio.sleep(LOOK)
            if not self.hears:
                REDIS.failed(f"nothing has come back for {SILENT} seconds")
            pinging = look % round(PING / LOOK) == 0
            if pinging:
                self.send(self.channel, {"kind": "echo"})
            for remote in list(self.remote.values()):
                if remote.silent:
                    remote.give_up()
                elif pinging:
                    remote.ping()
            late = time.monotonic() - FORGOTTEN
            self._let_go = {slug: at for slug, at in self._let_go.items() if at > late}
            for place, peer in list(self._peers.items()):
                if peer.heard < late:
                    del self._peers[place]
                    peer.leave()

    # Received messages

    def _received(self, message: Message) -> None:
        if self._left:
            return
        if message["kind"] == "echo":
            self._heard = time.monotonic()
            REDIS.over()
            return
        slug = message["slug"]
        if slug in self._opening:
            self._opening[slug].append(message)
        elif "from" not in message:
            remote = self.remote.get(slug)
            if remote and remote.session == message["session"]:
                remote.received(message)
        elif message["kind"] == "call":
            self._call(message)  # a call has no answer
        elif table := self._table(slug):
            self._peer(message, table).received(message)
        elif slug in self._let_go:
            gone = {"kind": "gone", "slug": slug, "session": message["session"]}
            self.send(message["from"], gone)

    def _peer(self, message: Message, table: Table) -> Peer:
        place = (message["from"], table.slug)
        peer = self._peers.get(place)
        if peer is None or peer.session != message["session"]:
            if peer:
                peer.leave()
            peer = self._peers[place] = Peer(self, table, *place, message["session"])
        return peer


class Peer:
    """Another process, with screens of a game that is played here.

    session: the id of its `RemoteTable`; a new one starts counting from zero.
    """

    def __init__(self, relay: Relay, table: Table, process: str, slug: str, session: str) -> None:
        self.table = table
        self.session = session
        self.heard = time.monotonic()
        self._relay = relay
        self._process = process
        self._about = {"slug": slug, "session": session}
        self._connections: dict[int, RemoteConnection] = {}
        self._frames: list[tuple[Frame, list[int]]] = []
        self._sent = 0
        self._got = 0

    def received(self, message: Message) -> None:
        self.heard = time.monotonic()
        self._got += message["kind"] != "ping"
        if message["kind"] == "ping":
            self._answer_ping(message)
        elif message["kind"] == "take":
            ref, seat = message["ref"], message["seat"]
            self.table.take(message["raw"], seat, lambda out: self._outcome(ref, seat, out))
        elif message["kind"] == "join":
            self._join(message)
        elif connection := self._connections.pop(message["line"], None):
            self.table.leave(connection)

    def _answer_ping(self, message: Message) -> None:
        self._flush()
        kind = "pong" if message["sent"] == self._got else "gone"
        seats = sorted(self.table.present)
        answer = {"sent": self._sent, "seats": seats, "process": PROCESS}
        self._relay.send(self._process, {"kind": kind, **self._about, **answer})

    def _join(self, message: Message) -> None:
        connection = self._connections.pop(message["line"], None)
        if connection is not None:
            self.table.leave(connection)
        connection = self._connections[message["line"]] = RemoteConnection(self, message["line"])
        connection.seat, connection.device = message["seat"], message["device"]
        connection.program = message.get("program")  # an earlier version says neither
        connection.docked = message.get("docked", True)
        connection.audience = Audience(*message["audience"])
        self.table.join(connection, message["since"])

    def dismiss(self) -> None:
        """Tell the process that the game is no longer played here."""
        self._relay.send(self._process, {"kind": "gone", **self._about})
        self.leave()

    def leave(self) -> None:
        """Forget the process's screens."""
        for connection in self._connections.values():
            self.table.leave(connection)
        self._connections.clear()

    def _outcome(self, ref: int, seat: str, outcome: Outcome) -> None:
        if isinstance(outcome, Refused):
            answer: Message = {"refused": [outcome.code, outcome.rule, *packed(outcome.message)]}
        else:
            answer = {"entry": outcome.entry.number if outcome.entry else None}
        number = self.table.number_for(seat)
        self.say({"kind": "answer", "ref": ref, "seat": seat, "number": number, **answer})

    def say(self, message: Message) -> None:
        """Send a counted message, after the frames that were drawn before it."""
        self._flush()
        self._sent += 1
        self._relay.send(self._process, {**message, **self._about})

    def put(self, frame: Frame, connection: int) -> None:
        """Send a frame to a connection, together with all frames of this turn of the loop."""
        if not self._frames:
            asyncio.get_running_loop().call_soon(self._flush)
        if self._frames and self._frames[-1][0] is frame:
            self._frames[-1][1].append(connection)
        else:
            self._frames.append((frame, [connection]))

    def _flush(self) -> None:
        if self._frames:
            frames = [[frame.text, connections] for frame, connections in self._frames]
            self._frames = []
            self._sent += 1
            answer = {"kind": "frames", "frames": frames, **self._about}
            self._relay.send(self._process, answer)


class RemoteConnection(Connection):
    """A screen in another process, as the owner's table sees it."""

    __slots__ = ("_id", "_peer")

    def __init__(self, peer: Peer, connection: int) -> None:
        super().__init__()
        self._peer = peer
        self._id = connection

    def send(self, frame: Frame) -> None:
        self._peer.put(frame, self._id)

    def close(self, code: int, reason: str) -> None:
        self._peer.say({"kind": "close", "line": self._id, "code": code, "reason": reason})
