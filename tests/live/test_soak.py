"""A soak of seconds: evenings come and go, and nothing stays."""

from __future__ import annotations

from pathlib import Path

import pytest

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
