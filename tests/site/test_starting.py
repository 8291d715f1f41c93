"""Errors at start: one sentence with what to do, and no traceback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import pytest
from django.core.management import get_commands

from countersite import __version__
from countersite.__main__ import COMMANDS, OF_THE_SOURCE, usage
from countersite.addresses import port_number
from tests.house import ROOT
from tests.live.wire import reserved

OF_TESTS = re.compile("COUNTERSITE_|DATABASE_URL|DJANGO_SETTINGS_MODULE|REDIS_URL")
OURS = {each.stem for each in (ROOT / "countersite/management/commands").glob("[a-z]*.py")}


def surroundings(data: Path, **variables: str) -> dict[str, str]:
    """The environment of an operator's command: none of the tests' own settings."""
    kept = {name: value for name, value in os.environ.items() if not OF_TESTS.match(name)}
    return {**kept, "COUNTERSITE_DATA": str(data), **variables}


def run(data: Path, *command: str, **variables: str) -> tuple[int, str]:
    """The exit code and all that is printed."""
    line = [sys.executable, "-W", "ignore", "-m", "countersite", *command]
    environment = surroundings(data, **variables)
    ran = subprocess.run(
        line, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    return ran.returncode, (ran.stdout + ran.stderr).strip()


def _ran(line: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        line, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )


def sentence(data: Path, *command: str, **variables: str) -> str:
    code, says = run(data, *command, **variables)
    assert 1 == code
    assert "Traceback" not in says
    assert 1 == len(says.splitlines()), says
    return says


def test_help_names_our_commands_and_what_each_is_for() -> None:
    named = {command.split()[0] for command in COMMANDS}

    assert named <= {*get_commands()}
    assert OURS - named == {*OF_THE_SOURCE, "vocabulary"} - {"newsystem"}
    assert "startproject" not in usage()


def test_help_needs_no_data(tmp_path: Path) -> None:
    assert (0, usage()) == run(tmp_path / "none", "--help")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("command", ["table", "serve"])
def test_a_damaged_database_says_what_to_do(tmp_path: Path, command: str) -> None:
    (tmp_path / "games.sqlite3").write_bytes(b"no database" * 999)

    says = sentence(tmp_path, command)

    assert f"The database {tmp_path / 'games.sqlite3'} is damaged" in says
    assert "countersite restore" in says
    assert str(tmp_path / "backups") in says


def test_a_database_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    says = sentence(tmp_path, "serve", DATABASE_URL="postgresql://ana@127.0.0.1:1/games")

    assert says.startswith("The database games on 127.0.0.1 cannot be used: ")


def test_an_empty_secret_key_is_never_used_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "secret-key").touch()

    says = sentence(tmp_path, "migrate")

    assert f"{tmp_path / 'secret-key'} holds no secret key" in says
    assert "" == (tmp_path / "secret-key").read_text()


def test_a_mistyped_variable_is_named(tmp_path: Path) -> None:
    says = sentence(tmp_path, "migrate", COUNTERSITE_HOST="table.example.org")

    assert "COUNTERSITE_HOST is not read. Do you mean COUNTERSITE_HOSTS?" == says


def test_a_variable_that_resembles_none_of_ours_is_another_program_s(tmp_path: Path) -> None:
    assert 0 == run(tmp_path, "check", COUNTERSITE_OVERLAY_COLOUR="red")[0]


@pytest.mark.parametrize("port", ["99999", "0", "-1", "http"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    with pytest.raises(ArgumentTypeError, match=f"'{port}' is no port: use a whole number"):
        port_number(port)

    assert 8000 == port_number("8000")


def test_a_rule_system_whose_code_fails_is_named_with_the_line(tmp_path: Path) -> None:
    script = (
        "import importlib, sys; from countersite.__main__ import main\n"
        "real = importlib.import_module\n"
        "def broken(name, *more):\n"
        "    if name == 'games.systems.magic': eval('1 +')\n"
        "    return real(name, *more)\n"
        "importlib.import_module = broken; sys.argv = ['countersite', *sys.argv[1:]]; main()"
    )
    line = [sys.executable, "-c", script, "migrate"]
    environment = surroundings(tmp_path)
    ran = subprocess.run(
        line, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )

    assert 1 == ran.returncode
    assert ran.stderr.startswith(
        "The rule system games.systems.magic cannot be used: SyntaxError: invalid syntax"
    )
    assert 1 == len(ran.stderr.splitlines())


def test_serve_says_in_the_log_what_serves_and_when_it_stops(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    assert 0 == run(tmp_path, "migrate", "--verbosity", "0")[0]
    port = reserved(request)
    line = [sys.executable, "-W", "ignore", "-m", "countersite", "serve", "--port", str(port)]
    environment = surroundings(tmp_path, COUNTERSITE_LOG="json")
    with subprocess.Popen(
        line, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        began = json.loads(server.stderr.readline())["message"]
        server.terminate()
        ended = [json.loads(each)["message"] for each in server.stderr]

    at = f"http://127.0.0.1:{port}"
    assert f"Serving Countersite {__version__} at {at}, SQLite, no Redis, 0 games here." == began
    assert ["Stopping. Everything acknowledged is saved; phones reconnect."] == ended
