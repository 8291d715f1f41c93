"""Races of several phones, before real servers: one holder a seat, and removed phones stay out.

Every race is run several times. What must hold afterwards holds whoever was first.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from itertools import cycle
from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import get_resolver

from games.models import Game, Program, Seat, Visitor
from games.models.tokens import hashed, new_device
from tests.cluster.processes import Cluster
from tests.pages.test_every_address import SAMPLES, filled, routes

from .wire import Server, Wire

pytestmark = pytest.mark.django_db(transaction=True, databases="__all__")
ROUNDS = 3
CSRF = "c" * 32


class Phone:
    """A browser without a page: it keeps its cookie, and asks one server after the other."""

    def __init__(self, game: Game, servers: Iterator[Server], role: str) -> None:
        self.game, self.role, self.token, self._servers = game, role, new_device(), servers
        self.visitor = game.visitors.create(device_hash=hashed(self.token), role=role).pk

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> int:
        """The status of the answer."""
        return self.answer(method, path, fields)[0]

    def answer(
        self, method: str, path: str, fields: dict[str, str] | None = None
    ) -> tuple[int, str]:
        """The status and text of the answer; where a server says "in a moment", the next one's."""
        until = time.monotonic() + 20
        while (answer := self._answer(method, path, fields))[0] == 503:
            assert time.monotonic() < until, answer
            time.sleep(0.2)
        return answer

    def _answer(self, method: str, path: str, fields: dict[str, str] | None) -> tuple[int, str]:
        path = path if path.startswith("/") else f"/g/{self.game.slug}/{path}"
        headers = {
            "Cookie": f"device={self.token}; csrftoken={CSRF}", "X-CSRFToken": CSRF,
            "User-Agent": "Mozilla/5.0 (iPhone) Mobile",
            "Content-Type": "application/x-www-form-urlencoded",
        }  # fmt: skip
        where = next(self._servers).port
        with closing(HTTPConnection("127.0.0.1", where, timeout=120)) as connection:
            connection.request(method, path, urlencode(fields or {}), headers)
            answer = connection.getresponse()
            for value in answer.headers.get_all("Set-Cookie", []):
                if morsel := SimpleCookie(value).get("device"):
                    self.token = morsel.value
            return answer.status, answer.read().decode(errors="replace")

    def post(self, path: str, **fields: str) -> Callable[[], int]:
        return lambda: self.ask("POST", path, fields)

    def get(self, path: str) -> Callable[[], int]:
        return lambda: self.ask("GET", path)

    @property
    def seat(self) -> str | None:
        """The seat that it has."""
        device = Visitor.objects.using(self.game._state.db).get(pk=self.visitor).device_hash
        found = self.game.seat_of(device)
        return found.key if found else None


class Table:
    """A table where Ana is the host, Ben sits, Cleo's and Dora's seats are free, and Eve looks."""

    def __init__(self, game: Game, servers: list[Server]) -> None:
        self.game, self.servers = game, cycle(servers)
        self.ana = self.phone(Visitor.Role.HOST, "ana")
        self.ben = self.phone(Visitor.Role.GUEST, "ben")
        self.eve, self.fay, self.gus = (self.phone(Visitor.Role.GUEST) for _n in range(3))

    def phone(self, role: str, seat: str = "") -> Phone:
        phone = Phone(self.game, self.servers, role)
        if seat:
            self.game.seats.filter(key=seat).update(device_hash=hashed(phone.token))
        return phone

    def program(self, phone: Phone) -> str:
        """A token of a program at a phone's seat."""
        token = f"csp_{new_device()}"
        Program.objects.using(self.game._state.db).create(
            visitor_id=phone.visitor, key=phone.seat, name="pedal", token_hash=hashed(token)
        )
        return token


def together(*acts: Callable[[], int]) -> list[int]:
    """Do all *acts* at the same moment; the statuses of their answers, none of them an error."""
    start, statuses = threading.Barrier(len(acts)), [0] * len(acts)

    def go(n: int) -> None:
        start.wait()
        statuses[n] = acts[n]()

    threads = [threading.Thread(target=go, args=[n]) for n in range(len(acts))]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert all(200 <= status < 500 for status in statuses), statuses
    return statuses


@pytest.fixture(
    params=[
        "default",
        pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.redis]),
    ],
    scope="module",
)
def servers(
    request: Any,
    django_db_setup: None,
    django_db_blocker: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[list[Server]]:
    """One server on SQLite; three on PostgreSQL. No static files were collected for them."""
    folder = tmp_path_factory.mktemp("servers")
    with django_db_blocker.unblock():
        if request.param == "postgres":
            cluster = Cluster(folder, COUNTERSITE_DEBUG="on")
            yield cluster.mend()
            cluster.close()
        else:
            server = Server(log=folder / "server.txt", COUNTERSITE_DEBUG="on")
            yield [server]
            server.kill()


@pytest.fixture
def table(servers: list[Server], make_game: Any) -> Callable[[], Table]:
    """Makes tables, each a new game."""
    using = "postgres" if len(servers) > 1 else "default"

    def make() -> Table:
        seats: dict[str, Any] = {key: {} for key in ("ana", "ben", "cleo", "dora")}
        objects = {"rocket": {"name": "Rocket", "counters": {"fuel": 4}}}
        return Table(make_game(using=using, seats=seats, objects=objects), servers)

    return make


def check(game: Game) -> None:
    """Nobody sits twice, nobody sits who is out or has to ask, and one is the host."""
    using = game._state.db
    seats = list(Seat.objects.using(using).filter(game=game.pk))
    people = {each.device_hash: each for each in Visitor.objects.using(using).filter(game=game.pk)}
    holders = [each.device_hash for each in seats if each.device_hash]
    assert len(holders) == len(set(holders))
    assert 1 == sum(each.host for each in seats)
    for device in holders:
        assert people[device].role not in (Visitor.Role.BARRED, Visitor.Role.WATCHER), device
        assert people[device].beside == "", device
        if people[device].role != Visitor.Role.HOST:
            assert not people[device].sent_away, "it sits, though it has to ask"


def test_only_one_of_four_racing_taps_gets_the_seat(table: Callable[[], Table]) -> None:
    for _round in range(ROUNDS):
        at = table()
        phones = [at.eve, at.fay, at.gus, at.ben]
        statuses = together(*(each.post("seats/cleo/claim") for each in phones))

        assert [302, 409, 409, 409] == sorted(statuses)
        first = phones[statuses.index(302)]
        assert ["cleo"] == [seat for each in phones if (seat := each.seat) not in (None, "ben")]
        assert "cleo" == first.seat
        check(at.game)


def test_seats_are_changed_for_one_another_without_an_error(table: Callable[[], Table]) -> None:
    """Each leaves a seat that another takes: locking in another order would deadlock."""
    for _round in range(ROUNDS):
        at = table()
        together(at.eve.post("seats/cleo/claim"), at.fay.post("seats/dora/claim"))
        together(
            at.eve.post("seats/dora/claim"), at.fay.post("seats/cleo/claim"),
            at.ben.post("seats/dora/claim"), at.ana.post("seats/dora/leave"),
            at.ana.post("seats/cleo/leave"), at.ben.post("seats/ben/leave"),
        )  # fmt: skip
        check(at.game)


def test_a_phone_whose_seat_was_freed_has_to_ask_however_fast_it_is(
    table: Callable[[], Table],
) -> None:
    for round_ in range(ROUNDS):
        at = table()
        tried = at.ben.post(f"seats/{'ben' if round_ % 2 else 'cleo'}/claim")
        together(at.ana.post("seats/ben/leave"), tried, tried, at.ben.get("share"))
        check(at.game)
        if at.ben.seat is None:
            assert 403 == at.ben.ask("GET", "share")
            at.ben.ask("POST", "seats/cleo/claim")
            assert at.ben.seat is None


def test_a_phone_that_is_put_out_reads_nothing_whatever_it_does_meanwhile(
    table: Callable[[], Table],
) -> None:
    paths = ["seats/ben/leave", "all-right", "seats/cleo/claim", "seats/dora/request"]
    for round_ in range(ROUNDS):
        at = table()
        token = at.program(at.ben)
        line = Wire(next(at.servers), at.game, "ben", 0, 0, device=at.ben.token)
        invitation = at.game.invite_token
        together(
            at.ana.post(f"visitors/{at.ben.visitor}/bar"),
            at.ben.post(paths[round_ % len(paths)]),
            at.ben.get(f"/j/{invitation}"),
            at.ben.get(""),
            at.ana.post("share/rotate"),
        )
        check(at.game)
        visitor = Visitor.objects.using(at.game._state.db).get(pk=at.ben.visitor)
        assert (Visitor.Role.BARRED, None) == (visitor.role, at.ben.seat)
        assert_reads_nothing(at, token)
        assert_closes(line)
        game = Game.objects.using(at.game._state.db).get(pk=at.game.pk)
        assert game.invite_token != invitation
        assert 404 == at.eve.ask("GET", f"/j/{invitation}")
        assert game.invite_token in at.ana.answer("GET", "share")[1]


def assert_reads_nothing(at: Table, token: str) -> None:
    """Not one page of the game, nor its sockets, nor the API by a token of the seat it had."""
    samples = {**SAMPLES, "slug": at.game.slug}
    for route, _converters in routes(get_resolver().url_patterns):
        if route.startswith("g/"):
            status, page = at.ben.answer("GET", filled(route, samples))
            assert status in (403, 404, 405), (route, status)
            assert "Rocket" not in page, route
    for which in ("state", "log"):
        with closing(HTTPConnection("127.0.0.1", next(at.servers).port, timeout=120)) as connection:
            connection.request(
                "GET", f"/api/v1/{which}", headers={"Authorization": f"Bearer {token}"}
            )
            assert 401 == connection.getresponse().status
    for seat in ("ben", ""):
        assert_closes(Wire(next(at.servers), at.game, seat, 0, 0, device=at.ben.token))


def assert_closes(line: Wire) -> None:
    """Nothing more comes after what was under way; the line is closed."""
    with line.socket, suppress(ConnectionError):
        while True:
            opcode, _payload = line.receive()
            if opcode == 8:
                return


def test_a_phone_that_dials_while_it_is_put_out_hears_nothing_afterwards(
    table: Callable[[], Table],
) -> None:
    for _round in range(ROUNDS):
        at = table()
        lines: list[Wire] = []

        def connects(at: Table = at, lines: list[Wire] = lines) -> int:
            for _n in range(4):
                lines.append(Wire(next(at.servers), at.game, "ben", 0, 0, device=at.ben.token))
            return 200

        together(at.ana.post(f"visitors/{at.ben.visitor}/bar"), connects, connects)
        for line in lines:
            assert_closes(line)


def test_the_table_has_one_host_whoever_is_named_at_once(table: Callable[[], Table]) -> None:
    for _round in range(ROUNDS):
        at = table()
        together(at.eve.post("seats/cleo/claim"), at.fay.post("seats/dora/claim"))
        together(*(at.ana.post(f"seats/{key}/host") for key in ("ben", "cleo", "dora", "ana")))
        check(at.game)


def test_a_seat_that_is_asked_for_goes_to_one_and_its_last_phone_hears_of_it(
    table: Callable[[], Table],
) -> None:
    for _round in range(ROUNDS):
        at = table()
        for each in (at.eve, at.fay):
            each.ask("POST", "seats/ben/request")
        together(
            at.ana.post(f"seat-requests/{at.eve.visitor}", let="in"),
            at.ben.post(f"seat-requests/{at.fay.visitor}", let="in"),
            at.ana.post(f"seat-requests/{at.fay.visitor}", let="no"),
            at.ben.post("seats/cleo/claim"),
            at.eve.post("all-right"),
            at.gus.post("seats/cleo/claim"),
        )
        check(at.game)


def test_a_new_link_is_shown_only_to_those_who_may_invite(table: Callable[[], Table]) -> None:
    for _round in range(ROUNDS):
        at = table()
        at.ana.ask("POST", "seats/ben/leave")
        assert at.ben.seat is None
        pages: list[str] = []

        def looks(at: Table = at, pages: list[str] = pages) -> int:
            for path in ("share", "", "state.json", "keep", "seats/", "summary", "tv"):
                pages.append(at.ben.answer("GET", path)[1])
            return 200

        together(looks, at.ana.post("share/rotate"), at.ana.post("share/rotate"), looks)
        looks()
        game = Game.objects.using(at.game._state.db).get(pk=at.game.pk)
        assert game.invite_token != at.game.invite_token
        for secret in (game.invite_token, game.code, game.spoken_code, game.host_token):
            assert secret not in json.dumps(pages)
