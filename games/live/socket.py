"""The websocket of a running table: who may connect, and what they may send.

A refused connection is accepted and closed with a code that says why: a browser learns nothing from
a refused handshake and would retry for ever.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.core import signing
from django.db import DatabaseError
from django.http import parse_cookie
from django.http.request import split_domain_port, validate_host
from django.utils import translation
from django.utils.translation import gettext_noop as _

from games.models.tokens import hashed
from games.rules.engine import refuse_served
from games.rules.input import read_json, whole_number
from games.rules.state import Refused
from games.screens import forms
from games.screens.fragments import audience, sequence
from games.screens.languages import language_from_headers
from games.screens.words import Words, words_of
from games.seats import renewal
from games.seats.arrivals import arrival
from games.seats.buckets import Bucket
from games.seats.guests import COOKIE
from games.seats.rate_limit import network

from .closing import NO_GAME, NO_SEAT, RELOAD, RESTART, TOO_BIG, TOO_FAST, WRONG_ORIGIN
from .connection import EXTENSION, OF_CUT_OFF, AsgiConnection, Connection, Frame, Send
from .outage import DATABASE, RedisAway
from .outcome import Outcome
from .running_game import RunningGame
from .table_registry import NoSuchGame, registry

FAULTS = frozenset((NO_SEAT, WRONG_ORIGIN, NO_GAME))
"""Close codes that count as a fault: a phone gets them once, a guesser again and again."""

MOST_WATCHERS, MOST_SEATED = 300, 600
"""Screens at one table: of watchers, and of 200 seats with a phone, a tablet and a television each.

Watchers never take the place of a seat's phone."""
MOST_OF_DEVICE = 12
"""Screens of one device at one table: its tabs, and one that is being replaced."""
MOST_MALFORMED = 10
"""Most malformed messages of a socket; a phone's script sends none."""
MOST_BYTES = 16 * 1024
"""The longest message; the longest command of the vocabulary is far shorter."""
RATE, BURST = 500.0, 2000.0
"""Taps per second and in one burst: enough for the outbox of a phone that was away."""
BYTES_OF_TAP = 128
"""A longer command counts as so many more taps: one that names 200 cards does 200 times as much."""
TOO_MUCH = frozenset(("loop", "over-maximum"))
"""Refusals that count as a fault: they may cost much, and a phone gets few of them."""
READ_ONLY = Refused("forbidden", _("This program may only look."))
"""The refusal of a command from a program whose token is for reading only."""
WATCHING = Refused("forbidden", _("You’re watching. Take a seat to play."))
"""The refusal of a command from a watcher."""
TICKET_SALT = "games.live.ticket"
TICKET_SECONDS = 24 * 3600


class Closed(Exception):
    """The connection is refused, with a close code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


class Elsewhere(Exception):
    """This process cannot serve now; another one can."""


Enter = Callable[[dict[str, Any], Connection], Awaitable[RunningGame]]
"""Authenticates a handshake and finds its table. Raises Closed."""
Still = Callable[[dict[str, Any], Connection], Awaitable[bool]]
"""Checks again, after joining, that the handshake is still valid."""


async def socket(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """One websocket: the handshake, then commands in and frames out until it closes."""
    await serve(scope, receive, send, enter, still, Session)


async def serve(
    scope: dict[str, Any],
    receive: Any,
    send: Send,
    enter: Enter,
    still: Still,
    begin: type[Session],
    subprotocol: str | None = None,
) -> None:
    """One websocket of a table, of a phone or program. begin: makes its session."""
    accept = {"type": "websocket.accept", "subprotocol": subprotocol}
    if (await receive())["type"] != "websocket.connect":
        return
    connection = connection_of(scope, send)
    connection.address = network(str((scope.get("client") or ("",))[0]))
    try:
        if registry.turns_away:
            raise Elsewhere
        table = await enter(scope, connection)
    except (DatabaseError, RedisAway, Elsewhere) as error:
        if isinstance(error, DatabaseError):
            DATABASE.failed(error)
        # Not accepted: a proxy asks the next process, and a phone waits longer each time.
        await send({"type": "websocket.close", "code": RESTART, "reason": "restart"})
        return
    except Closed as closed:
        if closed.code in FAULTS:
            connection.fault()
        await send(accept)
        await send({"type": "websocket.close", "code": closed.code, "reason": closed.reason})
        return
    session = begin(table, connection)
    connection.received = session.received
    await send(accept)
    table.join(connection, number_in(scope))
    # Another process may have put it out while it was coming in, before the table knew of it.
    if settings.SHARED and not await still(scope, connection):
        table.leave(connection)
        connection.close(RELOAD, "reload")
    if connection.keep(session.gone):
        return
    try:
        while (message := await receive())["type"] == "websocket.receive":
            session.received(message.get("text") or "")
    finally:
        session.gone()


def connection_of(scope: dict[str, Any], send: Send) -> Connection:
    """The server's own connection, or one over plain ASGI."""
    return scope.get("extensions", {}).get(EXTENSION) or AsgiConnection(send)


async def nowhere(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """Close a websocket to an address that no game has."""
    if (await receive())["type"] == "websocket.connect":
        connection_of(scope, send).fault()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": NO_GAME, "reason": "no such game"})


async def enter(scope: dict[str, Any], connection: Connection) -> RunningGame:
    """The table that a handshake asks for; note its seat on *connection*. Raises Closed."""
    slug = scope["url_route"]["kwargs"]["slug"]
    headers = dict(scope["headers"])
    query, since = query_in(scope), time.monotonic()
    if not from_our_site(headers, bool(query.get("ticket"))):
        raise Closed(WRONG_ORIGIN, "origin")
    try:
        if "ticket" in query:
            connection.seat = seat_on(query["ticket"][0], slug)
        else:
            connection.device, connection.seat, host = await who(headers, slug)
            if not drawn_for(query, connection.seat, host):
                raise Closed(RELOAD, "reload")
            if "watch" in query:  # a table view, whoever opened it
                connection.seat = None
            connection.docked = "flat" not in query
        table = await registry.table(slug)
    except NoSuchGame:
        raise Closed(NO_GAME, "no such game") from None
    if registry.closed_since(slug, connection.device, since):
        raise Closed(RELOAD, "reload")  # removed while it was coming in
    # A cookie's seat was just read from the database; another process may not know a new one yet.
    if "ticket" in query and not table.has_seat(connection.seat or ""):
        raise Closed(NO_SEAT, "no such seat")
    if crowded(table, connection):
        raise Closed(TOO_FAST, "too many screens")
    connection.audience = audience(table.system, connection.seat, language_from_headers(headers))
    return table


async def still(scope: dict[str, Any], connection: Connection) -> bool:
    """True if the phone of *connection* is still admitted, with the same seat."""
    if connection.device is None:
        return True  # it came with a ticket
    slug = scope["url_route"]["kwargs"]["slug"]
    try:
        _device, seat, _host = await who(dict(scope["headers"]), slug)
    except (Closed, NoSuchGame):
        return False
    return seat == connection.seat or "watch" in query_in(scope)


def crowded(table: RunningGame, connection: Connection) -> bool:
    """True if a table has too many screens for one more of this device, or of this sort."""
    others = table.connections()
    if connection.program is not None:
        same = sum(each.program == connection.program for each in others)
        if same >= MOST_OF_DEVICE:
            return True
    elif connection.device is not None:
        same = sum(each.device == connection.device and not each.program for each in others)
        if same >= MOST_OF_DEVICE:
            return True
    watching = sum(each.seat is None for each in others)
    if connection.seat is None:
        return watching >= MOST_WATCHERS
    return len(others) - watching >= MOST_SEATED


def from_our_site(headers: dict[bytes, bytes], script: bool) -> bool:
    """True if a handshake comes from a page of this site, under one of its host names.

    script: it brings a ticket instead of a cookie, and may come from no page, without an origin.
    """
    host = our_host(headers)
    if not host:
        return False
    origin = headers.get(b"origin")
    if origin is None:
        return script
    try:
        address = urlsplit(origin.decode("latin1"))
    except ValueError:
        return False
    scheme = "https" if settings.SESSION_COOKIE_SECURE else "http"
    trusted = origin.decode("latin1") in settings.CSRF_TRUSTED_ORIGINS
    return trusted or ((address.scheme, address.netloc) == (scheme, host) and not address.path)


def our_host(headers: dict[bytes, bytes]) -> str:
    """The host name and port that a handshake names; "" if it is not one of this site."""
    host = headers.get(b"host", b"").decode("latin1")
    domain, _port = split_domain_port(host)
    return host if domain and validate_host(domain, settings.ALLOWED_HOSTS) else ""


def drawn_for(query: dict[str, list[str]], seat: str | None, host: bool) -> bool:
    """True if the page was drawn for the seat that its phone has now.

    The page names its seat. If it slept while the seat was freed, given away or no longer the
    host's, it names the wrong one.
    """
    named = query.get("seat", [seat or ""])[0]
    return named == (seat or "") and (host or "host" not in query)


async def who(headers: dict[bytes, bytes], slug: str) -> tuple[str, str | None, bool]:
    """The hash of the phone's token, the seat it has taken, and whether that seat is hosting.

    Raises Closed, NoSuchGame.
    """
    token = parse_cookie(headers.get(b"cookie", b"").decode("latin1")).get(COOKIE, "")
    device = hashed(token)

    used, here = await registry.read(lambda: (renewal.use(device), arrival(slug, device)))
    if used:
        await registry.renewed(*used)
    if here is None:
        raise NoSuchGame(slug)
    if not here.admitted:
        raise Closed(NO_SEAT, "not invited")
    return device, here.seat, here.hosting


def ticket(slug: str, seat: str) -> str:
    """A signed ticket that lets a script use a seat for a day."""
    return signing.dumps([slug, seat], salt=TICKET_SALT)


def seat_on(signed: str, slug: str) -> str:
    """The seat that a ticket is for. Raises Closed."""
    try:
        game, seat = signing.loads(signed, salt=TICKET_SALT, max_age=TICKET_SECONDS)
    except signing.BadSignature:
        raise Closed(NO_SEAT, "bad ticket") from None
    if game != slug:
        raise Closed(NO_SEAT, "bad ticket")
    return str(seat)


def number_in(scope: dict[str, Any]) -> int | None:
    """The number of the last entry that the screen has; None if it names none."""
    return whole_number(query_in(scope).get("from", [""])[0], 0)


def query_in(scope: dict[str, Any]) -> dict[str, list[str]]:
    """The parameters of a handshake's address, read once."""
    if "query" not in scope:
        scope["query"] = _parameters(scope)
    query: dict[str, list[str]] = scope["query"]
    return query


def _parameters(scope: dict[str, Any]) -> dict[str, list[str]]:
    text = scope.get("query_string", b"").decode(errors="replace")
    try:
        return parse_qs(text, keep_blank_values=True)
    except ValueError:
        return {}


class Session:
    """One websocket's commands: checked, limited in rate, given and answered."""

    __slots__ = ("_connection", "_malformed", "_refused", "_table", "_taps")
    reads_forms: ClassVar[bool] = True
    """True if a message may be a form or name rows, as those of a page's script do."""

    def __init__(self, table: RunningGame, connection: Connection) -> None:
        self._table = table
        self._connection = connection
        self._refused = False
        self._malformed = 0
        self._taps = Bucket(BURST, RATE)

    def received(self, text: str) -> None:
        """Give the command in *text*; answer with its outcome."""
        if self._refused:
            return
        if len(text) > MOST_BYTES or (not text.isascii() and len(text.encode()) > MOST_BYTES):
            self._refuse(TOO_BIG, "too big")
        elif not self._taps.take(max(1, len(text) // BYTES_OF_TAP)):
            self._refuse(TOO_FAST, "too fast")
        else:
            self._take(text)

    def _refuse(self, code: int, reason: str) -> None:
        self._refused = True
        self._connection.fault(OF_CUT_OFF)
        self._connection.close(code, reason)

    def gone(self) -> None:
        """Clean up: the connection has been closed from either side."""
        self._table.leave(self._connection)
        self._connection.disconnected()

    def _take(self, text: str) -> None:
        try:
            raw = read_json(text)
        except ValueError:
            raw = None
        if type(raw) is not dict:
            self._malformed += 1
            if self._malformed > MOST_MALFORMED:
                self._refuse(TOO_FAST, "malformed")
                return
            self._answer(None, Refused("invalid", _("A command is a JSON object.")))
        elif self._connection.seat is None:
            self._answer(raw.get("id"), WATCHING)
        elif self._connection.read_only:
            self._answer(raw.get("id"), READ_ONLY)
        else:
            try:
                # A tap is a command already: nothing is called for it.
                if self.reads_forms and ("form" in raw or "rows" in raw):
                    command = forms.of_message(self._table.system, raw)
                else:
                    command = raw
                refuse_served(self._table.system, command)
            except Refused as refused:
                self._answer(raw.get("id"), refused)
            else:
                reply = partial(self._answer, raw.get("id"))
                self._table.take(command, self._connection.seat, reply, self._connection)

    def _answer(self, command_id: object, outcome: Outcome) -> None:
        """Answer the sender alone: a refusal, or an id accepted before."""
        if isinstance(outcome, Refused):
            if outcome.code in TOO_MUCH:
                self._connection.fault()
            language = self._connection.audience.language
            with translation.override(language):
                self._connection.send(
                    Frame(refusal(words_of(self._table.system), command_id, outcome))
                )
        elif outcome.entry is None:
            number = self._table.number_for(self._connection.seat)
            self._connection.send(Frame(sequence(number, [str(command_id)], entries=[0])))


def refusal(its: Words, command_id: object, refused: Refused) -> str:
    """A refusal as JSON for the phone's script, in the active language."""
    facts = {"id": command_id, **its.refusal_facts(refused)}
    return json.dumps({"refused": facts}, ensure_ascii=False)
