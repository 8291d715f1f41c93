"""Serves the site: accepts connections, sorts them by their heads, and ends without losing any."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
import socket
import sys
from collections.abc import Callable, Coroutine
from contextlib import closing, suppress
from itertools import count
from types import SimpleNamespace
from typing import Any

if sys.platform == "win32":  # whose usual loop cannot watch sockets
    from twisted.internet import asyncioreactor

    asyncioreactor.install(asyncio.SelectorEventLoop())

from daphne.server import Server as DaphneServer
from django.conf import settings
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from games.seats.rate_limit import network
from games.store import limits as database_limits

from ..connection import MOST_WAITING
from ..helper import HELPERS
from ..outage import until
from ..table_registry import registry
from .http import Factory
from .limits import HEAD_SECONDS, MOST_HEAD, Limits, Waiting, most_connections, rest
from .sockets import Socket, entered_with, handshake

logger = logging.getLogger(__name__)
run_later: Any = reactor.callLater

BACKLOG = 2048
"""Connections the kernel may hold for us; with 50, phones that all reconnect at once lose a second.
It caps this at net.core.somaxconn."""
TICK = 1.0
"""Seconds between two looks at the websockets, and without accepting for want of file handles."""
DRAIN, CLOSING = 3.0, 0.5
"""Seconds at the end for requests that are being answered, and for phones to hear of it."""
SWITCH = 0.000_05
"""Seconds a page computes before the loop gets its turn; Python's five milliseconds are felt."""
WILDCARDS = ("0.0.0.0", "::")
"""Hosts that name no address under which a proxy might list us."""
END = b"\r\n\r\n"
HANDSHAKE = re.compile(rb"GET [^\r\n]+(?:\r\n[^\r\n]+)*?\r\nupgrade:[ \t]*websocket", re.I).match

Work = Callable[[], Coroutine[Any, Any, None]]


class Server(DaphneServer):
    """Daphne behind our own sockets.

    listeners: bound. behind_proxy: all connections come from few addresses, so that these say
    nothing of who asks. beside: runs in the loop meanwhile. ready: called once pages are answered.
    """

    def __init__(
        self,
        application: Any,
        listeners: list[socket.socket],
        behind_proxy: bool = False,
        beside: Work | None = None,
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(application, endpoints=["ours"], verbosity=0)
        self.endpoints: list[str] = []  # without any, daphne would not be made
        self.limits = Limits(by_address=not behind_proxy, most=most_connections())
        self._listeners, self._pages = listeners, Factory(self, self.limits)
        self._shown_alive = behind_proxy or bool(settings.SHARED)
        self._tasks: set[asyncio.Task[None]] = set()
        self._beside, self._ready = beside, ready

    def run(self) -> None:
        """Serve until SIGINT or SIGTERM."""
        run_later(0, self._begin)
        super().run()

    def _begin(self) -> None:
        self._loop = asyncio.get_running_loop()
        registry.begin()  # what is overdue is deleted though nobody comes
        for listener in self._listeners:
            listener.setblocking(False)
            listener.listen(BACKLOG)
            self._spawn(self._accept(listener))
        self._ready()
        if self._beside:
            self._spawn(self._beside())
        notify("READY=1")
        self._tick()

    def _tick(self) -> None:
        for each in list(self.limits.sockets):
            each.tick(self._shown_alive)
        notify("WATCHDOG=1")
        self._loop.call_later(TICK, self._tick)

    # A connection

    async def _accept(self, listener: socket.socket) -> None:
        with closing(listener):
            while True:
                try:
                    accepted, (host, *_) = await self._loop.sock_accept(listener)
                except OSError as error:  # it has gone, or no file handles are left
                    await asyncio.sleep(0 if isinstance(error, ConnectionError) else TICK)
                    continue
                if self.limits.admits(network(host)):
                    self._spawn(self._meet(accepted, network(host)))
                else:
                    accepted.close()
                await asyncio.sleep(0)  # one in each turn of the loop

    async def _meet(self, accepted: socket.socket, address: str) -> None:
        """Look at a connection's head without taking it, and pass the connection on."""
        current: Any = asyncio.current_task()
        place = Waiting(address, current.cancel)
        self.limits.enter(place)
        try:
            # asyncio does it only where a socket's protocol is TCP's; here it is 0. Without it, a
            # phone's second frame waits for the acknowledgement of its first.
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            async with asyncio.timeout(HEAD_SECONDS):
                head = await head_of(accepted)
            end = head.find(END) + len(END)
            if end >= len(END) and HANDSHAKE(head, 0, end):
                self._begin_socket(accepted, accepted.recv(end), address)
            else:
                reactor.adoptStreamConnection(accepted.fileno(), accepted.family, self._pages)
                accepted.close()  # the reactor has a handle of its own
        except (OSError, asyncio.CancelledError):
            accepted.close()
        finally:
            self.limits.leave(place)

    def _begin_socket(self, accepted: socket.socket, head: bytes, address: str) -> None:
        answer, scope = handshake(head)
        if answer.status_code != 101:
            accepted.send(answer.serialize())
            accepted.close()
        elif not self.limits.answers(address, entered_with(scope)):
            accepted.close()
        else:
            # Otherwise the kernel buffers megabytes of old frames for a phone that does not read.
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_WAITING)
            scope |= {"client": accepted.getpeername()[:2], "server": accepted.getsockname()[:2]}
            self._spawn(self._speak(accepted, Socket(self.limits, address), scope, answer))

    async def _speak(
        self, accepted: socket.socket, made: Socket, scope: dict[str, Any], answer: Any
    ) -> None:
        await self._loop.connect_accepted_socket(lambda: made, accepted)
        await made.run(self.application, scope, answer)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # The end

    def kill_all_applications(self) -> Any:
        """Before the end: answer what was asked, give the tables to others, then stop the rest."""
        leaving = Deferred.fromFuture(asyncio.ensure_future(self._leave()))
        return leaving.addBoth(lambda _left: self._kill())

    async def _leave(self) -> None:
        notify("STOPPING=1")
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await until(lambda: not any(each.busy for each in self.limits.waiting), DRAIN)
        try:
            await registry.hand_over()
        except Exception:
            logger.exception("The games could not be handed over.")
        await until(lambda: not self.limits.sockets, CLOSING)
        await asyncio.wait(tasks)

    def _kill(self) -> Any:
        for details in self.connections.values():  # daphne has no application of half a request
            details.setdefault("application_instance", SimpleNamespace(done=lambda: True))
        return super().kill_all_applications()


def notify(state: str) -> None:
    """Tell systemd, if it has started us and wants to know (sd_notify)."""
    if place := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd, suppress(OSError):
            systemd.sendto(state.encode(), "\0" + place[1:] if place.startswith("@") else place)


async def head_of(accepted: socket.socket) -> bytes:
    """The head of a connection, which may yet be a handshake, or its first bytes; none is taken."""
    for pieces in count(1):
        await readable(accepted)
        head = accepted.recv(MOST_HEAD, socket.MSG_PEEK)
        if not head:
            raise ConnectionResetError
        if END in head or not b"GET ".startswith(head[:4]) or len(head) == MOST_HEAD:
            break
        await asyncio.sleep(rest(pieces))
    return head


async def readable(accepted: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(accepted, ready.set)  # perhaps twice, before this goes on
    try:
        await ready.wait()
    finally:
        loop.remove_reader(accepted)


def serve(
    application: Any,
    host: str,
    port: int,
    beside: Work | None = None,
    second: socket.socket | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Answer on *host* and *port* until SIGINT or SIGTERM. second: another bound socket.

    ready: called once it answers.
    """
    database_limits.limit()
    registry.address = settings.ADDRESS or (f"{host}:{port}" if host not in WILDCARDS else "")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    first = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listeners = [first, *([second] if second else [])]
    server = Server(application, listeners, bool(settings.PROXIES), beside, ready)
    # What is loaded by now stays loaded; collecting through it again would stall the loop and taps.
    # To look for garbage in it first would free 740 values, and take a twelfth of the start.
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    sys.setswitchinterval(SWITCH)
    for helper in HELPERS:
        helper.allow()
    server.run()
    for helper in HELPERS:
        helper.close()
    if registry.busy:
        # Nothing of it was accepted yet, and an undo of a long log would hold up the end.
        logging.shutdown()
        os._exit(0)
