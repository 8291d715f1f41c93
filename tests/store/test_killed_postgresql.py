"""PostgreSQL is killed during an evening: what was acknowledged is there, and counts once."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from countersite import environment
from tests.conftest import free_port
from tests.live.wire import frame
from tests.night import Night
from tests.soak import Phone

from .power import ALIAS, TAPS, commands, stored, until


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not found:
        pytest.skip("no PostgreSQL on this computer")
    made = Cluster(found[-1].parent, Path(tempfile.mkdtemp(prefix="cluster-")), free_port())
    yield made
    made.kill()
    shutil.rmtree(made.folder, ignore_errors=True)


class Cluster:
    """A PostgreSQL server of our own, which may be killed with all its processes."""

    def __init__(self, programs: Path, folder: Path, port: int) -> None:
        self.programs, self.folder, self.port = programs, folder, port
        # It refuses to run as root.
        self._as: dict[str, Any] = {"user": "postgres"} if os.getuid() == 0 else {}
        if self._as:
            shutil.chown(folder, "postgres")
        initialise = ["initdb", "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-N"]
        self._run(*initialise)
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, timeout=120, **self._as)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [
            str(self.programs / "postgres"), "-D", str(self.folder / "data"), "-p", str(self.port),
            "-c", f"unix_socket_directories={self.folder}", "-c", "listen_addresses=127.0.0.1",
        ]  # fmt: skip
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, **self._as)
        ready = [str(self.programs / "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port)]
        until = time.monotonic() + 60
        while subprocess.run(ready, capture_output=True).returncode:
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, (self.folder / "log").read_text()
            time.sleep(0.1)

    @contextlib.contextmanager
    def waiting_for_a_standby(self) -> Iterator[None]:
        """Commits, but answers no commit meanwhile."""
        self._wait_for("away")
        try:
            yield
        finally:
            self._wait_for("")

    def _wait_for(self, standby: str) -> None:
        import psycopg  # an extra: without it these tests are skipped, and this file is still read

        with psycopg.connect(self.url, autocommit=True) as session:
            session.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'")
            session.execute("SELECT pg_reload_conf()")
            while session.execute("SHOW synchronous_standby_names").fetchone() != (standby,):
                time.sleep(0.01)

    def kill(self) -> None:
        """Kill the server and every process that it started, as a power cut would."""
        if self.process.poll() is not None:
            return
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        self.process.kill()
        for child in map(int, children):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self.process.wait()
        while any(map(_alive, map(int, children))):
            time.sleep(0.02)


def _alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


@pytest.mark.postgres
def test_postgresql_is_killed_and_nothing_acknowledged_is_lost(
    cluster: Cluster, tmp_path: Path, port: int, django_db_blocker: Any, monkeypatch: Any
) -> None:
    """Its processes die at once; the operating system, and so what it was given, stays."""
    night = Night(tmp_path / "night", port, DATABASE_URL=cluster.url)
    try:
        ana, slug, call = _seated(night)
        said, acknowledged = list(commands("ana", False)), set[str]()
        for n, command in enumerate(said):
            call.send(frame(json.dumps(command).encode()))
            if n % 7 == 0:
                acknowledged |= until(call, command["id"], acknowledged)
            if n == TAPS // 2:
                cluster.kill()
                break
        call.close()
        cluster.start()
        again = _again(ana, slug)
        for command in said:
            again.send(frame(json.dumps(command).encode()))
        acknowledged |= until(again, said[-1]["id"], acknowledged)
        again.close()
    finally:
        night.kill()

    monkeypatch.setenv("CLUSTER", cluster.url)
    database = environment.database("CLUSTER", Path())
    del database["OPTIONS"]["pool"]
    monkeypatch.setitem(
        connections.databases, ALIAS, {**connections.databases["default"], **database}
    )
    with django_db_blocker.unblock():
        found = stored(slug)
    assert sorted(command["id"] for command in said) == sorted(found)


@pytest.mark.postgres
def test_a_postgresql_that_was_away_while_nobody_tapped_costs_no_tap_and_no_page(
    cluster: Cluster, tmp_path: Path, port: int
) -> None:
    night = Night(tmp_path / "night", port, DATABASE_URL=cluster.url)
    try:
        ana, slug, call = _seated(night)
        before, after, *_others = commands("ana", False)
        call.send(frame(json.dumps(before).encode()))
        acknowledged = until(call, before["id"], set())
        cluster.kill()
        cluster.start()

        assert slug in ana.get(f"/g/{slug}/")
        call.send(frame(json.dumps(after).encode()))
        assert {after["id"]} == until(call, after["id"], set()) - acknowledged
        call.close()
    finally:
        night.kill()


@pytest.mark.postgres
def test_a_tap_that_postgresql_commits_after_it_was_given_up_counts(
    cluster: Cluster, tmp_path: Path, port: int
) -> None:
    """A standby that must confirm each commit is away: it is done, but nobody says so."""
    night = Night(tmp_path / "night", port, DATABASE_URL=cluster.url)
    try:
        ana, slug, call = _seated(night)
        before, late, after, *_others = commands("ana", False)
        call.send(frame(json.dumps(before).encode()))
        acknowledged = until(call, before["id"], set())
        with cluster.waiting_for_a_standby():
            call.send(frame(json.dumps(late).encode()))
            acknowledged |= until(call, late["id"], acknowledged)
        call.send(frame(json.dumps(after).encode()))
        acknowledged |= until(call, after["id"], acknowledged)
        call.close()
        assert acknowledged == {each["id"] for each in (before, late, after)}
        assert '<b id="ana.points">3</b>' in ana.get(f"/g/{slug}/")
    finally:
        night.kill()


def _seated(night: Night) -> tuple[Phone, str, Any]:
    """Ana's phone at a new table of two, the table's slug, and her socket."""
    ana = Phone(night.site)
    slug = ana.post("/new", "/new", rules="any-game", seats="2", name="Ana").split("/")[2]
    return ana, slug, ana.call(slug)[0]


def _again(phone: Phone, slug: str) -> Any:
    """A socket to the table, once its server has its database back."""
    until = time.monotonic() + 60
    while True:
        try:
            return phone.call(slug)[0]
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.2)
