"""The shipped files for nginx and Caddy, in front of three processes that are killed or hang."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from games.cluster.home import home
from games.models import Game
from tests.conftest import PROGRAMS
from tests.types import Make

from .processes import Cluster, Gate, Phone, played_by, settled, tapping, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.proxies,
    pytest.mark.django_db(transaction=True, databases="__all__"),
]
DEPLOY = Path(__file__).parents[2] / "deploy"
TABLES = 60
DEBIANS = Path("/etc/nginx/nginx.conf")
"""Debian's configuration around the sites; elsewhere it is `OTHERS`."""
OTHERS = """
worker_processes 1;
pid here;
error_log here;
events {}
http {
    access_log here;
    include /etc/nginx/conf.d/*.conf;
    include /etc/nginx/sites-enabled/*;
}
"""
KILLED, HUNG, PAGE, MARGIN = 3.0, 5.0, 3.0, 4.0
"""Seconds of silence that a process may cost that is killed, or hangs; those that one that hangs
may cost a page; and more for a busy machine."""


def replaced(text: str, **changes: str) -> str:
    """*text* with each of *changes* made, which must all apply."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def nginx(folder: Path, port: int, ports: Sequence[int]) -> list[str]:
    """The shipped file without TLS, before servers at these ports."""

    def processes(how: str) -> str:
        return "\n".join(f"server 127.0.0.1:{each} {how};" for each in ports)

    site = replaced(
        (DEPLOY / "nginx.conf").read_text(),
        **{
            "server 127.0.0.1:8000 max_fails=0;": processes("max_fails=0"),
            "server 127.0.0.1:8000 max_fails=2 fail_timeout=5s;": processes(
                "max_fails=2 fail_timeout=5s"
            ),
            "listen 443 ssl;": f"listen 127.0.0.1:{port};",
            "listen [::]:443 ssl;": "",
            "ssl_certificate     /etc/letsencrypt/live/table.example.org/fullchain.pem;": "",
            "ssl_certificate_key /etc/letsencrypt/live/table.example.org/privkey.pem;": "",
            "/etc/nginx/countersite-proxy.conf": str(DEPLOY / "countersite-proxy.conf"),
        },
    )
    (folder / "site.conf").write_text(paths(folder) + site)
    whole = DEBIANS.read_text() if DEBIANS.exists() else OTHERS
    for old, new in (
        (r"^user .*;$", ""),
        (r"^worker_processes .*;$", "worker_processes 1; daemon off;"),
        (r"^pid .*;$", f"pid {folder}/pid;"),
        (r"^(\s*error_log) .*;$", rf"\1 {folder}/error.txt;"),
        (r"^(\s*access_log) .*;$", r"\1 off;"),
        (r"^\s*include /etc/nginx/conf\.d/\*\.conf;$", ""),
        (
            r"^(\s*include) /etc/nginx/sites-enabled/\*;$",
            rf"\1 {folder}/site.conf;",
        ),
    ):
        whole, found = re.subn(old, new, whole, flags=re.M)
        assert found or old.startswith("^user"), old
    (folder / "nginx.conf").write_text(whole)
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def paths(folder: Path) -> str:
    """Folders in which nginx may write, if its own are not for us."""
    temporary = "client_body proxy fastcgi uwsgi scgi".split()
    return "".join(f"{each}_temp_path {folder};\n" for each in temporary)


def caddy(folder: Path, port: int, ports: Sequence[int]) -> list[str]:
    """The shipped file without TLS, before servers at these ports."""
    site = replaced(
        (DEPLOY / "Caddyfile").read_text(),
        **{
            "table.example.org {": f"http://127.0.0.1:{port} {{",
            "127.0.0.1:8000": " ".join(f"127.0.0.1:{each}" for each in ports),
        },
    )
    (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + site)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


each_proxy = pytest.mark.parametrize("proxy", [nginx, caddy], ids=["nginx", "Caddy"])
Proxy = Callable[[Path, int, Sequence[int]], list[str]]


@pytest.fixture
def gate(proxy: Proxy, tmp_path: Path, cluster: Cluster) -> Iterator[Gate]:
    """The proxy in front of the cluster."""
    cluster.mend()
    with opened(proxy, tmp_path, [each.port for each in cluster.servers]) as place:
        yield place


@contextmanager
def opened(proxy: Proxy, folder: Path, ports: Sequence[int]) -> Iterator[Gate]:
    """A proxy before servers at these ports."""
    place = Gate()
    command = proxy(folder, place.port, ports)
    folder.chmod(0o755)  # nginx, started by root, works as another user
    variables = {"PATH": PROGRAMS, "HOME": str(folder)}
    out = (folder / "proxy.txt").open("w")
    with out, subprocess.Popen(command, env=variables, stdout=out, stderr=out) as process:
        try:
            wait_for(lambda: place.get("/readyz") == 200)
            yield place
        finally:
            process.terminate()


class Named(BaseHTTPRequestHandler):
    """A server that answers with its own port."""

    def do_GET(self) -> None:
        name = str(self.server.server_address[1]).encode()  # type: ignore[index]
        self.send_response(200)
        self.send_header("Content-Length", str(len(name)))
        self.end_headers()
        self.wfile.write(name)

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


def answered_by(gate: Gate, path: str) -> int:
    """The port of the server that answers a page."""
    with closing(HTTPConnection("127.0.0.1", gate.port, timeout=20)) as connection:
        theirs = {"X-Game": "whatever a visitor says"} if path.startswith("/g/") else {}
        connection.request("GET", path, headers=theirs)
        return int(connection.getresponse().read())


@each_proxy
def test_a_game_has_one_process_and_other_pages_go_round(proxy: Any, tmp_path: Path) -> None:
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), Named) for _server in range(3)]
    for each in servers:
        threading.Thread(target=each.serve_forever, args=[0.01], daemon=True).start()
    ports = {each.server_address[1] for each in servers}
    games = [f"game-{number}" for number in range(60)]  # each server is the home of some
    try:
        with opened(proxy, tmp_path, sorted(ports)) as gate:
            homes = {slug: answered_by(gate, f"/g/{slug}/") for slug in games}
            others = {
                slug: answered_by(gate, path)
                for slug in games
                for path in (f"/g/{slug}/ws", f"/g/{slug}/command", f"/g/{slug}/log")
            }
            pages = {answered_by(gate, "/rules/") for _page in range(40)}
            gone = servers.pop()
            gone.shutdown()
            gone.server_close()
            after = {slug: answered_by(gate, f"/g/{slug}/") for slug in games}
    finally:
        for each in servers:
            each.shutdown()
            each.server_close()

    left = {each.server_address[1] for each in servers}
    stayed = {slug for slug, home in homes.items() if home in left}
    assert (ports, ports) == (set(homes.values()), pages)
    assert homes == others
    assert left == set(after.values())
    assert {slug: homes[slug] for slug in stayed} == {slug: after[slug] for slug in stayed}
    if proxy is nginx:
        assert homes == {slug: at_home(slug, ports) for slug in games}
        assert after == {slug: at_home(slug, left) for slug in games}


def at_home(slug: str, ports: Iterable[int]) -> int:
    """The port of a game's home, among servers at these."""
    return int(home(slug, frozenset(f"127.0.0.1:{each}" for each in ports)).partition(":")[2])


@contextmanager
def visiting(gate: Gate, path: str) -> Iterator[list[tuple[int, float]]]:
    """Ask for a page all the time; the status of each answer, 0 for none, and its seconds."""
    over, seen = threading.Event(), []

    def go() -> None:
        while not over.wait(0.02):
            begun = time.monotonic()
            seen.append((gate.get(path), time.monotonic() - begun))

    thread = threading.Thread(target=go)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


@each_proxy
def test_a_killed_process_costs_a_moment_and_no_page(
    cluster: Cluster, gate: Any, make_game: Make
) -> None:
    shared: Game = make_game(using="postgres", objects={"rocket": {"counters": {"fuel": 4}}})
    phones = [Phone(shared, seat, lambda: gate) for seat in ("ana", "ben", "cleo")]
    try:
        with visiting(gate, "/livez") as visits, tapping(*phones, pause=0.1):
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

    assert {200} == {status for status, _seconds in visits}


@each_proxy
def test_a_hung_process_costs_no_seat_more_than_the_takeover_and_a_page_little(
    cluster: Cluster, gate: Any, make_game: Make
) -> None:
    """A seat that only looks on has no tap that could go unanswered: the proxy must notice."""
    shared: Game = make_game(using="postgres", objects={"rocket": {"counters": {"fuel": 4}}})
    phones = [Phone(shared, seat, lambda: gate) for seat in ("ana", "ben", "cleo") * 2]
    try:
        with visiting(gate, "/livez") as visits, tapping(*phones[:3], pause=0.3):
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
    assert {200} == {status for status, _seconds in visits}
    assert max(seconds for _status, seconds in visits) < PAGE + MARGIN


@pytest.mark.sweep
@pytest.mark.parametrize("proxy", [nginx])
def test_a_rolling_restart_leaves_every_game_at_home(
    cluster: Cluster, gate: Any, make_game: Make
) -> None:
    """Its phones tap on all the time, and each connects again where its game is now."""
    rocket = {"rocket": {"counters": {"fuel": 4}}}
    games = [make_game(using="postgres", objects=rocket) for _game in range(TABLES)]
    with ThreadPoolExecutor(TABLES) as at_once:
        phones = list(at_once.map(lambda game: Phone(game, "ana", lambda: gate), games))
    homes = {game.pk: at_home(game.slug, [each.port for each in cluster.servers]) for game in games}
    try:
        with tapping(*phones, pause=2):
            for server in cluster.servers:
                server.process.terminate()
                assert 0 == server.process.wait(30)
                server.start()
                wait_for(lambda server=server: server.ready() == 200, 60)
            wait_for(lambda: ports_of(games) == homes, 120)
        for game, phone in zip(games, phones, strict=True):
            settled(game, phone)
    finally:
        for each in phones:
            each.close()

    assert 3 == len({*homes.values()})
    assert {4512} >= {code for each in phones for code in each.codes}


@pytest.mark.sweep
@pytest.mark.parametrize("proxy", [nginx])
def test_a_process_that_is_back_from_a_hang_gets_its_games_again(
    cluster: Cluster, gate: Any, make_game: Make
) -> None:
    rocket = {"rocket": {"counters": {"fuel": 4}}}
    games = [make_game(using="postgres", objects=rocket) for _game in range(12)]
    phones = [Phone(game, "ana", lambda: gate) for game in games]
    homes = {game.pk: at_home(game.slug, [each.port for each in cluster.servers]) for game in games}
    hung = next(each for each in cluster.servers if each.port in homes.values())
    try:
        with tapping(*phones, pause=1):
            wait_for(lambda: ports_of(games) == homes, 60)
            hung.process.send_signal(signal.SIGSTOP)
            wait_for(lambda: hung.port not in ports_of(games).values(), 60)
            wait_for(lambda: len(ports_of(games)) == len(games), 60)
            hung.process.send_signal(signal.SIGCONT)
            wait_for(lambda: ports_of(games) == homes, 60)
        for game, phone in zip(games, phones, strict=True):
            settled(game, phone)
    finally:
        hung.process.send_signal(signal.SIGCONT)
        for each in phones:
            each.close()


def ports_of(games: Sequence[Game]) -> dict[int, int]:
    """The port of the process that plays each game."""
    return {pk: int(address.partition(":")[2] or 0) for pk, address in played_by(*games).items()}
