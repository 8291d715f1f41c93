"""The socket of other programs: the document, its changes from any number on, and commands."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client

from countersite.asgi import application
from games.live.closing import NO_SEAT, RELOAD, TAKEN_OVER
from games.live.programs import SUBPROTOCOL
from games.live.table_registry import registry
from games.models import Game
from games.screens.document import patch
from games.seats import programs
from games.seats.guests import Guest
from tests.types import Connect, Make, Sit

from . import test_set_cards
from .wire import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


class Robot:
    """A program at its socket. document: patched by the changes it got. tables: what it got
    of the table, which has no number and comes beside everything else."""

    def __init__(self, communicator: WebsocketCommunicator) -> None:
        self.communicator = communicator
        self.document: dict[str, Any] = {}
        self.tables: list[dict[str, Any]] = []

    async def next_message(self) -> dict[str, Any]:
        """The next message that is not of the table; what it says of the document is applied."""
        message: dict[str, Any] = json.loads(await self.communicator.receive_from(timeout=PATIENCE))
        if message["type"] == "table":
            self.tables.append(message["table"])
            return await self.next_message()
        if message["type"] == "state":
            self.document = message["document"]
        elif message["type"] == "change":
            for operation in message["patch"]:
                apply(self.document, operation)
        return message

    async def say(self, **command: Any) -> None:
        await self.communicator.send_to(text_data=json.dumps(command))

    async def place(self, **more: Any) -> None:
        await self.say(do="place", on="rocket", counter="fuel", amount=1, **more)

    async def closed(self) -> int:
        while True:
            message = await self.communicator.receive_output(timeout=PATIENCE)
            if message["type"] == "websocket.close":
                return int(message["code"])


def apply(document: Any, operation: dict[str, Any]) -> None:
    """One operation of RFC 6902, strictly."""
    *above, last = [
        each.replace("~1", "/").replace("~0", "~") for each in operation["path"].split("/")[1:]
    ]
    for each in above:
        document = document[each]
    assert (last in document) is (operation["op"] != "add"), operation
    if operation["op"] == "remove":
        del document[last]
    else:
        document[last] = operation["value"]


def guest(game: Game, key: str) -> Guest:
    seat = game.seats.get(key=key)
    return Guest(game, game.visitors.get(device_hash=seat.device_hash), seat)


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    opened: list[WebsocketCommunicator] = []

    async def call(token: str, query: str = "", *, browser: bool = False) -> Robot:
        headers = [(b"host", b"testserver"), (b"origin", b"https://overlay.example")]
        spoken = [SUBPROTOCOL, token] if browser else None
        if not browser:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        asked = WebsocketCommunicator(
            application, f"/api/v1/changes?{query}", headers=headers, subprotocols=spoken
        )
        accepted, chosen = await asked.connect(timeout=PATIENCE)
        assert accepted
        assert (SUBPROTOCOL if browser else None) == chosen
        opened.append(asked)
        return Robot(asked)

    yield call
    for each in opened:
        await each.disconnect()


@sync_to_async
def let_in(game: Game, key: str, *, read_only: bool = False) -> str:
    return programs.let_in(guest(game, key), "Pedal", read_only=read_only)[1]


@sync_to_async
def state(token: str) -> Any:
    return Client().get("/api/v1/state", headers={"Authorization": f"Bearer {token}"}).json()


async def test_a_program_follows_changes_until_it_knows_what_a_reader_reads(
    game: Game, ana: Client, ben: Client, connect: Connect
) -> None:
    token = await let_in(game, "ana")
    robot = await connect(token)
    assert "state" == (await robot.next_message())["type"]
    assert await state(token) == robot.document

    for command in (
        {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1},
        {"do": "create", "name": "A/B ~ Wolf", "as": "wolf"},
        {"do": "undo", "to": 0},
        {"do": "note", "text": "tea", "as": "tea"},
    ):
        await registry.give(game.slug, command, "ben")
        message = await robot.next_message()
        assert robot.document["number"] == message["number"]
    assert 4 == robot.document["number"]
    await sync_to_async(game.seats.filter(key="ben").update)(given_name="Benny")
    await registry.refresh(game.slug)
    await robot.next_message()

    assert "Benny" == robot.document["names"]["ben"]
    assert await state(token) == robot.document


async def test_every_command_is_answered_and_the_change_comes_first(
    game: Game, ana: Client, connect: Connect
) -> None:
    robot = await connect(await let_in(game, "ana"))
    await robot.next_message()

    await robot.place(id="k1")
    assert "change" == (await robot.next_message())["type"]
    assert {"type": "accepted", "id": "k1", "entry": 1} == await robot.next_message()
    await robot.place(id="k1")
    assert {"type": "accepted", "id": "k1", "entry": 1} == await robot.next_message()
    await robot.say(do="fly", id="k2")
    refused = await robot.next_message()

    assert ("refused", "k2", "invalid") == (
        refused["type"], refused["id"], refused["refused"]["code"]
    )  # fmt: skip
    assert 5 == robot.document["state"]["objects"]["rocket"]["counters"]["fuel"]


async def test_a_program_goes_on_from_its_number(game: Game, ana: Client, connect: Connect) -> None:
    token = await let_in(game, "ana")
    stays = await connect(token)
    await stays.next_message()
    for n in (1, 2):
        await stays.place(id=f"k{n}")
        await stays.next_message()
        await stays.next_message()

    back = await connect(token, "from=1")
    back.document = {**stays.document, "number": 1}
    assert ("change", 2) == ((message := await back.next_message())["type"], message["number"])
    assert [{"op": "replace", "path": "/names", "value": stays.document["names"]}] == (
        await back.next_message()
    )["patch"]
    again = await connect(token, "from=2")
    again.document = {**stays.document}
    assert "/names" == (await again.next_message())["patch"][0]["path"]
    lost = await connect(token, "from=99")
    assert "state" == (await lost.next_message())["type"]


async def test_a_program_hears_of_clock_and_table_beside_the_game(
    game: Game, ana: Client, connect: Connect
) -> None:
    robot = await connect(await let_in(game, "ana"))
    await robot.next_message()

    await sync_to_async(ana.post)(f"/g/{game.slug}/clock", {"do": "start", "minutes": "50"})
    await sync_to_async(ana.post)(f"/g/{game.slug}/lock", {"locked": "yes"})
    await robot.place(id="k1")
    assert "change" == (await robot.next_message())["type"]

    assert [(False, None), (False, 50), (True, 50)] == [
        (each["locked"], each["clock"] and round(each["clock"]["left"] / 60))
        for each in robot.tables
    ]
    assert ["ana"] == robot.tables[0]["taken"]


async def test_a_token_that_only_looks_and_one_of_a_browser(
    game: Game, ana: Client, connect: Connect
) -> None:
    robot = await connect(await let_in(game, "ana", read_only=True), browser=True)
    await robot.next_message()
    assert "ana" == robot.document["seat"]

    await robot.place(id="k1")

    assert "forbidden" == (await robot.next_message())["refused"]["code"]
    assert set() == await registry.present(game.slug)  # a program is nobody at the table


async def test_no_token_no_socket_and_a_revoked_one_closes(
    game: Game, ana: Client, connect: Connect
) -> None:
    assert NO_SEAT == await (await connect("csp_0")).closed()
    assert NO_SEAT == await (await connect("")).closed()
    robot = await connect(await let_in(game, "ana"))
    await robot.next_message()
    (program,) = await sync_to_async(lambda: list(programs.of(guest(game, "ana"))))()

    await sync_to_async(ana.post)(f"/g/{game.slug}/programs/{program.pk}/revoke")

    assert NO_SEAT == await robot.closed()


async def test_a_dismissed_player_takes_their_programs_along(
    game: Game, ana: Client, ben: Client, connect: Connect
) -> None:
    robot = await connect(token := await let_in(game, "ben"))
    await robot.next_message()

    await sync_to_async(ana.post)(f"/g/{game.slug}/seats/ben/leave")

    assert await robot.closed() in (TAKEN_OVER, RELOAD)
    assert NO_SEAT == await (await connect(token)).closed()


async def test_nothing_that_a_seat_does_not_hear_of_reaches_its_program(
    make_game: Make, sit: Sit, connect: Connect
) -> None:
    hidden = {"name": "CANARY", "type": "danger", "slots": 5, "visibility": "hidden"}
    game = await sync_to_async(make_game)(
        "stars-and-signs", seats={"gm": {}, "ana": {}}, slot_counters={"c1": hidden}
    )
    for key in ("gm", "ana"):
        await sync_to_async(sit)(game, key)
    gm, ana = [await connect(await let_in(game, key)) for key in ("gm", "ana")]
    assert "CANARY" in json.dumps(await gm.next_message())
    assert "CANARY" not in json.dumps(await ana.next_message())

    await gm.say(do="fill", on="c1", slots=2, id="g1")
    assert 1 == (await gm.next_message())["number"]

    assert "table" == json.loads(await ana.communicator.receive_from(timeout=PATIENCE))["type"]
    assert await ana.communicator.receive_nothing(0.1)
    assert "accepted" == (await gm.next_message())["type"]


@pytest.fixture
def evening(make_game: Make, sit: Sit, connect: Connect) -> Any:
    """Play at a new table with set cards: all that the programs of Ana and Ben were told."""

    async def play(secret: dict[str, Any], noted: str) -> dict[str, list[str]]:
        game = await sync_to_async(make_game)("yu-gi-oh", seats={"ana": {}, "ben": {}})
        robots: dict[str, Robot] = {}
        for key in ("ana", "ben"):
            await sync_to_async(sit)(game, key)
            robots[key] = await connect(await let_in(game, key))
        received: dict[str, list[str]] = {key: [] for key in robots}

        async def answered(key: str, command: dict[str, Any]) -> None:
            await robots[key].say(**command)
            while (message := await robots[key].next_message()).get("id") != command["id"]:
                received[key].append(json.dumps(message).replace(game.slug, "SLUG"))
            received[key].append(json.dumps(message))

        for number, (seat, command) in enumerate(test_set_cards.open_play(secret, noted)):
            await answered(seat, {**command, "id": f"tap-{number}"})
        await answered("ben", {"do": "nothing", "id": "over"})
        return received

    return play


async def test_a_program_is_told_the_same_bytes_whatever_the_set_cards_of_others_are(
    evening: Any,
) -> None:
    one = await evening(test_set_cards.FORCE, "venom")
    other = await evening(test_set_cards.LIBRARY, "spell")

    assert one["ben"] == other["ben"]
    assert 20 < len(other["ben"])
    name = test_set_cards.LIBRARY["name"]
    assert any(name in text for text in other["ana"])
    assert [] == [text for text in other["ben"] if "Royal" in text]


def test_a_patch_makes_one_value_of_the_other() -> None:
    before = {"a/b": {"~": 1, "gone": None}, "list": [1, 2], "flag": 0, "same": {"x": 1}}
    after = {"a/b": {"~": 2, "new": {}}, "list": [2], "flag": False, "same": {"x": 1}}
    document = json.loads(json.dumps(before))

    operations = list(patch(before, after, ""))
    for operation in operations:
        apply(document, operation)

    assert json.dumps(after) == json.dumps(document)
    assert 5 == len(operations)
