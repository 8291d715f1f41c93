"""The addresses at which other devices can reach this machine."""

from __future__ import annotations

import ipaddress
import os
import socket
from argparse import ArgumentTypeError
from collections.abc import Iterable
from pathlib import Path

import ifaddr

from games.rules.input import whole_number

EVERYWHERE = ("0.0.0.0", "::")
"""Wildcard addresses: every address of this machine; the first, of IPv4 only."""
SOMEWHERE = ("192.0.2.1", "10.255.255.255", "192.168.255.255", "172.31.255.255")
"""Connecting a UDP socket to these sends nothing; it only shows which of our addresses is used."""
INSIDE = (
    "lo", "docker", "br-", "veth", "virbr", "cni", "flannel", "podman", "tailscale", "zt", "utun",
    "Hyper-V", "VirtualBox", "VMware",
)  # fmt: skip
"""Prefixes of network interfaces that no phone is on."""
SOMEWHERE_6 = ("2001:db8::1", "fd00::ffff")
"""The same for IPv6: far away, and in a network of one's own."""
INTERFACES_6 = Path("/proc/net/if_inet6")
PASSING = 0x01 | 0x08 | 0x20 | 0x40
"""Flags of an IPv6 address that is temporary, a duplicate, deprecated, or not yet sure."""


def lan_addresses() -> list[str]:
    """The addresses at which phones may reach this machine, likeliest first. No loopback.

    As they stand in a URL, IPv6 in brackets and after IPv4: the shorter is quicker to type.
    """
    found = [address for target in SOMEWHERE if (address := _used_for(target))]
    found += _of_interfaces()
    found += _of_interfaces_6()  # those that stay before the temporary one that is in use
    found += [address for target in SOMEWHERE_6 if (address := _used_for(target))]
    return list(dict.fromkeys(in_url(address) for address in found if _reachable(address)))


def in_url(host: str) -> str:
    """A name or address as it stands in a URL."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def bare(host: str) -> str:
    """The name or address that `in_url` was given."""
    return host.strip("[]")


def host_names() -> list[str]:
    """The names of this machine that phones may use."""
    name = socket.gethostname().lower()
    return [name, f"{name.split('.')[0]}.local"]


def port_number(text: str) -> int:
    """A port in a command. Raises ArgumentTypeError."""
    port = whole_number(text, 1, 65535)
    if port is None:
        raise ArgumentTypeError(f"{text!r} is no port: use a whole number from 1 to 65535")
    return port


def free_port(host: str, first: int) -> int:
    """The first free port of a hundred from *first* on. Raises OSError if there is none."""
    last = min(first + 99, 65535)
    for port in range(first, last + 1):
        if _bindable(host, port):
            return port
    raise OSError(f"no free port from {first} to {last}")


def _bindable(host: str, port: int) -> bool:
    try:
        if host == "::":
            _bound("0.0.0.0", port).close()
            if (other := everywhere_6(port)) is not None:
                other.close()
        else:
            _bound(host, port).close()
    except PermissionError:
        raise
    except OSError:
        return False
    return True


def everywhere_6(port: int) -> socket.socket | None:
    """A socket bound to *port* of every IPv6 address; None if this machine has no IPv6.

    It leaves IPv4 to a socket of its own, so that an IPv4 address looks like one.
    Raises OSError if the port is taken.
    """
    try:
        _bound("::1", 0).close()
    except OSError:
        return None
    return _bound("::", port)


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # on Windows it would let two servers have one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


def _used_for(target: str) -> str | None:
    family = socket.AF_INET6 if ":" in target else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None


def _of_interfaces() -> list[str]:
    """The addresses of each interface. This machine's own hotspot has no route to ask for."""
    return [
        str(each.ip)
        for adapter in _adapters()
        for each in adapter.ips
        if each.is_IPv4 and not adapter.nice_name.startswith(INSIDE)
    ]


def _adapters() -> Iterable[ifaddr.Adapter]:
    """The network interfaces; none where a sandbox refuses to list them."""
    try:
        return ifaddr.get_adapters()
    except OSError:
        return ()


def _of_interfaces_6() -> list[str]:
    """The IPv6 addresses that stay, as Linux lists them."""
    try:
        listed = INTERFACES_6.read_text()
    except OSError:
        return []
    found = []
    for line in listed.splitlines():
        address, _index, _prefix, _scope, flags, name = line.split()
        if not (name.startswith(INSIDE) or int(flags, 16) & PASSING):
            found.append(str(ipaddress.IPv6Address(bytes.fromhex(address))))
    return found


def _reachable(address: str) -> bool:
    """A link-local address of IPv6 needs the name of an interface, and browsers take none."""
    number = ipaddress.ip_address(address)
    if number.version == 6 and number.is_link_local:
        return False
    return not (number.is_loopback or number.is_unspecified or number.is_multicast)
