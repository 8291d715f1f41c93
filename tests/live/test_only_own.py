"""A table at which each seat changes only its own: for another's it asks, and is allowed or not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.live.table_registry import registry
from games.models import Game
from games.rules.state import Refused
from games.store import rows
from tests.types import Connect, Json, Make, Sit

pytestmark = pytest.mark.django_db(transaction=True)

HIT = {"do": "place", "on": "bear", "counter": "damage", "amount": 2}


@pytest.fixture
def game(make_game: Make) -> Game:
    bear = {"name": "Bear", "owner": "ana", "types": ["creature"]}
    game = make_game("magic", objects={"bear": bear})
    game.only_own = True
    game.save()
    return game


@sync_to_async
def damage(game: Game) -> int:
    return rows.state(Game.objects.get(pk=game.pk)).count("bear", "damage")


@sync_to_async
def answers(who: Client, game: Game, ask: str, let: str) -> int:
    return who.post(f"/g/{game.slug}/asks/{ask}", {"let": let}).status_code


@sync_to_async
def waiting(game: Game) -> list[Any]:
    game.refresh_from_db(fields=["asks"])
    return game.asks


async def asked(phone: Any) -> str:
    """The id of what that phone is asked; it is told in words."""
    while "asks you" not in (text := await phone.text()):
        pass
    assert "<strong>Ben</strong> asks you: 2 damage on Bear, 0 → 2" in text
    return re.findall(r'formaction="?asks/(\w+)', text)[0]


async def test_what_is_another_s_waits_for_that_seat_s_yes(
    connect: Connect, game: Game, ana: Client, ben: Client, sit: Sit
) -> None:
    cleo = await sync_to_async(sit)(game, "cleo")
    hers, his = await connect(game, ana), await connect(game, ben)
    await his.say(**HIT, id="k1")
    ask = await asked(hers)

    assert 0 == await damage(game)
    assert 403 == await answers(cleo, game, ask, "in"), "she was not asked"
    assert 403 == await answers(ben, game, ask, "in"), "he asked"
    assert 302 == await answers(ana, game, ask, "in")
    assert 2 == await damage(game)
    assert [] == await waiting(game)
    assert 302 == await answers(ana, game, ask, "in"), "it was answered"
    assert 2 == await damage(game)
    with pytest.raises(Refused, match="only their own"):
        await registry.give(game.slug, {"do": "undo"}, "ana")
    await registry.give(game.slug, {"do": "undo"}, "ben")
    assert 0 == await damage(game)


async def test_who_attacked_takes_it_back_with_the_answers_to_it(
    game: Game, ana: Client, ben: Client
) -> None:
    wall = {"do": "create", "as": "wall", "name": "Wall", "owner": "ben", "types": ["creature"]}
    attack = {"do": "combat", "attacks": {"bear": "ben"}, "asks": True}
    given: list[Json] = [{**wall, "by": "ben"}, {**attack, "by": "ana"}]
    attacked = (await sync_to_async(rows.give)(game, given)).number
    answer = {"do": "answer", "prompt": "blocks:ben", "blocks": {}}
    await registry.give(game.slug, answer, "ben")
    numbers = [attacked, attacked + 1]

    with pytest.raises(Refused, match="only their own"):
        await registry.give(game.slug, {"do": "undo", "entries": numbers[1:]}, "ana")
    await registry.give(game.slug, {"do": "undo", "entries": numbers}, "ana")

    bear = (await sync_to_async(rows.state)(game)).objects["bear"]
    assert not getattr(bear, "tapped")  # noqa: B009, a card of Magic


async def test_a_no_changes_nothing_and_who_asked_may_take_it_back(
    connect: Connect, game: Game, ana: Client, ben: Client
) -> None:
    hers, his = await connect(game, ana), await connect(game, ben)
    for who in (ana, ben):
        await his.say(**HIT)
        assert 302 == await answers(who, game, await asked(hers), "no")
        assert [] == await waiting(game)
    assert 0 == await damage(game)


async def test_one_s_own_and_what_nobody_sits_at_needs_no_yes(
    game: Game, ana: Client, ben: Client
) -> None:
    await registry.give(game.slug, HIT, "ana")
    await registry.give(game.slug, {"do": "begin-turn", "active": ["ana"]}, "ben")
    await registry.give(game.slug, {"do": "lose-life", "seat": "cleo", "amount": 1}, "ben")
    assert 2 == await damage(game)
    for wrong in ("lose-life", "fly"):
        with pytest.raises(Refused) as refused:
            await registry.give(game.slug, {"do": wrong, "seat": "nobody", "amount": 1}, "ben")
        assert "asked" != refused.value.code
    assert [] == await waiting(game)


@pytest.mark.parametrize(
    "raw",
    [
        {**HIT, "allowed": "x"},
        {**HIT, "allowed": None},
        {"do": "together", "steps": [{"do": "lose-life", "seat": "ben", "amount": 1}, HIT]},
        {"do": "lose-life", "seat": "ana", "amount": 1},
        {"do": "move", "object": "bear", "to": "graveyard"},
    ],
)
async def test_nobody_allows_themselves(
    game: Game, ana: Client, ben: Client, raw: dict[str, Any]
) -> None:
    with pytest.raises(Refused, match="is asked first"):
        await registry.give(game.slug, raw, "ben")
    assert 0 == await damage(game)
