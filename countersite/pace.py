"""How often pages are computed for those who are not at a table, and for one phone.

People tap, and open a page now and then. Whoever asks for many pages a second is a program: it
waits, so that a tap seldom meets one of its pages. Nobody is refused; a club that comes in at once
is let in at once. A phone that a table knows waits for no stranger, not even at its own address.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any

from django.conf import settings

from games.store.turns import Paced

CHECKS = frozenset(("/livez", "/readyz", "/metrics"))
STRANGERS = 160, 2
"""Pages at once, and a second, of all phones that no table knows: some forty phones come in."""
PHONE = 60, 5
"""The same of each phone that a table knows."""
PROGRAM = 2_000, 500
"""The same of each program that a table knows: its requests are commands, such as taps."""
FILES = 600, 20
"""The same of static files, and of what is none."""
CHECKING = 60, 10
"""The same of health checks."""
ASKING = 160, 100
"""Phones that are looked up in the database, at once and a second: each costs a tenth of a page."""
MOST_PHONES = 4096
"""Phones that are remembered; the one that came longest ago is forgotten first."""
WHO = re.compile(rb"(?:^|[;\s])%b=([^;\s]+)" % settings.DEVICE_COOKIE_NAME.encode())
API = "/api/"
TABLES = ("/g/", API)
PUBLIC = "/api/v1/openapi.json"
"""Where an answer that is no refusal says that a table knows who asked, except one page."""


class Pace:
    """The lanes of strangers and of each phone. Belongs to one event loop."""

    def __init__(self) -> None:
        self._strangers, self._files = _paced(STRANGERS), _paced(FILES)
        self._checks, self.asking = _paced(CHECKING), _paced(ASKING)
        self._phones: OrderedDict[bytes, Paced] = OrderedDict()

    def lane(self, scope: dict[str, Any]) -> Paced:
        """What a request waits in."""
        if scope["path"] in CHECKS:
            return self._checks
        if scope["path"].startswith("/" + settings.STATIC_URL.lstrip("/")):
            return self._files
        who = _who(scope)
        if who not in self._phones:
            return self._strangers
        self._phones.move_to_end(who)
        return self._phones[who]

    def name(self, scope: dict[str, Any]) -> str:
        """Whose turn it is among others: that of each phone, and of strangers by address."""
        who = _who(scope)
        return who.decode("latin1") if who in self._phones else address(scope)

    def claims(self, scope: dict[str, Any]) -> str:
        """The token of a phone that would wait among strangers; "" if it would not, or has none."""
        who = _who(scope)
        program = b" " in who  # it shows "Bearer" before its token
        return who.decode("latin1") if self.lane(scope) is self._strangers and not program else ""

    def note(self, scope: dict[str, Any], status: int) -> None:
        """Remember who asked if a table let it in."""
        path = scope["path"]
        if 200 <= status < 300 and path.startswith(TABLES) and path != PUBLIC:
            self.know(_who(scope), PROGRAM if path.startswith(API) else PHONE)

    def know(self, who: bytes, pace: tuple[int, int] = PHONE) -> None:
        """Remember that a table knows that phone or program."""
        if who and who not in self._phones:
            self._phones[who] = _paced(pace)
            if len(self._phones) > MOST_PHONES:
                self._phones.popitem(last=False)


def _paced(each: tuple[int, int]) -> Paced:
    at_once, a_second = each
    return Paced(at_once * settings.CROWD, a_second * settings.CROWD)


def address(scope: dict[str, Any]) -> str:
    """Where a request comes from."""
    return str((scope.get("client") or ("",))[0])


def _who(scope: dict[str, Any]) -> bytes:
    """The phone or program of a request, as it says itself; empty if it names none."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            return bytes(value)
        if name == b"cookie" and (found := WHO.search(value)):
            return found[1]
    return b""
