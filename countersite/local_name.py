"""The server's name on the local network, which outlives its address: multicast DNS.

Phones that know multicast DNS (iPhones, and Android since version 12) open
"http://countersite.local:8000/". Of several servers on one network, the second is
"countersite-2.local".
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
from collections.abc import Sequence

from zeroconf import DNSQuestionType, Error, IPVersion, NonUniqueNameException, ServiceInfo
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

logger = logging.getLogger(__name__)

NAME, KIND = "countersite", "_http._tcp.local."
MOST = 20
"""The most servers with this name on one network."""
TTL = 60
"""Seconds for which phones may remember an address without asking again."""
PATIENCE = 20.0
ANSWERED = 1400
"""Milliseconds within which the owner of a name says so: nobody says the same twice in a second."""


def _label(number: int) -> str:
    return NAME if number == 1 else f"{NAME}-{number}"


class LocalName:
    """A name that is announced on the local network until it is withdrawn."""

    def __init__(self) -> None:
        self.name = ""
        self._first = 1
        self._responder: AsyncZeroconf | None = None

    @property
    def wanted(self) -> str:
        """The name that it asks for first."""
        return f"{_label(self._first)}.local"

    async def announce(self, addresses: Sequence[str], port: int) -> str:
        """Answer to a name with *addresses*; return it, or "" if this network allows none.

        It is the same name as the last time, unless another server has it here.
        """
        await self.withdraw()
        addresses = [each for each in addresses if _is_here(each)]
        if not addresses:
            return ""
        try:
            version = IPVersion.All if any(":" in each for each in addresses) else IPVersion.V4Only
            self._responder = AsyncZeroconf(interfaces=list(addresses), ip_version=version)
            async with asyncio.timeout(PATIENCE):
                self.name = await self._take(addresses, port)
        except (Error, OSError, TimeoutError) as error:
            logger.info("This network allows no name: %s", error or type(error).__name__)
            await self.withdraw()
        return self.name

    async def _take(self, addresses: Sequence[str], port: int) -> str:
        assert self._responder
        packed = [ipaddress.ip_address(each).packed for each in addresses]
        for number in [self._first, *range(1, MOST + 1)]:
            label = _label(number)
            info = ServiceInfo(
                KIND,
                f"{label.capitalize()}.{KIND}",
                port,
                properties={"path": "/"},
                server=f"{label}.local.",
                host_ttl=TTL,
                addresses=packed,
            )
            if await self._is_taken(info.name):
                continue
            with contextlib.suppress(NonUniqueNameException):
                await (await self._responder.async_register_service(info))
                self._first = number
                return f"{label}.local"
        return ""

    async def _is_taken(self, name: str) -> bool:
        """True if another server has *name*, as all on the network can hear.

        A responder probes for answers to itself alone. With two servers on one machine, such an
        answer may come to the other.
        """
        assert self._responder
        return await AsyncServiceInfo(KIND, name).async_request(
            self._responder.zeroconf, ANSWERED, question_type=DNSQuestionType.QM
        )

    async def withdraw(self) -> None:
        """Withdraw the name, with a goodbye if the network is still there."""
        responder, self._responder, self.name = self._responder, None, ""
        if responder is not None:
            with contextlib.suppress(Error, OSError, TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await responder.async_close()


def _is_here(address: str) -> bool:
    """True if this machine still has *address*; a responder that fails halfway leaves sockets."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True
