"""The benchmark that anyone can point at their own host runs, and keeps what it promises."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.house import ROOT

pytest.importorskip("websockets")


@pytest.mark.sweep
def test_it_measures_a_server_of_its_own_and_draws_a_chart(tmp_path: Path) -> None:
    chart = tmp_path / "taps.svg"
    short = ["--tables", "2", "--seats", "2", "--seconds", "0.3", "--chart", str(chart)]
    done = subprocess.run(
        [sys.executable, "bench/host_bench.py", "--local", *short],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )

    assert "tables, seats          2, 4" in done.stdout
    assert re.search(r"p99  \d+\.\d\d ms", done.stdout)
    assert "every tap kept" in done.stdout
    drawn = ElementTree.fromstring(chart.read_text(encoding="utf-8"))
    line = drawn.find("{*}polyline")
    assert line is not None
    assert 100 == len(line.attrib["points"].split())
