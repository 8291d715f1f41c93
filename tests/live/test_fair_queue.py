"""The fair queue, in virtual time: what each phone is given while all ask without a pause."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping

import pytest

from games.live import fair_queue
from games.live.fair_queue import FairQueue

Phone = tuple[str, str, str]
"""An address, a table and a phone."""
DAN, BEN = "10.0.0.9", "10.0.0.2"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def held(
    clock: list[float], queue: FairQueue, costs: Mapping[Phone, float], seconds: float
) -> Counter[Phone]:
    """The seconds that each phone held a place; three requests of each wait all the time."""
    asked = [(phone, queue.ask(*phone)) for phone in costs for _request in range(3)]
    until: dict[int, float] = {}
    took: Counter[Phone] = Counter()
    over = clock[0] + seconds
    while clock[0] < over:
        for n, (phone, place) in enumerate(asked):
            if place.given.done():
                until.setdefault(n, clock[0] + costs[phone])
        first = min(until, key=until.__getitem__)
        clock[0] = until.pop(first)
        phone, place = asked[first]
        took[phone] += costs[phone]  # type: ignore[assignment]
        asked[first] = phone, queue.ask(*phone)
        queue.leave(place)
    return took


async def test_an_address_gets_its_share_however_many_phones_and_tables_another_has(
    clock: list[float],
) -> None:
    ben = BEN, "bens", "ben"
    many = {(DAN, f"table-{n % 7}", f"phone-{n}"): 0.3 for n in range(140)}

    took = held(clock, FairQueue(1), {**many, ben: 0.03}, 60)

    assert took[ben] == pytest.approx(30, abs=1)


async def test_a_table_gets_its_share_of_its_address_and_a_phone_of_its_table(
    clock: list[float],
) -> None:
    costs = {
        (DAN, "his", "a"): 0.4, (DAN, "his", "b"): 0.1, (DAN, "", ""): 0.05, (BEN, "", ""): 0.2,
    }  # fmt: skip

    took = held(clock, FairQueue(1), costs, 160)

    assert [20, 20, 40, 80] == [pytest.approx(took[phone], abs=1) for phone in costs]


async def test_one_who_comes_now_and_then_waits_for_one_page_at_most(clock: list[float]) -> None:
    queue = FairQueue(1)
    crowd = [queue.ask(DAN, "his", f"phone-{n}") for n in range(140)]
    clock[0] += 5
    queue.leave(crowd[0])

    ben = queue.ask(BEN)
    assert not ben.given.done()
    clock[0] += 0.3
    queue.leave(crowd[1])

    assert ben.given.done()


async def test_no_address_holds_the_last_place() -> None:
    queue = FairQueue(3)
    crowd = [queue.ask(DAN, "his", f"phone-{n}") for n in range(140)]

    assert 2 == sum(place.given.done() for place in crowd)
    assert queue.ask(BEN).given.done()
    assert not queue.ask("10.0.0.3").given.done()


async def test_nobody_saves_up_by_waiting_nor_gets_out_of_what_was_used(clock: list[float]) -> None:
    queue = FairQueue(1)
    for address, seconds in ((DAN, 1), (BEN, 9)):
        place = queue.ask(address)
        clock[0] += seconds
        queue.leave(place)

    took = held(clock, queue, {(DAN, "", ""): 1.0, (BEN, "", ""): 1.0, ("new", "", ""): 1.0}, 40)

    assert took[BEN, "", ""] == pytest.approx(took[DAN, "", ""] - 8, abs=1)
    assert took["new", "", ""] == pytest.approx(took[DAN, "", ""], abs=2)


async def test_a_place_is_charged_what_it_used_and_not_how_long_it_waited_for_its_turn(
    clock: list[float],
) -> None:
    queue = FairQueue(1)
    place = queue.ask(DAN)
    clock[0] += 9
    queue.leave(place, 1.0)

    took = held(clock, queue, {(DAN, "", ""): 1.0, (BEN, "", ""): 1.0}, 40)

    assert took[DAN, "", ""] == pytest.approx(took[BEN, "", ""], abs=2)


async def test_one_who_goes_before_its_turn_costs_nothing(clock: list[float]) -> None:
    queue = FairQueue(1)
    first, second, third = (queue.ask(BEN) for _each in range(3))

    queue.leave(second)
    queue.leave(first)

    assert third.given.done()
    assert not second.given.done() or second.given.cancelled()
    queue.leave(third)
    assert queue.ask("anyone").given.done()


async def test_names_that_do_nothing_are_forgotten_but_not_their_debts(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_queue, "MOST_IDLE", 4)
    queue = FairQueue(1)
    place = queue.ask(DAN)
    clock[0] += 1
    queue.leave(place)

    for n in range(50):
        queue.leave(queue.ask(f"address-{n}"))

    assert len(queue._root.below) <= 5
    assert DAN in queue._root.below
