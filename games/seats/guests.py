"""Guests: the phone behind a request, and what it may open.

A phone is recognized by one HttpOnly cookie with a random token, of which only the hash is stored.
There are no accounts: the holder of the token holds the seat.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from msgspec import Struct

from games.models import Game, Seat, Visitor
from games.models.tokens import hashed, new_device
from games.seats import renewal

COOKIE = settings.DEVICE_COOKIE_NAME
COOKIE_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep a cookie; each visit renews it."""


class Guest(Struct, frozen=True):
    """A phone that may open a game. seat: the seat it has taken; None while it watches."""

    game: Game
    visitor: Visitor
    seat: Seat | None

    @property
    def key(self) -> str | None:
        """The id of its seat; None while it watches."""
        return self.seat.key if self.seat else None

    @property
    def owner(self) -> bool:
        """True if it came by the host's own link."""
        return bool(self.visitor.role == Visitor.Role.HOST)

    @property
    def looks_on(self) -> bool:
        """True if it came by the watch link and may do no more than that."""
        return bool(self.visitor.role == Visitor.Role.ONLOOKER)

    @property
    def host(self) -> bool:
        """True if it does the host's chores: `games.seats.hosts` says what else that allows.

        A guest who came by the host's own link may do so even without a seat.
        """
        return self.seat.hosting if self.seat is not None else self.owner


def device(request: HttpRequest) -> str:
    """The token of this phone; a new one if no game knows it (see `remember`, `renew`)."""
    token = request.COOKIES.get(COOKIE, "")
    return token if Visitor.objects.filter(device_hash=hashed(token)).exists() else new_device()


def host(request: HttpRequest, token: str) -> Visitor:
    """This phone as the host of a game that is being made; *token* is its own from now on."""
    known, role = hashed(token), Visitor.Role.HOST
    return Visitor(device_hash=known, role=role, kind=kind(request), sat=timezone.now())


def kind(request: HttpRequest) -> str:
    """The sort of device it claims to be: a `Visitor.Kind`."""
    says = request.headers.get("User-Agent", "")
    if "iPad" in says or "Tablet" in says or ("Android" in says and "Mobile" not in says):
        return Visitor.Kind.TABLET
    if "Mobi" in says or "iPhone" in says:
        return Visitor.Kind.PHONE
    return Visitor.Kind.COMPUTER if says.startswith("Mozilla") else Visitor.Kind.UNKNOWN


def remember(response: HttpResponse, token: str) -> HttpResponse:
    """Store the token on the phone."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def renew(request: HttpRequest, response: HttpResponse, token: str = "") -> HttpResponse:
    """Let the phone have a new token from now on, if it came with the one that it has.

    token: the one that it has, unless that is its cookie's.
    """
    had = request.COOKIES.get(COOKIE, "")
    token = token or had
    return remember(response, renewal.renewed(token) if token == had else token)


def guest(request: HttpRequest, slug: str) -> Guest | None:
    """The guest on this phone, if it was let in. Raises Http404 if there is no such game.

    A page, which changes no seat, reads them all at once; everything on it asks the same ones.
    """
    game = get_object_or_404(Game, slug=slug)
    known = hashed(request.COOKIES.get(COOKIE, ""))
    if request.method != "GET":
        return at(game, known)
    visitor = game.admitted(known)
    if visitor is None:
        return None
    return Guest(game, visitor, next(filter(visitor.plays_at, game.read_seats()), None))


def at(game: Game, device_hash: str) -> Guest | None:
    """That device as a guest of *game*, if it was let in."""
    visitor = game.admitted(device_hash)
    return Guest(game, visitor, game.seat_of(device_hash)) if visitor else None


def barred(slug: str, token: str) -> bool:
    """True if the phone with *token* was removed from the game."""
    return Game.objects.get(slug=slug).barred(hashed(token))
