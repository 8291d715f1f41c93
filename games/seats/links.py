"""A seat's own link, by which a program gives each person their place, in a frame perhaps.

It leads to the seat as long as that is free, and ends with the invitation. A seat that knows
secrets has none.
"""

from __future__ import annotations

from django.core import signing

from games.models import Game, Seat
from games.seats import hosts


def token(seat: Seat) -> str:
    """The token of *seat*'s link."""
    return _signer(seat.game).sign(f"{seat.game.slug}/{seat.key}")


def read(text: str) -> Seat | None:
    """The seat that a token is of, if this site has signed it for the invitation of today."""
    slug, _slash, _rest = text.partition("/")
    game = Game.objects.filter(slug=slug).first()
    try:
        key = _signer(game).unsign(text).partition("/")[2] if game else ""
    except signing.BadSignature:
        return None
    return game.seats.filter(key=key).first() if game else None


def given(game: Game) -> dict[str, str]:
    """The token of each seat that may have a link."""
    return {each.key: token(each) for each in game.seats.all() if not hosts.guarded(game, each.key)}


def _signer(game: Game) -> signing.Signer:
    return signing.Signer(salt=f"games.seat {game.invite_token}")
