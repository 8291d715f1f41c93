"""A phone's requests at a table."""

from __future__ import annotations

from django.test import Client, RequestFactory

from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.seats import renewal
from games.seats.guests import kind


def without_a_seat(game: Game, agent: str) -> Client:
    """A new phone that the invitation let in, and that chose to watch for now."""
    phone, token = Client(headers={"User-Agent": agent}), new_device()
    phone.cookies["device"] = token
    request = RequestFactory(headers={"User-Agent": agent}).get("/")
    game.newest.admit(hashed(token), Visitor.Role.WATCHER, kind(request))
    return phone


def device(phone: Client) -> str:
    """The hash of a phone's token, as it is once the phone has used it."""
    known = hashed(phone.cookies["device"].value)
    renewal.use(known)
    return known


def visitor(game: Game, phone: Client) -> Visitor:
    return game.visitors.get(device_hash=device(phone))


def seat_of(game: Game, phone: Client) -> str | None:
    found = game.seat_of(device(phone))
    return found.key if found else None


def post(game: Game, phone: Client, path: str, **fields: str) -> int:
    """Post a form of the table; return the status."""
    return phone.post(f"/g/{game.slug}/{path}", fields).status_code


def give(game: Game, phone: Client, **command: object) -> int:
    """Give a command as a page's script does; return the status."""
    return phone.post(f"/g/{game.slug}/command", command, "application/json").status_code


def tap(game: Game, phone: Client, **more: object) -> int:
    """Fill a slot of c1; return the status."""
    return give(game, phone, do="fill", on="c1", slots=1, **more)


def get(game: Game, phone: Client, path: str = "") -> str:
    """A page of the table, its white space squeezed."""
    return " ".join(phone.get(f"/g/{game.slug}/{path}").content.decode().split())
