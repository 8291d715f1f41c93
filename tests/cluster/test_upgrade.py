"""A rolling upgrade: the next version takes over, process by process, and nobody stops playing.

The next version is made from this one: its games have a column more. What it removes would come in
the version after that.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections

from games.models import Game
from games.store import schema
from tests.house import ROOT
from tests.types import Make

from .processes import Cluster, Phone, address, settled, tapping, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.sweep,
    pytest.mark.django_db(transaction=True, databases="__all__"),
]
COLUMN = 'note_of_next = models.TextField(default="", db_default="")'
MIGRATION = f"""
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "LAST")]
    operations = [
        migrations.AddField("game", "note_of_next", {COLUMN.partition(" = ")[2]}),
    ]
"""
NAME = "9990_note_of_next_online"


@pytest.fixture(scope="module")
def next_version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a copy of this version with one more column, and its migration."""
    folder = tmp_path_factory.mktemp("next")
    for name in ("games", "countersite"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("templates", "static", "locale", "manage.py"):
        (folder / name).symlink_to(ROOT / name)
    model = folder / "games" / "models" / "game.py"
    text = model.read_text(encoding="utf-8")
    before = "    parts = models."
    assert 1 == text.count(before)
    model.write_text(text.replace(before, f"    {COLUMN}\n{before}"), encoding="utf-8")
    (last,) = sorted((ROOT / "games" / "migrations").glob("0*.py"))[-1:]
    written = folder / "games" / "migrations" / f"{NAME}.py"
    written.write_text(MIGRATION.replace("LAST", last.stem), encoding="utf-8")
    return folder


@pytest.fixture
def migrate(next_version: Path, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """The next version's `migrate`, and what it says; what it added is removed at the end."""

    def run(*arguments: str, redis: str = "redis://127.0.0.1/0") -> str:
        done = subprocess.run(
            [sys.executable, "-c", MANAGE, "migrate", *arguments],
            cwd=next_version,
            env={
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "countersite.settings",
                "COUNTERSITE_SECRET_KEY": settings.SECRET_KEY,
                "COUNTERSITE_DATA": str(tmp_path),
                "DATABASE_URL": address(),
                "REDIS_URL": redis,
            },
            check=False,
            capture_output=True,
            text=True,
        )
        return done.stdout + done.stderr

    yield run
    run("games", schema.latest("postgres"), redis="")
    assert NAME not in applied()


MANAGE = "import sys; from countersite.__main__ import main; main()"


def applied() -> set[str]:
    with connections["postgres"].cursor() as cursor:
        cursor.execute("SELECT name FROM django_migrations WHERE app = 'games'")
        return {name for (name,) in cursor.fetchall()}


@pytest.fixture
def cluster(tmp_path: Path, migrate: object) -> Iterator[Cluster]:
    """Its servers stop before the column goes."""
    servers = Cluster(tmp_path)
    yield servers
    servers.close()


def test_the_next_version_takes_over_while_everyone_plays(
    cluster: Cluster, make_game: Make, next_version: Any, migrate: Any
) -> None:
    servers = cluster.mend()
    rocket = {"rocket": {"counters": {"fuel": 4}}}
    game: Game = make_game(using="postgres", objects=rocket)
    phones = [
        Phone(game, seat, cycle(servers[n:] + servers[:n]).__next__)
        for n, seat in enumerate(("ana", "ben", "cleo"))
    ]
    with tapping(*phones, pause=0.2):
        wait_for(lambda: all(len(each.acknowledged) > 3 for each in phones))
        printed = migrate()
        added = applied()
        # One of this version's fails meanwhile, and starts again.
        servers[0].kill()
        servers[0].start(wait=False)
        servers[0].wait()
        wait_for(lambda: servers[0].ready() == 200, 180)
        for server in servers:
            server.process.terminate()
            assert 0 == server.process.wait(60)
            server.before = f"import os, sys; os.chdir({str(next_version)!r}); "
            server.start(wait=False)
            server.wait()
            wait_for(lambda server=server: server.ready() == 200, 180)
        counted = [len(each.acknowledged) for each in phones]
        for each, before in zip(phones, counted, strict=True):
            wait_for(lambda each=each, before=before: len(each.acknowledged) > before + 3)
    settled(game, *phones)
    for each in phones:
        each.close()

    assert NAME in printed, printed
    assert NAME in added
    assert {4512} >= {code for each in phones for code in each.codes}
