"""Retention and deletion of games."""

from __future__ import annotations

import re
import subprocess
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.live.removal import remove_overdue
from games.live.table_registry import registry
from games.models import Game, LastEntry
from games.pages import rematch
from games.store import retention, rows
from tests.live.wire import PATIENCE, Server
from tests.types import Make


def aged(game: Game, days: float, **also: Any) -> Game:
    changed = timezone.now() - timedelta(days=days)
    LastEntry.objects.filter(game=game).update(changed=changed)
    if also:
        Game.objects.filter(pk=game.pk).update(**also)
    game.refresh_from_db()
    return game


def overdue() -> set[int]:
    return {game.pk for evening in retention.overdue() for game in evening}


def test_games_are_kept_for_ever_unless_someone_says_otherwise(game: Game) -> None:
    aged(game, 4000)

    assert set() == overdue()


def test_the_sites_days_are_the_most_and_a_host_may_choose_fewer(
    make_game: Make, settings: Any
) -> None:
    settings.KEEP_DAYS = 90
    late, early = aged(make_game(), 91), aged(make_game(), 89)
    chosen, longer = aged(make_game(), 8, keep_days=7), aged(make_game(), 91, keep_days=365)
    aged(make_game(), 6, keep_days=7)

    assert {late.pk, chosen.pk, longer.pk} == overdue()
    assert early.pk not in overdue()


def test_an_evening_goes_as_a_whole_after_its_last_tap(game: Game, settings: Any) -> None:
    settings.KEEP_DAYS = 30
    anew = rematch.begin(game)
    aged(game, 40)
    aged(anew, 20)
    assert set() == overdue()

    aged(anew, 31)
    assert {game.pk, anew.pk} == overdue()


@pytest.mark.django_db(transaction=True)
def test_an_overdue_game_goes_with_all_its_rows(game: Game, ana: Client) -> None:
    rows.give(game, [{"do": "place", "on": "ana", "counter": "points", "amount": 1}])
    aged(game, 31, keep_days=30)

    async_to_sync(remove_overdue)(registry)
    registry.close()

    kept = [model.__name__ for model in apps.get_app_config("games").get_models()
            if model._base_manager.exists()]  # fmt: skip
    assert [] == kept


@pytest.mark.django_db(transaction=True)
def test_nothing_of_a_deleted_game_stays_in_sqlites_file(game: Game, ana: Client) -> None:
    secret = "Xyzzy the unforgettable"
    Game.objects.update(title=secret)
    file = Path(str(connection.settings_dict["NAME"]))

    def in_file() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        # Not read here: a process that closes the file loses the locks that SQLite has on it.
        return 0 == subprocess.run(["grep", "-qaF", secret, file], check=False).returncode

    assert in_file()
    ana.post(f"/g/{game.slug}/delete")
    registry.close()

    assert not Game.objects.exists()
    assert not in_file()


@pytest.mark.parametrize(("site", "offered"), [(0, [7, 30, 365]), (30, [7]), (3, [])])
def test_only_what_makes_a_difference_is_offered(
    game: Game, ana: Client, settings: Any, site: int, offered: list[int]
) -> None:
    settings.KEEP_DAYS = site

    page = ana.get(f"/g/{game.slug}/keep").content.decode()

    assert offered == [*map(int, re.findall(r'<option value="(\d+)"', page))]
    assert bool(offered) == ("keep-days" in page)
    assert bool(site) == (f"deletes an evening {site} days" in page)


def test_the_host_chooses_and_a_rematch_keeps_the_choice(
    game: Game, ana: Client, ben: Client
) -> None:
    assert "How long this evening is kept" in ana.get(f"/g/{game.slug}/keep").content.decode()
    assert "How long this" not in ben.get(f"/g/{game.slug}/keep").content.decode()

    assert 302 == ana.post(f"/g/{game.slug}/keep-days", {"days": "30"}).status_code
    assert 422 == ana.post(f"/g/{game.slug}/keep-days", {"days": "5000"}).status_code
    assert "deleted 30 days after" in ana.get(f"/g/{game.slug}/keep").content.decode()

    assert 30 == rematch.begin(Game.objects.get(pk=game.pk)).keep_days
    assert 302 == ana.post(f"/g/{game.slug}/keep-days", {"days": ""}).status_code
    assert {None} == {*Game.objects.values_list("keep_days", flat=True)}


SWEEPS = "import django; django.setup(); from games.live import watch; watch.SWEEP = 0.1; "


@pytest.mark.django_db(transaction=True)
def test_a_server_deletes_what_is_overdue_before_anyone_comes(make_game: Make) -> None:
    late, kept = aged(make_game(), 8, keep_days=7), make_game()

    server = Server(SWEEPS)
    end = time.monotonic() + PATIENCE
    while Game.objects.filter(pk=late.pk).exists() and time.monotonic() < end:
        time.sleep(0.05)
    server.kill()

    assert [kept] == [*Game.objects.all()]
