"""The addresses at which other devices can reach this machine."""

from __future__ import annotations

import ipaddress
import socket
import struct

EVERYWHERE = ("0.0.0.0", "::")
"""To listen on these is to listen on every address of this machine."""
SOMEWHERE = ("192.0.2.1", "10.255.255.255", "192.168.255.255", "172.31.255.255")
"""Connecting a UDP socket to these sends nothing; it only shows which of our addresses is used."""
INSIDE = ("lo", "docker", "br-", "veth", "virbr", "cni", "flannel", "podman", "tailscale", "zt")
"""Prefixes of network interfaces that no phone is on."""
ASK_ADDRESS = 0x8915  # SIOCGIFADDR of Linux


def lan_addresses() -> list[str]:
    """IPv4 addresses at which phones may reach this machine, likeliest first. No loopback."""
    found = [address for target in SOMEWHERE if (address := _used_for(target))]
    found += _of_interfaces()
    return list(dict.fromkeys(address for address in found if _reachable(address)))


def host_names() -> list[str]:
    """The names of this machine that phones may use."""
    name = socket.gethostname().lower()
    return [name, f"{name.split('.')[0]}.local"]


def free_port(host: str, first: int, tries: int = 100) -> int:
    """The first free port from *first* on. Raises OSError if there is none."""
    for port in range(first, min(first + tries, 65536)):
        if _bindable(host, port):
            return port
    raise OSError(f"no free port from {first} to {first + tries - 1}")


def _bindable(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except PermissionError:
            raise
        except OSError:
            return False
    return True


def _used_for(target: str) -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _of_interfaces() -> list[str]:
    """The address of each interface. This machine's own hotspot has no route to ask for."""
    try:
        import fcntl
    except ImportError:
        return []
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            if name.startswith(INSIDE):
                continue
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe.fileno(), ASK_ADDRESS, request)
            except OSError:
                continue
            found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _reachable(address: str) -> bool:
    number = ipaddress.ip_address(address)
    return not (number.is_loopback or number.is_unspecified or number.is_multicast)
