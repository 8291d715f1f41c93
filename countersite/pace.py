"""How often pages are computed for those who are not at a table, and for one phone.

People tap, and open a page now and then. Whoever asks for many pages a second is a program: it
waits, so that a tap seldom meets one of its pages. Nobody is refused; a club that comes in at once
is let in at once.
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
        self._checks = _paced(CHECKING)
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

    def note(self, scope: dict[str, Any], status: int) -> None:
        """Remember who asked if a table let it in."""
        path = scope["path"]
        if 200 <= status < 300 and path.startswith(TABLES) and path != PUBLIC:
            if (who := _who(scope)) and who not in self._phones:
                self._phones[who] = _paced(PROGRAM if path.startswith(API) else PHONE)
                if len(self._phones) > MOST_PHONES:
                    self._phones.popitem(last=False)


def _paced(each: tuple[int, int]) -> Paced:
    at_once, a_second = each
    return Paced(at_once * settings.CROWD, a_second * settings.CROWD)


def _who(scope: dict[str, Any]) -> bytes:
    """The phone or program of a request, as it says itself; empty if it names none."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            return bytes(value)
        if name == b"cookie" and (found := WHO.search(value)):
            return found[1]
    return b""
