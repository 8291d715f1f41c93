"""PgBouncer between the server and PostgreSQL: session mode serves, transaction mode is refused."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections

from games.cluster.store import SharedStore
from games.store import holder, limits
from tests.conftest import PROGRAMS, REDIS
from tests.live.wire import Server, Wire, frame, tap
from tests.types import Make

from .processes import address, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True, databases="__all__"),
    pytest.mark.pooler,
]


@pytest.fixture
def pooled(tmp_path: Path, monkeypatch: Any) -> Iterator[Callable[[str], int]]:
    """Connect through PgBouncer from now on, with its defaults: `pooled("session")` is its port."""
    started: list[subprocess.Popen[bytes]] = []

    def start(mode: str) -> int:
        place = settings.DATABASES["postgres"]
        name = connections["postgres"].settings_dict["NAME"]
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        (tmp_path / "users.txt").write_text(f'"{place["USER"]}" "{place["PASSWORD"]}"\n')
        (tmp_path / "pgbouncer.ini").write_text(
            f"[databases]\n{name} = host={place['HOST']} port={place['PORT'] or 5432}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
            f"auth_type = trust\nauth_file = {tmp_path}/users.txt\npool_mode = {mode}\n"
        )
        tmp_path.chmod(0o755)  # it refuses to work as root
        for each in tmp_path.iterdir():
            each.chmod(0o644)
        program = shutil.which("pgbouncer", path=PROGRAMS)
        command = [str(program), "-q", "-u", "nobody", str(tmp_path / "pgbouncer.ini")]
        started.append(subprocess.Popen(command))
        wait_for(lambda: _listens(port))
        monkeypatch.setitem(connections.settings["postgres"], "HOST", "127.0.0.1")
        monkeypatch.setitem(connections.settings["postgres"], "PORT", str(port))
        return int(port)

    yield start
    for each in started:
        each.terminate()
        each.wait()


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def test_session_mode_serves_with_all_limits_and_locks(
    pooled: Any, make_game: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.store.postgresql.base.Connection.settings", limits.OF_SESSIONS)
    game = make_game(using="postgres")
    pooled("session")
    first, second = SharedStore("postgres"), SharedStore("postgres")
    lock = holder.DatabaseLock("a test", "postgres", shared=True)
    try:
        with first._cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            limited = cursor.fetchone()
        got = [first.own(game.pk), second.own(game.pk), first.own(game.pk)]
    finally:
        lock.release()
        first.close()
        second.close()

    assert ("15s",) == limited
    assert [True, False, True] == got


@pytest.mark.redis
def test_a_server_plays_through_session_mode(pooled: Any, make_game: Make) -> None:
    game = make_game(using="postgres", objects={"rocket": {"counters": {"fuel": 4}}})
    place = pooled("session")
    server = Server(DATABASE_URL=address("127.0.0.1", place), REDIS_URL=REDIS)
    try:
        wait_for(lambda: server.ready() == 200, 60)
        ana = Wire(server, game, "ana", 0, 0)
        ana.send(frame(tap(id="one")))
        ana.until(1)
        ana.close()
    finally:
        server.kill()
        with connections["postgres"].cursor() as cursor:  # what PgBouncer keeps open
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    assert ["one"] == list(game.entries.values_list("command_id", flat=True))


def test_transaction_mode_is_refused_in_a_sentence(pooled: Any) -> None:
    pooled("transaction")
    with pytest.raises(holder.Pooled, match="pool_mode = session"):
        holder.DatabaseLock("a test", "postgres", shared=True)


def test_an_operators_own_limit_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.store.postgresql.base.Connection.settings", limits.OF_SESSIONS)
    monkeypatch.setenv("PGOPTIONS", "-c statement_timeout=7s")
    own = connections.create_connection("postgres")
    with closing(own), own.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('statement_timeout'), current_setting('tcp_user_timeout')"
        )
        found = cursor.fetchone()

    assert "7s" == found[0]
