"""Queries of a handshake, and of a table that opens: who comes in, and who is there.

After a restart all phones come at once. Django takes ten to fifty times as long to write such a
query as SQLite to answer it, so these are written once.
"""

from __future__ import annotations

from msgspec import Struct

from games.models import Game, LastEntry, Renewal, Seat, Visitor
from games.store.sql import found, select, table


class Arrival(Struct, frozen=True):
    """A device at a game. admitted: it may open the game. seat: the key of its seat, if it has one.

    hosting: whether that seat does the host's chores.
    """

    admitted: bool
    seat: str | None = None
    hosting: bool = False


def arrival(slug: str, device: str) -> Arrival | None:
    """The device with that hash at the game with that slug; None if there is no such game.

    As `Game.seat_of`, `Game.admitted` and `Game.barred` say.
    """
    rows = found(ARRIVAL, device, device, slug)
    if not rows:
        return None
    role, seat, host, stands_in = rows[0]
    if seat is None:
        return Arrival(admitted=role not in (None, Visitor.Role.BARRED))
    hosting = bool(host) or stands_in is not None
    return Arrival(role != Visitor.Role.BARRED, seat, hosting)


def renews(device: str) -> bool:
    """True if the token with that hash comes for the first time, in place of another one."""
    return bool(found(RENEWS, device))


def game_at(slug: str) -> Game | None:
    """The game with that slug, as `Game.objects` reads it; None if there is none."""
    for game in Game.objects.raw(GAME_AT, [slug]):
        last = [game.pk, vars(game).pop("last_number")]
        game.last_entry = LastEntry.from_db(game._state.db, ["game_id", "number"], last)
        return game
    return None


def places(game: Game) -> dict[str, Seat]:
    """The seats of *game* by key, in order, as `Game.places` reads them."""
    seats = {seat.key: seat for seat in Seat.objects.raw(SEATS_OF, [game.pk])}
    for seat in seats.values():
        seat.game = game
    return seats


ARRIVAL = (
    'SELECT visitor."role", seat."key", seat."host", seat."stands_in" '
    f"FROM {table(Game)} game "
    f'LEFT JOIN {table(Visitor)} visitor ON visitor."game_id" = game."id" '
    'AND visitor."device_hash" = %s '
    f'LEFT JOIN {table(Seat)} seat ON seat."game_id" = game."id" AND (seat."device_hash" = %s '
    'OR (seat."device_hash" IS NOT NULL AND seat."key" = visitor."beside")) '
    'WHERE game."slug" = %s ORDER BY seat."order", seat."id" LIMIT 1'
)
RENEWS = f'{select(Renewal, "id", "fresh")} AND "used" IS NULL'
GAME_AT = (
    f'SELECT game.*, entry."number" AS "last_number" FROM {table(Game)} game '
    f'JOIN {table(LastEntry)} entry ON entry."game_id" = game."id" WHERE game."slug" = %s'
)
SEATS_OF = select(
    Seat,
    " ".join(str(each.column) for each in Seat._meta.concrete_fields),
    "game_id",
    order="order id",
)
