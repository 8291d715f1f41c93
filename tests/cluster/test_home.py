"""Home of a game: near its phones, and again after a restart."""

from __future__ import annotations

import time
from collections import Counter
from itertools import chain, cycle

import pytest

from games.cluster.home import home
from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from tests.live.wire import Server, Wire, frame, tap
from tests.types import Make

from .processes import Cluster, Phone, played_by, settled, tapping, wait_for

three_processes = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.django_db(transaction=True, databases="__all__"),
]


def address(server: Server) -> str:
    return f"127.0.0.1:{server.port}"


@pytest.fixture
def shared(at_home: Make) -> Game:
    return at_home()


def test_homes_are_spread_evenly_and_only_those_of_a_process_that_is_gone_change() -> None:
    addresses = frozenset(f"127.0.0.1:800{n}" for n in range(4))
    gone = "127.0.0.1:8002"
    slugs = [f"game-{n}" for n in range(1000)]
    before = {slug: home(slug, addresses) for slug in slugs}
    after = {slug: home(slug, addresses - {gone}) for slug in slugs}

    assert all(150 < count < 350 for count in Counter(before.values()).values())
    assert {gone} == {before[slug] for slug in slugs if after[slug] != before[slug]}


class TestScreens:
    pytestmark = three_processes

    def test_in_other_processes_stay_connected_when_the_owner_is_killed(
        self, cluster: Cluster, shared: Game
    ) -> None:
        owner, *others = cluster.mend()
        hers = Phone(shared, "ana", chain([owner], cycle(others)).__next__)
        theirs = [Phone(shared, seat, lambda: others[0]) for seat in ("ben", "cleo")]
        theirs += [Phone(shared, "ben", lambda: others[1])]
        with tapping(hers, *theirs[:2]):
            wait_for(lambda: all(len(each.acknowledged) > 10 for each in theirs[:2]))
            owner.kill()
            since = time.monotonic()
            for each in (hers, *theirs[:2]):
                wait_for(
                    lambda each=each: any(
                        at > since + 0.5 for at in list(each.acknowledged.values())
                    )
                )
            theirs[2].hears_after(time.monotonic())
        settled(shared, hers, *theirs[:2])
        for each in (hers, *theirs):
            each.close()

        assert [[]] * 3 == [each.codes for each in theirs]

    def test_draw_a_game_to_where_they_all_are(self, cluster: Cluster, at_home: Make) -> None:
        owner, other, _third = cluster.mend()
        shared = at_home(on=1)  # where it stays
        cluster.spread()
        hers = Phone(shared, "ana", lambda: owner)
        wait_for(lambda: played_by(shared) == {shared.pk: address(owner)})
        his = Phone(shared, "ben", lambda: other)
        with tapping(his, pause=0.2):
            wait_for(lambda: len(his.acknowledged) > 3)
            before = played_by(shared)
            hers.close()
            wait_for(lambda: played_by(shared) == {shared.pk: address(other)})
            seen = time.monotonic()
            wait_for(lambda: any(at > seen for at in list(his.acknowledged.values())))
        settled(shared, hers, his)
        his.close()

        assert {shared.pk: address(owner)} == before
        assert [] == his.codes

    def test_are_not_taken_along_without_their_seat(self, cluster: Cluster, shared: Game) -> None:
        owner, other, _third = cluster.mend()
        phones = {seat: new_device() for seat in ("ben", "cleo")}
        for seat, device in phones.items():
            Visitor.objects.using("postgres").create(
                game=shared, device_hash=hashed(device), role=Visitor.Role.GUEST
            )
            shared.seats.filter(key=seat).update(device_hash=hashed(device))
        at_owner = Wire(owner, shared, "ana", 0, 0)
        at_owner.receive()
        ben, cleo = (Wire(other, shared, seat, 0, 0, device) for seat, device in phones.items())
        for each in (ben, cleo):
            each.until(0)
        shared.seats.filter(key="ben").update(device_hash=hashed(new_device()))
        owner.kill()
        while (closed := ben.receive())[0] != 8:
            pass
        again = Wire(other, shared, "ana", 0, 0)
        again.until(0)
        for each in (at_owner, ben, again):
            each.close()
        cleo.send(frame(tap(id="on")))
        cleo.until(1)
        cleo.close()

        assert 4512 == int.from_bytes(closed[1][:2], "big")
