"""The tests themselves: the quick ones are there and quick, what runs alone starts no workers."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.conftest import pytest_xdist_auto_num_workers
from tests.house import ROOT
from tests.quick import QUICK


@pytest.mark.parametrize("named", QUICK)
def test_every_quick_test_is_there(named: str) -> None:
    path, _, name = named.partition("::")

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


PYTEST = ("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider")
SECOND = ("-c", "for _ in range(60_000_000): pass")
"""A program that takes a second on the machine for which the quick tests are listed."""


@pytest.mark.sweep
def test_the_quick_tests_take_ten_processor_seconds() -> None:
    """Of a machine that counts to sixty million in one: not all are alike."""
    assert _seconds(*PYTEST, "-m", "quick") <= 10 * _seconds(*SECOND)


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
