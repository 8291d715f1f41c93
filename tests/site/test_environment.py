"""Settings fail loudly at startup, naming the variable and the values it accepts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from countersite import environment, first_run


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("on", True), ("No", False)])
def test_a_flag_is_read(monkeypatch: pytest.MonkeyPatch, value: Any, expected: Any) -> None:
    monkeypatch.setenv("COUNTERSITE_HTTPS", value)

    assert expected is environment.flag("COUNTERSITE_HTTPS", not expected)


def test_an_empty_flag_has_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERSITE_HTTPS", " ")

    assert environment.flag("COUNTERSITE_HTTPS", True)


def test_a_strange_flag_names_itself_and_what_it_accepts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERSITE_HTTPS", "maybe")

    with pytest.raises(ImproperlyConfigured, match="COUNTERSITE_HTTPS='maybe': use one of 1, true"):
        environment.flag("COUNTERSITE_HTTPS", False)


def test_hosts_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERSITE_HOSTS", "table.example.org, other.example.org,")

    assert ["table.example.org", "other.example.org"] == environment.words("COUNTERSITE_HOSTS")


@pytest.mark.parametrize("value", ["*", "https://table.example.org", "a b"])
def test_invalid_hosts_are_refused(monkeypatch: pytest.MonkeyPatch, value: Any) -> None:
    monkeypatch.setenv("COUNTERSITE_HOSTS", value)

    with pytest.raises(ImproperlyConfigured, match="COUNTERSITE_HOSTS"):
        environment.words("COUNTERSITE_HOSTS")


def test_origins_that_may_frame_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    named = "https://www.owlbear.rodeo, https://*.discordsays.com,http://localhost:8000"
    monkeypatch.setenv("COUNTERSITE_FRAMED_BY", named)
    assert 3 == len(environment.origins("COUNTERSITE_FRAMED_BY"))
    for wrong in ("*", "https://*", "http://a.example", "https://a.example/", "https://a.b; x"):
        monkeypatch.setenv("COUNTERSITE_FRAMED_BY", wrong)
        with pytest.raises(ImproperlyConfigured, match="is not accepted; use origins"):
            environment.origins("COUNTERSITE_FRAMED_BY")


def test_proxies_are_addresses_and_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERSITE_PROXIES", "127.0.0.1, 10.0.0.0/8")

    found = environment.networks("COUNTERSITE_PROXIES", [])

    assert ["127.0.0.1/32", "10.0.0.0/8"] == [str(each) for each in found]


def test_a_strange_proxy_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERSITE_PROXIES", "nginx")

    with pytest.raises(ImproperlyConfigured, match="COUNTERSITE_PROXIES: 'nginx'"):
        environment.networks("COUNTERSITE_PROXIES", [])


def test_there_is_no_secret_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("COUNTERSITE_SECRET_KEY")

    with pytest.raises(ImproperlyConfigured, match="COUNTERSITE_SECRET_KEY: set 32 or more"):
        environment.secret("COUNTERSITE_SECRET_KEY", tmp_path / "none")


def test_the_first_run_writes_a_secret_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(first_run.DATA, "")
    monkeypatch.delenv("COUNTERSITE_SECRET_KEY")
    file = tmp_path / "night" / first_run.SECRET_FILE

    first_run.prepare(["--port", "8000", "--data", str(tmp_path / "night")])
    first = environment.secret("COUNTERSITE_SECRET_KEY", file)
    first_run.prepare([f"--data={tmp_path / 'night'}"])

    assert first == environment.secret("COUNTERSITE_SECRET_KEY", file)
    assert 0o600 == file.stat().st_mode & 0o777
    assert tmp_path / "night" == first_run.data_folder()


def test_a_secret_from_outside_is_not_written_down(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(first_run.DATA, str(tmp_path / "night"))

    first_run.prepare([])

    assert [] == list((tmp_path / "night").iterdir())


def test_the_database_is_a_file_unless_a_url_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)

    found = environment.database("DATABASE_URL", Path("/night/games.sqlite3"))

    assert "/night/games.sqlite3" == found["NAME"]
    assert "IMMEDIATE" == found["OPTIONS"]["transaction_mode"]
    assert "synchronous=FULL" in found["OPTIONS"]["init_command"]


@pytest.fixture
def extras(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The extras are installed: `extras(False)` says that they are not."""

    def installed(there: bool) -> None:
        monkeypatch.setattr(environment, "find_spec", lambda _module: object() if there else None)

    installed(True)
    return installed


def test_an_address_whose_extra_is_missing_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, extras: None
) -> None:
    extras(False)
    monkeypatch.setenv("DATABASE_URL", "postgresql://ana@db.example/night")
    monkeypatch.setenv("REDIS", "redis://127.0.0.1:6379/1")

    with pytest.raises(ImproperlyConfigured, match=r"install countersite\[postgres\]"):
        environment.database("DATABASE_URL", Path())
    with pytest.raises(ImproperlyConfigured, match=r"install countersite\[redis\]"):
        environment.redis("REDIS", POSTGRESQL)


def test_a_postgresql_url_is_taken_apart(monkeypatch: pytest.MonkeyPatch, extras: None) -> None:
    monkeypatch.setenv(
        "DATABASE_URL", "postgres://ana:p%40ss@db.example:5433/night?sslmode=require"
    )

    found = environment.database("DATABASE_URL", Path())

    parts = tuple(found[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT"))
    assert ("night", "ana", "p@ss", "db.example", "5433") == parts
    assert "require" == found["OPTIONS"]["sslmode"]


@pytest.mark.parametrize("url", ["mysql://localhost/night", "postgresql://localhost", "nonsense"])
def test_other_databases_are_refused_with_what_is_accepted(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)

    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL: use postgresql://"):
        environment.database("DATABASE_URL", Path())


SQLITE = {"ENGINE": "django.db.backends.sqlite3"}
POSTGRESQL = {"ENGINE": "django.db.backends.postgresql"}


def test_one_process_needs_no_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REDIS", raising=False)

    assert "" == environment.redis("REDIS", SQLITE)


def test_several_processes_share_redis_and_postgresql(
    monkeypatch: pytest.MonkeyPatch, extras: None
) -> None:
    monkeypatch.setenv("REDIS", "redis://127.0.0.1:6379/1")

    assert "redis://127.0.0.1:6379/1" == environment.redis("REDIS", POSTGRESQL)
    with pytest.raises(ImproperlyConfigured, match="which need PostgreSQL"):
        environment.redis("REDIS", SQLITE)


def test_an_invalid_redis_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS", "http://127.0.0.1")

    with pytest.raises(ImproperlyConfigured, match="redis://host:6379/0"):
        environment.redis("REDIS", POSTGRESQL)


@pytest.mark.parametrize(
    ("checkout", "variables", "folder"),
    [
        (True, {}, first_run.ROOT / "data"),
        (False, {}, Path("/home/ana/.local/share/countersite")),
        (False, {"XDG_DATA_HOME": "/srv/ana"}, Path("/srv/ana/countersite")),
        (False, {first_run.DATA: "~/friday"}, Path("/home/ana/friday")),
    ],
)
def test_data_is_in_the_checkout_or_where_this_system_keeps_it(
    checkout: Any, variables: Any, folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (first_run.DATA, "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/ana", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(first_run, "CHECKOUT", checkout)
    monkeypatch.setattr(first_run.sys, "platform", "linux")  # type: ignore[attr-defined]

    assert folder == first_run.data_folder()


def test_an_ipv6_address_may_be_named_with_or_without_brackets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COUNTERSITE_HOSTS", "2001:db8::1, [2001:db8::2]:8443")

    hosts = environment.words("COUNTERSITE_HOSTS")

    assert ["[2001:db8::1]", "[2001:db8::2]:8443"] == hosts
    assert ["[2001:db8::1]", "[2001:db8::2]"] == [environment.without_port(each) for each in hosts]


def test_an_index_of_games_is_read_or_refused_with_the_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    listed = tmp_path / "games.json"
    line = '{"title": "Sheep", "about": "A race.", "link": "%s"}'
    assert () == environment.index("COUNTERSITE_GAMES")
    monkeypatch.setenv("COUNTERSITE_GAMES", str(listed))

    listed.write_text(f"[{line % 'https://example.org/sheep'}, {line % '/game#abc'}]")
    assert ["example.org", ""] == [game.host for game in environment.index("COUNTERSITE_GAMES")]
    for link in (
        "javascript:alert(1)",
        "http://a.example/",
        "//a.example/",
        "https:///x",
        "",
        "/a b",
    ):
        listed.write_text(f"[{line % link}]")
        with pytest.raises(ImproperlyConfigured, match=r"COUNTERSITE_GAMES=.*\$\[0\]\.link"):
            environment.index("COUNTERSITE_GAMES")
    listed.write_text("[{")
    with pytest.raises(ImproperlyConfigured, match=r"COUNTERSITE_GAMES=.*truncated"):
        environment.index("COUNTERSITE_GAMES")
