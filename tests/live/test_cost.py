"""The cost of a tap, counted and not timed: calls of this project's functions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client

import games
from games.live import journal
from games.live.table import Table
from games.models import Game
from games.store import rows
from games.systems import find
from tests.types import Connect, Make

pytestmark = pytest.mark.django_db(transaction=True)

Cards = dict[str, dict[str, Any]]
Command = Callable[[int], dict[str, Any]]
HELD_BY = {"stars-and-signs": "slot_counters"}
SEATS = ("ana", "ben", "cleo")

OURS = str(Path(games.__file__).parent)
WARM, COUNTED = 6, 30
MOST = 139
"""The calls of one tap on a table of three phones, with Python 3.11: later ones make fewer."""
MOST_OF_OTHERS = 300
"""A tap on another player's card, with the moment in the frame of that player's phone alone."""
MOST_OF_SIX = 973
"""A command with six events in words, on two cards that are drawn again."""
MOST_OF_CARD = 527
"""A command that creates a card, which is drawn for three phones."""
MOST_OF_BOARD = 1_390
"""A phone's first board, at a table that nobody has seen."""
MOST_HELD = 600
"""Any function, Django's too, in a page's transaction that blocks taps."""


class Calls:
    """Counts the calls of functions in `games/` that are made in this thread meanwhile."""

    count = 0

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            self.count += 1

    def __enter__(self) -> Calls:
        sys.setprofile(self)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)


@pytest.fixture(autouse=True)
def _a_quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the games from being saved in a thread, whose calls nobody counts, on a busy machine."""
    monkeypatch.setattr(journal, "SLOW", float("inf"))


@pytest.fixture
def table(make_game: Any, sit: Any, connect: Connect) -> Any:
    """Give a command again and again at a table of three phones: the calls of one time.

    system, cards: the table. command: what the *n*th time asks for. make: makes the game.
    """

    async def given(system: str, cards: Cards, command: Command, make: Make = make_game) -> float:
        game: Game = await sync_to_async(make)(system, **{HELD_BY.get(system, "objects"): cards})
        phones = []
        for seat in SEATS:
            phones.append(await connect(game, await sync_to_async(sit)(game, seat), since=0))
            await phones[-1].frame()

        async def once(n: int) -> None:
            await phones[n % 3].say(**command(n), id=f"tap-{n}")
            for phone in phones:
                await phone.frame()

        for n in range(WARM):
            await once(n)
        with Calls() as calls:
            for n in range(WARM, WARM + COUNTED):
                await once(n)
        return calls.count / COUNTED

    return given


def things(count: int) -> Cards:
    return {
        f"thing-{n}": {"name": f"Thing {n}", "counters": {"fuel": n}, "owner": SEATS[n % 3]}
        for n in range(count)
    }


def tap(n: int) -> dict[str, Any]:
    """On a card of the one who taps."""
    return {"do": "place", "on": f"thing-{n % 3}", "counter": "fuel", "amount": 1}


async def test_a_tap_makes_no_more_calls_than_it_did(table: Any) -> None:
    assert await table("any-game", things(3), tap) <= MOST


async def test_a_tap_on_anothers_card_is_told_at_no_more_than_that(table: Any) -> None:
    others = lambda n: {**tap(n), "on": f"thing-{(n + 1) % 3}"}  # noqa: E731

    assert await table("any-game", things(3), others) <= MOST_OF_OTHERS


def of_each(**card: Any) -> Cards:
    """One of each seat."""
    return {f"hero-{n}": {**card, "owner": seat} for n, seat in enumerate(SEATS)}


def on_seat(do: str, **more: Any) -> Command:
    return lambda n: {"do": do, "seat" if do == "gain-life" else "on": SEATS[n % 3], **more}


def on_hero(do: str, **more: Any) -> Command:
    return lambda n: {"do": do, "on": f"hero-{n % 3}", **more}


def filled_and_cleared(n: int) -> dict[str, Any]:
    """One's own Despair, which stands in the party strip and large in the cockpit too."""
    return {"do": "clear" if n % 6 > 2 else "fill", "on": f"hero-{n % 3}", "slots": 1}


CHAMPION = of_each(types=["champion"], base={"life": 999, "level": 0})
DESPAIR = of_each(name="Despair", type="danger", role="despair", slots=10, filled=2)
POINTS = {"kind": "points", "on": "player", "big": True}
HEROES = [
    pytest.param("magic", {}, on_seat("gain-life", amount=1), 165, id="magic life"),
    pytest.param("yu-gi-oh", {}, on_seat("gain-life", amount=1), 204, id="yu-gi-oh life"),
    pytest.param("any-game", {}, on_seat("place", counter="points"), 137, id="any game's points"),
    pytest.param("grand-archive", CHAMPION, on_hero("damage", amount=1), 307, id="champion damage"),
    pytest.param(
        "pokemon",
        of_each(zone="active"),
        on_hero("place", counter="damage", amount=10),
        277,
        id="pokemon damage",
    ),
    pytest.param("stars-and-signs", DESPAIR, filled_and_cleared, 562, id="despair"),
    pytest.param("own-game", {}, on_seat("place", counter="points"), 164, id="own big number"),
]
"""The number that each game is about: a table, a tap on it, and the calls that it makes."""


@pytest.mark.parametrize(("system", "cards", "command", "most"), HEROES)
async def test_a_tap_on_the_main_number_makes_no_more_calls_than_it_did(
    table: Any, make_game: Any, system: str, cards: Cards, command: Command, most: int
) -> None:
    make = own_game if system == "own-game" else make_game

    assert await table(system, cards, command, make) <= most


def own_game(_system: str, **_cards: object) -> Game:
    """A game whose table has written that it counts points."""
    definition = {"title": "Points", "players": {"most": 4}, "numbers": [POINTS], "rules": []}
    system = find("own-game").of_table({"definition": definition})
    seats = {"seats": {seat: {} for seat in SEATS}}
    opening = system.opening(system, seats, {"definition": definition})
    return rows.create(system, opening, title="Points")


async def test_less_costs_what_more_costs(table: Any) -> None:
    """Counters that somebody takes off are no moment, as those that a rule takes off are."""
    fuel = {"thing": {"counters": {"fuel": 99}}}

    def given(do: str) -> dict[str, Any]:
        return {"do": do, "on": "thing", "counter": "fuel", "amount": 1}

    more = await table("any-game", fuel, lambda n: given("place"))
    less = await table("any-game", fuel, lambda n: given("remove"))

    assert less <= more + 5


async def test_one_call_more_is_counted(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = await table("any-game", things(3), tap)
    made: dict[str, Any] = {}
    exec(compile("def one_more(): pass", f"{OURS}/live/table.py", "exec"), made)
    take = Table.take

    def takes(*given: Any) -> None:
        made["one_more"]()
        take(*given)

    monkeypatch.setattr(Table, "take", takes)

    assert usual + 1 == await table("any-game", things(3), tap)


async def test_a_tap_on_a_full_table_costs_what_it_costs_on_an_empty_one(table: Any) -> None:
    few, many = [await table("any-game", things(count), tap) for count in (3, 300)]

    assert many <= few * 1.05


async def test_a_chain_of_six_events_makes_no_more_calls_than_it_did(table: Any) -> None:
    allies = {f"a{n}": {"types": ["ally"], "counters": {"debuff": 200}} for n in range(2)}
    both = {"do": "place", "on": [*allies], "counter": "buff", "amount": 1}

    assert await table("grand-archive", allies, lambda n: both) <= MOST_OF_SIX


async def test_a_new_card_makes_no_more_calls_than_it_did(table: Any) -> None:
    def new(n: int) -> dict[str, Any]:
        return {"do": "create", "as": f"new-{n}"}

    assert await table("any-game", things(3), new) <= MOST_OF_CARD


async def test_a_first_board_makes_no_more_calls_than_it_did(
    make_game: Any, sit: Any, connect: Connect
) -> None:
    """That of a table whose templates are known and whose cards nobody has seen yet."""
    counted = []
    for _game in range(2):
        game = await sync_to_async(make_game)(objects=things(12))
        ana = await sync_to_async(sit)(game, "ana")
        with Calls() as calls:
            await (await connect(game, ana)).frame()
        counted.append(calls.count)

    assert counted[-1] <= MOST_OF_BOARD


def calls_while_held(act: Callable[[], object]) -> int:
    """The calls of all functions, Django's too, while *act* keeps others from writing."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call" and connection.in_atomic_block

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


def test_a_new_game_and_a_new_token_hold_up_taps_for_few_calls(client: Client) -> None:
    """SQLite has one writer: what a page computes within its transaction, every tap waits for."""
    wanted = {"rules": "any-game", "seats": "4", "name": "Ana"}
    made = [calls_while_held(lambda: client.post("/new", wanted)) for _game in range(2)]
    used = calls_while_held(lambda: client.get("/"))

    assert Game.objects.filter(seats__given_name="Ana", seats__host=True).count() == 2
    assert 0 < made[-1] <= MOST_HELD
    assert 0 < used <= MOST_HELD
