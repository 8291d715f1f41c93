"""A running table: what its screens see, in which order, and that a command counts once."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.test import Client

from games.live import shown_game, table, table_registry
from games.live.connection import MOST_WAITING, AsgiConnection, Frame
from games.live.table_registry import NoSuchGame, registry
from games.live.watch import watch
from games.models import Game
from games.rules.state import Refused
from games.screens.fragments import Audience
from games.store import rows
from tests.types import Connect, Make

from .conftest import Phone, amounts, check

pytestmark = pytest.mark.django_db(transaction=True)

PLACE = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1}


async def test_a_tap_is_on_every_screen_and_acknowledges_its_id(
    game: Game, hers: Phone, his: Phone
) -> None:
    await hers.place(2, id="tap-1")
    seen = [await hers.frame(), await his.frame()]

    assert [(1, ["tap-1"])] * 2 == [frame[:2] for frame in seen]
    assert seen[0][2] == seen[1][2]
    assert {"rocket.fuel": 6} == amounts(seen[0][2])
    await check(game)


async def test_a_moment_for_one_seat_goes_to_its_phones_alone(
    connect: Connect, game: Game, ana: Client, ben: Client
) -> None:
    """That a card was changed by somebody is told its player, also after a moment away."""
    hers, his = await connect(game, ana, since=0), await connect(game, ben, since=0)
    flat = await connect(game, ana, query="from=0&seat=ana&flat")
    phones = (hers, his, flat)
    for phone in phones:
        await phone.frame()
    await his.place(id="tap")
    texts = [(await phone.frame())[2] for phone in phones]
    again = await connect(game, ana, since=0)

    assert [True, False, False] == ["data-moment" in text for text in texts]
    assert [True] * 3 == ['data-hit="ana:ben"' in text for text in texts]
    assert len(texts[1]) < len(texts[0]) - 350
    assert texts[0] == (await again.frame())[2]


async def test_a_refusal_is_told_to_its_sender_alone_with_the_reason(
    hers: Phone, his: Phone
) -> None:
    await hers.say(do="spend", on="rocket", counter="fuel", amount=9, id="too-much")
    refused = await hers.refused()

    assert ("too-much", "not-enough") == (refused["id"], refused["code"])
    assert refused["message"]
    assert await his.communicator.receive_nothing()


async def test_the_same_id_counts_once_and_is_acknowledged_again(
    game: Game, hers: Phone, his: Phone
) -> None:
    await hers.place(id="tap")
    await hers.frame(), await his.frame()
    await hers.place(id="tap")
    await his.place(id="tap")

    assert (1, ["tap"]) == (await hers.frame())[:2]
    assert (1, ["tap"]) == (await his.frame())[:2]
    await check(game)


async def test_the_same_id_counts_once_after_the_table_was_closed(
    connect: Connect, game: Game, ana: Client, hers: Phone
) -> None:
    await hers.place(id="tap")
    await hers.frame()
    await hers.disconnect()
    registry.tables.clear()
    again = await connect(game, ana, since=1)
    await again.frame()
    await again.place(id="tap")

    assert (1, ["tap"]) == (await again.frame())[:2]
    assert 1 == await registry.read(game.entries.count)


@pytest.mark.parametrize("ends", ["", "@0", "@1", "@2", "@99"])
async def test_commands_keep_their_order_while_an_id_is_looked_up(game: Game, ends: Any) -> None:
    """A table that was just opened has no ids in memory; it reads those it needs in a thread."""
    first = {**PLACE, "by": "ana", "id": f"tap{ends}"}
    await registry.read(lambda: rows.give(game, [{**PLACE, "by": "ana"}, first]))
    table: Any = await registry.table(game.slug)
    given = [(f"new{ends}", 3), (f"tap{ends}", 9), (f"last{ends}", 5)]
    if ends == "@2":
        del given[1]  # no phone makes that of the second entry

    outcomes = await asyncio.gather(
        *[table.give({**PLACE, "id": each, "amount": amount}, "ben") for each, amount in given]
    )

    amounts_given = [each.entry.command["amount"] for each in outcomes if each.entry]
    assert ([3, 5], 4) == (amounts_given, table.number)
    await check(game)


async def test_http_and_the_socket_reach_the_same_table(game: Game, hers: Phone) -> None:
    given = await registry.give(game.slug, {**PLACE, "id": "posted"}, "ben")
    again = await registry.give(game.slug, {**PLACE, "id": "posted"}, "ben")

    assert (1, "ben") == (given.entry.number, given.entry.by)
    assert again.entry is None
    assert (1, ["posted"]) == (await hers.frame())[:2]
    with pytest.raises(Refused, match="not-enough"):
        await registry.give(game.slug, {**PLACE, "do": "spend", "amount": 99}, "ben")


def test_a_view_gives_a_command_from_its_thread(game: Game) -> None:
    given = table_registry.give(game.slug, PLACE, "ana")

    game.refresh_from_db()
    assert (1, 1) == (given.entry.number, game.number)


async def test_a_plus_soon_after_a_death_brings_the_player_back_and_a_late_one_is_refused(
    make_game: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = {"ana": {}, "ben": {}, "cleo": {}}
    game = await sync_to_async(make_game)("magic", seats=seats)
    minus = {"do": "lose-life", "seat": "ana"}
    plus = {"do": "gain-life", "seat": "ana", "amount": 1}
    await registry.give(game.slug, {**minus, "amount": 20}, "ana")

    back = await registry.give(game.slug, plus, "ben")
    assert not back.after.seats["ana"].lost
    await registry.give(game.slug, {**minus, "amount": 1}, "ana")
    monkeypatch.setattr(table, "COMES_BACK", 0)
    with pytest.raises(Refused, match="gone"):
        await registry.give(game.slug, plus, "ana")


async def test_a_game_that_is_not_there_has_no_table() -> None:
    with pytest.raises(NoSuchGame):
        await registry.table("nosuchgame00")


async def test_a_screen_that_missed_nothing_gets_the_number_and_what_has_none(
    connect: Connect, game: Game, ana: Client
) -> None:
    await registry.give(game.slug, PLACE, "ana")
    phone = await connect(game, ana, since=1)

    _number, _ids, text = await phone.frame()
    assert text.startswith('<aside id="sidebar"')
    assert '</aside><data id="seq" data-seq="1"' in text


async def test_a_screen_that_missed_little_gets_just_that(
    connect: Connect, game: Game, ben: Client, hers: Phone, his: Phone
) -> None:
    await his.disconnect()
    for tap in range(3):
        await registry.give(game.slug, PLACE, "ana")
        await hers.until(tap + 1)
    back = await connect(game, ben, since=1)
    frames = [await back.frame(), await back.frame()]

    assert [2, 3] == [number for number, _ids, _text in frames]
    assert [{"rocket.fuel": 6}, {"rocket.fuel": 7}] == [amounts(text) for *_, text in frames]


GAPS = [None, 0, 1, 99]


@pytest.mark.parametrize("since", GAPS)
async def test_a_screen_that_missed_much_gets_the_board(
    connect: Connect, game: Game, ana: Client, since: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown_game, "RECENT", 2)
    stays = await connect(game, ana, since=0)
    await stays.frame()
    for _tap in range(4):
        await registry.give(game.slug, PLACE, "ana")
        await stays.frame()
    phone = await connect(game, ana, since=since)

    number, _ids, text = await phone.frame()
    assert (4, True) == (number, 'id="board"' in text)
    assert 8 == amounts(text)["rocket.fuel"]


async def test_taps_of_one_turn_of_the_loop_are_one_frame(game: Game, hers: Phone) -> None:
    table: Any = await registry.table(game.slug)
    answers = [table.give({**PLACE, "id": f"tap-{n}"}, "ana") for n in range(5)]
    await asyncio.gather(*answers)

    number, ids, text = await hers.frame()
    assert (5, [f"tap-{n}" for n in range(5)]) == (number, ids)
    assert {"rocket.fuel": 9} == amounts(text)
    assert 1 == text.count("rocket.fuel")
    await check(game)


def test_several_commands_are_one_change_with_all_that_happened(game: Game) -> None:
    history = rows.history(game)
    given = [history.give({**PLACE, "on": on, "by": "ana"}) for on in ("rocket", "ben")]
    whole = shown_game.merged(given)

    assert (given[0].before, given[1].after) == (whole.before, whole.after)
    assert {"rocket", "ben"} == whole.touched
    assert ["rocket", "ben"] == [event["on"] for event in whole.entry.events]


async def test_many_phones_tapping_at_once_make_the_sum_of_their_taps(
    connect: Connect, game: Game, ana: Client, ben: Client, cleo: Client
) -> None:
    rng = random.Random(7)
    phones = [await connect(game, each, since=0) for each in (ana, ben, cleo)]
    for phone in phones:
        await phone.frame()
    taps = [[rng.randint(1, 9) for _tap in range(30)] for _phone in phones]

    async def tapping(phone: Any, amounts_placed: Any, name: str) -> None:
        for n, amount in enumerate(amounts_placed):
            await phone.place(amount, id=f"{name}-{n}")
            if rng.random() < 0.3:
                await phone.place(amount, id=f"{name}-{n}")
            await asyncio.sleep(0)

    each = zip(phones, taps, ("ana", "ben", "cleo"), strict=True)
    await asyncio.gather(*[tapping(*one) for one in each])
    total = 4 + sum(map(sum, taps))

    for phone in phones:
        assert total == amounts(await phone.until(90))["rocket.fuel"]
    await check(game)


async def test_commands_after_an_undo_wait_for_it(game: Game, ben: Client, hers: Phone) -> None:
    table: Any = await registry.table(game.slug)
    await table.give({**PLACE, "amount": 5}, "ana")
    taken_back, tapped, back_again = await asyncio.gather(
        table.give({"do": "undo"}, "ana"),
        table.give({**PLACE, "amount": 2}, "ben"),
        table.give({"do": "redo"}, "ben"),
    )

    assert [2, 3, 4] == [each.entry.number for each in (taken_back, tapped, back_again)]
    assert 11 == amounts(await hers.until(4))["rocket.fuel"]
    await check(game)


async def test_an_undo_of_a_long_game_does_not_stop_other_tables(game: Game, other: Any) -> None:
    def play() -> None:
        rows.give(game, [PLACE] * 3000)

    await registry.read(play)
    long, short = await registry.table(game.slug), await registry.table(other.slug)
    began = asyncio.get_running_loop().time()
    undo = asyncio.ensure_future(long.give({"do": "undo", "entry": 1}, "ana"))
    taps = 0
    while not undo.done():
        await short.give(PLACE, "ana")
        taps += 1

    assert (await undo).undone == (1,)
    assert taps > 3, f"{taps} taps in {asyncio.get_running_loop().time() - began:.3f} s"
    await check(game)


@pytest.fixture
def other(make_game: Make) -> Any:
    return make_game(objects={"rocket": {"counters": {"fuel": 4}}})


async def test_a_change_that_is_not_a_command_redraws_every_board(
    game: Game, hers: Phone, his: Phone
) -> None:
    await registry.read(lambda: game.seats.filter(key="ben").update(given_name="Benedikt"))
    await registry.refresh(game.slug)

    for phone in (hers, his):
        assert "Benedikt" in (await phone.frame())[2]


async def test_a_phone_sent_away_is_disconnected_on_all_its_screens(
    connect: Connect, game: Game, ana: Client, ben: Client
) -> None:
    from games.models.tokens import hashed

    stays, goes = await connect(game, ana, since=0), await connect(game, ben, since=0)
    await stays.frame(), await goes.frame()
    await registry.disconnect(game.slug, 4409, "sent away", hashed(ben.cookies["device"].value))
    await registry.give(game.slug, PLACE, "ana")

    assert 4409 == await goes.closed()
    assert 1 == (await stays.frame())[0]


async def test_presence_is_noted_as_a_lease(game: Game, hers: Phone) -> None:
    assert {"ana"} == await registry.present(game.slug)
    watch.sweep()
    await asyncio.gather(*registry._under_way)

    seen = dict(await registry.read(lambda: list(game.seats.values_list("key", "seen"))))
    assert [False, True, True] == [seen[key] is None for key in ("ana", "ben", "cleo")]


async def test_a_table_without_screens_is_closed_after_a_while(
    game: Game, monkeypatch: pytest.MonkeyPatch, hers: Phone
) -> None:
    monkeypatch.setattr(table_registry, "IDLE", 0.0)
    watch.sweep()
    kept = set(registry.tables)
    await hers.disconnect()
    watch.sweep()

    assert ({game.slug}, set()) == (kept, set(registry.tables))


class SlowPhone:
    """An ASGI `send` whose phone does not read until told to."""

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.got: list[str] = []

    async def __call__(self, message: dict[str, object]) -> None:
        await self.reads.wait()
        self.got.append(str(message.get("text")))


async def test_a_phone_that_does_not_read_is_dropped_to_one_board(game: Game) -> None:
    phone = SlowPhone()
    line = AsgiConnection(phone)
    line.seat = "ana"
    table: Any = await registry.table(game.slug)
    line.audience = Audience(None, "en")
    table.join(line, 0)
    for _frame in range(40):
        await table.give({**PLACE, "note": "x" * 400}, "ben")
        line.send(Frame("x" * 8000))
        assert line._size <= MOST_WAITING + 8000
    phone.reads.set()
    await asyncio.wait([line._writer])

    assert len(phone.got) < 12
    assert 'id="board"' in phone.got[-1]
    assert 'data-seq="40"' in phone.got[-1]
    assert not line.behind


def test_two_loops_one_after_another_have_tables_of_their_own(game: Game) -> None:
    first = async_to_sync(registry.table)(game.slug)
    second = async_to_sync(registry.table)(game.slug)

    assert first is not second


async def test_a_second_loop_may_not_take_the_tables_of_one_that_runs(game: Game) -> None:
    await registry.table(game.slug)

    with pytest.raises(RuntimeError, match="another event loop"):
        await asyncio.to_thread(asyncio.run, registry.table(game.slug))


async def test_a_late_guest_keeps_the_name_while_the_screens_are_drawn_anew(
    make_game: Make,
) -> None:
    """A look of the watch may come before the seat is added, and before its row has its name."""
    game = await sync_to_async(make_game)("magic")
    running: Any = await registry.table(game.slug)

    async def seen() -> tuple[str, int] | None:
        await registry.refresh(game.slug)
        eli = running.drawing.seats.get("eli")
        return eli and (eli.name, eli.colour)

    await registry.expect(game.slug, "eli", "ana", "Eli", 7, 7)
    expected = await seen()
    await registry.give(game.slug, {"do": "add-seat", "as": "eli", "after": "ana"}, "ana")
    added = await seen()
    row = game.seats.filter(key="eli")
    await row.aupdate(given_name="Elias", chosen_colour=8)

    assert [("Eli", 7)] * 2 == [expected, added]
    assert ("Elias", 8) == await seen()


async def test_a_guest_who_was_expected_and_never_came_leaves_no_seat(
    make_game: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sync_to_async(make_game)("magic")
    running: Any = await registry.table(game.slug)
    monkeypatch.setattr(table, "EXPECTED", 0.0)
    await registry.expect(game.slug, "eli", "ana", "Eli", 7, 7)
    await registry.refresh(game.slug)

    assert {*running.state.seats} == {*running.drawing.seats}
