"""The server follows its own addresses, and keeps a name on the network."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from zeroconf import AddressResolverIPv4  # type: ignore[attr-defined]
from zeroconf.asyncio import AsyncZeroconf

from countersite import neighbourhood
from countersite.local_name import LocalName
from countersite.neighbourhood import Neighbourhood
from games.live.table_registry import registry


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    """The addresses of this machine, which a test changes."""
    found = ["192.168.1.20"]
    settings.LAN_ADDRESSES, settings.LAN_NAMES = list(found), []
    settings.ALLOWED_HOSTS = ["localhost", *found]
    monkeypatch.setattr("countersite.addresses.lan_addresses", lambda: list(found))
    monkeypatch.setattr(neighbourhood, "SETTLED", 0)
    return found


@pytest.fixture
def notified() -> Any:
    return []


@pytest.fixture
def around(notified: Any) -> Any:
    return Neighbourhood(8000, named=False, notify=notified.append)


async def test_a_new_address_is_answered_and_told_once(
    machine: list[str], around: Any, notified: Any, transactional_db: None
) -> None:
    assert not await around.look()
    assert 400 == await status("192.168.1.21")
    machine[:] = ["192.168.1.21"]

    assert await around.look()
    assert not await around.look()

    assert [True] == notified
    assert ["192.168.1.21"] == settings.LAN_ADDRESSES
    assert 200 == await status("192.168.1.21")
    assert 200 == await status("192.168.1.20"), "a phone may still come by it"


async def status(host: str) -> int:
    return (await asyncio.to_thread(Client().get, "/livez", headers={"host": host})).status_code


async def test_screens_draw_the_address_again(
    machine: list[str], around: Any, transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []

    async def refresh(slug: str) -> None:
        drawn.append(slug)

    monkeypatch.setattr(registry, "refresh", refresh)
    monkeypatch.setattr(registry, "tables", {"friday": None})
    machine[:] = ["10.0.0.7"]
    await around.look()

    assert ["friday"] == drawn


async def test_a_second_address_beside_the_first_is_answered_quietly(
    machine: list[str], around: Any, notified: Any, transactional_db: None
) -> None:
    machine.append("10.0.0.7")
    await around.look()

    assert [] == notified
    assert "10.0.0.7" in settings.ALLOWED_HOSTS


async def test_an_address_that_does_not_stay_is_not_told(
    machine: list[str], around: Any, notified: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([["169.254.3.4"], ["192.168.1.20"]])
    monkeypatch.setattr("countersite.addresses.lan_addresses", lambda: next(looks))

    assert not await around.look()
    assert [] == notified


async def test_without_a_network_the_name_is_withdrawn(
    machine: list[str], notified: Any, transactional_db: None
) -> None:
    around = Neighbourhood(8000, named=True, notify=notified.append)
    settings.LAN_NAMES[:] = ["countersite.local"]
    machine.clear()
    await around.look()

    assert [] == settings.LAN_NAMES


async def test_a_page_opened_before_the_name_is_announced_may_look_for_it(
    machine: list[str], notified: Any, monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    may_look = []

    async def announce(self: Any, addresses: Any, port: int) -> None:
        page = await asyncio.to_thread(Client().get, "/g/here/", headers={"host": "localhost"})
        may_look.append("http://countersite.local" in page.headers["Content-Security-Policy"])
        raise asyncio.CancelledError

    monkeypatch.setattr(LocalName, "announce", announce)
    with pytest.raises(asyncio.CancelledError):
        await Neighbourhood(8000, named=True, notify=notified.append).follow()

    assert [True] == may_look
    assert not logging.getLogger("zeroconf").isEnabledFor(logging.WARNING), "it adds a traceback"


# The name, by multicast on this machine's own interface


async def asked(name: str) -> list[str]:
    """The addresses that the network answers for *name*."""
    phone = AsyncZeroconf(interfaces=["127.0.0.1"])
    answer = AddressResolverIPv4(f"{name}.")
    await answer.async_request(phone.zeroconf, 1500)
    await phone.async_close()
    return answer.parsed_addresses()


async def test_a_name_leads_to_the_address_and_a_second_server_gets_another() -> None:
    first, second = LocalName(), LocalName()
    try:
        name = await first.announce(["127.0.0.1"], 8000)
        if not name:
            pytest.skip("this machine allows no multicast")
        other = await second.announce(["127.0.0.1"], 8000)
        assert name != other
        assert ["127.0.0.1"] == await asked(name)

        assert name == await first.announce(["127.0.0.2"], 8000), "it outlives the address"
        assert ["127.0.0.2"] == await asked(name)
    finally:
        await first.withdraw()
        await second.withdraw()


async def test_no_network_has_no_name() -> None:
    assert "" == await LocalName().announce([], 8000)
    assert "" == await LocalName().announce(["203.0.113.9"], 8000), "not an address of this machine"
