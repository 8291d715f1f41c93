"""The lock on all games: one server, restore or migration; the others name its holder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from games.live.table_registry import registry
from games.live.watch import watch
from games.store import demos as playable
from games.store import holder
from games.store.holder import FileLock, Locked, hold
from tests.night import ROOT, Night

BOTH = pytest.mark.django_db(databases="__all__", transaction=True)

HOLD = """
import sys, django
django.setup()
from games.store.holder import hold
with hold("manage.py table") as lock:
    lock.serving("http://192.168.1.20:8000")
    print("held", flush=True)
    sys.stdin.read()
"""


def database() -> str:
    return str(connections["default"].settings_dict["NAME"])


@pytest.fixture
def another(db: None) -> subprocess.Popen[str]:
    """Another process that serves the tests' games."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD],
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "countersite.settings",
            "DATABASE_URL": f"sqlite:///{database()}",
            "PYTHONPATH": str(ROOT),
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert "held\n" == process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("command", [("serve",), ("table",), ("restore", "b"), ("migrate",)])
def test_the_second_is_told_who_holds_the_games_and_where(
    another: subprocess.Popen[str], command: tuple[str, ...]
) -> None:
    who = rf"manage.py table \(process {another.pid}\).* at http://192\.168\.1\.20:8000\. "

    with pytest.raises(CommandError, match=who):
        call_command(*command)


def test_a_lock_ends_with_its_process_however_that_ends(another: subprocess.Popen[str]) -> None:
    another.kill()
    another.wait()

    with hold("manage.py serve") as lock:
        assert isinstance(lock, FileLock)


def test_a_migration_is_only_looked_at_beside_a_server(another: subprocess.Popen[str]) -> None:
    call_command("migrate", "--check", verbosity=0)


def test_a_process_that_holds_the_games_may_hold_them_again(db: None) -> None:
    with hold("manage.py table") as first, hold("manage.py migrate") as second:
        assert first is second

    with hold("manage.py restore") as third:
        assert third is not first


def test_nobody_is_named_once_a_lock_is_free(tmp_path: Path) -> None:
    lock = FileLock("manage.py table", tmp_path / "lock")

    assert all(0 == file.stat().st_mode & 0o077 for file in tmp_path.iterdir())
    lock.release()
    assert not (tmp_path / "lock.holder").exists()


@pytest.mark.postgres
@pytest.mark.django_db(databases=["default", "postgres"], transaction=True)
def test_in_postgresql_servers_share_the_games_and_a_restore_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = (
        holder.DatabaseLock(f"manage.py serve (process {n})", "postgres", shared=True)
        for n in (1, 2)
    )
    first.serving("http://127.0.0.1:8001")
    second.release()

    with pytest.raises(Locked, match=r"process 1\) at http://127\.0\.0\.1:8001\."):
        holder.DatabaseLock("manage.py restore", "postgres", shared=False)
    first.release()
    with hold("manage.py restore", "postgres"):
        pass


@pytest.mark.postgres
@pytest.mark.django_db(databases=["default", "postgres"], transaction=True)
def test_a_lock_that_was_let_go_is_free_before_its_session_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lock = holder.DatabaseLock("manage.py serve", "postgres", shared=True)
    with monkeypatch.context() as lingering:
        lingering.setattr(lock._connection, "close", lambda: None)
        lock.release()

    with hold("manage.py restore", "postgres"):
        pass
    lock.release()


KILL = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = %s"
"""Ends the sessions of that name, and waits until they have ended."""


@pytest.mark.postgres
@pytest.mark.django_db(databases=["default", "postgres"], transaction=True)
def test_a_lock_that_died_with_its_connection_is_taken_again() -> None:
    lock = holder.DatabaseLock("manage.py serve (process 1)", "postgres", shared=False)
    with connections["postgres"].cursor() as cursor:
        cursor.execute(KILL, [lock.holder])

    lock.renew()

    with pytest.raises(Locked, match=r"process 1"):
        holder.DatabaseLock("manage.py restore", "postgres", shared=False)
    with connections["postgres"].cursor() as cursor:
        cursor.execute(KILL, [lock.holder])
    with hold("manage.py restore", "postgres"), pytest.raises(Locked, match=r"restore"):
        lock.renew()
    lock.release()


async def test_a_server_whose_games_another_took_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    def taken() -> None:
        raise Locked("The games are held by manage.py restore.")

    sent: list[int] = []
    monkeypatch.setattr(holder, "renew", taken)
    monkeypatch.setattr(signal, "raise_signal", sent.append)
    try:
        await watch._hold_on()
    finally:
        registry.close()

    assert [signal.SIGTERM] == sent


def test_a_restore_under_a_running_server_is_refused_and_into_an_empty_folder_works(
    night: Callable[..., Night], port: int, tmp_path: Path
) -> None:
    running = night(port)
    running.get("/livez")
    file = tmp_path / "games.backup"

    assert (0, f"{len(playable.demos())} games in") == manage(running.folder, "backup", file)
    status, refused = manage(running.folder, "restore", file, "--force", all=True)
    assert 1 == status
    assert f"(process {running.process.pid}) at {running.site}." in refused
    said = f"{len(playable.demos())} games re"
    assert (0, said) == manage(tmp_path / "new", "restore", file)
    assert 0 == running.close()
    assert (0, f"{len(playable.demos())} games re") == manage(
        running.folder, "restore", file, "--force"
    )


def manage(folder: Path, *words: object, all: bool = False) -> tuple[int, str]:
    """Run `manage.py` on another data folder; its exit status and what it printed first, or all."""
    done = subprocess.run(
        [sys.executable, "manage.py", *map(str, words)],
        cwd=ROOT,
        env={"PATH": "", "COUNTERSITE_DATA": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout if all else done.stdout[:10]
