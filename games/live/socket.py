"""The websocket door of a running table: who may come in, and what they may send.

A door that stays closed says why: it accepts and closes with a code of its own, because a browser
learns nothing from a refused handshake and dials for ever.
"""

from __future__ import annotations

import json
import time
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson
from django.conf import settings
from django.core import signing
from django.http import parse_cookie
from django.http.request import split_domain_port, validate_host
from django.utils import translation
from django.utils.translation import gettext_noop as _

from games.models import Game
from games.models.tokens import hashed
from games.rules.engine import refuse_served
from games.rules.state import Refused
from games.screens.fragments import audience, sequence
from games.screens.languages import asked_for
from games.screens.words import refusal_text, speaking

from .connection import EXTENSION, AsgiConnection, Connection, Frame, Send
from .journal import Outcome
from .registry import RELOAD, NoSuchGame, registry
from .table import MOST_CONNECTIONS, Running

NO_SEAT = 4401
WRONG_ORIGIN = 4403
NO_GAME = 4404
TAKEN_OVER = 4409
TOO_BIG = 4413
TOO_FAST = 4429

COOKIE = "device"
MOST_BYTES = 16 * 1024
"""In one message; the longest command of the vocabulary is far below."""
RATE, BURST = 500.0, 2000.0
"""Commands a second of one line, and at once: an outbox that comes home, never a finger."""
TICKET_SALT = "games.live.ticket"
TICKET_SECONDS = 24 * 3600


class Closed(Exception):
    """The door stays closed; why, as a close code and a word."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


async def socket(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """One websocket: the handshake, then commands in and frames out until it closes."""
    if (await receive())["type"] != "websocket.connect":
        return
    connection: Connection = scope.get("extensions", {}).get(EXTENSION) or AsgiConnection(send)
    try:
        table = await enter(scope, connection)
    except Closed as closed:
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": closed.code, "reason": closed.reason})
        return
    guest = Guest(table, connection)
    connection.received = guest.received
    await send({"type": "websocket.accept"})
    table.join(connection, number_in(scope))
    if connection.keep(guest.gone):
        return
    try:
        while (message := await receive())["type"] == "websocket.receive":
            guest.received(message.get("text") or "")
    finally:
        guest.gone()


async def enter(scope: dict[str, Any], connection: Connection) -> Running:
    """The table that a handshake asks for; its seat is noted on *line*. Raises Closed."""
    slug = scope["url_route"]["kwargs"]["slug"]
    headers = dict(scope["headers"])
    query = parse_qs(scope.get("query_string", b"").decode(), keep_blank_values=True)
    if not ours(headers, bool(query.get("ticket"))):
        raise Closed(WRONG_ORIGIN, "origin")
    try:
        if "ticket" in query:
            connection.seat = seat_on(query["ticket"][0], slug)
        else:
            connection.device, connection.seat, host = await who(headers, slug)
            if not shown_to(query, connection.seat, host):
                raise Closed(RELOAD, "look again")
            if "watch" in query:  # a table view, whoever opened it
                connection.seat = None
        table = await registry.table(slug)
    except NoSuchGame:
        raise Closed(NO_GAME, "no such game") from None
    if connection.seat is not None and not table.has_seat(connection.seat):
        raise Closed(NO_SEAT, "no such seat")
    if len(table.connections()) >= MOST_CONNECTIONS:
        raise Closed(TOO_FAST, "too many screens")
    connection.audience = audience(table.system, connection.seat, asked_for(headers))
    return table


def ours(headers: dict[bytes, bytes], script: bool) -> bool:
    """Whether a handshake comes from a page of this site, at a name that this site has.

    script: it brings a ticket instead of a cookie; then there may be no page and no origin.
    """
    host = headers.get(b"host", b"").decode("latin1")
    domain, _port = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return False
    origin = headers.get(b"origin")
    if origin is None:
        return script
    said = urlsplit(origin.decode("latin1"))
    scheme = "https" if settings.SESSION_COOKIE_SECURE else "http"
    return (said.scheme, said.netloc) == (scheme, host) and not said.path


def shown_to(query: dict[str, list[str]], seat: str | None, host: bool) -> bool:
    """Whether a page was drawn for the seat that its phone has, as it says itself.

    A page that slept while its seat was freed, given away or no longer the host's says another.
    """
    drawn_for = query.get("seat", [seat or ""])[0]
    return drawn_for == (seat or "") and (host or "host" not in query)


async def who(headers: dict[bytes, bytes], slug: str) -> tuple[str, str | None, bool]:
    """The hash of the phone's token, the seat it has taken, and whether that is the host's.

    Raises Closed, NoSuchGame.
    """
    token = parse_cookie(headers.get(b"cookie", b"").decode("latin1")).get(COOKIE, "")
    device = hashed(token)

    def known() -> tuple[bool, str | None, bool]:
        game = Game.objects.filter(slug=slug).first()
        if game is None:
            raise NoSuchGame(slug)
        seat = game.seat_of(device)
        if seat is None:
            return game.admitted(device) is not None, None, False
        return True, seat.key, seat.host

    admitted, seat, host = await registry.read(known)
    if not admitted:
        raise Closed(NO_SEAT, "not invited")
    return device, seat, host


def ticket(slug: str, seat: str) -> str:
    """A signed paper that lets a script sit down on a seat for a day."""
    return signing.dumps([slug, seat], salt=TICKET_SALT)


def seat_on(paper: str, slug: str) -> str:
    """The seat that a ticket is for. Raises Closed."""
    try:
        game, seat = signing.loads(paper, salt=TICKET_SALT, max_age=TICKET_SECONDS)
    except signing.BadSignature:
        raise Closed(NO_SEAT, "bad ticket") from None
    if game != slug:
        raise Closed(NO_SEAT, "bad ticket")
    return str(seat)


def number_in(scope: dict[str, Any]) -> int | None:
    """The number of the last entry that the screen has; None if it says none."""
    said = parse_qs(scope.get("query_string", b"").decode()).get("from", [""])[0]
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else None


class Guest:
    """Whoever is at the other end of a line, sending commands."""

    __slots__ = ("_connection", "_left", "_sent_away", "_since", "_table")

    def __init__(self, table: Running, connection: Connection) -> None:
        self._table = table
        self._connection = connection
        self._sent_away = False
        self._left = BURST
        self._since = time.monotonic()

    def received(self, text: str) -> None:
        """Give the command in *text*; answer what it comes to."""
        if self._sent_away:
            return
        if len(text) > MOST_BYTES or (not text.isascii() and len(text.encode()) > MOST_BYTES):
            self._send_away(TOO_BIG, "too big")
        elif not self._allowed():
            self._send_away(TOO_FAST, "too fast")
        else:
            self._take(text)

    def _send_away(self, code: int, reason: str) -> None:
        self._sent_away = True
        self._connection.close(code, reason)

    def gone(self) -> None:
        """The line has been closed, by whomever."""
        self._table.leave(self._connection)
        self._connection.hung_up()

    def _allowed(self) -> bool:
        self._left -= 1
        if self._left < 0:  # the clock is asked only then
            now = time.monotonic()
            self._left = min(BURST, (now - self._since) * RATE) + self._left
            self._since = now
        return self._left >= 0

    def _take(self, text: str) -> None:
        try:
            raw = orjson.loads(text)
        except ValueError:
            raw = None
        if type(raw) is not dict:
            self._answer(None, Refused("invalid", _("A command is a JSON object.")))
        elif self._connection.seat is None:
            watching = _("You’re watching. Take a seat to play.")
            self._answer(raw.get("id"), Refused("forbidden", watching))
        else:
            try:
                refuse_served(self._table.system, raw)
            except Refused as refused:
                self._answer(raw.get("id"), refused)
            else:
                self._table.take(raw, self._connection.seat, partial(self._answer, raw.get("id")))

    def _answer(self, command_id: object, outcome: Outcome) -> None:
        """Tell the sender alone what the table's own frame does not say."""
        if isinstance(outcome, Refused):
            language = self._connection.audience.language
            with translation.override(language), speaking(self._table.system):
                self._connection.send(Frame(refusal(command_id, outcome)))
        elif outcome.entry is None:
            self._connection.send(Frame(sequence(self._table.number, [str(command_id)])))


def refusal(command_id: object, refused: Refused) -> str:
    """A refusal as the phone's script reads it, in the language that is active."""
    told = {"id": command_id, "code": refused.code, "message": refusal_text(refused)}
    return json.dumps({"refused": {**told, "rule": refused.rule}}, ensure_ascii=False)
