"""Failover: owners hang, vanish or stop; others play on, and nothing is lost or doubled."""

from __future__ import annotations

import itertools
import re
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.models import Entry, Game
from tests.live.wire import Wire, frame, tap
from tests.types import Make

from .processes import Cable, Cluster, Phone, settled, tapping, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.django_db(transaction=True, databases="__all__"),
]
TAKEOVER, MARGIN = 5.0, 4.0
"""Seconds within which another process plays on (three to four here), and more for a machine whose
cores are all busy. Without a lease it takes as long as the fault."""


@pytest.fixture
def shared(at_home: Make) -> Game:
    return at_home()


@pytest.fixture
def phone(shared: Game) -> Iterator[Callable[..., Phone]]:
    """A phone that connects to these servers in turn: `phone("ben", one, other)`."""
    made: list[Phone] = []

    def make(seat: str, *servers: object) -> Phone:
        made.append(Phone(shared, seat, itertools.cycle(servers).__next__))
        return made[-1]

    yield make
    for each in made:
        each.close()


def outages(cluster: Cluster, n: int, since: int) -> list[str]:
    """The log lines of outages after an offset in characters."""
    text = cluster.logged(n)[since:]
    assert "Traceback" not in text, text
    return re.findall(r"(?:The database|Redis) (?:fails|works again)", text)


def counts_again(phone: Phone, since: float) -> float:
    """Wait until *phone*'s taps count again; return the seconds until they do."""
    return wait_for(lambda: any(at > since + 0.5 for at in list(phone.acknowledged.values())))


def taken_over(his: Phone, hers: Phone) -> float:
    """Wait until both phones' taps count again; return the seconds until his do."""
    since = time.monotonic()
    given = counts_again(his, since)
    counts_again(hers, since)
    return given


def test_a_hung_owner_is_fenced_and_writes_nothing_when_it_comes_back(
    cluster: Cluster, shared: Game, phone: Any
) -> None:
    owner, *others = cluster.mend()
    hers, his = phone("ana", owner, *others), phone("ben", others[0], others[1])
    with tapping(hers, his):
        wait_for(lambda: len(his.acknowledged) > 20)
        owner.process.send_signal(signal.SIGSTOP)
        given = taken_over(his, hers)
        stored = Entry.objects.using("postgres").filter(game=shared.pk).count()
        owner.process.send_signal(signal.SIGCONT)
        wait_for(lambda: owner.ready() == 200)
        wait_for(lambda: len(his.acknowledged) > stored)
    settled(shared, hers, his)

    assert given < TAKEOVER + MARGIN


def test_an_owner_that_cannot_reach_the_database_is_fenced(
    cluster: Cluster, shared: Game, phone: Any
) -> None:
    owner, *others = cluster.mend()
    begun = len(cluster.logged(0))
    hers, his = phone("ana", owner, *others), phone("ben", others[0], others[1])
    with tapping(hers, his):
        wait_for(lambda: len(his.acknowledged) > 20)
        cluster.postgres.freeze()
        given = taken_over(his, hers)
        before = time.monotonic()
        assert 503 == owner.ready()
        checked = time.monotonic() - before
        cluster.postgres.thaw()
        wait_for(lambda: owner.ready() == 200)
    settled(shared, hers, his)

    assert given < TAKEOVER + MARGIN
    assert checked < 1 + MARGIN
    assert ["The database fails", "The database works again"] == outages(cluster, 0, begun)


def test_an_owner_that_redis_no_longer_reaches_lets_others_play(
    cluster: Cluster, shared: Game, phone: Any, at_home: Make
) -> None:
    """All but the games whose phones are all here, until somebody comes elsewhere."""
    owner, *others = cluster.mend()
    begun = len(cluster.logged(0))
    hers, his = phone("ana", owner, *others), phone("ben", others[0], others[1])
    quiet = at_home()
    alone = Phone(quiet, "ana", lambda: owner)
    with tapping(hers, his):
        wait_for(lambda: len(his.acknowledged) > 20)
        cluster.redis.freeze()
        given = taken_over(his, hers)
        wait_for(lambda: owner.ready() == 503)
        alone.tap()
        time.sleep(3)  # an outage of several pings, each of which fails
        undisturbed = list(alone.codes)
        late = Phone(quiet, "ben", lambda: others[0])
        cluster.redis.thaw()
        wait_for(lambda: owner.ready() == 200)
    settled(shared, hers, his)
    settled(quiet, alone, late)
    for each in (alone, late):
        each.close()

    assert given < TAKEOVER + MARGIN
    assert ([], 4512) == (undisturbed, alone.codes[0])
    assert ["Redis fails", "Redis works again"] == outages(cluster, 0, begun)


@pytest.mark.parametrize("how", [Cable.freeze, Cable.refuse])
def test_without_redis_every_process_plays_what_it_owns(
    cluster: Cluster, at_home: Make, how: Any
) -> None:
    servers = cluster.mend()
    begun = [len(cluster.logged(n)) for n in range(3)]
    games = [at_home(on=n) for n in range(3)]
    phones = [
        Phone(game, seat, lambda server=server: server)
        for game, server in zip(games, servers, strict=True)
        for seat in ("ana", "ben")
    ]
    with tapping(*phones, pause=0.2):
        since = time.monotonic()
        how(cluster.redis_of_all)
        wait_for(lambda: all("Redis fails" in cluster.logged(n)[begun[n] :] for n in range(3)))
        time.sleep(4)  # several beats, and longer than a process may be silent
        silent = max(each.silence(since) for each in phones)
        ready = [each.ready() for each in servers]
        cluster.redis_of_all.thaw()
        wait_for(lambda: all("works again" in cluster.logged(n)[begun[n] :] for n in range(3)))
    for n, game in enumerate(games):
        settled(game, *phones[2 * n : 2 * n + 2])
    for each in phones:
        each.close()

    assert [[]] * 6 == [each.codes for each in phones]
    assert silent < 2 + MARGIN
    assert [200] * 3 == ready
    outage = ["Redis fails", "Redis works again"]
    assert [outage] * 3 == [outages(cluster, n, begun[n]) for n in range(3)]


def test_a_redis_that_refuses_is_one_line_in_the_log_and_no_error_of_a_page(
    cluster: Cluster, at_home: Make
) -> None:
    """An idle game is played here; a phone connects to a game that another process plays."""
    cut_off, other, _third = cluster.mend()
    begun = len(cluster.logged(0))
    quiet, theirs = at_home(on=0), at_home(on=1)
    there = Wire(other, theirs, "ana", 0, 0)
    there.receive()
    cluster.redis.refuse()
    here = Wire(cut_off, quiet, "ana", 0, 0)
    here.send(frame(tap(id="a")))
    here.until(1)
    here.close()
    wait_for(lambda: cut_off.ready() == 503)  # until then it lets phones wait
    with pytest.raises(AssertionError, match=r"HTTP/1\.1 503"):
        Wire(cut_off, theirs, "ben", 0, 0)
    there.close()
    cluster.redis.thaw()
    wait_for(lambda: cut_off.ready() == 200)

    assert ["Redis fails", "Redis works again"] == outages(cluster, 0, begun)


def test_an_owner_that_is_asked_to_stop_hands_its_tables_over(
    cluster: Cluster, shared: Game, phone: Any
) -> None:
    owner, *others = cluster.mend()
    hers, his = phone("ana", owner, *others), phone("ben", others[0], others[1])
    with tapping(hers, his):
        wait_for(lambda: len(his.acknowledged) > 20)
        since = time.monotonic()
        owner.process.terminate()
        assert 0 == owner.process.wait(20)
        wait_for(lambda: any(at > since + 1 for at in list(hers.acknowledged.values())))
        wait_for(lambda: any(at > since + 1 for at in list(his.acknowledged.values())))
        silent = [each.silence(since) for each in (hers, his)]
    settled(shared, hers, his)

    assert [[4512], []] == [hers.codes, his.codes]
    assert max(silent) < 2.0  # of which a phone waits 0.4; under 1 on a machine that is idle
