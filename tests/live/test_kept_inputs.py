"""Regression inputs that a fuzzer found, in a process of their own."""

from __future__ import annotations

import json
import random
import subprocess
import sys

from tests.fuzz.__main__ import kept
from tests.fuzz.mutating import altered_json
from tests.house import ROOT


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
