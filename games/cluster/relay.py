"""Relays a game that another process owns to the screens connected to this one.

The owner of a game is the process that holds its lock in PostgreSQL (`journal`). A process whose
screens show that game has a `RemoteTable` in its place. Commands go to the owner and frames come
back over Redis (`bus`). At the owner, a `RemoteConnection` stands for each of those screens, so the
table treats them like its own.

Redis guarantees nothing. The bus finds that something is missing; then both sides end what they had
in common, and the `RemoteTable` begins anew: it says which number its screens have, and gives
commands without an answer again. So Redis may delay, but nothing is lost.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import defaultdict
from collections.abc import Callable, Collection
from functools import partial

from msgspec import json

from games.live.connection import Connection, Frame
from games.live.outage import REDIS, RedisAway
from games.live.outcome import Outcome
from games.live.table import Table
from games.rules.state import Refused
from games.screens.fragments import Audience
from games.store.limits import PROCESS

from .bus import SILENT, Bus
from .messages import (
    Call,
    Close,
    Frames,
    Gone,
    Join,
    Known,
    Leave,
    OfSession,
    Open,
    Ping,
    Play,
    Pong,
    Present,
    Refusal,
    Said,
    Shut,
    Take,
)  # fmt: skip
from .phrases import packed
from .remote_table import RemoteTable

PING = 1.0
"""Seconds between two pings, which ask whether an owner lives."""
LOOK = 0.5
"""Seconds between two looks for silence."""
FORGOTTEN = 10.0
"""Seconds without a ping after which a process's screens count as gone."""


class Relay:
    """The sessions between this process and the others.

    table: the local table of a game, if it is played here. call: makes a call that another process
    asks for, if its game is played here. play: plays a game that another process has let go.
    """

    def __init__(
        self,
        table: Callable[[str], Table | None],
        call: Callable[[Call], None],
        play: Callable[[str], None],
    ) -> None:
        self.remote: dict[str, RemoteTable] = {}
        self.bus = Bus(PROCESS, self._received, self._missed)
        self._table = table
        self._call = call
        self._play = play
        self._opening: dict[str, list[Call]] = {}
        self._sessions: dict[str, RemoteTable] = {}
        self._peers: dict[tuple[str, str], Peer] = {}
        self._pinged: dict[str, float] = {}
        self._ponged: dict[str, float] = {}
        self._watching: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to send and to receive."""
        self.bus.start()
        self._watching = asyncio.ensure_future(self._watch())

    def close(self) -> None:
        """Stop sending and receiving."""
        self.bus.close()
        if self._watching is not None:
            self._watching.cancel()

    async def leave(self) -> None:
        """Unsubscribe, then flush the queue."""
        await self.bus.leave(PING)

    @property
    def subscribed(self) -> bool:
        """True if this process still receives its own echo from Redis."""
        return self.bus.subscribed

    async def started(self) -> None:
        """Wait until the subscription is confirmed, or a timeout."""
        left = self.bus.heard_at + SILENT - time.monotonic()
        if left > 0 and not self.bus.connected.is_set():
            try:
                await asyncio.wait_for(self.bus.connected.wait(), left)
            except TimeoutError:
                REDIS.failed(f"no connection within {SILENT} seconds")

    # Games that others play

    def follow(self, remote: RemoteTable) -> None:
        """Follow a game that another process owns. Raises RedisAway."""
        if not self.subscribed:
            raise RedisAway
        self.remote[remote.slug] = self._sessions[remote.session] = remote
        self.bus.send(remote.owner, Open(remote.session, remote.slug))

    def unfollow(self, remote: RemoteTable) -> None:
        """Stop following it."""
        if self._sessions.pop(remote.session, None) is not None:
            self.bus.send(remote.owner, Shut(remote.session))
        if self.remote.get(remote.slug) is remote:
            del self.remote[remote.slug]

    def alive(self, processes: Collection[str]) -> None:
        """Give up the games whose owner is not among the *processes* that live."""
        for remote in list(self.remote.values()):
            if remote.owner not in processes:
                remote.give_up()

    # Games that are played here

    def serve(self, slug: str) -> None:
        """Queue messages to the owner of a game until `opened`.

        Call it before taking the lock: from then on others may know that it is this process.
        """
        self._opening[slug] = []

    def opened(self, table: Table) -> None:
        """Handle the messages queued since `serve`."""
        calls = self._opening.pop(table.slug)
        for peer in [each for each in self._peers.values() if each.slug == table.slug]:
            peer.begin(table)
        for call in calls:
            self._call(call)

    def not_opened(self, slug: str) -> None:
        """Drop the queue: another process owns the game, or none can."""
        del self._opening[slug]
        self._dismiss(lambda peer: peer.slug == slug and peer.table is None)

    def detach(self, table: Table) -> list[Peer]:
        """Take the screens of other processes off a game; return the `Peer` of each."""
        return self._detach(lambda peer: peer.table is table)

    def only_elsewhere(self) -> dict[str, str]:
        """The games played here whose screens are all in one other process, with its name."""
        screens: defaultdict[Table, list[tuple[str, int]]] = defaultdict(list)
        for peer in self._peers.values():
            if peer.table is not None and peer.screens:
                screens[peer.table].append((peer.process, peer.screens))
        return {
            table.slug: there[0][0]
            for table, there in screens.items()
            if len(there) == 1 and len(table.connections()) == there[0][1]
        }

    def _dismiss(self, concerned: Callable[[Peer], bool]) -> None:
        for peer in self._detach(concerned):
            peer.dismiss()

    def _detach(self, concerned: Callable[[Peer], bool]) -> list[Peer]:
        places = [place for place, peer in self._peers.items() if concerned(peer)]
        peers = [self._peers.pop(place) for place in places]
        for peer in peers:
            peer.leave()
        return peers

    async def _watch(self) -> None:
        for look in itertools.count():
            await asyncio.sleep(LOOK)
            self.bus.probe()
            if not self.subscribed:
                REDIS.failed(f"nothing has come back for {SILENT} seconds")
            now = time.monotonic()
            self._give_up_silent(now)
            if look % round(PING / LOOK) == 0:
                for owner in {remote.owner for remote in self.remote.values()}:
                    self.bus.send(owner, Ping())
                self._forget(now - FORGOTTEN)

    def _give_up_silent(self, now: float) -> None:
        """Drop the games whose owner answers no ping, or did not answer an `Open`."""
        for remote in list(self.remote.values()):
            answered = self._ponged.get(remote.owner, 0.0) if remote.opened else 0.0
            if now - max(remote.begun, answered) > SILENT:
                remote.give_up()

    def _forget(self, late: float) -> None:
        """Evict processes that timed out."""
        for process in [each for each, at in self._pinged.items() if at < late]:
            del self._pinged[process]
            self._dismiss(lambda peer, process=process: peer.process == process)  # type: ignore[misc]
        self._ponged = {process: at for process, at in self._ponged.items() if at > late}

    # Received messages

    def _missed(self, process: str) -> None:
        """End all sessions with a process of which a packet is missing.

        What is only being opened has missed nothing: the owner's first message is yet to come.
        """
        for remote in list(self.remote.values()):
            if remote.owner == process and remote.opened:
                remote.give_up()
        self._dismiss(lambda peer: peer.process == process)

    def _received(self, process: str, message: Said) -> None:
        if isinstance(message, Frames | Known | Refusal | Close | Present | Gone):
            if remote := self._sessions.get(message.session):
                remote.received(message)
        elif isinstance(message, Pong):
            self._ponged[process] = time.monotonic()
        elif isinstance(message, Ping):
            self._pinged[process] = time.monotonic()
            self.bus.send(process, Pong())
            for peer in self._peers.values():
                if peer.process == process:
                    peer.send_present()
        elif isinstance(message, Call):
            if message.slug in self._opening:
                self._opening[message.slug].append(message)
            elif process != PROCESS or message.name != "disconnect":  # that was done at once
                self._call(message)
        elif isinstance(message, Play):
            self._play(message.slug)
        elif isinstance(message, Open):
            self._open(process, message)
        elif isinstance(message, OfSession):
            self._for_peer((process, message.session), message)

    def _open(self, process: str, message: Open) -> None:
        table = self._table(message.slug)
        if table is None and message.slug not in self._opening:
            self.bus.send(process, Gone(message.session))
            return
        self._pinged.setdefault(process, time.monotonic())
        peer = Peer(self.bus, process, message.session, message.slug)
        self._peers[process, message.session] = peer
        peer.send_present()
        if table is not None:
            peer.begin(table)

    def _for_peer(self, place: tuple[str, str], message: Said) -> None:
        peer = self._peers.get(place)
        if isinstance(message, Shut):
            if peer is not None:
                self._peers.pop(place).leave()
        elif peer is None:
            self.bus.send(place[0], Gone(place[1]))
        else:
            peer.received(message)


class Peer:
    """Another process, with screens of a game that is played here.

    session: of its `RemoteTable`. table: None while it is being opened.
    """

    def __init__(self, bus: Bus, process: str, session: str, slug: str) -> None:
        self.process = process
        self.session = session
        self.slug = slug
        self.table: Table | None = None
        self._bus = bus
        self._waiting: list[Said] = []
        self._connections: dict[int, RemoteConnection] = {}
        self._frames: list[tuple[Frame, list[int]]] = []
        self._accepted: list[tuple[int, int]] = []
        self._scheduled = False
        self._present: list[str] | None = None

    def begin(self, table: Table) -> None:
        """Handle the queued messages."""
        self.table = table
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self.received(message)

    def received(self, message: Said) -> None:
        if self.table is None:
            self._waiting.append(message)
        elif isinstance(message, Take):
            raw, ref, seat = json.decode(message.raw), message.ref, message.seat
            reply, sender = partial(self._outcome, ref, seat), self._connections.get(message.line)
            self.table.take(raw, seat, reply, sender)
        elif isinstance(message, Join):
            self._join(self.table, message)
        elif isinstance(message, Leave):
            self._leave(message.line)

    @property
    def screens(self) -> int:
        """The number of its screens of the game."""
        return len(self._connections)

    def send_present(self) -> None:
        """Send which seats have a screen open, at first and after each change."""
        present = sorted(self.table.present) if self.table else []
        if present != self._present:
            first, self._present = self._present is None, present
            self.say(Present(self.session, present, first))

    def _join(self, table: Table, message: Join) -> None:
        self._leave(message.line)
        connection = self._connections[message.line] = RemoteConnection(self, message.line)
        connection.seat, connection.device = message.seat, message.device
        connection.program, connection.docked = message.program, message.docked
        connection.address = message.address
        connection.audience = Audience(*message.audience)
        table.join(connection, message.since)

    def _leave(self, line: int) -> None:
        connection = self._connections.pop(line, None)
        if connection is not None and self.table is not None:
            self.table.leave(connection)
            connection.disconnected()

    def dismiss(self) -> None:
        """Tell the process that the game is no longer played here."""
        self.say(Gone(self.session))

    def leave(self) -> None:
        """Remove the process's screens."""
        for line in list(self._connections):
            self._leave(line)

    def _outcome(self, ref: int, seat: str, outcome: Outcome) -> None:
        if isinstance(outcome, Refused):
            if self.table and self.table.gone and outcome.code == "not-saved":
                return  # it is given again where the game is played then
            phrase = packed(outcome.message)
            self.say(Refusal(self.session, ref, outcome.code, outcome.rule, phrase))
        elif outcome.entry is None:
            number = self.table.number_for(seat) if self.table else 0
            self.say(Known(self.session, ref, seat, number))
        else:
            self._accepted.append((ref, outcome.entry.number))
            self._schedule()

    def say(self, message: Said) -> None:
        """Send a message, after the frames that were drawn before it."""
        self._flush()
        self._bus.send(self.process, message)

    def put(self, frame: Frame, line: int) -> None:
        """Send a frame to a line, together with all frames of this turn of the loop."""
        if self._frames and self._frames[-1][0] is frame:
            self._frames[-1][1].append(line)
        else:
            self._frames.append((frame, [line]))
            self._schedule()

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._scheduled = False
        if self._frames or self._accepted:
            frames = [(frame.text, lines) for frame, lines in self._frames]
            accepted, self._frames, self._accepted = self._accepted, [], []
            self._bus.send(self.process, Frames(self.session, frames, accepted))


class RemoteConnection(Connection):
    """A screen in another process, as the owner's table sees it."""

    __slots__ = ("_line", "_peer")

    def __init__(self, peer: Peer, line: int) -> None:
        super().__init__()
        self._peer = peer
        self._line = line

    def send(self, frame: Frame) -> None:
        self._peer.put(frame, self._line)

    def close(self, code: int, reason: str) -> None:
        self._peer.say(Close(self._peer.session, self._line, code, reason))
