"""Tells the program that opened a table how its game ended.

It is told whenever the result changes, so also that an undo withdrew it: in order, one message at a
time, the newest state each time. Each is signed with the operator's token. A process that stops
tells no more; the program can still ask `/api/v1/state`.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import re
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable, Coroutine, Iterable
from ipaddress import IPv6Network, ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from games.rules.state import Refused

logger = logging.getLogger(__name__)

WAITS = (0.0, 5.0, 30.0, 120.0)
"""Seconds before each try."""
BETWEEN = 2.0
"""Seconds from one message about a game to the next, however often its result changes."""
PATIENCE = 5.0
"""Seconds that a try may take."""
SIGNATURE = "Countersite-Signature"
UNICAST = IPv6Network("2000::/3")


Report = Callable[[], str]
"""What a watcher may know of a game's end now, as JSON."""


class Webhook:
    """The webhook of a running game. spawn: runs in the background."""

    def __init__(self, address: str, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._address, self._spawn = address, spawn
        self._due = self._telling = False

    def tell(self, report: Report) -> None:
        """Tell how the game stands now; if it is being told already, that follows."""
        self._due = True
        if not self._telling:
            self._telling = True
            self._spawn(self._tell(report))

    async def _tell(self, report: Report) -> None:
        try:
            while self._due:
                await self._try(report)
                await asyncio.sleep(BETWEEN)
        finally:
            self._telling = False

    async def _try(self, report: Report) -> None:
        why: Exception | None = None
        for wait in WAITS:
            await asyncio.sleep(wait)
            self._due = False
            try:
                async with asyncio.timeout(PATIENCE):
                    await post(self._address, report().encode())
            except (OSError, ValueError, Refused) as error:  # a timeout is an OSError
                why = error
            else:
                return
        host = urlsplit(self._address).hostname  # what follows it may be a secret
        logger.warning("The webhook at %s could not be told of a result: %r", host, why)


async def post(address: str, body: bytes) -> None:
    """Send *body*, signed. Raises OSError, ValueError or Refused; no redirect is followed."""
    url = checked(address)
    reader, writer = await _connected(url)
    key = settings.PROGRAM_TOKEN.encode()
    head = [
        f"POST {url.path or '/'}{'?' * bool(url.query)}{url.query} HTTP/1.1",
        f"Host: {url.netloc}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        f"{SIGNATURE}: sha256={hmac.new(key, body, hashlib.sha256).hexdigest()}",
        "Connection: close",
    ]
    try:
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        answer = await reader.readline()
    finally:
        writer.transport.abort()
    if not re.match(rb"HTTP/1\.\d 2\d\d\b", answer):
        raise OSError(f"It answered {answer[:40]!r}.")


async def _connected(url: SplitResult) -> tuple[StreamReader, StreamWriter]:
    """A line to an address that was looked up and found allowed, and not to a later look-up's."""
    secure: dict[str, Any] = (
        {"ssl": True, "server_hostname": url.hostname} if url.scheme == "https" else {}
    )
    why = OSError()
    for place in allowed(await asyncio.get_running_loop().getaddrinfo(*_at(url))):
        try:
            return await asyncio.open_connection(place, _at(url)[1], **secure)
        except OSError as error:
            why = error
    raise why


def refuse_unreachable(address: str) -> None:
    """Refuse a webhook that this server could not, or may not, reach. Its host is looked up."""
    try:
        allowed(socket.getaddrinfo(*_at(checked(address))))
    except OSError:
        raise Refused("invalid", "There is no such host as “webhook” names.") from None


def checked(address: str) -> SplitResult:
    """The parts of a webhook's *address*. Raises Refused if nothing may be sent there."""
    try:
        url = urlsplit(address)
        complete = bool(url.hostname) and url.port != 0 and "@" not in url.netloc
    except ValueError:
        complete = False
    if not complete or re.search(r"[^!-~]|#", address):
        raise Refused("invalid", "“webhook” is no address.")
    if url.scheme != "https" and (settings.PUBLIC or url.scheme != "http"):
        raise Refused("invalid", "“webhook” begins with https://.")
    return url


def _at(url: SplitResult) -> tuple[str, int]:
    return url.hostname or "", url.port or (443 if url.scheme == "https" else 80)


def allowed(found: Iterable[tuple[Any, ...]]) -> list[str]:
    """The addresses that were *found* for a host and may be told of a result.

    Raises Refused if there are none: a public server sends nothing into the network it stands in.
    """
    each = dict.fromkeys(str(place[0]) for *_kind, place in found)
    if there := [at for at in each if not settings.PUBLIC or _is_public(at)]:
        return there
    raise Refused("invalid", "“webhook” is within a private network.")


def _is_public(address: str) -> bool:
    """True for an address of the internet that leads into no private network either."""
    found = ip_address(address)
    if not found.is_global or found.is_multicast:
        return False
    return found.version == 4 or (found in UNICAST and not (found.sixtofour or found.teredo))
