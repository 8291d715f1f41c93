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
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from channels.layers import get_channel_layer

from games.rules.history import Applied
from games.rules.state import GameState, Refused
from games.rules.system import Entry, System
from games.screens.fragments import Audience

from .connection import Connection, Frame
from .phrases import packed, unpacked
from .table import RESTART, RunningGame, Table, not_saved

if TYPE_CHECKING:
    from .journal import Outcome, Reply

logger = logging.getLogger(__name__)

PING = 1.0
"""Seconds between two pings, which ask whether the owner lives and nothing was missed."""
SILENT = 3.0
"""Seconds without an answer after which the owner counts as gone."""
FORGOTTEN = 10.0
"""Seconds without a ping after which a process's screens count as gone."""
MOST_WAITING = 10_000
"""Messages that may wait for Redis; more are dropped, and the counts show it."""

Message = dict[str, Any]
NOWHERE = GameState(seats={})


class Relay:
    """This process's end of the wire.

    table: the local table of a game, if it is played here. call: handles a call to the owner of a
    game. check: checks that this process still holds its locks.
    """

    def __init__(
        self,
        table: Callable[[str], Table | None],
        call: Callable[[Message], None],
        check: Callable[[], Awaitable[None]],
    ) -> None:
        self.channel = ""
        self.remote: dict[str, RemoteTable] = {}
        self._table = table
        self._call = call
        self._check = check
        self._layer = get_channel_layer()
        self._out: deque[tuple[str, bool, Message]] = deque()
        self._ready = asyncio.Event()
        self._peers: dict[tuple[str, str], Peer] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._start: asyncio.Task[None] | None = None

    async def started(self) -> None:
        """Wait until this process can send and receive."""
        if self._start is None:
            self._start = asyncio.ensure_future(self._begin())
        await asyncio.shield(self._start)

    async def _begin(self) -> None:
        self.channel = await self._layer.new_channel()
        for work in (self._read(), self._write(), self._watch()):
            self._tasks.append(asyncio.ensure_future(work))

    async def serve(self, slug: str) -> None:
        """Receive what is sent to the owner of a game."""
        await self._layer.group_add(f"table.{slug}", self.channel)

    async def stop_serving(self, slug: str) -> None:
        """Stop playing a game here, and tell the processes that have screens of it."""
        await self._layer.group_discard(f"table.{slug}", self.channel)
        for place in [each for each in self._peers if each[1] == slug]:
            self._peers.pop(place).dismiss()

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
                try:
                    await send(to, message)
                except Exception as error:
                    logger.warning("Redis refused a message to another process: %s", error)

    async def _read(self) -> None:
        while True:
            try:
                self._received(await self._layer.receive(self.channel))
            except Exception:
                logger.exception("A message from another process failed.")
                await asyncio.sleep(PING)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(PING)
            try:
                await self._check()
            except Exception:
                logger.exception("The locks of the games could not be checked.")
            for remote in list(self.remote.values()):
                remote.ping()
            late = time.monotonic() - FORGOTTEN
            for place, peer in list(self._peers.items()):
                if peer.heard < late:
                    del self._peers[place]
                    peer.leave()

    # Received messages

    def _received(self, message: Message) -> None:
        slug = message["slug"]
        if "from" not in message:
            remote = self.remote.get(slug)
            if remote and remote.session == message["session"]:
                remote.received(message)
        elif message["kind"] == "call":
            self._call(message)  # a call has no answer
        elif (table := self._table(slug)) is None:
            gone = {"kind": "gone", "slug": slug, "session": message["session"]}
            self.send(message["from"], gone)
        else:
            self._peer(message, table).received(message)

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
        answer = {"sent": self._sent, "seats": seats}
        self._relay.send(self._process, {"kind": kind, **self._about, **answer})

    def _join(self, message: Message) -> None:
        connection = self._connections.pop(message["line"], None)
        if connection is not None:
            self.table.leave(connection)
        connection = self._connections[message["line"]] = RemoteConnection(self, message["line"])
        connection.seat, connection.device = message["seat"], message["device"]
        connection.program = message.get("program")  # not from an earlier version
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


class RemoteTable(RunningGame):
    """A game that another process plays, as callers in this one see it.

    lost: called when its owner is gone; then it may be played here.
    """

    def __init__(
        self,
        relay: Relay,
        slug: str,
        system: System,
        seats: frozenset[str],
        lost: Callable[[RemoteTable], None],
    ) -> None:
        self.slug = slug
        self.system = system
        self.session = secrets.token_hex(8)
        self._numbers: dict[str | None, int] = {}
        self.present: set[str] = set()
        self._seats = seats
        self._relay = relay
        self._lost = lost
        self._connections: dict[Connection, int] = {}
        self._by_id: dict[int, Connection] = {}
        self._ids = itertools.count(1)
        self._replies: dict[int, Reply] = {}
        self._sent = 0
        self._got = 0
        self._heard = time.monotonic()

    def has_seat(self, seat: str) -> bool:
        return seat in self._seats

    def number_for(self, seat: str | None) -> int:
        """As of the last answer to that seat."""
        return self._numbers.get(seat, 0)

    @property
    def idle(self) -> bool:
        return not (self._connections or self._replies)

    def connections(self) -> list[Connection]:
        return list(self._connections)

    def take(self, raw: Mapping[str, Any], seat: str, reply: Reply) -> None:
        ref = next(self._ids)
        self._replies[ref] = reply
        self._say({"kind": "take", "ref": ref, "raw": dict(raw), "seat": seat})

    def join(self, connection: Connection, since: int | None) -> None:
        if connection not in self._connections:
            self._connections[connection] = next(self._ids)
            self._by_id[self._connections[connection]] = connection
            connection.caught_up = lambda: self.join(connection, None)
        message: Message = {"kind": "join", "line": self._connections[connection], "since": since}
        message |= {
            "seat": connection.seat,
            "device": connection.device,
            "program": connection.program,
            "audience": list(connection.audience),
        }
        self._say(message)

    def leave(self, connection: Connection) -> None:
        known = self._connections.pop(connection, None)
        if known is not None:
            del self._by_id[known]
            self._say({"kind": "leave", "line": known})

    def ping(self) -> None:
        """Ask whether the owner lives and has received everything; give up if it stays silent."""
        if time.monotonic() - self._heard > SILENT:
            self.give_up()
        else:
            ping = {"kind": "ping", "sent": self._sent, "session": self.session}
            self._relay.send_to_owner(self.slug, ping)

    def received(self, message: Message) -> None:
        self._heard = time.monotonic()
        kind = message["kind"]
        if kind == "gone" or (kind == "pong" and message["sent"] != self._got):
            self.give_up()
        elif kind == "pong":
            self.present = set(message["seats"])
        else:
            self._got += 1
            if kind == "frames":
                for text, connections in message["frames"]:
                    self._show(Frame(text), connections)
            elif kind == "answer":
                self._answer(message)
            elif connection := self._by_id.get(message["line"]):
                self._connections.pop(connection)
                del self._by_id[message["line"]]
                connection.close(message["code"], message["reason"])

    def _show(self, frame: Frame, connections: list[int]) -> None:
        for each in connections:
            if connection := self._by_id.get(each):
                connection.send(frame)

    def _answer(self, message: Message) -> None:
        self._numbers[message["seat"]] = message["number"]
        reply = self._replies.pop(message["ref"], None)
        if reply is None:
            return
        if "refused" in message:
            code, rule, *phrase = message["refused"]
            reply(Refused(code, unpacked(phrase), rule))
            return
        number = message["entry"]
        entry = None if number is None else Entry(number, "", None, {}, ())
        reply(Applied(entry, NOWHERE, NOWHERE))

    def give_up(self) -> None:
        """Make all phones reconnect: the owner is gone, or a message was lost."""
        self._lost(self)
        for connection in list(self._connections):
            connection.close(RESTART, "restart")
        self._connections.clear()
        self._by_id.clear()
        replies, self._replies = self._replies, {}
        for reply in replies.values():
            reply(not_saved())

    def _say(self, message: Message) -> None:
        self._sent += 1
        self._relay.send_to_owner(self.slug, {**message, "session": self.session})
