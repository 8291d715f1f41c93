"""Settings from the environment: small typed readers that fail loudly at startup.

Each error names the variable and the values it accepts.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from django.core.exceptions import ImproperlyConfigured

from .addresses import in_url

OF_CONNECTIONS = {
    "connect_timeout": "3",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""libpq's: when a connection to PostgreSQL counts as dead. The URL's own parameters stand."""

T = TypeVar("T")
OURS = "COUNTERSITE_"
READ = {f"{OURS}DATA"}
"""The names of the variables that have been read."""
SWITCH = {"1": True, "true": True, "yes": True, "on": True}
SWITCH |= {"0": False, "false": False, "no": False, "off": False}


def text(name: str, default: str) -> str:
    """The value of *name*; *default* if it is not set or empty."""
    READ.add(name)
    return os.environ.get(name, "").strip() or default


def refuse_mistyped() -> None:
    """Refuse a variable that is almost one of ours. Call it when all have been read."""
    known = {name.removeprefix(OURS): name for name in READ if name.startswith(OURS)}
    for name in sorted(os.environ):
        rest = name.removeprefix(OURS)
        if name.startswith(OURS) and rest not in known:
            if meant := get_close_matches(rest, known, n=1, cutoff=0.8):
                raise ImproperlyConfigured(f"{name} is not read. Do you mean {known[meant[0]]}?")


def incomplete(name: str, **needed: object) -> None:
    """Refuse *name* without one of the variables that it *needed*."""
    missing = " and ".join(each for each, value in needed.items() if not value)
    raise ImproperlyConfigured(f"{name} needs {missing}, too.")


def flag(name: str, default: bool) -> bool:
    """True if *name* is switched on."""
    value = text(name, "on" if default else "off").lower()
    if value not in SWITCH:
        raise ImproperlyConfigured(f"{name}={value!r}: use one of {', '.join(SWITCH)}.")
    return SWITCH[value]


def whole(name: str, default: T, most: int, what: str = "a whole number") -> int | T:
    """The number in *name*, from 1 to *most*; *default* if it is not set. what: it is."""
    value = text(name, "")
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and 1 <= int(value) <= most):
        raise ImproperlyConfigured(f"{name}={value!r}: use {what} from 1 to {most}.")
    return int(value)


def choice(name: str, accepted: Sequence[str]) -> str:
    """One of the words in *accepted*; the first if *name* is not set."""
    value = text(name, accepted[0])
    if value not in accepted:
        raise ImproperlyConfigured(f"{name}={value!r}: use one of {', '.join(accepted)}.")
    return value


def token(name: str) -> str:
    """The token in *name*: 16 or more characters; "" if it is not set."""
    value = text(name, "")
    if value and len(value) < 16:
        raise ImproperlyConfigured(f"{name}: use 16 or more random characters.")
    return value


def file(name: str) -> Path | None:
    """The file at the path in *name*, which can be read; None if it is not set."""
    value = text(name, "")
    if value and not os.access(value, os.R_OK):
        raise ImproperlyConfigured(f"{name}={value!r}: there is no such file to read.")
    return Path(value) if value else None


class Elsewhere(msgspec.Struct, frozen=True):
    """A game that somebody else made, as a line of games.json.

    link: of the page about its package, or of an own game. name: of its rule system, once that is
    installed here. What else is written there is for others.
    """

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    about: Annotated[str, msgspec.Meta(max_length=200)]
    link: Annotated[str, msgspec.Meta(pattern=r"^(https://[^/\s]|/(?!/))\S*$")]
    name: str = ""

    @property
    def host(self) -> str:
        """The site that it is on; "" for this one."""
        return urlsplit(self.link).netloc


def index(name: str) -> tuple[Elsewhere, ...]:
    """The games in the JSON file whose path is in *name*; none if it is not set."""
    if (path := file(name)) is None:
        return ()
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[Elsewhere, ...])
    except msgspec.DecodeError as error:
        raise ImproperlyConfigured(f"{name}={str(path)!r}: {error}") from None


def listed(name: str, default: str = "") -> list[str]:
    """What stands between commas in *name*."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def words(name: str) -> list[str]:
    """The comma-separated host names in *name*; an IPv6 address as it stands in a URL."""
    found = listed(name)
    if strange := [word for word in found if " " in word or "/" in word or word == "*"]:
        accepted = "host names separated by commas, such as table.example.org"
        raise ImproperlyConfigured(f"{name}: {strange[0]!r} is not accepted; use {accepted}.")
    return [in_url(word) if word.count(":") > 1 else word for word in found]


ORIGIN = re.compile(r"https://(?:\*\.)?[\w-]+(?:\.[\w-]+)*(?::\d+)?|http://localhost(?::\d+)?")


def origins(name: str) -> list[str]:
    """The comma-separated origins in *name*, as a policy has them: "https://*.example.org"."""
    found = listed(name)
    if strange := [word for word in found if not ORIGIN.fullmatch(word)]:
        accepted = "origins separated by commas, such as https://www.example.org"
        raise ImproperlyConfigured(f"{name}: {strange[0]!r} is not accepted; use {accepted}.")
    return found


def without_port(host: str) -> str:
    """A host name as it stands before a port: "table.example.org:8443"."""
    return re.sub(r":\d+$", "", host)


def networks(name: str, default: Sequence[str]) -> list[IPv4Network | IPv6Network]:
    """The comma-separated addresses and networks in *name*, such as 10.0.0.0/8."""
    try:
        return [ip_network(word) for word in listed(name, ",".join(default))]
    except ValueError as error:
        accepted = "addresses or networks separated by commas, such as 127.0.0.1,10.0.0.0/8"
        raise ImproperlyConfigured(f"{name}: {error}; use {accepted}.") from None


def secret(name: str, file: Path) -> str:
    """The site's secret key: from *name*, else from *file*. There is no default."""
    value = text(name, "") or (file.read_text().strip() if file.is_file() else "")
    if len(value) < 32 and (os.environ.get(name) or not file.is_file()):
        raise ImproperlyConfigured(f"{name}: set 32 or more random characters.")
    if len(value) < 32:
        raise ImproperlyConfigured(
            f"{file} holds no secret key: it is empty or cut off. Put back your copy of it, or "
            "delete it and run this again: then the links to all games are new."
        )
    return value


def database(name: str, file: Path) -> dict[str, Any]:
    """The database at the URL in *name*; without one, SQLite in *file*.

    SQLite takes its write lock when a transaction begins; if it took it later, concurrent
    transactions would fail instead of waiting. A commit returns only once it is on disk.
    """
    return database_at(text(name, f"sqlite:///{file}"), name)


def database_at(address: str, name: str) -> dict[str, Any]:
    """The database at *address*, as `database` describes it. name: what an error calls it."""
    url = urlsplit(address)
    if url.scheme == "sqlite":
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": unquote(url.path[1:]),
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
            },
        }
    if url.scheme not in ("postgres", "postgresql") or not url.path.strip("/"):
        accepted = "postgresql://user:password@host:5432/name or sqlite:////path/to/file"
        raise ImproperlyConfigured(f"{name}: use {accepted}.")
    _needs("psycopg", "postgres", f"{name} names PostgreSQL")
    return {
        "ENGINE": "games.store.postgresql",
        "NAME": unquote(url.path.strip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": url.hostname or "",
        "PORT": str(url.port or ""),
        "CONN_HEALTH_CHECKS": True,  # after a restart of PostgreSQL no page meets a dead connection
        "OPTIONS": {
            "pool": {"min_size": 1, "max_size": 8, "timeout": 4},
            **OF_CONNECTIONS,
            **dict(parse_qsl(url.query)),
        },
    }


def _needs(module: str, extra: str, why: str) -> None:
    if find_spec(module) is None:
        raise ImproperlyConfigured(f"{why}: install countersite[{extra}].")


def timeouts(address: str) -> dict[str, Any]:
    """The options that close connections to a Redis at *address* that does not answer."""
    given = {"socket_connect_timeout": 2, "socket_timeout": 2}
    if urlsplit(address).scheme == "unix":
        return given
    kernel = {
        socket.TCP_KEEPIDLE: 5,
        socket.TCP_KEEPINTVL: 2,
        socket.TCP_KEEPCNT: 3,
        socket.TCP_USER_TIMEOUT: 5000,
    }
    return {**given, "socket_keepalive": True, "socket_keepalive_options": kernel}


def redis(name: str, database: dict[str, Any]) -> str:
    """The address of the Redis through which several processes share the games; "" for one process.

    They share the database too, and SQLite is not suited to that.
    """
    value = text(name, "")
    if value and urlsplit(value).scheme not in ("redis", "rediss", "unix"):
        raise ImproperlyConfigured(f"{name}={value!r}: use redis://host:6379/0 or leave it out.")
    if value and "postgresql" not in database["ENGINE"]:
        raise ImproperlyConfigured(f"{name} is for several processes, which need PostgreSQL too.")
    if value:
        _needs("redis", "redis", f"{name} names Redis")
    return value
