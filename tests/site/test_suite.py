"""The tests themselves: the quick ones are there and quick, what runs alone starts no workers."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.conftest import pytest_ignore_collect, pytest_xdist_auto_num_workers
from tests.house import ROOT
from tests.quick import QUICK
from tests.shards import cost, shards


@pytest.mark.parametrize("named", QUICK)
def test_every_quick_test_is_there(named: str) -> None:
    path, _, name = named.partition("[")[0].partition("::")

    assert f"def {name}" in (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.sweep
@pytest.mark.timeout(900)  # as much as mypy takes without a cache
def test_the_types_fit_in_a_clone_without_the_extras(tmp_path: Path) -> None:
    """CONTRIBUTING's first commands install none of them, and stop where mypy does."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = "which a clone may be without\nignore_missing_imports = true"
    assert 1 == text.count(extras)
    without = tmp_path / "pyproject.toml"
    without.write_text(text.replace(extras, f'{extras}\nfollow_imports = "skip"'))
    mypy = ("-m", "mypy", "--config-file", str(without), "--cache-dir", str(tmp_path / "cache"))
    done = subprocess.run([sys.executable, *mypy], cwd=ROOT, capture_output=True, text=True)

    assert 0 == done.returncode, done.stdout


def test_each_file_is_in_one_of_the_shards_that_a_forge_runs_and_none_is_much_longer() -> None:
    named = re.findall(r"tests (\d)/(\d)", (ROOT / ".github/workflows/ci.yml").read_text())
    count = len(named)
    assert [(str(n), str(count)) for n in range(1, count + 1)] == named

    files = [path for shard in shards(count) for path in shard]
    assert sorted((ROOT / "tests").rglob("test_*.py")) == sorted(files)
    lengths = [sum(map(cost, shard)) for shard in shards(count)]
    assert max(lengths) < 1.1 * min(lengths)


def test_a_shard_collects_its_own_files_alone() -> None:
    config = cast(pytest.Config, SimpleNamespace(option=SimpleNamespace(shard="2/3", markexpr="")))
    own = shards(3)[1]

    files = [path for shard in shards(3) for path in shard]
    assert own == {path for path in files if not pytest_ignore_collect(path, config)}


PYTEST = ("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider")
SECOND = ("-c", "for _ in range(60_000_000): pass")
"""A program that takes a second on the machine for which the quick tests are listed."""


@pytest.mark.sweep
def test_the_quick_tests_take_ten_processor_seconds() -> None:
    """Of a machine that counts to sixty million in one, in one of three runs: a busy one varies."""
    assert any(_seconds(*PYTEST, "-m", "quick") <= 10 * _seconds(*SECOND) for _run in range(3))


def _seconds(*arguments: str) -> float:
    """The processor seconds of a run of Python, which must end well."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = [sys.executable, *arguments]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@pytest.mark.parametrize(
    ("args", "options", "workers"),
    [
        (["tests"], {}, None),
        (["tests/rules", "tests/systems"], {"markexpr": "not random"}, None),
        (["tests"], {"markexpr": "quick"}, 0),
        (["tests"], {"keyword": "undo"}, 0),
        (["tests"], {"collectonly": True}, 0),
        (["tests/rules/test_input.py"], {}, 0),
        (["tests/rules/test_input.py::test_a"], {}, 0),
    ],
)
def test_only_what_takes_minutes_has_workers(
    args: list[str], options: dict[str, Any], workers: int | None
) -> None:
    usual = {"keyword": "", "markexpr": "", "collectonly": False}
    config = SimpleNamespace(args=args, option=SimpleNamespace(**{**usual, **options}))

    assert workers == pytest_xdist_auto_num_workers(cast(pytest.Config, config))


def test_the_random_games_are_played_by_the_command_that_the_docs_name() -> None:
    command = "python -m tests.meeting --games 3000 magic"
    assert command in (ROOT / "docs/testing.md").read_text(encoding="utf-8")

    _python, *given = command.replace("3000", "1").split()
    done = subprocess.run([sys.executable, *given], cwd=ROOT, capture_output=True, text=True)

    assert 0 == done.returncode, done.stderr
    assert "1 games, 0 broken" in done.stdout
