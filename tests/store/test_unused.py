"""Unused games are deleted; all others are kept."""

from __future__ import annotations

from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from games.live.removal import remove_unused
from games.live.table import Table
from games.live.table_registry import registry
from games.models import Game, LastEntry, Setup, Visitor
from games.store import rows, unused
from tests.types import Make


def aged(game: Game, days: int) -> None:
    LastEntry.objects.filter(game=game).update(changed=timezone.now() - timedelta(days=days))


def test_a_game_that_no_one_used_for_a_month_is_found(make_game: Make) -> None:
    old, new = make_game(), make_game()
    old.admit("maker", Visitor.Role.HOST)
    aged(old, 31)
    aged(new, 29)

    assert [old] == unused.found()


def test_a_used_game_is_kept(make_game: Make) -> None:
    tapped, visited, saved, first, again = (make_game() for _n in range(5))
    rows.give(tapped, [{"do": "place", "on": "ana", "counter": "points", "amount": 1}])
    for phone in ("ana", "ben"):
        visited.admit(phone, Visitor.Role.GUEST)
    Setup.objects.create(game=saved, system="any-game", edition="1", given={})
    first.followed_by = again
    first.save()
    for game in (tapped, visited, saved, first, again):
        aged(game, 400)

    assert [] == unused.found()


@pytest.mark.django_db(transaction=True)
def test_a_server_clears_them_away_but_not_what_someone_has_open(
    make_game: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, opened, looked_at = (make_game() for _n in range(3))
    for game in (old, opened, looked_at):
        aged(game, 31)
    looked_at.seats.filter(key="ana").update(seen=timezone.now())
    monkeypatch.setattr(Table, "idle", False)  # of the open one: somebody is there

    async def look() -> None:
        await registry.table(opened.slug)
        await remove_unused(registry)

    async_to_sync(look)()
    registry.close()

    assert {opened, looked_at} == set(Game.objects.all())


def test_a_game_tapped_after_it_was_found_unused_is_kept(make_game: Make) -> None:
    game = make_game()
    aged(game, 31)
    (found,) = unused.found()
    rows.give(game, [{"do": "place", "on": "ana", "counter": "points", "amount": 1}])

    assert unused.delete(found) is False
    assert Game.objects.filter(pk=game.pk).exists()
