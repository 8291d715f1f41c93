"""The shipped files for nginx and Caddy, in front of three processes that are killed or hang."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from games.models import Game
from tests.conftest import PROGRAMS

from .cluster import Cluster, Gate, Phone, settled, tapping, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.proxies,
    pytest.mark.django_db(transaction=True, databases="__all__"),
]
DEPLOY = Path(__file__).parents[2] / "deploy"
KILLED, HUNG, MARGIN = 3.0, 5.0, 4.0
"""Seconds of silence that a process may cost that is killed, or hangs; more for a busy machine."""


def replaced(text: str, **changes: str) -> str:
    """*text* with each of *changes* made, which must all apply."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def nginx(folder: Path, port: int, cluster: Cluster) -> list[str]:
    """The shipped file without TLS, before these servers."""
    processes = "\n".join(f"server 127.0.0.1:{each.port} max_fails=0;" for each in cluster.servers)
    site = replaced(
        (DEPLOY / "nginx.conf").read_text(),
        **{
            "server 127.0.0.1:8000 max_fails=0;": processes,
            "listen 443 ssl;": f"listen 127.0.0.1:{port};",
            "listen [::]:443 ssl;": "",
            "ssl_certificate     /etc/letsencrypt/live/table.example.org/fullchain.pem;": "",
            "ssl_certificate_key /etc/letsencrypt/live/table.example.org/privkey.pem;": "",
            "/etc/nginx/countersite-proxy.conf": str(DEPLOY / "countersite-proxy.conf"),
        },
    )
    temporary = "client_body proxy fastcgi uwsgi scgi".split()
    paths = "\n".join(f"{each}_temp_path {folder};" for each in temporary)
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(
        f"daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.txt;\n"
        f"events {{}}\nhttp {{ access_log off; {paths}\ninclude {folder}/site.conf; }}\n"
    )
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, cluster: Cluster) -> list[str]:
    """The shipped file without TLS, before these servers."""
    site = replaced(
        (DEPLOY / "Caddyfile").read_text(),
        **{
            "table.example.org {": f"http://127.0.0.1:{port} {{",
            "127.0.0.1:8000": " ".join(f"127.0.0.1:{each.port}" for each in cluster.servers),
        },
    )
    (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + site)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "Caddy"])
def gate(request: Any, tmp_path: Path, cluster: Cluster) -> Iterator[Gate]:
    """The door that all phones take."""
    cluster.mend()
    place = Gate()
    command = request.param(tmp_path, place.port, cluster)
    tmp_path.chmod(0o755)  # nginx, started by root, works as another user
    variables = {"PATH": PROGRAMS, "HOME": str(tmp_path)}
    out = (tmp_path / "proxy.txt").open("w")
    with out, subprocess.Popen(command, env=variables, stdout=out, stderr=out) as process:
        try:
            wait_for(lambda: place.get("/readyz") == 200)
            yield place
        finally:
            process.terminate()


@contextmanager
def visiting(gate: Gate, path: str) -> Iterator[list[int]]:
    """Ask for a page all the time; the status of each answer, 0 for none."""
    over, seen = threading.Event(), []

    def go() -> None:
        while not over.wait(0.02):
            seen.append(gate.get(path))

    thread = threading.Thread(target=go)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def test_a_killed_process_costs_a_moment_and_no_page(cluster, gate, make_game):
    shared: Game = make_game(using="postgres", objects={"rocket": {"counters": {"fuel": 4}}})
    phones = [Phone(shared, seat, lambda: gate) for seat in ("ana", "ben", "cleo")]
    try:
        with visiting(gate, "/livez") as statuses, tapping(*phones, pause=0.1):
            phones[-1].hears_after(time.monotonic() + 1)
            for server in cluster.servers[1:]:  # each has been killed once, none is counted out
                since = time.monotonic()
                server.kill()
                for each in phones:
                    each.hears_after(since + KILLED)
                assert max(each.silence(since) for each in phones) < KILLED + MARGIN
                server.start()
                wait_for(lambda server=server: server.ready() == 200)
        settled(shared, *phones)
    finally:
        for each in phones:
            each.close()

    assert {200} == set(statuses)


def test_a_hung_process_costs_no_seat_more_than_the_takeover(cluster, gate, make_game):
    """A seat that only looks on has no tap that could go unanswered: the proxy must notice."""
    shared: Game = make_game(using="postgres", objects={"rocket": {"counters": {"fuel": 4}}})
    phones = [Phone(shared, seat, lambda: gate) for seat in ("ana", "ben", "cleo") * 2]
    try:
        with tapping(*phones[:3], pause=0.3):
            phones[0].hears_after(time.monotonic() + 1)
            since = time.monotonic()
            cluster.servers[1].process.send_signal(signal.SIGSTOP)
            for each in phones:
                each.hears_after(since + HUNG)
            silent = [each.silence(since) for each in phones]
            cluster.servers[1].process.send_signal(signal.SIGCONT)
        settled(shared, *phones)
    finally:
        for each in phones:
            each.close()

    assert max(silent) < HUNG + MARGIN
