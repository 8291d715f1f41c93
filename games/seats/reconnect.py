"""The way back to a seat after the server's address has changed.

A phone's cookie belongs to one address. While a page is open it therefore keeps a *way back*: a
signed token of the game and its device. Shown at the server's next address, it lets that phone be
the same device there, in all its games.

It works once: the device of the token is then no longer known. It ends after an evening. A page
shows it to a server only after that server has shown that it is the one that signed it (`proof`).
The proof is of one address, and the server gives it only under its own names: someone else who
answers at its earlier address cannot fetch it from there. Who answers to its name on the same
network can.
"""

from __future__ import annotations

from django.core import signing
from django.db import transaction
from msgspec import Struct

from games.models import Game, Visitor, hold
from games.models.tokens import derived, hashed

SALT = "games.way-back"
EVENING = 12 * 3600
"""Seconds for which a way back works."""


class WayBack(Struct, frozen=True):
    """The content of a token: the game whose page had it, and the hash of the device."""

    slug: str
    device: str


def token(slug: str, device: str) -> str:
    """The way back of a device (its hash) to a game."""
    return signing.dumps([slug, device], salt=SALT)


def read(text: str) -> WayBack | None:
    """The content of *text*, if this site has signed it during the last evening."""
    try:
        slug, device = signing.loads(text, salt=SALT, max_age=EVENING)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return WayBack(slug, device)


def asked(text: str) -> str:
    """A page's challenge to a server that may be this one; it reveals nothing of *text*."""
    return hashed(text)[:32]


def proof(question: str, host: str) -> str:
    """This site's answer to the challenge *question*, asked at *host*, which has its port."""
    return derived("here", f"{question} {host}")


def go(way: WayBack, device: str) -> list[Game]:
    """Let *device* (its hash) be the device of *way* in all of its games. Returns those.

    In the game of *way* it leaves the seat that it has there by now. A game in which it already is,
    it keeps as it is.
    """
    with transaction.atomic():
        there = Visitor.objects.filter(device_hash=way.device)
        hold(*there.values_list("game", flat=True))
        came = Visitor.objects.select_for_update().filter(device_hash=way.device)
        moved = []
        for visitor in came.select_related("game").order_by("pk"):
            if visitor.game.barred(device):
                continue
            here = visitor.game.slug == way.slug
            if here or visitor.game.admitted(device) is None:
                visitor.become(device)
                moved.append(visitor.game)
    return moved
