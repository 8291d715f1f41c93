"""A soak of seconds: evenings come and go, and nothing stays."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.__main__ import kept
from tests.fuzz.mutating import altered_json
from tests.house import ROOT
from tests.soak import Soak, slope


@pytest.mark.sweep
def test_evenings_come_and_go_and_leave_nothing(tmp_path: Path, port: int) -> None:
    soak = Soak(tmp_path / "night", minutes=0.15, workers=2)
    soak.run(port)

    assert [] == soak.count.failed
    assert soak.count.evenings > 2
    assert {} == soak.left, "rows"
    assert [] == soak.grown()
    assert "Traceback" not in soak.printed


def test_a_leak_has_a_slope() -> None:
    assert round(slope([(minute, 100 + 3 * minute) for minute in range(9)]), 6) == 3
    assert slope([(minute, 100 + minute % 2) for minute in range(60)]) < 0.01


def test_inputs_that_once_broke_something_break_nothing_any_more() -> None:
    assert {"command", "request", "wire"} <= {folder.name for folder in kept()}

    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "kept"],
        cwd=ROOT, capture_output=True, text=True, timeout=120,
    )  # fmt: skip

    assert 0 == done.returncode, done.stdout + done.stderr


def test_json_that_is_changed_stays_json() -> None:
    dice, words = random.Random(1), ["ana", "place", 3]
    given = b'{"do": "place", "on": ["ana"], "amount": 1, "more": {"a": null}}'

    made = [altered_json(given, dice, words, lambda data, most: data) for _ in range(300)]

    assert all(json.loads(each) is not ... for each in made)
    assert len({*made}) > 150
