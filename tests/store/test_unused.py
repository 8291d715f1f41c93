"""What no one ever used is cleared away; anything else is kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from games.models import Game, LastEntry, Setup, Visitor
from games.store import rows, unused


def aged(game: Game, days: int) -> None:
    LastEntry.objects.filter(game=game).update(changed=timezone.now() - timedelta(days=days))


def test_a_game_that_no_one_used_for_a_month_is_cleared_away(
    make_game: Callable[..., Game],
) -> None:
    old, new = make_game(), make_game()
    old.admit("maker", Visitor.Role.HOST)
    aged(old, 31)
    aged(new, 29)

    assert 1 == unused.clear()
    assert [new] == list(Game.objects.all())


def test_whatever_was_used_is_kept(make_game: Callable[..., Game]) -> None:
    tapped, visited, saved, first, again = (make_game() for _n in range(5))
    rows.give(tapped, [{"do": "place", "on": "ana", "counter": "points", "amount": 1}])
    for phone in ("ana", "ben"):
        visited.admit(phone, Visitor.Role.GUEST)
    Setup.objects.create(game=saved, system="any-game", edition="1", given={})
    first.followed_by = again
    first.save()
    for game in (tapped, visited, saved, first, again):
        aged(game, 400)

    assert 0 == unused.clear()
    assert 5 == Game.objects.count()
