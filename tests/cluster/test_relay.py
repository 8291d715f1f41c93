"""Two processes at one table: whichever a phone connects to, everyone plays the same game."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connections
from websockets.sync import client

from games.cluster.home import home
from games.live.closing import RESTART
from games.models import Entry, Game, Visitor
from games.models.tokens import hashed, new_device
from games.store import rows
from tests.conftest import REDIS
from tests.live.wire import ACKS, ALIVE, SEQUENCE, Server, Wire, frame, tap
from tests.types import Connect, Make

from .processes import Cluster, Phone, settled, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.django_db(transaction=True, databases="__all__"),
]


@pytest.fixture
def two(cluster: Cluster) -> list[Server]:
    """Two servers on one PostgreSQL and one Redis."""
    return cluster.mend()[:2]


@pytest.fixture
def shared(at_home: Make) -> Game:
    return at_home()


@pytest.fixture
def connect(shared: Game) -> Iterator[Any]:
    """Connect: `connect(server, "ben")`; try again while the game changes hands, and wait for a
    server that cannot serve just now."""
    opened: list[Wire] = []

    def once(server: Server, seat: str, since: int = 0) -> Wire:
        wait_for(lambda: server.ready() == 200)
        until = time.monotonic() + 20
        while True:
            wire = Wire(server, shared, seat, since, 0)
            opened.append(wire)
            opcode, wire.first = wire.receive()
            if opcode != 8:
                return wire
            assert time.monotonic() < until, wire.first
            time.sleep(0.2)

    yield once
    for wire in opened:
        wire.close()


def number(payload: bytes) -> int:
    found = SEQUENCE.search(payload)
    assert found, payload
    return int(found[1])


def closed(wire: Wire) -> int:
    """The code with which a connection is closed."""
    while True:
        opcode, payload = wire.receive()
        if opcode == 8:
            return int.from_bytes(payload[:2], "big")


def fuel(game: Game) -> int:
    return rows.state(Game.objects.using("postgres").get(pk=game.pk)).count("rocket", "fuel")


def test_a_tap_in_one_process_is_seen_in_the_other(
    two: tuple[Any, Any], shared: Game, connect: Connect
) -> None:
    ana, ben = connect(two[0], "ana"), connect(two[1], "ben")
    ana.send(frame(tap(id="here")))
    ben.send(frame(tap(id="there")))

    for phone in (ana, ben):
        assert b'id="rocket.fuel"' in phone.until(2)
    assert 6 == fuel(shared)
    rows.check(Game.objects.using("postgres").get(pk=shared.pk))


def test_no_line_is_cut_while_tables_open(cluster: Cluster, make_game: Make) -> None:
    servers = cluster.mend()
    games = [make_game(using="postgres") for _game in range(12)]
    places = [
        (game, seat, server)
        for game in games
        for seat, server in zip(("ana", "ben", "cleo"), servers, strict=True)
    ]
    with ThreadPoolExecutor(len(places)) as at_once:
        phones = list(at_once.map(lambda each: Phone(each[0], each[1], lambda: each[2]), places))
        time.sleep(2.5)  # two pings, which would notice what was missed
    for phone in phones:
        phone.close()

    # A game that was opened away from its home goes there: that cuts the line at its first owner.
    addresses = frozenset(f"127.0.0.1:{server.port}" for server in servers)
    cut = [
        (game.slug, f"127.0.0.1:{server.port}", code)
        for (game, _seat, server), phone in zip(places, phones, strict=True)
        for code in phone.codes
    ]
    assert [] == [each for each in cut if each[2] != RESTART]
    assert [] == [each for each in cut if each[1] == home(each[0], addresses)]
    assert len(cut) == len({slug for slug, _address, _code in cut})


def test_a_quiet_line_shows_signs_of_life_for_the_proxy(
    two: tuple[Any, Any], shared: Game, connect: Connect
) -> None:
    ana = connect(two[0], "ana")
    ana.socket.settimeout(4)  # as deploy/nginx.conf waits
    received = b""
    while received.count(ALIVE) < 3:
        more = ana.socket.recv(4096)
        assert more, "the line was closed"
        received += more


def test_a_refusal_reaches_the_process_it_was_asked_in(
    two: tuple[Any, Any], shared: Game, connect: Connect
) -> None:
    connect(two[0], "ana")
    ben = connect(two[1], "ben")

    ben.send(
        frame(json.dumps({"do": "place", "on": "moon", "counter": "fuel", "id": "x"}).encode())
    )
    refused = json.loads(ben.hears(b"refused"))["refused"]
    assert ("x", "unknown") == (refused["id"], refused["code"])


def test_a_command_that_is_sent_twice_happens_once_wherever_it_is_sent(
    two: tuple[Any, Any], shared: Game, connect: Connect
) -> None:
    ana, ben = connect(two[0], "ana"), connect(two[1], "ben")

    ana.send(frame(tap(id="once")))
    ana.until(1)
    ben.until(1)
    ben.send(frame(tap(id="once")))
    ben.hears(b'data-acks="once"')

    assert 5 == fuel(shared)


def test_a_screen_that_comes_back_gets_what_it_missed_from_the_other_process(
    two: tuple[Any, Any], shared: Game, connect: Connect
) -> None:
    ana = connect(two[0], "ana")
    ben = connect(two[1], "ben")
    for n in range(1, 6):
        ana.send(frame(tap(id=f"t{n}")))
        ben.until(n)
    ben.close()

    again = connect(two[1], "ben", since=3)

    assert b'id="board"' not in again.first
    assert 4 == number(again.first)
    again.until(5)


def test_the_next_process_takes_over_when_the_owner_is_killed(
    two: tuple[Any, Any], shared: Game, connect: Connect
) -> None:
    acknowledged: set[str] = set()
    sent: list[str] = []
    owner, other = two
    phones = [connect(owner, "ana"), connect(other, "ben"), connect(other, "cleo")]

    def listen(phone: Wire) -> None:
        try:
            while True:
                opcode, payload = phone.receive()
                if opcode == 8:
                    return
                found = ACKS.search(payload)
                acknowledged.update(found[1].decode().split() if found else ())
        except OSError:
            pass

    listening = [threading.Thread(target=listen, args=[phone]) for phone in phones]
    for thread in listening:
        thread.start()
    for n in range(5_000):
        if len(acknowledged) > 150:
            break
        sent.append(f"tap-{n}")
        phones[n % 3].send(frame(tap(id=f"tap-{n}")))
        time.sleep(0.002)
    owner.kill()
    listening[0].join(20)
    assert [False, True, True] == [each.is_alive() for each in listening]
    entries = Entry.objects.using("postgres").filter(game=shared.pk)
    assert acknowledged <= set(entries.values_list("command_id", flat=True))

    again = connect(other, "ben")
    for name in sent:
        again.send(frame(tap(id=name)))
    again.until(len(sent))

    assert 4 + len(sent) == fuel(shared)
    rows.check(Game.objects.using("postgres").get(pk=shared.pk))


def test_a_redis_that_drops_everybody_delays_and_loses_nothing(
    cluster: Cluster, two: tuple[Any, Any], shared: Game
) -> None:
    # An extra: without it this test is skipped, and this file is still read.
    from redis import Redis

    ana, ben = Phone(shared, "ana", lambda: two[0]), Phone(shared, "ben", lambda: two[1])
    over = threading.Event()

    def cut() -> None:
        with Redis.from_url(REDIS) as server:
            while not over.wait(0.15):
                for client in server.client_list():  # of which some are another run's
                    ours = int(client["addr"].rpartition(":")[2]) in cluster.redis_of_all.far_ports
                    if ours and client["sub"] != "0":
                        server.client_kill_filter(_id=client["id"])

    cutting = threading.Thread(target=cut)
    cutting.start()
    for _tap in range(100):
        ana.tap()
        time.sleep(0.01)
    over.set()
    cutting.join()
    wait_for(lambda: ben.number == 100)

    ben.tap()  # perhaps on a line that is about to be given up: then it is sent again
    settled(shared, ana, ben)
    wait_for(lambda: ana.number == ben.number == 101)
    assert 105 == fuel(shared)
    for phone in (ana, ben):
        phone.close()


def test_a_process_whose_lock_died_gives_the_game_up(
    two: tuple[Any, Any], shared: Game, connect: Connect
) -> None:
    ana = connect(two[0], "ana")
    with connections["postgres"].cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' "
            "AND objid = %s", [shared.pk]
        )  # fmt: skip

    assert 4512 == closed(ana)
    ben = connect(two[1], "ben")
    ben.send(frame(tap(id="on")))
    ben.until(1)
    assert 1 == number(connect(two[0], "ana").first)


def test_a_seat_that_is_named_in_one_process_is_named_in_the_other(
    two: tuple[Any, Any], shared: Game, connect: Connect
) -> None:
    ana = connect(two[0], "ana")
    device, token = new_device(), "a" * 32
    Visitor.objects.using("postgres").create(
        game=shared, device_hash=hashed(device), role=Visitor.Role.HOST
    )

    connection = HTTPConnection("127.0.0.1", two[1].port)
    form = urlencode({"name": "Zoe", "csrfmiddlewaretoken": token})
    cookies = f"device={device}; csrftoken={token}"
    headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", f"/g/{shared.slug}/seats/ben/name", form, headers)
    assert 302 == connection.getresponse().status
    connection.close()

    ana.hears(b"Zoe")


@pytest.fixture
def secret(at_home: Make) -> Game:
    counters = {"c1": {"name": "CANARY", "type": "danger", "slots": 5, "visibility": "hidden"}}
    seats: dict[str, Any] = {"gm": {}, "ana": {}}
    return at_home("stars-and-signs", seats=seats, slot_counters=counters)


def test_a_device_taken_off_in_one_process_is_gone_from_the_other(
    two: tuple[Any, Any], secret: Game
) -> None:
    laptop, tablet, token = new_device(), new_device(), "a" * 32
    for device, beside in ((laptop, ""), (tablet, "gm")):
        Visitor.objects.using("postgres").create(
            game=secret, device_hash=hashed(device), role=Visitor.Role.GUEST, beside=beside
        )
    secret.seats.filter(key="gm").update(device_hash=hashed(laptop))
    lines = [Wire(two[n], secret, "gm", 0, 0, each) for n, each in enumerate((laptop, tablet))]
    lines[0].send(frame(json.dumps({"do": "fill", "on": "c1", "slots": 1}).encode()))
    assert all(b"CANARY" in each.until(0) + each.until(1) for each in lines)

    gone = secret.visitors.get(device_hash=hashed(tablet)).pk
    connection = HTTPConnection("127.0.0.1", two[0].port)
    headers = {
        "Cookie": f"device={laptop}; csrftoken={token}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    path = f"/g/{secret.slug}/seats/gm/devices/{gone}"
    connection.request("POST", path, urlencode({"csrfmiddlewaretoken": token}), headers)
    assert 302 == connection.getresponse().status
    connection.close()

    assert 4409 == closed(lines[1])
    again = Wire(two[1], secret, "gm", 0, 0, tablet)
    assert 4410 == closed(again)
    for each in (*lines, again):
        each.close()


def test_a_secret_stays_hidden_in_another_process(two: tuple[Any, Any], secret: Game) -> None:
    gm, ana = Wire(two[0], secret, "gm", 0, 0), Wire(two[1], secret, "ana", 0, 0)
    hidden = {"do": "fill", "on": "c1", "slots": 1}
    try:
        for number in (1, 2):
            gm.send(frame(json.dumps(hidden).encode()))
            gm.until(number)
        gm.send(frame(json.dumps({"do": "edit", "on": "c1", "visibility": "open"}).encode()))
        gm.until(3)
        received = ana.until(1)  # the first that she hears of
    finally:
        gm.close()
        ana.close()

    assert b"CANARY" in received
    assert b'data-seq="3"' not in received


def test_a_rematch_taken_back_in_one_process_is_taken_back_in_the_other(
    two: tuple[Any, Any], secret: Game
) -> None:
    laptop, token = new_device(), "a" * 32
    Visitor.objects.using("postgres").create(
        game=secret, device_hash=hashed(laptop), role=Visitor.Role.HOST
    )
    secret.seats.filter(key="gm").update(device_hash=hashed(laptop))

    def post(path: str, body: str, kind: str = "x-www-form-urlencoded") -> int:
        connection = HTTPConnection("127.0.0.1", two[1].port)
        cookies = f"device={laptop}; csrftoken={token}"
        headers = {"Cookie": cookies, "Content-Type": f"application/{kind}", "X-CSRFToken": token}
        connection.request("POST", path, body, headers)
        status = connection.getresponse().status
        connection.close()
        return status

    def screens(game: Game) -> list[Wire]:
        """The GM's in one process, which plays the game, and Ana's in the other."""
        gm = Wire(two[0], game, "gm", 0, 0, laptop)
        gm.until(0)
        return [gm, Wire(two[1], game, "ana", 0, 0)]

    def reveal(game: Game) -> int:
        command = json.dumps({"do": "edit", "on": "c1", "visibility": "open"})
        return post(f"/g/{game.slug}/command", command, "json")

    before = screens(secret)
    assert 302 == post(f"/g/{secret.slug}/again", "")
    assert [4410, 4410] == [closed(each) for each in before]
    anew = Game.objects.using("postgres").exclude(pk=secret.pk).get()
    rematch = screens(anew)
    assert [422, 204] == [reveal(secret), reveal(anew)]
    assert b"CANARY" in rematch[1].until(1)

    assert 302 == post(f"/g/{secret.slug}/resume", "")
    assert [4410, 4410] == [closed(each) for each in rematch]

    def shown_again() -> bool:
        """Ana's screen after it connects; the owner may learn of it last, and close it."""
        back: list[Wire] = []
        try:
            back += screens(secret)
            return b"CANARY" in back[1].until(1)
        except OSError:
            return False
        finally:
            for each in back:
                each.close()

    wait_for(lambda: [204, 422] == [reveal(secret), reveal(anew)])
    wait_for(shown_again)
    for each in (*before, *rematch):
        each.close()


# Other programs


def test_a_program_follows_a_game_that_another_process_plays(
    two: tuple[Any, Any], shared: Game, connect: Connect
) -> None:
    token = let_in(shared)
    connect(two[0], "ben")  # so that this one plays it
    shown = {"Authorization": f"Bearer {token}"}

    with client.connect(
        f"ws://127.0.0.1:{two[1].port}/api/v1/changes", additional_headers=shown
    ) as program:
        first = json.loads(program.recv(timeout=120))
        program.send(tap(id="k1").decode())
        answer = [json.loads(program.recv(timeout=120))]
        while answer[-1]["type"] != "accepted":
            answer.append(json.loads(program.recv(timeout=120)))
    again = [given(server, shown, "k1") for server in two]

    assert ("state", "ana") == (first["type"], first["document"]["seat"])
    fuelled = {"op": "replace", "path": "/state/objects/rocket/counters/fuel", "value": 5}
    assert any(fuelled in message.get("patch", ()) for message in answer)
    assert {"type": "accepted", "id": "k1", "entry": 1} == answer[-1]
    assert [{"id": "k1", "entry": 1}] * 2 == again
    assert 5 == fuel(shared)


def let_in(game: Game) -> str:
    """A token for Ana's seat."""
    seat = game.seats.get(key="ana")
    seat.device_hash = hashed(new_device())
    seat.save(update_fields=["device_hash"])
    visitor = Visitor.objects.using("postgres").create(game=game, device_hash=seat.device_hash)
    visitor.programs.create(key="ana", name="Pedal", token_hash=hashed("csp_ana"))
    return "csp_ana"


def given(server: Server, headers: dict[str, str], command_id: str) -> Any:
    sent = {**headers, "Content-Type": "application/json"}
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=120)) as connection:
        connection.request("POST", "/api/v1/commands", tap(id=command_id), sent)
        return json.loads(connection.getresponse().read())
