"""Every command of every system by HTTP and at the socket, from seats and from others.

Which seat may give which command is the rules' to say (`tests/rules/test_who_may.py`); from others
it is not even read. At a socket each role tries all commands; by HTTP the roles take turns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client

from countersite.asgi import application
from games.live.closing import NO_SEAT
from games.live.table_registry import registry
from games.models import Game, Seat, Visitor
from games.models.tokens import hashed, new_device
from games.seats import devices, guests, programs, renewal
from games.store import demos
from games.systems import SYSTEMS, find
from tests.types import Make, Sit

from .conftest import SEQUENCE
from .wire import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)

Answer = int | str
IN, LOOKS = "the rules decide", "forbidden"
"""An HTTP status, a close code of the socket, or the refusal of each command."""

# fmt: off
PHONES: dict[str, tuple[Answer, Answer]] = {
    # who                   by HTTP  at the socket
    "a stranger":           (403,    NO_SEAT),
    "by a rotated link":    (403,    NO_SEAT),
    "by a spent cookie":    (403,    NO_SEAT),
    "of another game":      (403,    NO_SEAT),
    "sent away for good":   (403,    NO_SEAT),
    "a watcher":            (403,    LOOKS),
    "by the watch link":    (403,    LOOKS),
    "off its seat":         (403,    LOOKS),
    "a seat":               (IN,     IN),
    "the host":             (IN,     IN),
}
PROGRAMS: dict[str, tuple[Answer, Answer]] = {
    # whose token           by HTTP  at the socket
    "revoked":              (401,    NO_SEAT),
    "of a freed seat":      (401,    NO_SEAT),
    "of who was sent away": (401,    NO_SEAT),
    "that only looks":      (403,    LOOKS),
    "that gives commands":  (IN,     IN),
}
CALLERS = {**PHONES, **PROGRAMS}
GMS = frozenset({"end-session", "next-turn"})
"""Commands of the GM alone that are whole without a parameter."""
# fmt: on


class Everyone:
    """A demo game, and somebody of each role: a browser, or a token."""

    def __init__(self, name: str, make_game: Make, sit: Sit) -> None:
        demo = demos.demo(find(name))
        assert demo
        self.game = game = demos.played(demo)
        self.verbs = [*game.rules.verbs, "undo", "redo"]
        self.tokens: dict[str, str] = {}
        host, seat = game.seats.get(host=True), game.seats.filter(host=False)[0]
        link = game.invite_token
        self.phones = {"sent away for good": sit(game, seat.key)}
        self._remove("of who was sent away", seat, devices.bar)
        self.phones["off its seat"] = sit(game, seat.key)
        self._remove("of a freed seat", seat, lambda game, visitor: devices.send_away(seat))
        seat.refresh_from_db()
        self.phones |= {"the host": sit(game, host.key), "a seat": sit(game, seat.key)}
        self.tokens |= {
            "that gives commands": self._token(seat),
            "that only looks": self._token(host, read_only=True),
            "revoked": self._token(host),
        }
        asked = programs.caller(self.tokens["revoked"])
        assert asked
        asked.program.delete()
        for role, stored in (
            ("a watcher", Visitor.Role.WATCHER),
            ("by the watch link", Visitor.Role.ONLOOKER),
            ("by a spent cookie", Visitor.Role.GUEST),
        ):
            self.phones[role] = Client()
            self.phones[role].cookies[guests.COOKIE] = token = new_device()
            game.admit(hashed(token), stored)
        assert renewal.use(hashed(renewal.renewed(token)))
        self.phones |= {"a stranger": Client(), "by a rotated link": Client()}
        assert 404 == self.phones["by a rotated link"].get(f"/j/{link}").status_code
        self.phones["of another game"] = sit(make_game(), "ana")

    def _token(self, seat: Seat, *, read_only: bool = False) -> str:
        seat.refresh_from_db()
        visitor = self.game.visitors.get(device_hash=seat.device_hash)
        guest = guests.Guest(self.game, visitor, seat)
        return programs.let_in(guest, "Pedal", read_only=read_only)[1]

    def _remove(self, token: str, seat: Seat, how: Callable[[Game, Visitor], Any]) -> None:
        self.tokens[token] = self._token(seat)
        how(self.game, self.game.visitors.get(device_hash=seat.device_hash))
        self.game.refresh_from_db()

    def right(self, who: str, expected: Answer, verb: str) -> Answer:
        """The right answer to *verb*: nobody may give the server's dice, and only a GM what needs
        no parameter and is the GM's alone."""
        served = verb in self.game.rules.verbs and self.game.rules.verbs[verb].served
        gms = who != "the host" and verb in GMS
        return LOOKS if expected == IN and (served or gms) else expected

    def gives(self, who: str, verb: str) -> Answer:
        """The answer to a single command by HTTP."""
        body, kind = json.dumps({"do": verb}), "application/json"
        if who in PHONES:
            path = f"/g/{self.game.slug}/command"
            answer = self.phones[who].post(path, body, content_type=kind)
        else:
            shown = {"Authorization": f"Bearer {self.tokens[who]}"}
            answer = Client().post("/api/v1/commands", body, content_type=kind, headers=shown)
        if type(CALLERS[who][0]) is int or not answer.content:
            return IN if answer.status_code == 204 else answer.status_code
        received = answer.json()
        return LOOKS if "refused" in received and received["refused"]["code"] == LOOKS else IN

    async def says(self, who: str) -> dict[str, Answer]:
        """The socket's answer to each command."""
        headers, path = [(b"host", b"testserver"), (b"origin", b"http://testserver")], "ws?"
        if who in PHONES:
            cookie = self.phones[who].cookies.get(guests.COOKIE)
            shown = f"{guests.COOKIE}={cookie.value if cookie else ''}"
            headers.append((b"cookie", shown.encode()))
            path = f"/g/{self.game.slug}/ws"
        else:
            headers.append((b"authorization", f"Bearer {self.tokens[who]}".encode()))
            path = "/api/v1/changes"
        phone = WebsocketCommunicator(application, path, headers=headers)
        assert (await phone.connect(timeout=PATIENCE))[0]
        if type(CALLERS[who][1]) is int:
            while True:
                last = await phone.receive_output(timeout=PATIENCE)
                if last["type"] == "websocket.close":
                    return dict.fromkeys(self.verbs, last["code"])
        answers: dict[str, Answer] = {}
        for verb in self.verbs:
            await phone.send_to(text_data=json.dumps({"do": verb, "id": f"{who} {verb}"}))
            while verb not in answers:
                text = await phone.receive_from(timeout=PATIENCE)
                if (code := answered(text, f"{who} {verb}")) is not None:
                    answers[verb] = LOOKS if code == LOOKS else IN
        await phone.disconnect()
        return answers


def answered(text: str, command_id: str) -> str | None:
    """The code with which a message refuses a command; "" if it confirms it; None if neither."""
    if not text.startswith("{"):
        found = SEQUENCE.search(text)
        return "" if found and command_id in (found[2] or "") else None
    received = json.loads(text)
    if "refused" in received and command_id in (received.get("id"), received["refused"].get("id")):
        return str(received["refused"]["code"])
    return "" if (received.get("type"), received.get("id")) == ("accepted", command_id) else None


@pytest.fixture
def everyone(request: pytest.FixtureRequest, make_game: Make, sit: Sit) -> Iterator[Everyone]:
    yield Everyone(request.param, make_game, sit)
    registry.close()


EVERYONE = pytest.mark.parametrize("everyone", SYSTEMS, indirect=True)


@EVERYONE
def test_every_command_by_http(everyone: Everyone) -> None:
    wrong, entries = [], everyone.game.entries
    turns = cycle([*CALLERS, *CALLERS][len(everyone.verbs) % 7 :])
    for verb, who in zip(everyone.verbs, turns, strict=False):
        before, right = entries.count(), everyone.right(who, CALLERS[who][0], verb)
        got = everyone.gives(who, verb)
        if got != right or (right != IN and before != entries.count()):
            wrong.append((who, verb, got))

    assert not wrong


@EVERYONE
async def test_every_command_at_the_socket(everyone: Everyone) -> None:
    wrong, count = [], sync_to_async(everyone.game.entries.count)
    before = await count()
    for who, (_http, right) in sorted(CALLERS.items(), key=lambda each: each[1][1] == IN):
        for verb, got in (await everyone.says(who)).items():
            if got != everyone.right(who, right, verb):
                wrong.append((who, verb, got))
        assert right == IN or before == await count(), who

    assert not wrong
