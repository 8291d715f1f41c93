"""The end of a game is told to the program that opened it: signed, in bounds, to nobody else."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import socket
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import pytest
from django.test import Client

from games.live import webhook
from games.live.webhook import SIGNATURE, allowed, refuse_unreachable
from games.models import Game
from games.pages import rematch
from games.rules.state import Refused
from tests.types import Connect, Make

TOKEN = "the-operators-own-token"


class Receiver:
    """Somebody's program: what it was told, and what it answers next; then 204."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[tuple[str, dict[str, str], bytes]] = asyncio.Queue()
        self.answers: list[str] = []
        self.times: list[float] = []
        self.site = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
        headers = dict(line.lower().split(": ", 1) for line in lines)
        body = await reader.readexactly(int(headers["content-length"]))
        self.times.append(asyncio.get_running_loop().time())
        answer = self.answers.pop(0) if self.answers else "204 No Content"
        if answer:  # else it hangs up
            writer.write(f"HTTP/1.1 {answer}\r\nContent-Length: 0\r\n\r\n".encode())
        self.heard.put_nowait((first, headers, body))
        writer.close()

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(20):
            first, headers, body = await self.heard.get()
        assert first == "POST /ended?id=7 HTTP/1.1"
        signed = hmac.new(TOKEN.encode(), body, hashlib.sha256).hexdigest()
        assert f"sha256={signed}" == headers[SIGNATURE.lower()]
        told: dict[str, Any] = json.loads(body)
        return told


class Hook(webhook.Webhook):
    """A webhook of which one knows when it has told all."""

    def __init__(self, address: str) -> None:
        super().__init__(address, self._began)

    def _began(self, work: Coroutine[Any, Any, None]) -> None:
        self.all_told = asyncio.ensure_future(work)


@pytest.fixture
async def program(settings: Any, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Receiver]:
    settings.PROGRAM_TOKEN = TOKEN
    monkeypatch.setattr(webhook, "WAITS", (0.0, 0.01, 0.01))
    monkeypatch.setattr(webhook, "BETWEEN", 0.2)
    receiver = Receiver()
    async with await asyncio.start_server(receiver.serve, "127.0.0.1", 0) as server:
        receiver.site = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/ended?id=7"
        yield receiver


@pytest.fixture
def game(make_game: Make) -> Game:
    return make_game("magic", seats={"ana": {}, "ben": {}})


@pytest.mark.django_db(transaction=True)
async def test_a_table_tells_its_result_and_that_it_was_withdrawn(
    program: Receiver, connect: Connect, game: Game, ana: Client
) -> None:
    game.webhook = program.site
    await game.asave()
    hers = await connect(game, ana)
    await hers.say(do="place", on="ana", counter="energy", amount=1)
    await hers.say(do="leave", seat="ben")
    won = await program.next()
    await hers.say(do="undo")
    withdrawn = await program.next()

    assert (game.slug, "won", ["ana"]) == (won["game"], won["result"], won["winners"])
    assert {"ana": "Ana", "ben": "Ben"} == won["names"]
    assert (None, []) == (withdrawn["result"], withdrawn["winners"])
    assert won["number"] < withdrawn["number"]
    assert program.heard.empty(), "a tap that ends nothing is not told"


@pytest.mark.django_db
def test_a_rematch_has_the_webhook_of_the_game_before(game: Game) -> None:
    game.webhook = "https://bot.example.org/"
    game.save()

    assert game.webhook == rematch.begin(game).webhook


@pytest.mark.parametrize(
    ("answers", "heard"),
    [
        ([], 1),
        (["500 Down", "301 Elsewhere\r\nLocation: /other"], 3),
        (["", "nonsense"], 3),
        (["500 Down"] * 9, 3),
    ],
)
async def test_what_fails_is_tried_again_so_often_and_no_more(
    program: Receiver, answers: list[str], heard: int, caplog: pytest.LogCaptureFixture
) -> None:
    program.answers = answers
    hook = Hook(program.site)
    hook.tell(lambda: "{}")
    for _try in range(heard):
        assert {} == await program.next()
    await hook.all_told

    assert program.heard.empty()
    assert ("could not be told" in caplog.text) is (len(answers) > 3)
    assert "ended" not in caplog.text, "its path may be a secret"


async def test_a_result_that_comes_and_goes_is_told_no_faster_than_it_may(
    program: Receiver,
) -> None:
    hook = Hook(program.site)
    numbers = [1]
    hook.tell(lambda: json.dumps({"number": numbers[-1]}))
    assert {"number": 1} == await program.next()
    for number in range(2, 50):
        numbers.append(number)
        hook.tell(lambda: "{}")

    assert {"number": 49} == await program.next()
    await hook.all_told
    assert program.heard.empty()
    assert program.times[1] - program.times[0] >= webhook.BETWEEN


async def test_a_program_that_does_not_answer_is_left(
    settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings.PROGRAM_TOKEN = TOKEN
    monkeypatch.setattr(webhook, "WAITS", (0.0,))
    monkeypatch.setattr(webhook, "BETWEEN", 0.0)
    monkeypatch.setattr(webhook, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        hook = Hook(f"http://127.0.0.1:{deaf.getsockname()[1]}/")
        hook.tell(lambda: "{}")
        await hook.all_told

    assert "TimeoutError" in caplog.text


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize(
    ("address", "home"),
    [
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("8.8.8.8", True),
        ("2001:4860:4860::8888", True),
    ],
)
def test_a_public_server_tells_nobody_in_its_own_network(
    settings: Any, public: bool, address: str, home: bool
) -> None:
    settings.PUBLIC = public
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]

    if public and not home:
        with pytest.raises(Refused, match="private network"):
            allowed(found)
    else:
        assert [address] == allowed(found)


@pytest.mark.parametrize(
    ("address", "public", "said"),
    [
        ("http://localhost:1/", True, "https"),
        ("https://localhost/", True, "private network"),
        ("https://127.1/", True, "private network"),
        ("https://[::1]/", True, "private network"),
        ("ftp://localhost/", False, "https"),
        ("https://ana:secret@localhost/", False, "no address"),
        ("https://localhost/#a", False, "no address"),
        ("https://localhost/ HTTP/1.1\r\nHost: other", False, "no address"),
        ("https://localhost:99999/", False, "no address"),
        ("https://[::1/", False, "no address"),
        ("", False, "no address"),
        ("https://nobody.invalid/", False, "no such host"),
        ("http://localhost:8123/ended?id=7", False, ""),
    ],
)
def test_an_address_that_cannot_be_told_is_refused_at_once(
    settings: Any, address: str, public: bool, said: str
) -> None:
    settings.PUBLIC = public

    if said:
        with pytest.raises(Refused, match=said):
            refuse_unreachable(address)
    else:
        refuse_unreachable(address)
