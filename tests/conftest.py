"""The cast, their tables, and the services that tests may use.

Tests marked browser, webkit, firefox, postgres, redis, proxies, pooler or watchers are skipped,
with a reason, if the service is missing. COUNTERSITE_REQUIRE=browser,webkit,firefox,postgres,
redis,proxies,pooler,watchers (or CI) makes them fail instead.

`pytest_collection_modifyitems` marks tests quick (those of tests/quick.py) and random. Mark a test
of more than two seconds with sweep: it runs with --sweep, in `.ci/run`, and when its file is named.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import pytest
from django.db import connections
from django.test import Client
from django.utils import translation
from hypothesis import HealthCheck, settings

from countersite import addresses
from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.rules import scenario
from games.seats import rate_limit, requests
from games.store import demos, rows
from games.systems import find
from tests.types import Make, Sit

from . import engines
from .night import FIRST_PORT, Night
from .quick import QUICK
from .shards import shards

settings.register_profile("any pace", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any pace")  # a busy machine makes no test fail

PROGRAMS = f"/usr/sbin:/usr/bin:{os.environ.get('PATH', '')}"
"""The path of proxies and PgBouncer: Debian's nginx is not on everybody's."""
REDIS = os.environ.get("REDIS_TEST_URL", "redis://127.0.0.1:6379/15")


@pytest.fixture(autouse=True)
def _unlimited() -> None:
    """Let each test make its games, visit them and ask for seats: all come from one address."""
    for limit in (*rate_limit.LIMITS, requests.ASKED):
        limit.clear()


@pytest.fixture
def tables(db: None) -> Iterator[None]:
    """The running tables forget the test's games."""
    yield
    from games.live.table_registry import registry  # few tests play at a running table

    registry.close()


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """Reset the language, which a request leaves active in its thread."""
    with translation.override("en"):
        yield
    translation.deactivate()


CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
)
"""The browser of the tests. The shell is Chromium without its windows: a third of the work."""


def _missing_browser() -> str | None:
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "Playwright is not installed (the e2e extra)"
    return None if CHROMIUM else "neither chromium-headless-shell nor chromium is installed"


def _missing_postgres() -> str | None:
    if "postgres" in connections.databases:
        return None
    return "no PostgreSQL at POSTGRES_TEST_URL (postgresql://postgres@127.0.0.1/postgres)"


def _missing_redis() -> str | None:
    try:
        import redis  # noqa: F401
    except ImportError:
        return "redis is not installed (the redis extra)"
    url = urlsplit(REDIS)
    try:
        socket.create_connection((url.hostname or "", url.port or 6379), timeout=1).close()
    except OSError:
        return f"no Redis at REDIS_TEST_URL ({REDIS})"
    return None


def _missing_proxies() -> str | None:
    absent = [each for each in ("nginx", "caddy") if not shutil.which(each, path=PROGRAMS)]
    return f"not installed: {', '.join(absent)}" if absent else None


def _missing_pooler() -> str | None:
    return None if shutil.which("pgbouncer", path=PROGRAMS) else "pgbouncer is not installed"


def _missing_watchers() -> str | None:
    absent = [each for each in ("promtool", "systemd-analyze") if not shutil.which(each)]
    return f"not installed: {', '.join(absent)}" if absent else None


SERVICES: dict[str, Callable[[], str | None]] = {
    "browser": cache(_missing_browser),
    "webkit": cache(partial(engines.missing, "webkit")),
    "firefox": cache(partial(engines.missing, "firefox")),
    "postgres": cache(_missing_postgres),
    "redis": cache(_missing_redis),
    "proxies": cache(_missing_proxies),
    "pooler": cache(_missing_pooler),
    "watchers": cache(_missing_watchers),
}


def required() -> set[str]:
    """The services that must be present."""
    everything = ",".join(SERVICES) if os.environ.get("CI") else ""
    named = os.environ.get("COUNTERSITE_REQUIRE", everything)
    return {word.strip() for word in named.split(",") if word.strip()}


def pytest_runtest_setup(item: pytest.Item) -> None:
    for service, missing in SERVICES.items():
        if item.get_closest_marker(service) and (reason := missing()):
            if service in required():
                pytest.fail(f"{service} is required: {reason}", pytrace=False)
            pytest.skip(reason)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sweep", action="store_true", help="run the sweeps too: minutes more")
    parser.addoption("--shard", metavar="N/OF", help="run one of so many shards: --shard 2/3")


def pytest_report_header(config: pytest.Config) -> str | None:
    return None if _sweeps(config) else "sweeps: left out (--sweep runs them too)"


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run few tests in this process: each worker would first collect all of them."""
    chosen = config.option.keyword or config.option.markexpr == "quick"
    return 0 if chosen or config.option.collectonly or _files(config) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark random and quick tests, deselect sweeps, sort.

    Where browsers are required, a browser test that fails is tried twice more, and told as rerun:
    it waits for what a person waits for, and a machine that runs several may be late once.

    The browser tests come first: their files are the longest, and the last to end is waited for.
    Between them come those of several servers, which mostly wait: side by side with each other,
    each with three servers, they would wait for the processor as well.
    """
    for item in items:
        if "browser" in required() and "browser" in item.path.parts:
            item.add_marker(pytest.mark.flaky(reruns=2))
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("random")
            if "LAWS_EXAMPLES" in os.environ:  # as long as it was asked for, at any pace
                item.add_marker(pytest.mark.timeout(0))
        if item.nodeid.startswith(QUICK) and not item.get_closest_marker("sweep"):
            item.add_marker("quick")
    if not _sweeps(config):
        config.hook.pytest_deselected(items=[each for each in items if _is_sweep(each)])
        items[:] = [each for each in items if not _is_sweep(each)]
    files = list(dict.fromkeys(item.path for item in items))
    turns = dict.fromkeys(files, 1.0)
    for folder in ("browser", "cluster"):
        own = [path for path in files if folder in path.parts]
        turns |= {path: n / len(own) for n, path in enumerate(own)}
    items.sort(key=lambda item: turns[item.path])


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import only files of the shard; with `-m quick`, only those that have a quick test."""
    if not collection_path.match("test_*.py"):
        return None
    if config.option.shard:
        n, count = map(int, config.option.shard.split("/"))
        return None if collection_path in shards(count)[n - 1] else True
    if config.option.markexpr != "quick":
        return None
    path = collection_path.relative_to(config.rootpath).as_posix()
    return None if any(each.startswith(path) for each in QUICK) else True


def _files(config: pytest.Config) -> bool:
    """True if the command names files of tests, not folders or nothing."""
    return any(".py" in each for each in config.args)


def _sweeps(config: pytest.Config) -> bool:
    """True if sweeps are asked for."""
    return config.option.sweep or "sweep" in config.option.markexpr or _files(config)


def _is_sweep(item: pytest.Item) -> bool:
    return item.get_closest_marker("sweep") is not None


# The cast: Ana owns the table, Ben and Cleo sit at it, Dan is a stranger.

CAST = ("ana", "ben", "cleo")


@pytest.fixture
def make_game(db: None) -> Make:
    """Make a game of any system: `make_game("magic", objects={...}, settings={...})`.

    ready: the name of a ready game whose rules it has.
    """

    def make(
        system: str = "any-game",
        edition: str | None = None,
        *,
        seats: dict[str, dict[str, object]] | None = None,
        settings: dict[str, object] | None = None,
        using: str = "default",
        ready: str = "",
        **given: object,
    ) -> Game:
        rules = find(system, edition)
        if ready:
            rules = rules.of_table({"definition": demos.ready_games(system)[ready]})
        described = {"seats": seats or {key: {} for key in CAST}, **given}
        opening = scenario.opening(rules, {"given": described, "settings": settings or {}})
        return rows.create(rules, opening, title="Friday", using=using)

    return make


@pytest.fixture
def game(make_game: Make) -> Game:
    """A game without rules in which Ana, Ben and Cleo have free seats and Ana has a rocket."""
    return make_game(objects={"rocket": {"name": "Rocket", "counters": {"fuel": 4}}})


@pytest.fixture
def secret(make_game: Make) -> Game:
    """A session with a danger that nobody but its GM sees, and a lamp."""
    hidden = {"name": "CANARY", "type": "danger", "slots": 5, "visibility": "hidden"}
    seen = {"name": "Lamp", "type": "progress", "slots": 5, "visibility": "open"}
    game = make_game(
        "stars-and-signs", seats={"gm": {}, "ana": {}}, slot_counters={"c1": hidden, "c2": seen}
    )
    rows.give(game, [{"do": "fill", "on": each, "slots": 2} for each in ("c1", "c2")])
    return game


@pytest.fixture
def sit(db: None) -> Sit:
    """A browser whose device has taken a seat; the first seat's browser is the host's."""

    def sit_down(game: Game, key: str) -> Client:
        seat = game.seats.get(key=key)
        device = new_device()
        role = Visitor.Role.HOST if seat.host else Visitor.Role.GUEST
        game.admit(hashed(device), role)
        assert seat.claim(hashed(device)), f"{key} is taken"
        client = Client()
        client.cookies["device"] = device
        return client

    return sit_down


@pytest.fixture
def ana(game: Game, sit: Sit) -> Client:
    return sit(game, "ana")


@pytest.fixture
def ben(game: Game, sit: Sit) -> Client:
    return sit(game, "ben")


@pytest.fixture
def cleo(game: Game, sit: Sit) -> Client:
    return sit(game, "cleo")


@pytest.fixture
def dan(db: None) -> Client:
    """A stranger: a browser without an invitation."""
    return Client()


@pytest.fixture(params=["default", pytest.param("postgres", marks=pytest.mark.postgres)])
def both_databases(request: pytest.FixtureRequest) -> str:
    """SQLite, then PostgreSQL. The test also needs `django_db(databases=BOTH)`."""
    alias: str = request.param
    return alias


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Callable[..., Night]]:
    """Start nights in one folder: `night(port)`. Stop them after the test."""
    started: list[Night] = []

    def start(port: int, *, first: bool = False, **variables: Any) -> Night:
        started.append(Night(tmp_path / "night", port, first=first, **variables))
        return started[-1]

    yield start
    for each in started:
        if each.process.poll() is None:
            each.kill()


def free_port() -> int:
    """A free port. Each worker of a run has thirty of its own, so that no other takes it
    until the test's server listens there; runs begin at different ones."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw") or os.getpid())
    run = crc32(os.environ.get("PYTEST_XDIST_TESTRUNUID", "").encode())
    return addresses.free_port("127.0.0.1", FIRST_PORT + (run + worker) % 40 * 30)


@pytest.fixture
def port() -> int:
    """A free port."""
    return free_port()
