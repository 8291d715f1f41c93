"""An own game on two processes: its rules change while it is played, and a guest comes late."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

import pytest

from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.rules import scenario
from games.store import rows
from games.systems import find
from tests.attacks import OWN, PRESS
from tests.live.wire import Server, Wire, frame, tap
from tests.types import Make

from .processes import Cluster, played_by, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.django_db(transaction=True, databases="__all__"),
]
TOKEN = "a" * 32
RACE: dict[str, Any] = {
    "title": "Race",
    "players": {"most": 4},
    "numbers": [{"kind": "laps", "on": "player", "big": True}],
    "rules": [
        {
            "rule": "Finish",
            "when": {"always": "player"},
            "if": [{"number": "laps"}, ">=", 3],
            "do": [{"win": "it"}],
        }
    ],
}
LONGER: dict[str, Any] = {
    **json.loads(json.dumps(RACE).replace('">=", 3', '">=", 5')),
    "numbers": [*RACE["numbers"], {"kind": "fog", "on": "table", "start": 2}],
}


@pytest.fixture
def race(db: None, cluster: Cluster) -> Game:
    given = {"seats": {"ana": {}, "ben": {}}}
    first = scenario.opening(find("own-game"), {"given": given, "definition": RACE})
    create = partial(rows.create, find("own-game"), first, title="Race", using="postgres")
    game = cluster.at_home(create)
    for seat in ("ana", "ben"):
        game.seats.filter(key=seat).update(device_hash=hashed(new_device()))
    return game


def device_of(game: Game, role: str) -> str:
    """A device that is let in with *role*, and for the host has the first seat."""
    device = new_device()
    Visitor.objects.using("postgres").create(game=game, device_hash=hashed(device), role=role)
    if role == Visitor.Role.HOST:
        game.seats.filter(key="ana").update(device_hash=hashed(device))
    return device


def post(server: Server, path: str, device: str, **fields: str) -> tuple[int, str]:
    """The status of a form's answer, and where it leads."""
    cookies = f"device={device}; csrftoken={TOKEN}"
    headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode({"csrfmiddlewaretoken": TOKEN, **fields})
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=120)) as connection:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.getheader("location") or answer.read()[:2000].decode()


def lap(on: str, **more: Any) -> bytes:
    return frame(json.dumps({"do": "place", "on": on, "counter": "laps", **more}).encode())


@pytest.mark.parametrize("asked", [0, 1], ids=["of the owner", "of another"])
def test_new_rules_and_a_late_guest_reach_the_phones_of_both_processes(
    cluster: Cluster, race: Game, asked: int
) -> None:
    owner, other = servers = cluster.mend()[:2]
    host, guest = (device_of(race, role) for role in (Visitor.Role.HOST, Visitor.Role.GUEST))
    ana = Wire(owner, race, "ana", 0, 0)
    ana.until(0)
    wait_for(lambda: played_by(race) == {race.pk: f"127.0.0.1:{owner.port}"})
    ben = Wire(other, race, "ben", 0, 0)
    ben.until(0)

    change = {"definition": json.dumps(LONGER), "do": "yes"}
    assert (302, f"/g/{race.slug}/") == post(
        servers[asked], f"/g/{race.slug}/change", host, **change
    )
    for each in (ana, ben):
        assert b"fog" in each.until(1)

    assert (302, f"/g/{race.slug}/") == post(
        servers[asked], f"/g/{race.slug}/chair", guest, after="ana", name="Eli"
    )
    for each in (ana, ben):
        assert b"Eli" in each.until(2)
    places = [*Game.objects.using("postgres").get(pk=race.pk).places]
    late = next(each for each in places if each not in ("ana", "ben"))
    eli = Wire(other, race, late, 0, 0, guest)
    assert b"fog" in eli.receive()[1]

    # By the old rules three laps win, by the new ones five.
    eli.send(lap(late, amount=4, id="four"))
    for each in (ana, ben, eli):
        assert b"Eli wins" not in each.until(3)
    ben.send(lap(late, amount=1, id="one"))
    for each in (ana, ben, eli):
        assert b"Finish" in each.until(4)

    stands = Game.objects.using("postgres").get(pk=race.pk)
    assert ("won", (late,)) == (rows.state(stands).result, rows.state(stands).winners)
    rows.check(stands)
    for each in (ana, ben, eli):
        each.close()


PRESSES = 90


def test_a_tap_does_not_wait_for_all_presses_that_came_by_another_process(
    cluster: Cluster, at_home: Make
) -> None:
    """Each press looks at as much as a command may; they come in one write."""
    near, far, _third = cluster.mend()
    first = scenario.opening(find("own-game"), OWN["looking"])
    looking = cluster.at_home(partial(rows.create, find("own-game"), first, using="postgres"))
    with (
        closing(Wire(near, at_home(), "ana", 0, 0)) as ana,
        closing(Wire(near, looking, "a", 0, 0)),
        closing(Wire(far, looking, "a", 0, 0)) as strange,
    ):
        ana.receive()
        strange.send(frame(json.dumps(PRESS).encode()) * PRESSES)
        strange.hears(b'"refused"')
        with ThreadPoolExecutor(1) as listening:
            heard: list[bytes] = []
            rest = listening.submit(heard.extend, refusals(strange, PRESSES - 1))
            ana.send(frame(tap()))
            ana.until(1)
            before = len(heard)
            rest.result(120)

    assert before < PRESSES / 2


def refusals(wire: Wire, count: int) -> Iterator[bytes]:
    for _refusal in range(count):
        yield wire.hears(b'"refused"')
