"""The tests themselves: the quick ones are there and quick, what runs alone starts no workers."""

from __future__ import annotations

import resource
import subprocess
import sys
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
def test_the_quick_tests_take_ten_processor_seconds() -> None:
    """About one of which every start takes: a ratio, for not all machines are alike."""
    assert _seconds("-m", "quick") <= 7 * _seconds("tests/rules/test_sent.py")


def _seconds(*arguments: str) -> float:
    """The processor seconds of a run, which must pass."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *arguments]
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
        (["tests/rules/test_sent.py"], {}, 0),
        (["tests/rules/test_sent.py::test_a"], {}, 0),
    ],
)
def test_only_what_takes_minutes_has_workers(
    args: list[str], options: dict[str, Any], workers: int | None
) -> None:
    usual = {"keyword": "", "markexpr": "", "collectonly": False}
    config = SimpleNamespace(args=args, option=SimpleNamespace(**{**usual, **options}))

    assert workers == pytest_xdist_auto_num_workers(cast(pytest.Config, config))
